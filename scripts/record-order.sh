#!/usr/bin/env bash
# Rewrites scripts/startup-order.txt: the functions that common commands run. The linker puts these functions side by side, so that a
# command reads few pages of a large file: without this, `help` takes 9 % more processor time. With the functions of `--version` and
# `help` only, `render`, `list` and `send` take 6 to 8 MB more memory. Needs valgrind.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2> "$folder/errors" || true; rm -rf "$folder"' EXIT

# valgrind cannot read Swift's debug information, and does not need it.
strip --strip-debug -o "$folder/reqcli" "$(scripts/build-release.sh --with-symbols)"
"$folder/reqcli" serve --port 0 > "$folder/served" 2> "$folder/errors" &
server=$!
until url=$(grep -o -m 1 'http://localhost:[0-9]*' "$folder/served"); do
    kill -0 "$server" 2> /dev/null || { cat "$folder/errors" >&2; exit 1; }
    sleep 0.1
done
runs=()
for words in --version help list "render ping" "send ping --base-url $url" "send ping --stub" "check --stub" validate; do
    # shellcheck disable=SC2086 # The words are separate arguments.
    valgrind --tool=callgrind --demangle=no --compress-strings=no --callgrind-out-file="$folder/${#runs[@]}.run" \
        "$folder/reqcli" $words > /dev/null 2> "$folder/errors" || { cat "$folder/errors" >&2; exit 1; }
    runs+=("$folder/${#runs[@]}.run")
done

# Keep only functions of the program itself. Remove the number from a function in a cycle, and skip functions without a name. The order is that
# of the first command that runs each of them.
awk '
    /^ob=/ { ours = index($0, "/reqcli") }
    /^fn=/ && ours { name = substr($0, 4); sub(/\047[0-9]+$/, "", name); if (name !~ /^0x/ && !seen[name]++) print FILENAME, name }
' "${runs[@]}" | LC_ALL=C sort | cut -d ' ' -f 2- > scripts/startup-order.txt
wc -l scripts/startup-order.txt
