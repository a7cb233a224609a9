#!/bin/sh
# Packs the release binary with all that belongs to an installation, as .build/dist/reqcli-VERSION-PLATFORM.tar.gz with
# its SHA-256 sum, and tries it out. The same commit and toolchain give the same bytes: order, owner and time are fixed.
set -eu
cd "$(dirname "$0")/.."
program=.build/release/reqcli
version=$("$program" --version | cut -d ' ' -f 2)
name=reqcli-$version-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
out=.build/dist
rm -rf "$out"
mkdir -p "$out/$name/completions"

install -m 755 "$program" "$out/$name/reqcli"
"$program" __man >"$out/$name/reqcli.1"
for shell in bash zsh fish; do "$program" completions "$shell" >"$out/$name/completions/reqcli.$shell"; done
cp README.md LICENSE CHANGELOG.md "$out/$name/"
find "$out/$name" -type d -exec chmod 755 {} +
find "$out/$name" -type f ! -name reqcli -exec chmod 644 {} +

# The time of the commit, or of a release's maker who says another.
when=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
tar --create --directory "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$when" --format=gnu "$name" |
    gzip --no-name -9 >"$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
rm -r "${out:?}/$name"

# Somebody else's first minute with it.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
(cd "$out" && sha256sum --check --quiet "$name.tar.gz.sha256")
tar --extract --directory "$trial" --file "$out/$name.tar.gz"
"$trial/$name/reqcli" --version >/dev/null
"$trial/$name/reqcli" init "$trial/workspace" >/dev/null
"$trial/$name/reqcli" -C "$trial/workspace" list >/dev/null
echo "$out/$name.tar.gz"
