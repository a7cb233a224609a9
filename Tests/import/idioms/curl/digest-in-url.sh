curl --digest http://ada:kV93-hqPz-27xL@device.acme-demo.com/status
curl --anyauth -u 'bob:Yt71-mmZq-04cR' http://device.acme-demo.com/settings
curl 'http://eve:pw%40X93kdLq2@device.acme-demo.com/basic'
