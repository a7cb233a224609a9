#!/usr/bin/env bash
# Builds RequestBuilding and Exchange as for a system other than Linux: without the loader, with URLSession as it is. No compiler for
# such a system is needed, so that availability isn't checked by a compiler: the interfaces that are newer than the systems of
# Package.swift are looked for by name.
# usage: scripts/simulate-darwin.sh
set -euo pipefail
cd "$(dirname "$0")/.."

# With the releases that have them: macOS 15, macOS 26.
newer='String\(validating|import Synchronization|\.span\b|\bMutableSpan|InlineArray|\bUTF8Span|Task\.immediate|\bAtomic<|\bObservations\b'
sources=(Sources/Text/Basics Sources/HTTP/Networking Sources/HTTP/RequestBuilding Sources/HTTP/Exchange)
if grep -rnE "$newer" "${sources[@]}" | grep -vE '^Sources/(HTTP/Exchange/Loader/|Text/Basics/Mutex\.swift)'; then
    echo "simulate-darwin: these lines need newer systems than Package.swift names"
    exit 1
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r Sources "$folder"
ln -s "$PWD/Tests" "$folder/Tests"
sed 's/platforms: \[\.linux\]/platforms: [.macOS]/' Package.swift > "$folder/Package.swift"
grep -rlE 'os\(Linux\)' "$folder/Sources" | xargs sed -i 's/os(Linux)/os(macOS)/g'
cd "$folder"
swift build --target Exchange
modules=$(find -L .build/debug/ -name '*.swiftmodule' -printf '%f ')
for module in RequestBuilding Exchange; do
    [[ $modules == *"$module.swiftmodule"* ]] || { echo "simulate-darwin: $module wasn't built"; exit 1; }
done
# grep reads all of it, since with pipefail an nm that is cut off would hide the hit.
if nm -A .build/debug/Exchange.build/*.o | grep ' lc_load$' > /dev/null; then
    echo "simulate-darwin: the loader was built, so that this wasn't another system"
    exit 1
fi
echo "RequestBuilding and Exchange build without the loader"
