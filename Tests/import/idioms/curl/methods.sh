curl -X POST https://api.acme-demo.com/refresh
curl -I https://api.acme-demo.com/head
curl -X DELETE https://api.acme-demo.com/items/7 -d '{"hard":true}' -H 'Content-Type: application/json'
curl -X GET https://api.acme-demo.com/_search -H 'content-type: application/json' -d '{"query":{"match_all":{}}}'
curl -XPURGE https://cdn.acme-demo.com/x
curl -sSLo /dev/null -w '%{http_code}\n' -k --http1.1 https://api.acme-demo.com/flags
curl -b 'a=1; b=2' --oauth2-bearer tKq93-Zmx81-Wpq https://api.acme-demo.com/cookies
