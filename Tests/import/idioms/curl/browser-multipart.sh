curl 'https://id.acme-demo.com/signup' \
  -H 'content-type: multipart/form-data; boundary=----WebKitFormBoundaryx7Yp2LqZ0aBcDeFg' \
  -H 'sec-fetch-site: same-origin' \
  -H 'user-agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/129.0.0.0 Safari/537.36' \
  --data-raw $'------WebKitFormBoundaryx7Yp2LqZ0aBcDeFg\r\nContent-Disposition: form-data; name="user"\r\n\r\nada\r\n------WebKitFormBoundaryx7Yp2LqZ0aBcDeFg\r\nContent-Disposition: form-data; name="password"\r\n\r\nvK39-qPz!7xLm\r\n------WebKitFormBoundaryx7Yp2LqZ0aBcDeFg--\r\n'
