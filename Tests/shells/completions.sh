#!/bin/sh
# Tries the completions in real shells: Tests/shells/completions.sh BINARY [bash|zsh|fish ...]
#
# The cases are at the head of completions.py.
# A shell that isn't installed fails the run unless only others are named.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
binary=${1:?usage: completions.sh BINARY [bash|zsh|fish ...]}
shift
binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The scripts call the program by its name.
mkdir -p "$folder/bin" "$folder/work/endpoints" "$folder/work/environments" "$folder/work/stubs" "$folder/elsewhere"
ln -s "$binary" "$folder/bin/reqcli"
PATH=$folder/bin:$PATH
export PATH

cd "$folder/work"
cat > endpoints/user.json <<'JSON'
{
  "endpoints": {
    "get": { "description": "One person: by id", "path": "/v3/user", "tags": ["smoke"] },
    "feed": {
      "description": "A person's feed",
      "path": "/v3/user/{{userID}}/feed",
      "params": {
        "userID": { "type": "integer", "minimum": 1, "description": "Whose feed: a number" },
        "ascending": { "type": "boolean", "default": false },
        "city": { "type": "string", "required": false, "enum": ["Berlin", "San Francisco"] },
        "tag": { "type": "string", "required": false, "enum": ["it's $(echo run) `echo run` \\ \" $HOME !!"] }
      },
      "query": { "city": "{{city}}", "ascending": "{{ascending}}" },
      "stubs": {
        "default": "standard",
        "variants": { "standard": { "json": { "items": [1] } }, "empty": { "json": { "items": [] } } }
      }
    }
  }
}
JSON
echo '{ "path": "/ping" }' > endpoints/ping.json
for name in development staging production; do
    echo '{ "scheme": "http", "host": "localhost", "port": 8080 }' > "environments/$name.json"
done
echo '{}' > 'body of it.json'
echo '{}' > bodies.txt

# A kept response, whose paths --select offers.
HOME=$folder CI='' REQCLI_HISTORY=1 reqcli send user.feed userID=1 --stub standard -Q

[ $# -gt 0 ] || set -- bash zsh fish
status=0
for shell in "$@"; do
    reqcli completions "$shell" > "$folder/$shell.completion"
    python3 "$here/completions.py" "$shell" "$folder" || status=1
done
exit $status
