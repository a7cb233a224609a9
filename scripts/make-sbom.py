#!/usr/bin/env python3
"""Writes what an archive is made of as SPDX 2.3: the program, and each component in it with version and licence.

COMPONENTS has a line for each: name, version, licence, and the file of the archive that it is in, with tabs between them. The same
files and SOURCE_DATE_EPOCH give the same bytes.
usage: scripts/make-sbom.py FOLDER VERSION COMPONENTS > FILE.spdx.json
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import sys


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name)


def package(name, version, licence, **more):
    return {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
        "copyrightText": "NOASSERTION", **more,
    }


def digest(file):
    return [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(file.read_bytes()).hexdigest()}]


def main(folder, version, components):
    folder = pathlib.Path(folder)
    moment = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    packages = [package("reqcli", version, "Apache-2.0", checksums=digest(folder / "reqcli"))]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", packages[0]["SPDXID"])]
    for line in pathlib.Path(components).read_text().splitlines():
        name, number, licence, file = line.split("\t")
        more = {"checksums": digest(folder / file)} if name == "curl" else {}
        packages.append(package(name, number, licence, **more))
        # What is linked into libcurl belongs to it.
        owner = "reqcli" if file == "reqcli" or name == "curl" else "curl"
        relations.append((identifier(owner), "CONTAINS", identifier(name)))
    fingerprint = hashlib.sha256(json.dumps(packages).encode()).hexdigest()[:32]
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"reqcli-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/reqcli-{version}-{fingerprint}",
        "creationInfo": {"created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: make-sbom.py"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
            for one, kind, other in relations
        ],
    }, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__.splitlines()[-1])
    main(*sys.argv[1:])
