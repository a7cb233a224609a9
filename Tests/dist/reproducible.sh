#!/usr/bin/env bash
# Builds the files of a release from two clones of the last commit in two folders, and compares their bytes.
# usage: Tests/dist/reproducible.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for place in one a/longer/path; do
    git clone -q . "$folder/$place/reqcli"
    (cd "$folder/$place/reqcli" && make --silent dist > "$folder/log" 2>&1) || { tail -20 "$folder/log"; exit 1; }
done
diff "$folder/one/reqcli/.build/dist/SHA256SUMS" "$folder/a/longer/path/reqcli/.build/dist/SHA256SUMS"
echo "$(wc -l < "$folder/one/reqcli/.build/dist/SHA256SUMS") files have the same bytes in both builds"
