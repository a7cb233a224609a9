#!/usr/bin/env bash
set -euo pipefail
# creates an order
BASE_URL=${BASE_URL:-https://api.acme-demo.com}

curl -fsS -X POST "$BASE_URL/orders" \
  -H "Authorization: Bearer $API_TOKEN" \
  -H 'Content-Type: application/json' \
  -d @- <<'EOF' | jq .
{
  "sku": "A-17",
  "count": 3
}
EOF

curl -s "${BASE_URL}/orders?limit=5" -H "X-Tenant: ${TENANT}" > orders.json
