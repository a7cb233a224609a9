curl --location --request POST 'https://api.acme-demo.com/v1/users?notify=true' \
--header 'Content-Type: application/json' \
--header 'Authorization: Bearer {{token}}' \
--data-raw '{
    "name": "Ada",
    "tags": []
}'

curl --location 'https://api.acme-demo.com/v1/upload' \
--form 'title="A title"' \
--form 'file=@"photo.png"'

curl --location 'https://api.acme-demo.com/v1/token' \
--header 'Content-Type: application/x-www-form-urlencoded' \
--data-urlencode 'grant_type=client_credentials' \
--data-urlencode 'scope=a b'
