#!/usr/bin/env bash
# Does the steps of contributing/release.md that change nothing outside of this folder: checks the commit, builds the files of the release
# twice, compares them, and installs them in bare systems.
#
# --dry-run does it in a fresh clone of the last commit; --without-tests leaves .ci/run and `make prove` out of it.
# --notes prints the changelog's section of the version.
# usage: scripts/release.sh --dry-run [--without-tests] | --notes
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*static let version = "\(.*\)".*/\1/p' Sources/Program/Commands/Program.swift)

notes() {
    awk -v heading="## [$version]" 'index($0, "## [") == 1 { shown = index($0, heading) == 1; next } shown' CHANGELOG.md
}

found=0
say() { printf '%-9s %s\n' "$1" "$2"; }
problem() {
    say "to do" "$1"
    found=$((found + 1))
}
step() {
    local name=$1
    shift
    if "$@" > "$folder/log" 2>&1; then say ok "$name"; else
        tail -n 40 "$folder/log"
        problem "$name failed"
    fi
}

check_commit() {
    [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || problem "the version \"$version\" is not one such as 0.1.0"
    [[ -n $(notes | tr -d '[:space:]') ]] || problem "CHANGELOG.md has no section [$version]"
    grep -qE "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || problem "the section [$version] of CHANGELOG.md has no date"
    [[ -z $(git status --porcelain) ]] || problem "the clone has changes that are not committed; they are left out"
    if git rev-parse -q --verify "refs/tags/v$version" > /dev/null; then problem "there is a tag v$version already"; fi
    say ok "the commit was looked at"
}

# The files of the release from a clone of its own.
build() {
    git clone -q . "$folder/$1/reqcli"
    (cd "$folder/$1/reqcli" && scripts/build-libcurl.sh --fresh && make --silent dist)
}

dry_run() {
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    check_commit
    if [[ ${1-} == --without-tests ]]; then say "left out" "the tests"; else
        step "all tests pass" .ci/run
        step "all proofs hold" make --silent prove
    fi
    step "the files are built" build first
    step "a second build, in another folder" build second
    local files=$folder/first/reqcli/.build/dist
    step "both have the same bytes" diff "$files/SHA256SUMS" "$folder/second/reqcli/.build/dist/SHA256SUMS"
    step "pip installs and removes the wheel" Tests/dist/wheel.sh "$files"/*.whl
    step "apt installs and removes the package" Tests/dist/debian.sh "$files"/*.deb
    sed "s|VERSION|$version|g; s|SHA256|$(git archive --format=tar.gz --prefix="reqcli-$version/" HEAD | sha256sum | cut -d ' ' -f 1)|" \
        packaging/homebrew/reqcli.rb > "$files/reqcli.rb"
    mkdir -p .build/release-files
    cp "$files"/* .build/release-files/
    say ok "the files are in .build/release-files"
    say "to do" "tag v$version, push the tag, publish the draft, upload the wheel: contributing/release.md, steps 9 and 10"
    ((found == 0))
}

case "${1-} ${2-}" in
    "--dry-run " | "--dry-run --without-tests") dry_run "${2-}" ;;
    "--notes ") notes ;;
    *)
        echo 'usage: scripts/release.sh --dry-run [--without-tests] | --notes' >&2
        exit 2
        ;;
esac
