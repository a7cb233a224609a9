#!/usr/bin/env bash
# The steps of action.yml.
#
# install: takes the archive of a release, checks its sum, and puts the program on the PATH of the following steps.
# run: runs a command; `check` gets annotations, and what is printed goes to the job's summary, too.
# usage: scripts/action.sh install|run    (with the variables that action.yml sets)
set -euo pipefail

fail() {
    echo "::error::reqcli: $*" >&2
    exit 2
}

# A file of the release, from a URL or a folder.
fetch() {
    case $REQCLI_RELEASES in
        http://* | https://*) curl -fsSL --retry 3 -o "$2" "$REQCLI_RELEASES/v$version/$1" ;;
        *) cp "$REQCLI_RELEASES/v$version/$1" "$2" ;;
    esac || fail "there is no $1 at $REQCLI_RELEASES/v$version"
}

install_program() {
    version=${REQCLI_VERSION#v}
    [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] \
        || fail "the version \"$REQCLI_VERSION\" is not one such as 0.1.0; set it with the input \"version\""
    local name=reqcli-$version-linux-x86_64 folder=$RUNNER_TEMP/reqcli
    [[ $(uname -sm) == 'Linux x86_64' ]] || fail "it runs on Linux on x86_64; this is $(uname -sm)"
    mkdir -p "$folder"
    fetch "$name.tar.xz" "$folder/$name.tar.xz"
    fetch SHA256SUMS "$folder/SHA256SUMS"
    # Only the line of this file: a list without it is no proof.
    (cd "$folder" && grep -F "  $name.tar.xz" SHA256SUMS | sha256sum --check --quiet -) \
        || fail "$name.tar.xz is not the file of the release: its SHA-256 sum differs"
    tar -xJf "$folder/$name.tar.xz" -C "$folder"
    echo "$folder/$name" >> "$GITHUB_PATH"
    "$folder/$name/reqcli" --version
}

run_command() {
    local words status=0 log
    # Words as the shell reads them, with quotes, but without anything run or expanded.
    log=$(mktemp -p "$RUNNER_TEMP")
    xargs -n 1 printf '%s\n' <<< "$REQCLI_RUN" > "$log" 2> /dev/null || fail "a quote in the input \"run\" has no end: $REQCLI_RUN"
    mapfile -t words < "$log"
    if [[ ${words[0]} == check && $REQCLI_RUN != *github=* ]]; then words+=(--report github=-); fi
    reqcli "${words[@]}" 2>&1 | tee "$log" || status=$?
    {
        # Indented: nothing that a server has sent is read as Markdown.
        printf '### reqcli %s\n\n' "${words[0]}"
        grep -v '^::' "$log" | tail -n 200 | cut -c 1-400 | sed 's/^/    /' || true
        printf '\n'
    } >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
    return "$status"
}

case ${1-} in
    install) install_program ;;
    run) run_command ;;
    *) fail 'usage: scripts/action.sh install|run' ;;
esac
