curl -d moo https://api.acme-demo.com/cows https://api.acme-demo.com/herd
curl -T part1.txt https://files.acme-demo.com/p/part1.txt -T part2.txt https://files.acme-demo.com/q/
curl https://api.acme-demo.com/first -d a=1 --next https://api.acme-demo.com/second -H 'X-Second: yes' --next -X DELETE https://api.acme-demo.com/third
