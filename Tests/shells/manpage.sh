#!/bin/sh
# Looks for mistakes in a manual page: Tests/shells/manpage.sh FILE
set -eu
file=${1:?usage: manpage.sh FILE}
problems=$({ groff -man -ww -z -K utf8 "$file" && man --warnings -l "$file" > /dev/null; } 2>&1)
if [ -n "$problems" ]; then
    printf '%s\n' "$problems" >&2
    exit 1
fi
echo "$file: no warnings"
