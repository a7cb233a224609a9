curl https://api.acme-demo.com/templates -H 'Content-Type: application/json' -H 'X-Template: {{ not.ours }}' -d '{"subject": "Hello {{name}}", "body": "{{#if x}}yes{{/if}}", "money": "$5", "path": "C:\\temp"}'
curl 'https://api.acme-demo.com/price?currency=$' -d 'note=50%25 off {{now}}'
