#!/usr/bin/env bash
# Installs the wheel with pip into a bare Debian without libcurl and without certificates, and uses it there: HTTP, HTTPS with an
# authority of its own, checks and the server. Needs root, debootstrap, openssl and python3; packages come from where this machine's
# apt takes them.
# usage: Tests/dist/bare.sh WHEEL [CODENAME]    (the code name of a Debian; by default this machine's)
set -euo pipefail
wheel=$(realpath "$1")
. /etc/os-release
name=${2:-$VERSION_CODENAME}
root=$(mktemp -d)
chmod 755 "$root"
servers=()
clean_up() {
    kill "${servers[@]}" 2> /dev/null || true
    umount "$root/mnt" "$root/proc" 2> /dev/null || true
    rm -rf --one-file-system "$root"
}
trap clean_up EXIT

fail() {
    echo "bare.sh: $*" >&2
    exit 1
}

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
    awk -v name="$VERSION_CODENAME" '$1 == name && !found++ { print $2 }')
debootstrap --variant=minbase --include=python3,python3-venv "$name" "$root" "$mirror" > "$root.log" 2>&1 \
    || { tail -20 "$root.log"; fail "debootstrap failed"; }
rm -f "$root.log"
mount -t proc proc "$root/proc"
cp -L /etc/hosts "$root/etc/"
inside sh -c 'test ! -e /usr/lib/*/libcurl.so.4' || fail "the bare system has libcurl"

mkdir "$root/work"
cp "$wheel" "$root/work/"
inside python3 -m venv /work/env
inside /work/env/bin/pip install --quiet --no-index --disable-pip-version-check "/work/$(basename "$wheel")"
# Python's packages bring certificates along, and pip doesn't start without.
mv "$root/etc/ssl/certs" "$root/etc/ssl/hidden"
reqcli() { inside env -C /work/workspace /work/env/bin/reqcli "$@"; }
inside /work/env/bin/reqcli --version -v | tee "$root/work/version"
grep -q 'OpenSSL.*nghttp2.* from /work/env/lib/reqcli/libcurl.so.4$' "$root/work/version" || fail "another libcurl is used"
inside /work/env/bin/reqcli init /work/workspace > /dev/null
reqcli check --stub

# Two servers outside, on the same network: plain, and with a certificate of an authority that nobody knows.
(
    cd "$root/work"
    openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority 2> /dev/null
    openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost 2> /dev/null
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out server.pem \
        -extfile <(echo subjectAltName=DNS:localhost) 2> /dev/null
    echo '{"answer":42}' > answer.json
)
start() {
    python3 - "$root/work" "$1" > "$root/work/port-$1" << 'END' &
import functools, http.server, ssl, sys
folder, kind = sys.argv[1:]
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
if kind == "https":
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/server.pem", f"{folder}/server.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
END
    servers+=($!)
    for _ in $(seq 100); do [[ -s $root/work/port-$1 ]] && return; sleep 0.1; done
    fail "the server for $1 doesn't start"
}
start http 2> /dev/null
start https 2> /dev/null
plain=http://localhost:$(< "$root/work/port-http") secure=https://localhost:$(< "$root/work/port-https")

[[ $(reqcli send "$plain/answer.json" --select '$.answer') == 42 ]] || fail "nothing comes by http"
[[ $(reqcli send "$secure/answer.json" --select '$.answer' --ca /work/ca.pem) == 42 ]] || fail "nothing comes by https with --ca"
[[ $(inside env -C /work/workspace SSL_CERT_FILE=/work/ca.pem /work/env/bin/reqcli send "$secure/answer.json" --select '$.answer') == 42 ]] \
    || fail "SSL_CERT_FILE isn't read"
status=0
reqcli send "$secure/answer.json" 2> "$root/work/error" || status=$?
cat "$root/work/error"
((status == 6)) && grep -q -- '--ca' "$root/work/error" && grep -q ca-certificates "$root/work/error" \
    || fail "without certificates it ended with $status"
mkdir -p "$root/etc/ssl/certs"
cp "$root/work/ca.pem" "$root/etc/ssl/certs/ca-certificates.crt"
[[ $(reqcli send "$secure/answer.json" --select '$.answer') == 42 ]] || fail "the usual place of certificates isn't read"
rm -r "$root/etc/ssl/certs"

# Called from odd places: by a link, by a PATH that is relative, without a home, as another user, from a file system that can't be
# written.
mount --bind "$root/work/env" "$root/mnt"
mount -o remount,bind,ro "$root/mnt"
ln -s /work/env/bin/reqcli "$root/usr/bin/linked"
chmod 755 "$root/work"
odd() {
    local found
    found=$(inside env -C /work/workspace "$@" send "$plain/answer.json" --select '$.answer') || true
    [[ $found == 42 ]] || fail "called by \"$*\" it prints \"$found\""
}
odd linked
odd PATH=../env/bin:/bin reqcli
odd -u HOME /work/env/bin/reqcli
odd HOME=/nonexistent setpriv --reuid=65534 --regid=65534 --clear-groups /work/env/bin/reqcli
odd /mnt/bin/reqcli
umount "$root/mnt"

# The server, asked by the program itself.
inside env -C /work/workspace /work/env/bin/reqcli serve --port 0 > "$root/work/serve" 2>&1 &
servers+=($!)
for _ in $(seq 100); do grep -q '^http://' "$root/work/serve" && break; sleep 0.1; done
address=$(grep -m 1 -o '^http://[^ ]*' "$root/work/serve") || fail "serve doesn't start"
status=0
reqcli send "$address/nowhere" > /dev/null 2>&1 || status=$?
((status != 6)) || fail "serve doesn't answer"
mv "$root/etc/ssl/hidden" "$root/etc/ssl/certs"
inside /work/env/bin/pip uninstall --quiet --yes --disable-pip-version-check reqcli
echo "installed with pip, used and removed in a bare $name without libcurl"
