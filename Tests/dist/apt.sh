#!/usr/bin/env bash
# Makes a signed repository for apt of the Debian package, and has apt list and fetch the package from it, as a user without root.
# usage: Tests/dist/apt.sh PACKAGE.deb
set -euo pipefail
package=$(realpath "$1")
folder=$(mktemp -d)
trap 'gpgconf --kill all 2> /dev/null; rm -rf "$folder"' EXIT
export GNUPGHOME=$folder/gnupg
mkdir -m 700 "$GNUPGHOME"
cd "$(dirname "$0")/../.."

fail() {
    echo "apt.sh: $*" >&2
    exit 1
}

gpg --batch --quiet --passphrase '' --quick-generate-key packages@example.com ed25519 sign never
scripts/apt-repository.sh --key packages@example.com "$folder/repository" "$package" > "$folder/told"
grep -q '^deb \[signed-by=' "$folder/told" || fail "nothing says how to use it"
# Adding the same package again changes nothing but the date.
scripts/apt-repository.sh --key packages@example.com "$folder/repository" "$package" > /dev/null

mkdir -p "$folder"/apt/{lists/partial,cache/archives/partial,sources}
echo "deb [signed-by=$folder/repository/reqcli.gpg] file:$folder/repository stable main" > "$folder/apt/sources/reqcli.list"
apt=(apt-get -qq -o "Dir::State::lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache" -o Dir::Etc::sourcelist=/dev/null
    -o "Dir::Etc::sourceparts=$folder/apt/sources" -o APT::Sandbox::User=)
"${apt[@]}" update
(cd "$folder" && "${apt[@]}" download reqcli)
# A file: repository is used where it is, or copied.
fetched=$(find "$folder" -maxdepth 1 -name 'reqcli_*.deb')
cmp "$fetched" "$package"
# What is changed afterwards is not taken.
printf '\n' >> "$folder/repository/dists/stable/main/binary-amd64/Packages"
rm -f "$folder"/repository/dists/stable/main/binary-amd64/Packages.gz
rm -rf "$folder"/apt/lists && mkdir -p "$folder/apt/lists/partial"
if "${apt[@]}" update > /dev/null 2>&1; then fail "a changed list of packages is taken"; fi
echo "apt takes the package from a signed repository, and no changed one"
