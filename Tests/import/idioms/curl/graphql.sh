curl 'https://api.acme-demo.com/graphql' -H 'content-type: application/json' \
  --data-raw '{"operationName":"Login","variables":{"remember":true},"query":"mutation Login($remember: Boolean) { login(user: \"ada\", password: \"hX72-qmLz-90vB\", remember: $remember) { token } }"}'
curl 'https://api.acme-demo.com/graphql' -H 'content-type: application/json' --data-binary '{"query":"{ me { id name } }"}'
