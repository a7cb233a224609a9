#!/usr/bin/env bash
# Builds the libcurl that archives and wheels carry for systems without one: HTTP and HTTPS only, with OpenSSL, nghttp2, zlib,
# Brotli and Zstandard inside, so that it needs no other library than libc. Everything comes from Debian's packages: curl and
# nghttp2 as sources, because Debian's archive of nghttp2 isn't position-independent, the others as archives. It needs Debian 12 or
# later with a C compiler, and no root: apt works in folders of its own.
#
# Below .build/libcurl it leaves libcurl.so.4; `components`, a line for each component with name, version and licence; and the texts
# of their licences in licenses/. It does nothing if all is there; `--fresh` begins anew, as a release does.
# usage: scripts/build-libcurl.sh [--fresh]
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/.build/libcurl
work=$out/work
[[ ${1-} != --fresh ]] || rm -rf "$out"
recipe=$(sha256sum scripts/build-libcurl.sh)
if [[ -f $out/recipe && $(< "$out/recipe") == "$recipe" ]]; then exit; fi
rm -rf "$out"
mkdir -p "$work"

# The functions that are looked up in it beside curl's own: of libcrypto, and of those that decode bodies.
others='BIO_free BIO_new_mem_buf ERR_clear_error EVP_DigestSign EVP_DigestSignInit EVP_MD_CTX_free EVP_MD_CTX_new
EVP_PKEY_CTX_ctrl_str EVP_PKEY_free EVP_PKEY_get_bits EVP_PKEY_get_group_name EVP_PKEY_get_id EVP_get_digestbyname
PEM_read_bio_PrivateKey inflateInit2_ inflate inflateEnd BrotliDecoderCreateInstance BrotliDecoderDecompressStream
BrotliDecoderDestroyInstance ZSTD_createDStream ZSTD_DCtx_setParameter ZSTD_decompressStream ZSTD_isError ZSTD_freeDStream'

quietly() {
    "$@" > "$work/log" 2>&1 || { tail -40 "$work/log" >&2; echo "build-libcurl.sh: $* failed" >&2; return 1; }
}

# The entries of this release of Debian, with its sources, whatever else this system has.
list_sources() {
    local file
    mkdir -p "$work"/apt/{lists/partial,cache/archives/partial,sources}
    for file in /etc/apt/sources.list.d/*.sources; do
        if [[ -f $file ]]; then sed '/^#/d' "$file"; echo; fi
    done | awk -v name="$1" 'BEGIN { RS = ""; ORS = "\n\n" }
        $0 ~ "\nSuites:[^\n]*[ \t]" name "([- \t\n]|$)" { sub(/Types: [^\n]*/, "Types: deb deb-src"); print }' \
        > "$work/apt/sources/debian.sources"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        if [[ -f $file ]]; then sed -n -E "s/^deb (.* $1(-[a-z]+)? .*)/deb \1\ndeb-src \1/p" "$file"; fi
    done > "$work/apt/sources/debian.list"
    apt=(apt-get -qq -o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache"
        -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/apt/sources" -o APT::Sandbox::User=)
    quietly "${apt[@]}" update
}

# Compilers that write no path of this machine, and no time.
export LC_ALL=C CFLAGS="-Os -flto -fPIC -ffunction-sections -fno-asynchronous-unwind-tables -fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffile-prefix-map=$work=."

