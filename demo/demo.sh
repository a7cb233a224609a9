#!/bin/sh
# Shows what reqcli does with the workspace of this repository, without a network: each command, then its output. It needs curl.
# Ends with 1 if a status or an output is wrong.
#
# REQCLI is the path of the program. Without it, the script builds the program first.
set -u
cd "$(dirname "$0")/.." || exit 1
unset REQCLI_ENV REQCLI_WORKSPACE REQCLI_TRUST FORCE_COLOR

if [ -z "${REQCLI:-}" ]; then
    swift build --product reqcli || exit 1
    REQCLI=$(swift build --show-bin-path)/reqcli
fi

printed=$(mktemp) || exit 1
trap 'rm -f "$printed"' EXIT
wrong=0

# say TEXT...: prints what the next command shows.
say() {
    printf '# %s\n' "$*"
}

# show STATUS TEXT ARGUMENT...: runs the program, which must end with STATUS and print TEXT.
show() {
    status=$1 text=$2
    shift 2
    printf '$ reqcli'
    for word in "$@"; do
        case $word in
        *[!A-Za-z0-9_./=:-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$REQCLI" "$@" >"$printed" 2>&1
    ended=$?
    cat "$printed"
    # A body may end without a line break.
    [ -z "$(tail -c 1 "$printed")" ] || printf '\n'
    if [ "$ended" -ne "$status" ]; then
        printf 'WRONG: it ended with %s, not with %s\n' "$ended" "$status"
        wrong=1
    elif ! grep -qF -e "$text" "$printed"; then
        printf 'WRONG: it did not print: %s\n' "$text"
        wrong=1
    fi
    printf '\n'
}

say 'Read every file and report every problem.'
show 0 'ok: ' validate

say 'List endpoints and environments.'
show 0 '/v3/user/{{userID}}/feed' list user
show 0 'offline' list environments

say 'Send a request, with a stub instead of a server.'
show 0 'Ada Lovelace' send user.get --env offline
show 0 'Abyssinian' send breeds.list --env offline --select '$.data[*].breed'

say 'Print a request as a curl command.'
show 0 "curl " render user.feed userID=123 ascending=true

say 'Show where each part of the request comes from.'
show 0 'endpoints/user.json:' explain user.feed userID=123 ascending=true --env offline

say 'Get other responses: an empty one, a broken one, 401, and an unknown variant.'
show 0 '"data": []' send breeds.list --stub empty
show 1 'the body is not' send breeds.list --stub malformed --select '$.data'
show 4 '401 Unauthorized' send user.get --stub unauthorized -i
show 2 'available: standard, empty, malformed, with_more' send breeds.list --stub nonsense

say 'Serve the stubs over HTTP on a free port, call them with curl, and fail if a call was unknown, wrong or missing.'
show 0 '"items":' serve --port 0 --verify --expect user.feed=1 -- \
    sh -c 'curl -sS "$REQCLI_URL/v3/user/123/feed?order=ascending"'

exit $wrong
