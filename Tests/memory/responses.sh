#!/usr/bin/env bash
# Sends sequences of responses that may be wrong to the loader, with the address sanitizer's malloc under the whole
# process, libcurl included: what libcurl reads, frees or grows after it was freed ends the run. The tests must be built.
# Needs libasan (Debian: libasan8).
# usage: Tests/memory/responses.sh [FACTOR]    (how many times 400 sequences)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
factor=${1:-12}
library=$(ldconfig -p | awk '/libasan\.so/ && !found++ { print $NF }')
[[ -n $library ]] || library=$(gcc -print-file-name=libasan.so 2> /dev/null || true)
[[ -e $library ]] || { echo "responses.sh: no libasan.so: install it (Debian: apt-get install libasan8)" >&2; exit 1; }

# The control: a mistake in libcurl's memory must end a run, or the check shows nothing.
control='import ctypes; c = ctypes.CDLL("libcurl.so.4"); c.curl_slist_append.restype = ctypes.c_void_p
c.curl_slist_free_all.argtypes = [ctypes.c_void_p]; l = c.curl_slist_append(None, b"a")
c.curl_slist_free_all(l); c.curl_slist_free_all(l)'
export ASAN_OPTIONS=detect_leaks=0
if LD_PRELOAD=$library python3 -c "$control" 2> /dev/null; then
    echo "responses.sh: the address sanitizer does not see libcurl's memory" >&2
    exit 1
fi
LD_PRELOAD=$library REQCLI_FUZZ=$factor .build/debug/reqcliPackageTests.xctest --testing-library swift-testing \
    --filter ResponseSequenceFuzzTests
