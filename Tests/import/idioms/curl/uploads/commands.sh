curl -T a.txt 'https://files.acme-demo.com/dir/'
curl -T '{a.txt,b.txt}' https://files.acme-demo.com/many/
curl -T a.txt -H 'Content-Type: text/plain' -X POST https://files.acme-demo.com/posted
curl -r 0-3 -T a.txt https://files.acme-demo.com/ranged
curl -F 'up=@-;filename=in.txt' https://files.acme-demo.com/stdin < a.txt
curl -F 'a=1' -H 'Content-Type: multipart/form-data; charset=utf-8' https://files.acme-demo.com/charset
