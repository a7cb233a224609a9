curl -X POST https://ws.acme-demo.com/StockService.asmx \
  -H 'Content-Type: text/xml; charset=utf-8' \
  -H 'SOAPAction: "http://acme-demo.com/GetPrice"' \
  -d '<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><GetPrice><Item>Äpfel &amp; Birnen</Item></GetPrice></soap:Body></soap:Envelope>'
curl https://ws.acme-demo.com/StockService.asmx/Soap12 -H 'Content-Type: application/soap+xml; charset=utf-8; action="GetPrice"' -d '<x/>'
