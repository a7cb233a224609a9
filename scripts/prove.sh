#!/usr/bin/env bash
# Runs the proofs that take too long for each change: sanitizers, long fuzzing, memory, bare systems, reproducible builds. Each proof
# that has held for the last commit is passed over, so that a run that was broken off goes on where it was. Needs root for the bare
# systems.
# usage: scripts/prove.sh [NAME ...]    (the proofs to run; by default all)
set -uo pipefail
cd "$(dirname "$0")/.." || exit
commit=$(git rev-parse HEAD)
held=$PWD/.build/prove/$commit
mkdir -p "$held"
failed=()

# Installs a Debian package if its program is missing.
need() { [[ -n $(command -v "$1") ]] || apt-get install -qq -y --no-install-recommends "$1" > /dev/null; }
wheel() { ls "$PWD"/.build/dist/reqcli-*.whl; }
package() { ls "$PWD"/.build/dist/reqcli_*.deb; }

release() {
    [[ -n $(command -v libdeflate-gzip) ]] || apt-get install -qq -y --no-install-recommends libdeflate-tools > /dev/null
    scripts/build-libcurl.sh && make --silent dist
}
debug() { swift build --build-tests; }
sanitizers() { make --silent sanitize; }
wire() {
    WIRE_CASES=20000 swift test --no-parallel --filter 'CurlWireTests|SendWireTests' &&
        WIRE_CASES=2000 swift test --skip-build --no-parallel --filter ServeWireTests
}
fuzz() { make --silent fuzz WIRE_CASES=2000; }
program() { Tests/fuzz/program.py .build/release/reqcli --seconds 600 --seed "$(date +%Y%m%d)"; }
memory() { make --silent memory; }
libcurl() { Tests/libcurl/own.sh .build/release/reqcli --tests; }
# The whole numbers of what .ci/run does with small ones.
load() {
    Tests/serve/load.py .build/release/reqcli --idle 2000 --slow 100 --requests 40000 --file 256 &&
        PATH=$PATH:.build/export/bin Tests/load/others.py .build/release/reqcli &&
        Tests/load/loads.py .build/release/reqcli --whole && Tests/load/arrivals.py .build/release/reqcli &&
        Tests/load/memory.py .build/release/reqcli
}
generated() { mkdir -p "$held/generated" && Tests/generate/check.sh .build/release/reqcli "$held/generated" 300; }
signatures() {
    Tests/signatures/verify.py .build/release/reqcli 10000 --seed "$(date +%Y%m%d)" &&
        Tests/signatures/tokens.py .build/release/reqcli 1000 --seed "$(date +%Y%m%d)"
}
oauth() { Tests/oauth/verify.py .build/release/reqcli --kills 200; }
secrets() { Tests/secrets/flow.py .build/release/reqcli 2000 --seed "$(date +%Y%m%d)"; }
mutations() { Tests/mutations/oracle.py .build/release/reqcli 200 --seed "$(date +%Y%m%d)"; }
recordings() { Tests/recordings/verify.py .build/release/reqcli 500 --damaged 10000 --seed "$(date +%Y%m%d)"; }
editors() {
    { [[ -n $(command -v nvim) ]] || need neovim; } && { [[ -n $(command -v emacs) ]] || { need emacs-nox && need elpa-eglot; }; } && Tests/editors/verify.py .build/release/reqcli --edits 10000 --damages 100000 --renames 1000 --seed "$(date +%Y%m%d)"
}
agents() { Tests/agents/verify.py .build/release/reqcli --calls 2000 --sends 10000 --damages 20000 --entries 3000 --seed "$(date +%Y%m%d)"; }
described() { mkdir -p "$held/packages" && Tests/generate/descriptions.py .build/release/reqcli "$held/packages"; }
released() { REQCLI=$PWD/.build/release/reqcli make --silent test-program; }
debian() { need debootstrap && Tests/dist/debian.sh "$(package)"; }
bookworm() { need debootstrap && Tests/dist/bare.sh "$(wheel)" bookworm; }
trixie() { need debootstrap && Tests/dist/bare.sh "$(wheel)" trixie; }
apt() { Tests/dist/apt.sh "$(package)"; }
channels() { Tests/dist/channels.sh .build/dist --pre-commit; }
reproducible() { Tests/dist/reproducible.sh; }

all=(debug release libcurl load generated signatures oauth editors agents secrets mutations recordings described released debian bookworm trixie apt channels reproducible wire fuzz program memory sanitizers)
(($# > 0)) || set -- "${all[@]}"
for name; do
    if [[ $(type -t "$name") != function ]]; then
        echo "prove.sh: there is no proof \"$name\"; there are ${all[*]}" >&2
        exit 2
    fi
    if [[ -e $held/$name ]]; then
        echo "=== $name: held before, for this commit"
        continue
    fi
    printf '\n=== %s\n' "$name"
    start=$SECONDS
    if "$name" > "$held/log" 2>&1; then
        tail -n 1 "$held/log"
        echo "ok in $((SECONDS - start)) s"
        touch "$held/$name"
    else
        tail -n 40 "$held/log"
        failed+=("$name")
    fi
done
((${#failed[@]} == 0)) || { echo "FAILED: ${failed[*]}"; exit 1; }
echo "all proofs hold for $commit"
