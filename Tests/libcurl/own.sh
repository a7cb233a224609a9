#!/usr/bin/env bash
# Checks the libcurl that releases carry: what it exports and needs, that the program takes it where it should, and, with --tests,
# that everything that is sent passes with it as with the system's. Needs objdump and a build of the tests for --tests.
# usage: Tests/libcurl/own.sh PROGRAM [--tests]
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "$1")
library=$PWD/.build/libcurl/libcurl.so.4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder

fail() {
    echo "own.sh: $*" >&2
    exit 1
}

named=$(sed -n "/^others='/,/'$/p" scripts/build-libcurl.sh | tr -d "'" | sed 's/^others=//' | tr ' ' '\n' | sort)
exported=$(objdump -T "$library" | awk '$0 !~ /\*UND\*/ && NF > 5 { print $NF }' | grep -v '^curl_' | sort)
[[ $exported == "$named" ]] || fail "it exports other names: $(comm -3 <(echo "$exported") <(echo "$named") | tr '\n' ' ')"
needed=$(objdump -p "$library" | awk '$1 == "NEEDED" { print $2 }')
[[ $needed == libc.so.6 ]] || fail "it needs $needed"
newest=$(objdump -T "$library" | sed -n 's/.*(\{0,1\}GLIBC_\([0-9.]*\)).*/\1/p' | sort -Vu | tail -n 1)
[[ $(printf '%s\n' "$newest" 2.34 | sort -V | tail -n 1) == 2.34 ]] || fail "it needs glibc $newest"

# Which one is used: the named one; the system's if it is recent; else the own one, of an archive and of bin/.
used() { "$@" --version -v | sed -n 's/.* from //p'; }
[[ $(REQCLI_LIBCURL=$library used "$program") == "$library" ]] || fail "REQCLI_LIBCURL isn't used"
[[ $(REQCLI_LIBCURL=/nowhere "$program" --version -v) == *"no libcurl: REQCLI_LIBCURL: /nowhere: cannot open"* ]] \
    || fail "a REQCLI_LIBCURL that isn't there is passed over"
mkdir -p "$folder/archive/lib/reqcli" "$folder/environment/bin" "$folder/environment/lib/reqcli" "$folder/older"
for place in archive environment; do cp "$library" "$folder/$place/lib/reqcli/"; done
cp "$program" "$folder/archive/reqcli"
cp "$program" "$folder/environment/bin/reqcli"
ln -s "$folder/environment/bin/reqcli" "$folder/link"
system=$(used "$program")
[[ $(used "$folder/archive/reqcli") == "$system" ]] || fail "the system's isn't preferred"
printf 'const char *curl_version(void) { return "libcurl/7.81.0 OpenSSL/3.0.2"; }\n' > "$folder/older.c"
cc -shared -o "$folder/older/libcurl.so.4" "$folder/older.c"
for copy in archive/reqcli environment/bin/reqcli link; do
    path=$(LD_LIBRARY_PATH=$folder/older used "$folder/$copy")
    [[ $path == "$folder"/*/lib/reqcli/libcurl.so.4 ]] || fail "beside an older libcurl, $copy uses $path"
done

# Without a libcrypto of the system, keys are used by the one inside; without either, the message names what is missing.
cc -shared -o "$folder/older/libcrypto.so.3" -x c /dev/null
cc -shared -o "$folder/older/libcrypto.so.1.1" -x c /dev/null
printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s/archive/reqcli "$@"\n' "$folder/older" "$folder" > "$folder/archive/bare"
chmod +x "$folder/archive/bare"
Tests/signatures/tokens.py "$folder/archive/bare" 10
rm "$folder/archive/lib/reqcli/libcurl.so.4"
mkdir -p "$folder/workspace/endpoints" "$folder/workspace/environments"
echo '{}' > "$folder/workspace/environments/development.json"
echo '{"baseURL": "http://h", "auth": {"jwt": {"algorithm": "RS256", "key": "k"}}}' > "$folder/workspace/endpoints/it.json"
if message=$(cd "$folder/workspace" && "$folder/archive/bare" render it 2>&1); then fail "a token is signed without libcrypto"; else status=$?; fi
[[ $status == 3 && $message == *"RS256 needs libcrypto (Debian: libssl3)"* ]] || fail "without libcrypto: $status $message"

if [[ ${2-} == --tests ]]; then
    export REQCLI_LIBCURL=$library
    swift test --skip-build --no-parallel --filter '^(ExchangeTests|WireTests|SendTests)\.'
fi
echo "exports curl's functions and $(wc -l <<< "$named") others, needs glibc $newest alone, and is used where it should be"
