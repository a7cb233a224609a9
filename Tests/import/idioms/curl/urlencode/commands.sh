curl https://api.acme-demo.com/search --data-urlencode 'q=a b&c' --data-urlencode '=x=y z' --data-urlencode 'plain text' -d page=2
curl -G https://api.acme-demo.com/find -d 'q=now' --data-urlencode 'where=name = "Zoë"'
curl https://api.acme-demo.com/upload-text --data-urlencode 'text@words.txt'
curl --url-query 'tag=x y' 'https://api.acme-demo.com/list?a=1'
