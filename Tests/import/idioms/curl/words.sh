curl https://train.acme-demo.com/training-sessions/plan -H 'Content-Type: application/json' \
  -d '{"restBetweenSessionsMinutes": 90, "tokenType": "bearer", "useSessionCookies": true, "securityLevel": "high", "passwordPolicy": "strong", "password": "<string>", "keyboard": "de", "author": "Ada", "secretary": "Bob", "tokens": 150, "max_tokens": 4096}'
