#!/usr/bin/env bash
# Compares scripts/icu-items.txt with the items of ICU's data that the program asks for. The debug program has all of them:
# it is linked with Foundation's libraries, whose calls to open an item are recorded. The tests must be built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$PWD/.build/debug/reqcli
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder

cat > "$folder/record.c" << 'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void record(const char *type, const char *name) {
    FILE *list = fopen(getenv("ICU_ITEMS"), "a");
    if (!list) abort();
    fprintf(list, "%s%s%s\n", name ? name : "", type && *type ? "." : "", type ? type : "");
    fclose(list);
}

typedef void *opened;
opened swift_udata_open(const char *path, const char *type, const char *name, int *error) {
    record(type, name);
    return ((opened (*)(const char *, const char *, const char *, int *))dlsym(RTLD_NEXT, "swift_udata_open"))(
        path, type, name, error);
}
opened swift_udata_openChoice(
    const char *path, const char *type, const char *name, void *isWanted, void *context, int *error) {
    record(type, name);
    return ((opened (*)(const char *, const char *, const char *, void *, void *, int *))dlsym(
        RTLD_NEXT, "swift_udata_openChoice"))(path, type, name, isWanted, context, error);
}
END
clang -shared -fPIC -o "$folder/record.so" "$folder/record.c"
export ICU_ITEMS=$folder/items
touch "$ICU_ITEMS"

# What comes of a command doesn't matter here.
run() { LD_PRELOAD=$folder/record.so "$program" "$@" > /dev/null 2>&1 < /dev/null || true; }

for command in "list" "list --json" "list environments" "validate" "validate --json" "show user.feed" "show user.feed --json" \
    "help" "help send" "--version" "schema endpoint" "completions bash" "init $folder/new" "nonsense" \
    "render user.get" "render user.get --base-url http://bücher.example/ä" "render user.get --base-url http://BÜCHER.straße.例え" \
    "render users.search city=Zürich maxResults=1 --format har" "explain user.get --base-url http://bücher.example" \
    "render user.get --base-url http://[::1]:1" "send user.get --stub" "send user.get --stub --json -v" \
    "send breeds.list --stub --select \$.data[?match(@.breed,'\\\\p{Lu}.*')]" \
    "send user.get --base-url http://127.0.0.1:1 --retry 1" "send user.get --base-url https://127.0.0.1:1 --cookie-jar $folder/jar" \
    "send user.get --base-url http://bücher.invalid" \
    "check --stub --report json=$folder/j --report junit=$folder/u --report html=$folder/h --report tap=$folder/t" \
    "check user.feed --base-url http://127.0.0.1:1"; do
    # shellcheck disable=SC2086 # Words.
    run $command
done

sort -u "$ICU_ITEMS" > "$folder/asked"
[[ -s $folder/asked ]] || { echo "items.sh: the calls were not recorded" >&2; exit 1; }
diff <(sort scripts/icu-items.txt) "$folder/asked" \
    || { echo "items.sh: < stands in scripts/icu-items.txt, > is asked for" >&2; exit 1; }
echo "the program asks for $(tr '\n' ' ' < "$folder/asked")and nothing else"
