#!/usr/bin/env bash
# Holds what `reqcli export` writes against the programs that read it: check.sh REQCLI [WORKSPACES].
# Their packages live in an environment of their own, which is kept between runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "$1")
python=.build/export/bin/python
if ! "$python" -c 'import locust, openapi_spec_validator, jsonschema, html5lib' > /dev/null 2>&1; then
    python3 -m venv --clear .build/export
    "$python" -m pip install --quiet locust openapi-spec-validator jsonschema html5lib
fi
"$python" Tests/export/formats.py "$program" --workspaces "${2:-10}"
"$python" Tests/export/roundtrip.py "$program" --workspaces "$((${2:-10} * 6))"
"$python" Tests/export/load.py "$program"
"$python" Tests/export/k6.py "$program"
"$python" Tests/export/documentation.py "$program"
