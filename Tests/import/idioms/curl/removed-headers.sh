curl https://api.acme-demo.com/twice -H 'X-A: 1' -H 'X-A:' -H 'X-B;' -H 'X-B: 2'
curl https://api.acme-demo.com/no-agent -H 'User-Agent:' -H 'X-Space:   padded   '
curl --json '{"a":1}' -H 'Content-Type: application/hal+json' https://api.acme-demo.com/hal
curl -X POST https://api.acme-demo.com/length -H 'Content-Length: 0'
