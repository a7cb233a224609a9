curl -H "Authorization: Bearer $(cat ~/.token)" https://api.acme-demo.com/me
