curl api.acme-demo.com/no-scheme
curl localhost:8080/health
curl https://api.acme-demo.com/a/b/../c/./d
curl --path-as-is https://api.acme-demo.com/raw/b/../c
curl 'https://api.acme-demo.com/page#section-2'
curl 'https://api.acme-demo.com/odd?q=a|b&r=x"y&s=1+2&t=%2Fz'
curl 'https://api.acme-demo.com?only=query'
curl http://[::1]:8080/v6
curl 'https://api.acme-demo.com:8443/Upper'
