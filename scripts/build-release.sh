#!/bin/sh
# Builds the release binary: one file that starts fast, its libraries linked in, libcurl loaded when it is first used.
# Prints the path of the result.
#
# The figures beside the flags are instructions that `help` and `render` took before and after, in the order in which the
# flags were added (`perf stat -e instructions:u`; millions, as swift build links it: 9.1 and 15.3).
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
# FoundationNetworking asks for -lcurl. It finds an archive of nothing; CLibcurlOverrides has the symbols, and CLibcurl opens the library.
printf '!<arch>\n' >"$first/libcurl.a"
# The C++ runtime goes into the binary too, where the system has it as an archive: 8.0 and 14.2 became 6.3 and 12.5.
archive=$(clang -print-file-name=libstdc++.a)
case $archive in
/*) ln -sf "$archive" "$first/libstdc++.a" ;;
esac

icu=$(scripts/make-icu-data.sh "$PWD/$first/icu")

# shellcheck disable=SC2086 # Words.
set -- --scratch-path "$scratch" -c release --static-swift-stdlib --product reqcli $strip
# lld puts what is written at start closer together: 20 to 50 page faults fewer. Nothing is exported, so that there are fewer
# symbols to look up: 5.4 and 8.8 became 5.2 and 8.6.
set -- "$@" -Xswiftc -use-ld=lld -Xswiftc "-L$PWD/$first" -Xlinker --no-export-dynamic
# A few items of ICU's data instead of all.
set -- "$@" -Xlinker "$icu"
# But for what libcurl's libraries are to find in the program: Sources/CLibcurlOverrides/setup.c.
for name in OPENSSL_init_ssl libssh2_init _gnutls_global_init_skip; do
    set -- "$@" -Xlinker "--export-dynamic-symbol=$name"
done
# Not position-independent, so that nothing is relocated at start: 9.1 and 15.3 became 8.0 and 14.2.
set -- "$@" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xswiftc -Xclang-linker -Xswiftc -no-pie
# Generic types are found without demangling names: 6.3 and 12.5 became 5.4 and 8.8.
set -- "$@" -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# The linker inlines small functions across modules: 3% fewer instructions and 3% less time for a run of check. A build takes half
# as long again. Tried without gain: -cross-module-optimization, and -Osize, which takes 8% more instructions.
set -- "$@" --experimental-lto-mode full
# The functions that every start runs lie side by side (scripts/record-order.sh). Names that no longer exist do no harm.
set -- "$@" -Xswiftc -Xfrontend -Xswiftc -function-sections
set -- "$@" -Xlinker "--symbol-ordering-file=$PWD/scripts/startup-order.txt" -Xlinker --no-warn-symbol-ordering
# Standard output is for the path alone.
swift build "$@" >&2
echo "$scratch/release/reqcli"
