#!/usr/bin/env bash
# Installs the Debian package into a bare system, uses it there, and removes it again. Needs root and debootstrap; packages
# come from where this machine's apt takes them.
# usage: Tests/dist/debian.sh PACKAGE.deb
set -euo pipefail
package=$(realpath "$1")
. /etc/os-release
root=$(mktemp -d)
chmod 755 "$root"
clean_up() {
    umount "$root/proc" 2> /dev/null || true
    rm -rf --one-file-system "$root"
}
trap clean_up EXIT

fail() {
    echo "debian.sh: $*" >&2
    exit 1
}

inside() { chroot "$root" env -i DEBCONF_NOWARNINGS=yes PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
everything() { (cd "$root" && find . -xdev ! -path './proc/*' ! -path './tmp/*' ! -path './var/cache/*' \
    ! -path './var/lib/apt/*' ! -path './var/lib/dpkg/*' ! -path './var/log/*' | sort); }

mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
    awk -v name="$VERSION_CODENAME" '$1 == name && !found++ { print $2 }')
debootstrap --variant=minbase "$VERSION_CODENAME" "$root" "$mirror" > "$root.log" 2>&1 || { cat "$root.log"; fail "debootstrap failed"; }
rm -f "$root.log"
# The same sources, and the same way to them.
rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d"
cp -rL /etc/apt/. "$root/etc/apt/"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
inside apt-get update -qq
inside sh -c 'test ! -e /usr/lib/*/libcurl.so.4' || fail "the bare system has libcurl already"
everything > "$root/tmp/before"

cp "$package" "$root/tmp/reqcli.deb"
inside apt-get install -qq -y --no-install-recommends /tmp/reqcli.deb > /dev/null
inside reqcli --version
inside reqcli init /tmp/workspace > /dev/null
inside reqcli -C /tmp/workspace check --stub
echo '{ "baseURL": "http://127.0.0.1:1" }' > "$root/tmp/workspace/environments/networked.json"
# libcurl came along: without it the exit status would be another.
status=0
inside reqcli -C /tmp/workspace send todo.list --env networked 2> "$root/tmp/error" || status=$?
cat "$root/tmp/error"
((status == 6)) && grep -q refused "$root/tmp/error" || fail "sending ended with $status"
inside test -s /usr/share/man/man1/reqcli.1.gz || fail "there is no manual page"

inside reqcli help | grep -q file:///usr/share/doc/reqcli/html/index.html || fail "help does not name the documentation"

inside apt-get remove -qq -y reqcli > /dev/null
inside apt-get autoremove -qq -y > /dev/null
everything > "$root/tmp/after"
left=$(comm -13 "$root/tmp/before" "$root/tmp/after" | grep -i reqcli || true)
[[ -z $left ]] || fail "apt remove leaves: $left"
echo "installed, used and removed in a bare $VERSION_CODENAME"
