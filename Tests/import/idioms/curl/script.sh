#!/bin/sh
# Smoke test of the demo API
set -e

echo "health"
curl -s https://api.acme-demo.com/health
echo

# one item
curl -s https://api.acme-demo.com/items/1 -H 'Accept: application/json'
