#!/bin/sh
# Makes an object file with the few items of ICU's data that the program uses (scripts/icu-items.txt), from the toolchain's own
# archive. Its symbol is for the linker's `--wrap`: what refers to the archive's 34 MB of data gets these items, and the linker leaves
# the data out.
# `Tests/icu/items.sh` compares the list with the items that the program uses.
# usage: scripts/make-icu-data.sh FOLDER      prints the symbol to wrap and the path of the object
set -eu
cd "$(dirname "$0")/.."
folder=$1
mkdir -p "$folder"
libraries=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1_static\/linux/p')
archive=$libraries/lib_FoundationICU.a
member=$(nm -A "$archive" 2>/dev/null | sed -n 's/.*:\([^:]*\):[0-9a-f]* R icudt[0-9]*_dat$/\1/p')
symbol=$(nm -A "$archive" 2>/dev/null | sed -n 's/.* R \(icudt[0-9]*_dat\)$/\1/p')
[ -n "$symbol" ] || { echo "make-icu-data: $archive defines no icudt*_dat" >&2; exit 1; }

# The result depends only on the toolchain, the items and this tool.
stamp="$symbol $(cksum "$archive" scripts/icu-items.txt scripts/icu-data.swift scripts/make-icu-data.sh | cksum)"
if [ "$(cat "$folder/stamp" 2>/dev/null)" != "$stamp" ]; then
    swiftc -o "$folder/icu-data" scripts/icu-data.swift >&2
    ar p "$archive" "$member" >"$folder/whole.o"
    objcopy -O binary --only-section=.rodata "$folder/whole.o" "$folder/whole.dat"
    # shellcheck disable=SC2046 # The words are separate arguments.
    "$folder/icu-data" "$folder/whole.dat" "$folder/part.dat" $(cat scripts/icu-items.txt)
    printf '%s\n' '.section .rodata' ".globl __wrap_$symbol" '.balign 16' "__wrap_$symbol:" ".incbin \"$folder/part.dat\"" \
        '.section .note.GNU-stack,"",@progbits' >"$folder/icu-data.s"
    clang -c -o "$folder/icu-data.o" "$folder/icu-data.s" >&2
    rm "$folder/whole.o" "$folder/whole.dat"
    echo "$stamp" >"$folder/stamp"
fi
echo "$symbol $folder/icu-data.o"
