#!/usr/bin/env bash
# Checks the release build: it runs with glibc 2.34, it is not linked with libcurl, commands that send nothing neither load libcurl
# nor open a socket, and commands read only the workspace files that they need. Needs strace and objdump.
# usage: scripts/check-release.sh [BINARY]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
binary=$(realpath "${1:-.build/release/reqcli}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder REQCLI_WORKSPACE=$folder/workspace
passed=0

fail() {
    echo "check-release: $*" >&2
    exit 1
}

# A workspace with more endpoint files and environments than one call needs.
mkdir -p "$REQCLI_WORKSPACE"/{endpoints,environments,stubs}
echo '{ "endpoints": { "get": { "expect": { "status": 200 } }, "other": {} } }' > "$REQCLI_WORKSPACE/endpoints/user.json"
echo '{ "endpoints": { "a": {} } }' > "$REQCLI_WORKSPACE/endpoints/billing.json"
echo '{}' > "$REQCLI_WORKSPACE/endpoints/ping.json"
echo '{ "baseURL": "http://127.0.0.1:1", "extends": "base" }' > "$REQCLI_WORKSPACE/environments/development.json"
echo '{ "headers": { "X-A": "1" } }' > "$REQCLI_WORKSPACE/environments/base.json"
echo '{ "baseURL": "http://127.0.0.1:2" }' > "$REQCLI_WORKSPACE/environments/staging.json"

# Runs the program and records the system calls with which it opens files, uses the network or starts programs.
trace() {
    rm -f "$folder"/trace*
    # One file for each thread: in a shared file, strace may write a call and its result on two different lines.
    strace -ff -qq -s 300 -e trace=open,openat,%network,execve -o "$folder/trace" "$binary" "$@" \
        > "$folder/out" 2>&1 < /dev/null || true
    cat "$folder"/trace.* > "$folder/trace"
    [[ -s $folder/trace ]] || fail "strace shows nothing of: reqcli $*"
}

# The files of the workspace that the program opened, without missing files.
opened() {
    grep -E '^open' "$folder/trace" | grep -v ENOENT | grep -oE "\"$REQCLI_WORKSPACE/[^\"]*\.jsonc?\"" \
        | tr -d '"' | sed "s|^$REQCLI_WORKSPACE/||" | sort -u
}

# RHEL 9, Amazon Linux 2023 and Ubuntu 22.04 have no older one.
newest=$(objdump -T "$binary" | sed -n 's/.*(\{0,1\}GLIBC_\([0-9.]*\)).*/\1/p' | sort -Vu | tail -n 1)
[[ $(printf '%s\n' "$newest" 2.34 | sort -V | tail -n 1) == 2.34 ]] || fail "needs glibc $newest"
ldd "$binary" | grep -q libcurl && fail "linked with libcurl"

# Nothing in it depends on the folder of the build: what Tests/dist/reproducible.sh proves with two builds.
if readelf -SW "$binary" | grep -q swift_modhash; then fail "it has hashes of the paths of its sources (.swift_modhash)"; fi
if grep -qaF "$PWD/" "$binary"; then fail "it holds the path $PWD/"; fi

# The control: sending a request loads libcurl and opens a socket, so the trace must show both.
trace send user.get
grep -q libcurl "$folder/trace" || fail "send doesn't load libcurl, so this check proves nothing"
grep -q 'socket(AF_INET' "$folder/trace" || fail "send opens no socket, so this check proves nothing"
# Its folder may be a bin/ with thousands of files.
if grep -F "\"$(dirname "$binary")\"" "$folder/trace" | grep -q O_DIRECTORY; then fail "send reads the program's folder"; fi
# The program sets up TLS only for requests that use TLS. OpenSSL then reads its configuration.
if grep -q 'openssl\.cnf' "$folder/trace"; then fail "send sets TLS up for plain HTTP"; fi
trace send user.get --base-url https://127.0.0.1:1
grep -q 'openssl\.cnf' "$folder/trace" || fail "send over TLS doesn't read openssl.cnf, so this check proves nothing"

for words in "render user.get" "render user.get --format http" "render user.get --format har" "explain user.get" \
    "show user.get" "list" "list environments" "validate" "check --list" "schema endpoint" "completions bash" \
    "help" "help send" "send --help" "--version" "nonsense"; do
    # shellcheck disable=SC2086 # The words are separate arguments.
    trace $words
    if grep -q libcurl "$folder/trace"; then fail "reqcli $words loads libcurl"; fi
    if grep -q 'socket(' "$folder/trace"; then fail "reqcli $words opens a socket"; fi
    (($(grep -c execve "$folder/trace") == 1)) || fail "reqcli $words starts a program"
    passed=$((passed + 1))
done

needed=$'endpoints/user.json\nenvironments/base.json\nenvironments/development.json'
for words in "render user.get" "explain user.get" "send user.get"; do
    # shellcheck disable=SC2086 # The words are separate arguments.
    trace $words
    [[ $(opened) == "$needed" ]] || fail "reqcli $words reads $(opened | tr '\n' ' ')"
    passed=$((passed + 1))
done
echo "runs with glibc $newest, is not linked with libcurl, and $passed commands use only what they need"