fetch() {
    mkdir "$work/packages"
    (cd "$work/packages" && quietly "${apt[@]}" download libssl-dev zlib1g-dev libbrotli-dev libzstd-dev)
    (cd "$work" && quietly "${apt[@]}" source --download-only curl nghttp2)
    local name
    for name in "$work"/packages/*.deb; do dpkg-deb --extract "$name" "$work/root"; done
    for name in curl nghttp2; do quietly dpkg-source --no-check --extract "$work/${name}"_*.dsc "$work/$name"; done
    # Links lead to libraries that aren't unpacked.
    find "$work/root" -name '*.so' -delete
    archives=$(find "$work/root" -name libssl.a -printf '%h')
    headers=$work/root/usr/include
}

# Its source package has no script that configures it, and needs little of one.
build_nghttp2() {
    cd "$work/nghttp2/lib"
    local version number
    version=$(sed -n 's/^AC_INIT(\[nghttp2\], \[\([0-9.]*\)\].*/\1/p' ../configure.ac)
    number=$(printf '0x%02x%02x%02x' ${version//./ })
    sed "s/@PACKAGE_VERSION@/$version/; s/@PACKAGE_VERSION_NUM@/$number/" includes/nghttp2/nghttp2ver.h.in \
        > includes/nghttp2/nghttp2ver.h
    # shellcheck disable=SC2086 # The flags are separate arguments.
    printf '%s\n' *.c | quietly xargs -P "$(nproc)" -I @ cc $CFLAGS -Iincludes -DNGHTTP2_STATICLIB -DBUILDING_NGHTTP2 \
        -DHAVE_ARPA_INET_H -DHAVE_NETINET_IN_H -DHAVE_TIME_H -DHAVE_CLOCK_GETTIME -c @
    gcc-ar rcD "$archives/libnghttp2.a" ./*.o
    cp -r includes/nghttp2 "$headers/"
}

build_curl() {
    local off=() name
    # Protocols and conveniences that the program doesn't use.
    for name in alt-svc ares dateparse dict doh file form-api ftp get-easy-options gopher headers-api hsts imap ldap ldaps manual \
        mime mqtt netrc ntlm ntlm-wb pop3 rtsp smb smtp telnet \
        tftp tls-srp; do
        off+=("--disable-$name")
    done
    for name in ca-bundle ca-path gssapi libidn2 libpsl librtmp libssh libssh2; do off+=("--without-$name"); done
    {
        printf '{\nglobal:\n    curl_*;\n'
        # shellcheck disable=SC2086 # One word each.
        printf '    %s;\n' $others
        printf 'local:\n    *;\n};\n'
    } > "$work/exported"
    cd "$work/curl"
    CPPFLAGS="-I$headers -I$headers/$(basename "$archives") -DNGHTTP2_STATICLIB" LDFLAGS="-L$archives" \
        LIBS='-lbrotlicommon -lpthread -ldl' PKG_CONFIG=false AR=gcc-ar RANLIB=gcc-ranlib \
        quietly ./configure --enable-static --disable-shared --with-pic --disable-symbol-hiding --enable-unix-sockets \
        --with-openssl --with-nghttp2 --with-zlib --with-brotli --with-zstd "${off[@]}"
    quietly make -j "$(nproc)" -C lib libcurl.la
    # Linked here, because Debian's sources give their symbols a version of their own. Functions that nothing in curl
    # calls are taken out of the archives by -u.
    # shellcheck disable=SC2046,SC2086 # The words are separate arguments.
    quietly cc $CFLAGS -shared -o "$out/libcurl.so.4" -Wl,-soname,libcurl.so.4 "-Wl,--version-script=$work/exported" \
        $(printf -- '-Wl,-u,%s ' $others) -Wl,--whole-archive lib/.libs/libcurl.a -Wl,--no-whole-archive "-L$archives" \
        -lnghttp2 -lssl -lcrypto -lbrotlidec -lbrotlicommon -lzstd -lz -Wl,-Bsymbolic,-z,relro,-z,now,-z,defs \
        -Wl,--build-id=none,--gc-sections,-s
}

# A line for each component, with the licence's text beside it.
describe() {
    mkdir "$out/licenses"
    local name version
    component() {
        printf '%s\t%s\t%s\n' "$1" "$2" "$3" >> "$out/components"
        cp "$4" "$out/licenses/$1"
    }
    for name in curl nghttp2; do
        version=$(sed -n 's/^Version: //p' "$work/${name}"_*.dsc)
        component "$name" "$version" "$([[ $name == curl ]] && echo curl || echo MIT)" "$work/$name/debian/copyright"
    done
    while read -r package name licence; do
        version=$(dpkg-deb --field "$work/packages/${package}"_*.deb Version)
        component "$name" "$version" "$licence" "$work/root/usr/share/doc/$package/copyright"
    done << 'END'
libssl-dev OpenSSL Apache-2.0
zlib1g-dev zlib Zlib
libbrotli-dev Brotli MIT
libzstd-dev Zstandard BSD-3-Clause
END
}

# shellcheck source=/dev/null
codename=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
list_sources "$codename"
fetch
(build_nghttp2)
(build_curl)
describe
rm -rf "$work"
echo "$recipe" > "$out/recipe"
