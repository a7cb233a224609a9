curl -K curl.conf https://api.acme-demo.com/configured
curl -H @headers.txt https://api.acme-demo.com/headed
curl -T - https://files.acme-demo.com/piped < body.txt
