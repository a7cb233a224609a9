#!/bin/sh
# Builds the release binary: one file that starts fast, its libraries linked in, libcurl loaded when it is first used.
# Prints the path of the result. docs/performance.md says what each flag wins.
# usage: scripts/build-release.sh [--with-symbols]
set -eu
cd "$(dirname "$0")/.."

scratch=.build
strip='-Xlinker -s'
if [ "${1-}" = --with-symbols ]; then
    scratch=.build/symbols
    strip=
fi

# What the linker looks at first.
first=.build/release-link
mkdir -p "$first"
# FoundationNetworking asks for -lcurl. It finds an archive of nothing; CLibcurl has the symbols, and opens the library.
printf '!<arch>\n' >"$first/libcurl.a"
# The C++ runtime goes into the binary too, where the system has it as an archive.
archive=$(clang -print-file-name=libstdc++.a)
case $archive in
/*) ln -sf "$archive" "$first/libstdc++.a" ;;
esac

icu=$(scripts/make-icu-data.sh "$PWD/$first/icu")

# shellcheck disable=SC2086 # Words.
set -- --scratch-path "$scratch" -c release --static-swift-stdlib --product reqcli $strip
set -- "$@" -Xswiftc -use-ld=lld -Xswiftc "-L$PWD/$first" -Xlinker --no-export-dynamic
# A few items of ICU's data instead of all.
set -- "$@" -Xlinker "$icu"
# But for what libcurl's libraries are to find in the program: Sources/CLibcurl/setup.c.
for name in OPENSSL_init_ssl libssh2_init _gnutls_global_init_skip; do
    set -- "$@" -Xlinker "--export-dynamic-symbol=$name"
done
set -- "$@" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xswiftc -Xclang-linker -Xswiftc -no-pie
set -- "$@" -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# Small functions are inlined across modules by the linker.
set -- "$@" --experimental-lto-mode full
# What everyday calls run lies side by side. Names that there are no longer do no harm; `make order` records them anew.
set -- "$@" -Xswiftc -Xfrontend -Xswiftc -function-sections
set -- "$@" -Xlinker "--symbol-ordering-file=$PWD/scripts/startup-order.txt" -Xlinker --no-warn-symbol-ordering
# Standard output is for the path alone.
swift build "$@" >&2
echo "$scratch/release/reqcli"
