#!/bin/sh
# Sends requests with the program to real servers: nginx, httpbin, tinyproxy and stunnel, all on loopback and for this run alone.
# usage: Tests/servers/run.sh [REQCLI] [TEST ...]   e.g. Tests/servers/run.sh .build/debug/reqcli Nginx.test_http2
# PYTHON names another interpreter, such as one in a virtual environment that has httpbin.
set -eu
cd "$(dirname "$0")/../.."
program=${1:-.build/release/reqcli}
[ $# -gt 0 ] && shift
python=${PYTHON:-python3}

missing=
for tool in nginx tinyproxy stunnel openssl "$python"; do
    command -v "$tool" > /dev/null || missing="$missing $tool"
done
[ -x "$program" ] || { echo "there is no program at $program: make build" >&2; exit 2; }
if [ -n "$missing" ]; then
    echo "missing:$missing (apt-get install nginx-light tinyproxy stunnel4 openssl python3)" >&2
    exit 2
fi
if ! "$python" -c 'import httpbin' > /dev/null 2>&1; then
    echo "missing: httpbin ($python -m pip install httpbin)" >&2
    exit 2
fi

REQCLI=$(realpath "$program") PYTHONDONTWRITEBYTECODE=1 exec "$python" Tests/servers/test_servers.py "$@"
