curl -C 5 -O https://files.acme-demo.com/resume.bin
curl -z '1 May 2024' https://files.acme-demo.com/since.txt
curl --compressed --retry 3 -L --max-redirs 5 -m 10 --connect-timeout 2.5 https://files.acme-demo.com/options
