#!/bin/sh
# Compares the library with curl, each measured in turn in one run. Needs nginx and curl.
# usage: Benchmarks/compare.sh [ROUNDS]
set -eu
cd "$(dirname "$0")"
rounds=${1:-3}
folder=$(mktemp -d)
trap 'kill "$(cat "$folder/pid")" 2>/dev/null || true; rm -rf "$folder"' EXIT INT TERM

mkdir -p .build/static "$folder/www"
[ -f .build/static/libcurl.a ] || ar rcs .build/static/libcurl.a
swift build -c release --static-swift-stdlib -Xswiftc -L"$PWD/.build/static" -Xlinker -s >&2
bench=.build/release/exchange-bench
if ldd "$bench" | grep -q libcurl; then echo "the benchmark is linked with libcurl" >&2; exit 1; fi

cat > "$folder/nginx.conf" <<CONF
worker_processes 1; daemon on; pid $folder/pid; error_log $folder/error.log;
events { worker_connections 1024; }
http { access_log off; sendfile on; keepalive_requests 1000000; client_max_body_size 0;
    client_body_temp_path $folder/b; proxy_temp_path $folder/p; fastcgi_temp_path $folder/f; uwsgi_temp_path $folder/u;
    scgi_temp_path $folder/s;
    server { listen 127.0.0.1:18081; location / { root $folder/www; }
        location /put { proxy_pass http://127.0.0.1:18082/; } }
    server { listen 127.0.0.1:18082; location / { client_body_buffer_size 1m; return 200 ok; } } }
CONF
chmod 755 "$folder" "$folder/www"
echo '{"hello":"world"}' > "$folder/www/small.json"
truncate -s 1G "$folder/www/big"
nginx -c "$folder/nginx.conf"
base=http://127.0.0.1:18081
for number in $(seq 1 10000); do printf 'url="%s/small.json"\noutput=/dev/null\n' $base; done > "$folder/urls"

for round in $(seq 1 "$rounds"); do
    echo "-- round $round"
    $bench requests $base/small.json 10000 16
    /usr/bin/time -f 'curl --parallel: %e s, peak %M KiB' curl -sS --parallel --parallel-max 16 -K "$folder/urls" \
        > /dev/null 2> "$folder/out" || true
    tail -n 1 "$folder/out"
    $bench download $base/big
    /usr/bin/time -f 'curl: %e s, peak %M KiB' curl -sS -o /dev/null $base/big
    $bench save $base/big "$folder/saved"
    /usr/bin/time -f 'curl to a file: %e s, peak %M KiB' curl -sS -o "$folder/saved" $base/big
    rm "$folder/saved"
    $bench upload $base/put "$folder/www/big"
    /usr/bin/time -f 'curl upload: %e s, peak %M KiB' curl -sS -H Expect: -T "$folder/www/big" -o /dev/null $base/put
done
