#!/usr/bin/env bash
# Installs the wheel into an empty environment of Python, uses the program there, and removes it again. Asks PyPI's own checkers
# about it if PyPI can be reached. Needs python3 with venv.
# usage: Tests/dist/wheel.sh WHEEL
set -euo pipefail
wheel=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "wheel.sh: $*" >&2
    exit 1
}

python3 -m venv "$folder/own"
everything() { find "$folder/own" ! -name '*.pyc' ! -name __pycache__ | sort; }
everything > "$folder/before"
# Without an index: the wheel needs nothing else.
"$folder/own/bin/pip" install --quiet --no-index --disable-pip-version-check "$wheel"
# By a link, from another folder, and by its bare name.
ln -s "$folder/own/bin/reqcli" "$folder/link"
cd "$folder"
./link --version
PATH=own/bin:$PATH reqcli init workspace > /dev/null
own/bin/reqcli -C workspace check --stub > /dev/null
# A program, not a script in Python before it.
[[ $(head -c 4 own/bin/reqcli) == $'\x7fELF' ]] || fail "bin/reqcli is not the program itself"
[[ -s own/share/man/man1/reqcli.1 && -s own/share/bash-completion/completions/reqcli ]] \
    || fail "the manual page or the completions are missing"
own/bin/reqcli help send | grep -q "file://$folder/own/share/doc/reqcli/html/docs/reference/http.html" \
    || fail "help does not name the installed documentation"
own/bin/pip uninstall --quiet --yes --disable-pip-version-check reqcli
everything > "$folder/after"
left=$(comm -13 "$folder/before" "$folder/after" | grep -i reqcli || true)
[[ -z $left ]] || fail "pip uninstall leaves: $left"

python3 -m venv "$folder/checkers"
if "$folder/checkers/bin/pip" install --quiet --disable-pip-version-check twine check-wheel-contents auditwheel; then
    "$folder/checkers/bin/twine" check --strict "$wheel"
    # W007: that there is no module of Python in it.
    "$folder/checkers/bin/check-wheel-contents" --ignore W007 "$wheel"
    "$folder/checkers/bin/auditwheel" show "$wheel" | tr '\n' ' ' > "$folder/audit"
    grep -q "constrains the platform tag to \"$(basename "$wheel" | grep -o 'manylinux_[0-9_]*x86_64')\"" "$folder/audit" \
        || { cat "$folder/audit"; fail "auditwheel sees another platform"; }
else
    echo "wheel.sh: PyPI can't be reached, so that its checkers are skipped" >&2
fi
echo "installed, used and removed with pip"
