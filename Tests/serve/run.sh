#!/bin/sh
# Calls `reqcli serve` with real clients: curl, Python's requests and httpx, Node, Chromium, ab, and through nginx and Caddy, all on loopback.
# usage: Tests/serve/run.sh [REQCLI] [TEST ...]   e.g. Tests/serve/run.sh .build/debug/reqcli Browser
# PYTHON names another interpreter, such as one in a virtual environment that has requests and httpx.
set -eu
cd "$(dirname "$0")/../.."
program=${1:-.build/release/reqcli}
[ $# -gt 0 ] && shift
python=${PYTHON:-python3}

missing=
for tool in curl node chromium ab nginx caddy openssl "$python"; do
    command -v "$tool" > /dev/null || missing="$missing $tool"
done
[ -x "$program" ] || { echo "there is no program at $program: make build" >&2; exit 2; }
if [ -n "$missing" ]; then
    echo "missing:$missing (apt-get install curl nodejs chromium apache2-utils nginx-light caddy openssl python3)" >&2
    exit 2
fi
if ! "$python" -c 'import requests, httpx' > /dev/null 2>&1; then
    echo "missing: requests and httpx ($python -m pip install requests httpx)" >&2
    exit 2
fi

REQCLI=$(realpath "$program") PYTHONDONTWRITEBYTECODE=1 exec "$python" Tests/serve/test_clients.py "$@"
