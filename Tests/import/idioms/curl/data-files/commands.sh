curl -X PUT https://api.acme-demo.com/raw -H 'Content-Type: application/json' --data-binary @payload.json
curl https://api.acme-demo.com/joined -d @lines.txt
curl https://api.acme-demo.com/mixed -d a=1 -d 'b=two words' --data-raw 'c=@x'
curl https://api.acme-demo.com/json --json '{"a": 1}'
curl https://api.acme-demo.com/json-file --json @payload.json
curl https://api.acme-demo.com/text -H 'Content-Type: text/csv' --data-binary @lines.txt
