#!/bin/sh
# Builds the release binary and prints its path. The binary is one file that starts fast: its libraries are linked in, except
# libcurl, which is loaded when it is first used.
#
# The figures beside the flags are the instructions of `help` and `render`, in millions, before and after the flag was added
# (`perf stat -e instructions:u`). The flags were measured in the order in which they were added. A plain `swift build` gives
# 9.1 and 15.3.
# usage: scripts/build-release.sh [--with-symbols]
set -eu
cd "$(dirname "$0")/.."

scratch=.build
strip='-Xlinker -s'
if [ "${1-}" = --with-symbols ]; then
    scratch=.build/symbols
    strip=
fi

# The folder that the linker searches first.
first=.build/release-link
mkdir -p "$first"
# FoundationNetworking links with -lcurl. It gets an empty archive: CReqcliOverrides defines the symbols, and CLibcurl opens the
# library.
printf '!<arch>\n' >"$first/libcurl.a"
# The C++ runtime is linked in, too, if the system has it as an archive: 8.0 and 14.2 became 6.3 and 12.5.
archive=$(clang -print-file-name=libstdc++.a)
case $archive in
/*) ln -sf "$archive" "$first/libstdc++.a" ;;
esac

icu=$(scripts/make-icu-data.sh "$PWD/$first/icu")

# shellcheck disable=SC2086 # The words are separate arguments.
set -- --scratch-path "$scratch" -c release --static-swift-stdlib --product reqcli $strip
# libm and libc are not looked for in the program's folder.
set -- "$@" --disable-local-rpath
# lld puts data that is written at start closer together: 20 to 50 fewer page faults. No symbol is exported, so that fewer symbols
# are looked up: 5.4 and 8.8 became 5.2 and 8.6.
set -- "$@" -Xswiftc -use-ld=lld -Xswiftc "-L$PWD/$first" -Xlinker --no-export-dynamic
# These have a newer version in glibc 2.35: Sources/Program/Overrides/older.c.
set -- "$@" -Xlinker --wrap=hypot -Xlinker --wrap=hypotf
# Foundation doesn't read the program's folder before a request: Sources/Program/Overrides/bundle.c.
set -- "$@" -Xlinker --wrap=_CFIterateDirectory
# No file of the kernel is read before the program begins, and no locale is built: Sources/Program/Overrides/start.c.
set -- "$@" -Xlinker --wrap=fopen -Xlinker --wrap=sysconf -Xlinker --wrap=_ZNSt8ios_base4InitC1Ev
# A few items of ICU's data instead of all items.
set -- "$@" -Xlinker "--wrap=${icu%% *}" -Xlinker "${icu#* }"
# A hash of each module's code before it was compiled, which holds the paths of the sources: without it, builds in two folders have the
# same bytes. Nothing reads it in a program.
cat >"$first/discard.ld" <<'SCRIPT'
SECTIONS { /DISCARD/ : { *(.swift_modhash) } }
INSERT AFTER .comment;
SCRIPT
set -- "$@" -Xlinker "--script=$PWD/$first/discard.ld"
# These symbols are exported, because libcurl's libraries must find them in the program: Sources/Program/Overrides/setup.c.
for name in OPENSSL_init_ssl libssh2_init _gnutls_global_init_skip; do
    set -- "$@" -Xlinker "--export-dynamic-symbol=$name"
done
# Not position-independent, so that nothing is relocated at start: 9.1 and 15.3 became 8.0 and 14.2.
set -- "$@" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xswiftc -Xclang-linker -Xswiftc -no-pie
# Generic types are found without demangling names: 6.3 and 12.5 became 5.4 and 8.8.
set -- "$@" -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# No checks at run time for two accesses to one variable at a time, which the tests' build has: 4 % of the instructions of `serve` for
# a request.
set -- "$@" -Xswiftc -enforce-exclusivity=unchecked
# The linker puts the functions that every start runs side by side (scripts/record-order.sh). It ignores names that no longer exist.
set -- "$@" -Xswiftc -Xfrontend -Xswiftc -function-sections
set -- "$@" -Xlinker "--symbol-ordering-file=$PWD/scripts/startup-order.txt" -Xlinker --no-warn-symbol-ordering
# Functions with the same code become one function: 4 % less. What compares the addresses of functions, as CoreFoundation does with
# callbacks, only asks whether they do the same.
set -- "$@" -Xlinker --icf=all
# Standard output gets only the path.
swift build "$@" >&2
echo "$scratch/release/reqcli"
