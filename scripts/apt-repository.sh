#!/usr/bin/env bash
# Makes a signed repository for apt in a folder, of Debian packages that are added to those it has. Any web server can serve the
# folder. Needs dpkg-deb and gpg with the key.
# usage: scripts/apt-repository.sh --key KEY FOLDER PACKAGE.deb ...
set -euo pipefail
fail() {
    echo "apt-repository.sh: $*" >&2
    exit 2
}
usage='usage: scripts/apt-repository.sh --key KEY FOLDER PACKAGE.deb ...'
[[ ${1-} == --key && $# -ge 4 ]] || fail "$usage"
key=$2 folder=$3
shift 3
mkdir -p "$folder/pool" "$folder/dists/stable/main"
for package in "$@"; do
    dpkg-deb --info "$package" > /dev/null 2>&1 || fail "$package is not a Debian package"
    install -m 644 "$package" "$folder/pool/"
done
cd "$folder"

architectures=$(for package in pool/*.deb; do dpkg-deb --field "$package" Architecture; done | sort -u)
for architecture in $architectures; do
    list=dists/stable/main/binary-$architecture/Packages
    mkdir -p "$(dirname "$list")"
    for package in pool/*_"$architecture".deb; do
        dpkg-deb --field "$package"
        printf 'Filename: %s\nSize: %s\nSHA256: %s\n\n' \
            "$package" "$(stat -c %s "$package")" "$(sha256sum "$package" | cut -d ' ' -f 1)"
    done > "$list"
    gzip --no-name -9 --keep --force "$list"
done

(
    printf 'Origin: reqcli\nLabel: reqcli\nSuite: stable\nCodename: stable\nComponents: main\nArchitectures: %s\nDate: %s\nSHA256:\n' \
        "$(echo $architectures)" "$(date -u -R)"
    cd dists/stable
    for list in main/binary-*/Packages*; do
        printf ' %s %s %s\n' "$(sha256sum "$list" | cut -d ' ' -f 1)" "$(stat -c %s "$list")" "$list"
    done
) > Release.new
mv Release.new dists/stable/Release
gpg --batch --yes --local-user "$key" --clearsign --output dists/stable/InRelease dists/stable/Release
gpg --batch --yes --export --output reqcli.gpg "$key"
cat << END
The repository is in $PWD. A machine that may use it gets reqcli.gpg as /usr/share/keyrings/reqcli.gpg, and the file
/etc/apt/sources.list.d/reqcli.list with this line, in which URL is where the folder is served:
deb [signed-by=/usr/share/keyrings/reqcli.gpg] URL stable main
END
