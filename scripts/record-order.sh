#!/usr/bin/env bash
# Rewrites scripts/startup-order.txt: the functions that `reqcli --version` and `reqcli help` run. The linker puts these functions
# side by side, so that a start reads few pages of a large file: without this, `help` takes 9 % more processor time. Adding the
# functions of other commands, or the data that they use, gains nothing. Needs valgrind.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# valgrind cannot read Swift's debug information, and does not need it.
strip --strip-debug -o "$folder/reqcli" "$(scripts/build-release.sh --with-symbols)"
for word in --version help; do
    valgrind --tool=callgrind --demangle=no --compress-strings=no --callgrind-out-file="$folder/$word.run" \
        "$folder/reqcli" "$word" > /dev/null 2> "$folder/errors" || { cat "$folder/errors" >&2; exit 1; }
done

# Keep only functions of the program itself. Remove the number from a function in a cycle, and skip functions without a name.
awk '
    /^ob=/ { ours = index($0, "/reqcli") }
    /^fn=/ && ours { name = substr($0, 4); sub(/\047[0-9]+$/, "", name); if (name !~ /^0x/) print name }
' "$folder"/*.run | LC_ALL=C sort -u > scripts/startup-order.txt
wc -l scripts/startup-order.txt
