#!/usr/bin/env bash
# Proves that the workspace examples/shop works: its files, stubs, server, scenario, client and exports.
# usage: examples/check.sh PROGRAM    (PROGRAM is reqcli; prints one line, and the failed step if there is one)
set -euo pipefail

program=$(realpath -- "${1:?usage: examples/check.sh PROGRAM}")
folder=$(dirname -- "$(realpath -- "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    printf 'examples/shop: %s\n' "$1" >&2
    cat "$work/output" >&2
    exit 1
}

# Runs reqcli, which must end with this status. The output is in $work/output.
reqcli() {
    local expected=0 status=0
    if [[ $1 == --status=* ]]; then expected=${1#*=} && shift; fi
    "$program" "$@" < /dev/null > "$work/output" 2>&1 || status=$?
    ((status == expected)) || fail "reqcli $* ended with status $status in place of $expected"
}

# The output of the last command must have this text.
has() { grep -qF -- "$1" "$work/output" || fail "the output does not have: $1"; }

# A copy proves that the workspace needs no file outside of it. No setting of the caller counts.
cp -R "$folder/shop" "$work/shop"
cd "$work/shop"
unset "${!REQCLI_@}" http_proxy HTTP_PROXY all_proxy ALL_PROXY
export HOME=$work SHOP_PASSWORD=any-password

reqcli validate
[[ $(wc -l < "$work/output") == 1 ]] || fail 'validate has warnings'

reqcli check --stub
summary=$(grep ' passed$' "$work/output")
reqcli --status=1 check products.get --stub=missing
reqcli check --mutate --min 100

# The check must call each endpoint of the server, and the server must accept every request.
reqcli list
mapfile -t expect < <(awk '$1 !~ /^(scenario|load):/ { print "--expect=" $1 }' "$work/output")
against() { reqcli serve --port 0 --strict "$@"; }
# shellcheck disable=SC2016  # The variables are those of the inner shell.
against --verify "${expect[@]}" -- sh -c '"$0" check --env local --base-url "$REQCLI_URL"' "$program"
has "${summary%% in *}"
has '✓ scenario:checkout'
# shellcheck disable=SC2016
against -- sh -c '"$0" check scenario:checkout --verbose --base-url "$REQCLI_URL"' "$program"
has '✓ paid'
# shellcheck disable=SC2016
against -- sh -c '"$0" send products.list --paginate --select "\$.items[*].name" --base-url "$REQCLI_URL"' "$program"
for name in 'Blue mug' 'Tea pot' 'Tea towel'; do has "$name"; done

reqcli generate swift -o "$work/swift" --module Shop --models
reqcli generate swift -o "$work/swift" --module Shop --models --check
for format in openapi postman hurl http locust k6 html; do
    reqcli export "$format" -o "$work/$format/"
    [[ -n $(find "$work/$format" -type f -size +0) ]] || fail "export $format wrote nothing"
done
reqcli render orders.create product=1 quantity=2
has '{"product":1,"quantity":2}'

echo "examples/shop: ok (with stubs and with a server: ${summary%% in *})"
