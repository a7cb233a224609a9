curl https://api.pay.example/v1/charges \
  -u sk_test_9aZ8yX7wV6uT5sR4qP3o: \
  -d amount=2000 \
  -d currency=eur \
  -d "metadata[order_id]"=6735 \
  -d "expand[]"=customer

curl -L \
  -X POST \
  -H "Accept: application/vnd.hub+json" \
  -H "Authorization: Bearer <YOUR-TOKEN>" \
  -H "X-Hub-Api-Version: 2022-11-28" \
  https://api.hub.example/repos/OWNER/REPO/issues \
  -d '{"title":"Found a bug","labels":["bug"]}'

curl https://api.ai.example/v1/chat/completions \
  -H "Content-Type: application/json" \
  -H "Authorization: Bearer $AI_API_KEY" \
  -d '{
    "model": "gpt-x",
    "max_tokens": 7,
    "messages": [{"role": "user", "content": "Say this is a test!"}]
  }'

curl -X GET "localhost:9200/_search?pretty" -H 'Content-Type: application/json' -d'
{
  "query": { "match": { "message": { "query": "this is a test" } } }
}
'
curl --unix-socket /var/run/docker.sock http://localhost/v1.41/containers/json
