#!/bin/sh
# Compares every number that CLibcurl declares by hand with curl's own headers.
# Needs a C compiler and the headers (Debian and Ubuntu: libcurl4-openssl-dev); CURL_INCLUDE names their folder if it is
# an unusual one.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{
    echo '#include <curl/curl.h>'
    echo '#include "CLibcurlConstants.h"'
    echo '#if LIBCURL_VERSION_NUM < 0x080a00'
    echo '#define CURLINFO_POSTTRANSFER_TIME_T LC_CURLINFO_POSTTRANSFER_TIME_T'
    echo '#endif'
    echo '#include "CLibcurl.h"'
    # Each of our names is curl's with LC_ before it; a function's name is lc_ for curl_.
    sed -n 's/^ *LC_\([A-Za-z0-9_]*\) = .*/_Static_assert((long)LC_\1 == (long)\1, "\1");/p' \
        Sources/C/Libcurl/include/CLibcurlConstants.h
    echo '_Static_assert(sizeof(lc_message) == sizeof(CURLMsg), "CURLMsg");'
    echo '_Static_assert(offsetof(lc_message, data) == offsetof(CURLMsg, data), "CURLMsg.data");'
    echo '_Static_assert(sizeof(lc_slist) == sizeof(struct curl_slist), "curl_slist");'
} > "$folder/compare.c"
count=$(grep -c _Static_assert "$folder/compare.c")
"${CC:-clang}" -Wno-deprecated-declarations -ISources/C/Libcurl/include ${CURL_INCLUDE:+-I"$CURL_INCLUDE"} \
    -fsyntax-only "$folder/compare.c"
echo "$count numbers are those of curl's headers"
