curl -X 'PUT' \
  'https://petshop.acme-demo.com/api/v3/pet/10?force=true' \
  -H 'accept: application/json' \
  -H 'Content-Type: application/json' \
  -H 'api_key: jK85-hhGf-30cX' \
  -d '{
  "id": 10,
  "name": "doggie",
  "photoUrls": [
    "string"
  ]
}'
