curl https://api.acme-demo.com/v1/documents \
  -F title='Quarterly report; final' \
  -F file=@report.csv \
  -F 'scan=@photo.bin;type=image/png;filename=scan 1.png' \
  -F 'meta={"year":2024,"tags":["a"]};type=application/json' \
  --form-string 'literal=@not-a-file;type=x' \
  -F 'note=<note.txt'
