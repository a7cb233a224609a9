#!/bin/sh
# Builds the release binary: one file that starts fast, its libraries linked in, libcurl loaded when it is first used.
# Prints the path of the result. docs/performance.md says what each flag wins.
set -eu
cd "$(dirname "$0")/.."

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

set -- -c release --static-swift-stdlib --product reqcli
set -- "$@" -Xswiftc -use-ld=lld -Xswiftc "-L$PWD/$first" -Xlinker -s -Xlinker --no-export-dynamic
set -- "$@" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xswiftc -Xclang-linker -Xswiftc -no-pie
set -- "$@" -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# Standard output is for the path alone.
swift build "$@" >&2
echo .build/release/reqcli
