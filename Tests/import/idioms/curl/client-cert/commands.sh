curl --cert client.pem:zN58-ptWq-31kd --key client.key https://mtls.acme-demo.com/v1/whoami
curl -E ./me.p12:Rb44-xxQw-67mn --cert-type P12 https://mtls.acme-demo.com/v1/other
curl -u svc:uF60-bbNv-29ps --proxy-user px:gJ15-ccMk-83qt -x http://proxy.acme-demo.com:3128 https://mtls.acme-demo.com/v1/proxied
