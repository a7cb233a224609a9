#!/usr/bin/env bash
# Holds what `reqcli generate swift` writes against the compiler, `reqcli render` and `reqcli serve`, and builds and tests the package of
# docs/how-to/swift-client.md: check.sh REQCLI [FOLDER [WORKSPACES]]. In the FOLDER of Tests/library/check.sh the libraries aren't built again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "$1")
if (($# > 1)); then
    folder=$(realpath "$2")
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
root=$PWD
[[ -e $folder/reqcli ]] || ln -s "$root" "$folder/reqcli"
Tests/generate/proof.py "$program" "$folder" --workspaces "${3:-20}" --models --scratch-path "$folder/build"

# The same description twice: two modules with the same names, in one file of an app.
Tests/generate/descriptions.py --scratch-path "$folder/build" "$program" "$folder" Tests/generate/pets.yaml Tests/generate/pets.yaml

# The package in app/, with the files of the page, and with the founding examples: with code from this repository, and by hand.
app=$folder/generated-app
rm -rf "$app" && cp -R Tests/generate/app "$app"
awk -v folder="$app" '
    /`[^`]*\.swift`:$/ { match($0, /`[^`]*\.swift`:$/); name = substr($0, RSTART + 1, RLENGTH - 3) }
    /^```swift$/ && name { file = folder "/" name; system("mkdir -p \"$(dirname \"" file "\")\""); next }
    /^```$/ && file { close(file); file = name = "" }
    file { print > file }
' docs/how-to/swift-client.md
(cd "$app" && "$program" init > /dev/null && "$program" generate swift -o Sources --module Backend 2> /dev/null)
"$program" generate swift -o "$app/Sources" > /dev/null 2>&1
cp stubs/breeds.* "$app/stubs/"
founding=$app/Tests/FoundingTests/FoundingTests.swift handmade=$app/Tests/HandmadeTests/HandmadeTests.swift
sed '/^import API/d; s/struct FoundingTests/struct HandmadeTests/' "$founding" > "$handmade"
sed -i "s|\.package(url: .*)|.package(path: \"$folder/reqcli\")|" "$app/Package.swift"
cd "$app"
swift test --scratch-path "$folder/build" 2>&1 | tee "$folder/log"
for suite in TodoModelTests FoundingTests HandmadeTests; do
    grep -q "Suite $suite passed" "$folder/log" || { echo "generate: the suite $suite of docs/how-to/swift-client.md didn't pass"; exit 1; }
done
for test in listsTodos findsNoTodo environments client breeds search employees; do
    grep -qE "Test $test\(.*passed" "$folder/log" || { echo "generate: the test $test of docs/how-to/swift-client.md didn't run"; exit 1; }
done
echo "the package of docs/how-to/swift-client.md works"
