#!/usr/bin/env bash
# Builds and tests the package of docs/how-to/swift-library.md as an app has it, with the Swift files of this folder. Then sees that the app keeps the
# symbols of its libraries, that DocC understands all comments, and how large the interface and ten tasks are. Everything is built in
# FOLDER, if there is one, where Tests/generate/check.sh finds the libraries: check.sh [FOLDER].
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if (($# > 0)); then
    folder=$(realpath "$1")
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi

# A package is known by the name of its folder, which needn't be that of a clone.
ln -s "$PWD" "$folder/reqcli"
cp -R Tests/library/app "$folder/app"
awk -v folder="$folder/app" '
    /`[^`]*\.(swift|json)`:$/ { match($0, /`[^`]*\.(swift|json)`:$/); name = substr($0, RSTART + 1, RLENGTH - 3) }
    /^```(swift|json)/ && name { file = folder "/" name; system("mkdir -p \"$(dirname \"" file "\")\""); next }
    /^```$/ && file { close(file); file = name = "" }
    file { print > file }
' docs/how-to/swift-library.md
cp Tests/library/*.swift "$folder/app/Tests/TodosTests"
sed -i "s|\.package(url: .*)|.package(path: \"$folder/reqcli\")|" "$folder/app/Package.swift"
cd "$folder/app"

swift test --scratch-path "$folder/build" 2>&1 | tee "$folder/log"
grep -q 'getsTodosFromAServer() passed' "$folder/log" || { echo "library: the server of docs/how-to/swift-library.md didn't run"; exit 1; }
grep -q 'getsTodosOfAWorkspace() passed' "$folder/log" || { echo "library: the workspace of docs/how-to/swift-library.md wasn't served"; exit 1; }
grep -q 'getsTodos() passed' "$folder/log" || { echo "library: the test of docs/how-to/swift-library.md didn't run"; exit 1; }
for suite in OriginTests FoundingRowTests TenTasks; do
    grep -q "Suite $suite passed" "$folder/log" || { echo "library: $suite didn't run"; exit 1; }
done
lines=$(grep -cE '^        [^ ]' "$folder/app/Tests/TodosTests/TenTasks.swift")
lines=$((lines - 2))  # of init
((lines <= 34)) || { echo "library: ten tasks take $lines lines, and 34 are the limit"; exit 1; }

binary=$(find "$folder/build/debug/" -maxdepth 1 -name '*.xctest' -type f)
symbols=$(nm --defined-only "$binary" | awk '{ print $NF }')
grep -q '^lc_load$' <<< "$symbols" || { echo "library: the loader isn't in $binary, so this can't see what it takes over"; exit 1; }
if taken=$(grep -E '^(curl_|OPENSSL_|SSL_|libssh2_|_?gnutls_)' <<< "$symbols"); then
    echo "library: an app would have these in place of its libraries':" $taken
    exit 1
fi

# A call that doesn't say what its response is gets a type from the caller, or it doesn't compile.
flags=(-I "$folder/build/debug/Modules")
for module in CReqcliLibcurl CReqcliLibcrypto CReqcliDecoders CReqcliSystem; do
    flags+=(-Xcc "-fmodule-map-file=$(find "$folder/build/debug/" -path "*/$module.build/module.modulemap")")
done
cat > "$folder/untyped.swift" << 'SWIFT'
import Exchange
struct Todo: APISpec { var endpoint: String { "todos/1" } }
func typed(_ client: APIClient) async throws -> [Int] { try await client.value(of: Todo()) }
func untyped(_ client: APIClient) async throws {
    let todo = try await client.value(of: Todo())
    _ = todo
}
SWIFT
if swiftc -typecheck "${flags[@]}" "$folder/untyped.swift" > "$folder/untyped.log" 2>&1; then
    echo "library: a call without a type compiles"
    exit 1
fi
[[ $(grep -c ': error: ' "$folder/untyped.log") == 1 ]] && grep -q "untyped.swift:5:.*name the type" "$folder/untyped.log" \
    || { cat "$folder/untyped.log"; exit 1; }

for module in RequestBuilding Exchange StubServing; do
    mkdir "$folder/$module"
    swift-symbolgraph-extract -module-name "$module" "${flags[@]}" -target "$(swift -print-target-info | jq -r .target.triple)" \
        -minimum-access-level public -output-dir "$folder/$module"
    docc convert "$folder/reqcli/$(cd "$folder/reqcli" && find Sources -name "$module.docc")" --additional-symbol-graph-dir "$folder/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" --output-path "$folder/$module.doccarchive" \
        --warnings-as-errors
done
# Without the members of types that the compiler makes, and without the cases of enums, which stand with their enum.
count=$(jq -s '[.[].symbols[] | select(.identifier.precise | contains("::SYNTHESIZED::") | not)
    | select(.kind.identifier != "swift.enum.case")] | length' "$folder"/{RequestBuilding,Exchange,StubServing}/*.symbols.json)
((count <= 545)) || { echo "library: there are $count public declarations, and 545 are the limit"; exit 1; }
echo "the package of docs/how-to/swift-library.md works and takes over no symbol, DocC has no warnings, $count declarations are public, and ten tasks take $lines lines"
