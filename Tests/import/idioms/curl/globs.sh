curl 'https://api.acme-demo.com/reports/{daily,weekly}/[1-3].json' -o '#1_#2.json'
curl -g 'https://api.acme-demo.com/items?filter[name]=a&fields={id,name}'
