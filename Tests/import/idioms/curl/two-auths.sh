curl --basic --digest -u 'ada:dF47-ggHt-92mN' https://api.acme-demo.com/last
curl --netrc-optional https://api.acme-demo.com/netrc
curl -u ada:dF47-ggHt-92mN -H 'Authorization: Bearer kJ63-uuYt-18bV' https://api.acme-demo.com/header
curl 'http:/one-slash.acme-demo.com/x'
