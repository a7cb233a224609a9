#!/usr/bin/env bash
# Runs the steps of the action and of the container's recipe on the files that `make dist` has made, and checks the files of other
# channels as far as that can be done here. With --pre-commit, also the hooks with pre-commit of PyPI.
# usage: Tests/dist/channels.sh DIST [--pre-commit]
set -euo pipefail
dist=$(realpath "$1")
cd "$(dirname "$0")/../.."
repository=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "channels.sh: $*" >&2
    exit 1
}

# The action: a release in a folder, and what GitHub sets for each step.
archive=$(basename "$dist"/reqcli-*-linux-x86_64.tar.xz)
version=${archive#reqcli-} version=${version%-linux-x86_64.tar.xz}
mkdir -p "$folder/releases/v$version" "$folder/temp"
cp "$dist/$archive" "$dist/SHA256SUMS" "$folder/releases/v$version/"
export GITHUB_PATH=$folder/path GITHUB_STEP_SUMMARY=$folder/summary RUNNER_TEMP=$folder/temp REQCLI_RELEASES=$folder/releases
REQCLI_VERSION=v$version scripts/action.sh install
PATH=$(< "$GITHUB_PATH"):$PATH
reqcli init "$folder/workspace" > /dev/null
act() { (cd "$folder/workspace" && REQCLI_RUN=$1 "$repository/scripts/action.sh" run); }
if act "list 'half" > "$folder/log" 2>&1 || ! grep -q 'has no end' "$folder/log"; then fail "a quote without an end isn't told"; fi
act 'check --stub' > "$folder/log" || { cat "$folder/log"; fail "the command of a workspace that is right fails"; }
grep -q '^### reqcli check$' "$GITHUB_STEP_SUMMARY" || fail "the summary has no heading"
act 'list "todo.*"' | grep -q '^todo\.' || fail "a quoted word isn't one"
act "list 'a b' \$(touch $folder/ran) *" > /dev/null 2>&1 || true
[[ ! -e $folder/ran ]] || fail "the command's words are run by a shell"
file=$(find "$folder/workspace/endpoints" -name '*.json' | head -n 1)
sed -i 's/"status": *200/"status": 418/' "$file"
status=0
act 'check --stub' > "$folder/log" 2>&1 || status=$?
((status == 1)) && grep -q '^::error file=' "$folder/log" || { cat "$folder/log"; fail "a failed check ends with $status"; }
grep -q '418' "$GITHUB_STEP_SUMMARY" || fail "the summary doesn't say what failed"
printf x >> "$folder/releases/v$version/$archive"
if REQCLI_VERSION=$version scripts/action.sh install > "$folder/log" 2>&1; then fail "a changed archive is installed"; fi
grep -q 'sum differs' "$folder/log" || { cat "$folder/log"; fail "a changed archive isn't called so"; }
for wrong in main 9.9.9 '$(id)'; do
    if REQCLI_VERSION=$wrong scripts/action.sh install > "$folder/log" 2>&1; then fail "the version $wrong is installed"; fi
    grep -q '^::error::reqcli: ' "$folder/log" || fail "nothing is said about the version $wrong"
done

# The extension for VS Code: its parts, and the program's version.
python3 - "$dist/reqcli-$version.vsix" "$version" << 'END' || fail "the extension for VS Code isn't whole"
import json, sys, xml.dom.minidom, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    manifest = xml.dom.minidom.parseString(archive.read("extension.vsixmanifest"))
    for asset in manifest.getElementsByTagName("Asset"): archive.getinfo(asset.getAttribute("Path"))
    xml.dom.minidom.parseString(archive.read("[Content_Types].xml"))
    package = json.loads(archive.read("extension/package.json"))
    version = manifest.getElementsByTagName("Identity")[0].getAttribute("Version")
    assert package["version"] == version == sys.argv[2], (package["version"], version)
    languages, grammars = package["contributes"]["languages"], package["contributes"]["grammars"]
    for part in [package["main"], *(language["configuration"] for language in languages), *(grammar["path"] for grammar in grammars)]:
        archive.getinfo("extension/" + part.removeprefix("./"))
END

# The container: what its steps do, below a folder.
mkdir "$folder/image"
python3 -m zipfile -e "$dist"/reqcli-*.whl "$folder/image/wheel"
install -D -m 755 "$folder"/image/wheel/reqcli-*.data/scripts/reqcli "$folder/image/usr/local/bin/reqcli"
cp -r "$folder"/image/wheel/reqcli-*.data/data/. "$folder/image/usr/local/"
for place in bin/reqcli lib/reqcli/libcurl.so.4 share/man/man1/reqcli.1; do
    [[ -s $folder/image/usr/local/$place ]] || fail "the container has no $place"
done
for line in 'unzip -q' 'data/scripts/reqcli /usr/local/bin/reqcli' 'data/data/. /usr/local/' 'USER reqcli'; do
    grep -qF -- "$line" Dockerfile || fail "the Dockerfile has no line with \"$line\""
done

python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check pyyaml spdx-tools
"$folder/python/bin/python" -c 'import sys, yaml; [yaml.safe_load(open(name)) for name in sys.argv[1:]]' \
    action.yml .pre-commit-hooks.yaml .github/workflows/release.yml
"$folder/python/bin/pyspdxtools" --infile "$(ls "$dist"/*.spdx.json)"
if command -v ruby > /dev/null; then ruby -c packaging/homebrew/reqcli.rb > /dev/null; fi

if [[ ${2-} == --pre-commit ]]; then
    "$folder/python/bin/pip" install --quiet --disable-pip-version-check pre-commit
    (
        cd "$folder/workspace" && export HOME=$folder
        git init -q && git add -A
        "$folder/python/bin/pre-commit" try-repo "$repository" reqcli-validate --all-files
        echo '{ "nonsense": 1 }' > endpoints/wrong.json && git add -A
        if "$folder/python/bin/pre-commit" try-repo "$repository" reqcli-validate --all-files > "$folder/log"; then
            fail "the hook takes a wrong file"
        fi
        grep -q 'unknown key' "$folder/log" || { cat "$folder/log"; fail "the hook doesn't say what is wrong"; }
    )
fi
echo "the action's steps, the container's files and the component list hold"
