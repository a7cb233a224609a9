#!/bin/sh
# Packs the release program with everything that an installation needs, below .build/dist: an archive as .tar.gz and .tar.xz,
# a Python wheel, a Debian package if dpkg-deb is installed, and a SHA-256 sum of each. Then unpacks the archives and runs the
# program. The same commit and toolchain give the same bytes, because order, owner and time are fixed.
set -eu
cd "$(dirname "$0")/.."
program=.build/release/reqcli
version=$("$program" --version | cut -d ' ' -f 2)
name=reqcli-$version-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
out=.build/dist
# The time of the commit, unless the packager sets another time.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
# The newest glibc version among the symbols that the program uses.
glibc=$(objdump -T "$program" | sed -n 's/.*(\{0,1\}GLIBC_\([0-9.]*\)).*/\1/p' | sort -Vu | tail -n 1)
# libcurl 7.80 is the first version with the option that keeps libcurl from sending a request again.
libcurl=7.80
rm -rf "$out"
mkdir -p "$out/$name/completions"

install -m 755 "$program" "$out/$name/reqcli"
"$program" __man >"$out/$name/reqcli.1"
for shell in bash zsh fish; do "$program" completions "$shell" >"$out/$name/completions/reqcli.$shell"; done
cp README.md LICENSE CHANGELOG.md "$out/$name/"
echo "glibc $glibc or later; to send requests, libcurl $libcurl or later (libcurl.so.4)" >"$out/$name/REQUIREMENTS"
find "$out/$name" -type d -exec chmod 755 {} +
find "$out/$name" -type f ! -name reqcli -exec chmod 644 {} +

tar --create --directory "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    --format=gnu --file "$out/$name.tar" "$name"
gzip --no-name -9 --keep "$out/$name.tar"
xz -9e --threads=1 "$out/$name.tar"
# The name of a wheel says the oldest glibc with which its program runs.
scripts/make-wheel.py "$out/$name" "$version" "manylinux_$(echo "$glibc" | tr . _)_$(uname -m)" "$out" >/dev/null
rm -r "${out:?}/$name"

# The package has the files where `make install` puts them.
package() {
    root=$out/root
    make --silent install DESTDIR="$PWD/$root" PREFIX=/usr
    gzip --no-name -9 "$root/usr/share/man/man1/reqcli.1"
    install -D -m 644 LICENSE "$root/usr/share/doc/reqcli/copyright"
    gzip --no-name -9 -c CHANGELOG.md >"$out/changelog.gz"
    install -m 644 "$out/changelog.gz" "$root/usr/share/doc/reqcli/changelog.gz"
    rm "$out/changelog.gz"
    mkdir "$root/DEBIAN"
    cat >"$root/DEBIAN/control" <<END
Package: reqcli
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: $(git log -1 --format='%an <%ae>')
Section: web
Priority: optional
Installed-Size: $(du -ks "$root/usr" | cut -f 1)
Depends: libc6 (>= $glibc), libcurl4t64 (>= $libcurl) | libcurl4 (>= $libcurl)
Description: command-line HTTP client driven by JSON files
 reqcli sends the requests that JSON files in a repository describe, prints
 them as curl commands, answers them from stubs and checks the responses.
END
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz -z9 --build "$root" "$out/reqcli_${version}_$(dpkg --print-architecture).deb" >&2
    rm -r "${root:?}"
}
if command -v dpkg-deb >/dev/null; then package; else echo "make-dist: no dpkg-deb, so no .deb" >&2; fi

(cd "$out" && for file in reqcli*; do sha256sum "$file" >"$file.sha256"; done)

# Check the sum of each archive, unpack it, and run the program.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
for archive in "$name.tar.gz" "$name.tar.xz"; do
    (cd "$out" && sha256sum --check --quiet "$archive.sha256")
    tar --extract --directory "$trial" --file "$out/$archive"
    "$trial/$name/reqcli" --version >/dev/null
    "$trial/$name/reqcli" init "$trial/workspace" >/dev/null
    "$trial/$name/reqcli" -C "$trial/workspace" list >/dev/null
    rm -r "$trial/workspace"
done
find "$out" -name 'reqcli*' ! -name '*.sha256' | sort
