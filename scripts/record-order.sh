#!/usr/bin/env bash
# Writes scripts/startup-order.txt anew: the functions that `reqcli --version` and `reqcli help` run. The linker puts them side by
# side, so that a start reads few pages of a large file: without it `help` takes 9 % more processor time. Functions of other
# commands, and the data that they touch, were tried and gain nothing. Needs valgrind.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# valgrind cannot read Swift's debug information, and needs none of it.
strip --strip-debug -o "$folder/reqcli" "$(scripts/build-release.sh --with-symbols)"
for word in --version help; do
    valgrind --tool=callgrind --demangle=no --compress-strings=no --callgrind-out-file="$folder/$word.run" \
        "$folder/reqcli" "$word" > /dev/null 2> "$folder/errors" || { cat "$folder/errors" >&2; exit 1; }
done

# The functions of the program itself. Members of a cycle are numbered; some have no name.
awk '
    /^ob=/ { ours = index($0, "/reqcli") }
    /^fn=/ && ours { name = substr($0, 4); sub(/\047[0-9]+$/, "", name); if (name !~ /^0x/) print name }
' "$folder"/*.run | LC_ALL=C sort -u > scripts/startup-order.txt
wc -l scripts/startup-order.txt
