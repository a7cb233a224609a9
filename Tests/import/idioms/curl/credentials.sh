curl 'https://api.acme-demo.com/v1/geo?q=Bonn&api_key=8fK2pQ9zX4mW7tR1&appid=c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6'
curl https://api.acme-demo.com/v1/charges -u 'sk_live_9aZ8yX7wV6uT5sR4qP3o:' -d amount=100
curl https://api.acme-demo.com/oauth/token -d grant_type=client_credentials -d client_id=web -d client_secret=Lx83-mnQw-55zz
curl https://api.acme-demo.com/v1/me -H 'X-Api-Key: 5tGb6yHn7uJm8iK' -H 'X-Auth-Token: 3edC4rfV5tgB6yhN'
curl https://api.acme-demo.com/v1/login -H 'content-type: application/json' -d '{"user":"ada","password":"wS2xE3dC4rF5","otp":"482913","profile":{"pin":"9471"},"accessToken":"ya29.a0AfH6SMBxQ3kLmN8pRs"}'
curl https://hooks.acme-demo.com/services/T0123/B0456/aB3dE5gH7jK9mN1pQ3sU5wX7 -d 'payload={"text":"hi"}'
curl https://api.acme-demo.com/v1/repo -H 'Authorization: token ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'
