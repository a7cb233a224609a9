#!/usr/bin/env bash
# Writes scripts/startup-order.txt anew: the functions that everyday calls run and the data that they touch, those of the
# smallest calls first. The linker puts them side by side, so that a start touches few pages of a large file. Needs
# valgrind and Python 3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
order=$PWD/scripts/startup-order.txt
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT

binary=$(scripts/build-release.sh --with-symbols)
# valgrind can't read Swift's debug information, and needs none of it.
strip --strip-debug -o "$folder/reqcli" "$binary"

mkdir -p "$folder"/{pages,workspace/endpoints,workspace/environments}
echo '{ "hello": "world" }' > "$folder/pages/small.json"
python3 -u -m http.server --bind 127.0.0.1 --directory "$folder/pages" 0 > "$folder/server" 2>&1 &
server=$!
until port=$(grep -oP 'port \K[0-9]+' "$folder/server"); do sleep 0.1; done
cat > "$folder/workspace/environments/development.json" <<< "{ \"baseURL\": \"http://127.0.0.1:$port\" }"
cat > "$folder/workspace/endpoints/one.json" <<< '{ "path": "small.json", "expect": { "status": 200 } }'

number=0
for words in "--version" "help" "list" "render one" "send one" "check one" "validate"; do
    number=$((number + 1))
    # shellcheck disable=SC2086 # Words.
    valgrind --tool=callgrind --demangle=no --compress-strings=no --callgrind-out-file="$folder/run-$number" \
        "$folder/reqcli" -C "$folder/workspace" $words > "$folder/output" 2>&1 || { cat "$folder/output" >&2; exit 1; }
    # shellcheck disable=SC2086 # Words.
    valgrind --tool=lackey --trace-mem=yes --log-file="$folder/trace" \
        "$folder/reqcli" -C "$folder/workspace" $words > "$folder/output" 2>&1 || { cat "$folder/output" >&2; exit 1; }
    scripts/touched-data.py "$folder/reqcli" "$folder/trace" > "$folder/data-$number"
done

# The functions of the program itself, each where it is first needed. Members of a cycle are numbered; some have no name.
functions() {
    awk '
        /^ob=/ { ours = index($0, "/reqcli") }
        /^fn=/ && ours { name = substr($0, 4); sub(/\047[0-9]+$/, "", name); if (name !~ /^0x/) print name }
    ' "$1" | LC_ALL=C sort -u
}
{
    for run in $(seq "$number"); do functions "$folder/run-$run"; done
    for run in $(seq "$number"); do cat "$folder/data-$run"; done
} | awk '!seen[$0]++' > "$folder/order"
mv "$folder/order" "$order"
wc -l "$order"
