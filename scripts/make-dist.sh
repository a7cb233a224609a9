#!/bin/sh
# Packs the release program with everything that an installation needs, below .build/dist: an archive, a Python wheel, a Debian
# package if dpkg-deb is installed, the extension for VS Code, a list of all components (SPDX), and SHA256SUMS. Then unpacks the archive and runs the program.
# The same commit, toolchain and Debian give the same bytes, because order, owner and time are fixed. Archive and wheel carry a
# libcurl for systems without one, unless this system has no apt to build it with.
set -eu
if ! command -v libdeflate-gzip >/dev/null; then
    echo "make-dist: libdeflate-gzip is missing; on Debian, install libdeflate-tools" >&2
    exit 1
fi
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
mkdir -p "$out/$name/share/doc/reqcli"
cp -R .build/site "$out/$name/share/doc/reqcli/html"
# Without the pictures of pages, which are larger than all text together.
find "$out/$name/share/doc/reqcli/html" \( -name '*.png' -o -name '*.webp' \) -delete
find "$out/$name/share/doc/reqcli/html" -name '*.html' -exec sed -Ei 's#<img [^>]*\.(png|webp)"[^>]*>##g' {} +

# What is linked into the program, then what is linked into libcurl.
toolchain=$(dirname "$(realpath "$(command -v swift)")")/..
compiler=$(clang -print-file-name=libstdc++.a)
mkdir "$out/$name/licenses"
cp "$toolchain/share/swift/LICENSE.txt" "$out/$name/licenses/Swift"
{
    printf 'Swift runtime and Foundation\t%s\tApache-2.0 WITH Swift-exception\treqcli\n' \
        "$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)"
    printf 'libstdc++\t%s\tGPL-3.0-or-later WITH GCC-exception-3.1\treqcli\n' "$(basename "$(dirname "$compiler")")"
} >"$out/components"
if [ -e /usr/share/doc/libstdc++6/copyright ]; then cp -L /usr/share/doc/libstdc++6/copyright "$out/$name/licenses/libstdc++"; fi
requirement="to send requests, libcurl $libcurl or later (libcurl.so.4)"
if command -v apt-get >/dev/null; then
    scripts/build-libcurl.sh
    install -D -m 644 .build/libcurl/libcurl.so.4 "$out/$name/lib/reqcli/libcurl.so.4"
    cp .build/libcurl/licenses/* "$out/$name/licenses/"
    sed 's|$|\tlib/reqcli/libcurl.so.4|' .build/libcurl/components >>"$out/components"
    requirement="lib/reqcli/libcurl.so.4 sends requests where the system has no libcurl 7.88 or later"
else
    echo "make-dist: no apt-get, so no libcurl inside" >&2
fi
echo "glibc $glibc or later; $requirement" >"$out/$name/REQUIREMENTS"
scripts/make-sbom.py "$out/$name" "$version" "$out/components" >"$out/reqcli-$version.spdx.json"
cp "$out/reqcli-$version.spdx.json" "$out/$name/"
rm "$out/components"
find "$out/$name" -type d -exec chmod 755 {} +
find "$out/$name" -type f ! -name reqcli -exec chmod 644 {} +

tar --create --directory "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    --format=gnu --file "$out/$name.tar" "$name"
# The filter for machine code saves a tenth.
xz --x86 --lzma2=preset=9e --threads=1 "$out/$name.tar"
# The name of a wheel says the oldest glibc with which its program runs.
scripts/make-wheel.py "$out/$name" "$version" "manylinux_$(echo "$glibc" | tr . _)_$(uname -m)" "$out" >/dev/null
rm -r "${out:?}/$name"
scripts/make-vsix.py "$version" "$out/reqcli-$version.vsix" >/dev/null

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

(cd "$out" && sha256sum reqcli* >SHA256SUMS)

# Check the sums, unpack the archive, and run the program.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
(cd "$out" && sha256sum --check --quiet SHA256SUMS)
tar --extract --directory "$trial" --file "$out/$name.tar.xz"
"$trial/$name/reqcli" --version >/dev/null
"$trial/$name/reqcli" init "$trial/workspace" >/dev/null
"$trial/$name/reqcli" -C "$trial/workspace" list >/dev/null
find "$out" -name 'reqcli*' | sort
