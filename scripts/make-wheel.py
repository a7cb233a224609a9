#!/usr/bin/env python3
"""Packs the program as a Python wheel, so that pip, pipx and uv install it without Swift.

The program itself becomes bin/reqcli, without a script in Python before it, which would start ten times as slowly. FOLDER is an
unpacked archive of make-dist.sh. The same folder and SOURCE_DATE_EPOCH give the same bytes. Needs libdeflate-gzip (Debian:
libdeflate-tools), which makes the wheel 3 % smaller than Python's zlib.
usage: scripts/make-wheel.py FOLDER VERSION PLATFORM OUT    (PLATFORM as in manylinux_2_34_x86_64)
"""
import base64
import hashlib
import os
import pathlib
import re
import struct
import subprocess
import sys
import time
import zlib

# Where each file of the archive lands below the environment's folder.
SCHEMES = [
    (re.compile(r"reqcli$"), "scripts/reqcli"),
    (re.compile(r"(lib|share)/(.*)"), r"data/\1/\2"),
    # pip leaves a folder that has only folders, so this one also has a file.
    (re.compile(r"CHANGELOG\.md$"), "data/share/doc/reqcli/CHANGELOG.md"),
    (re.compile(r"reqcli\.1$"), "data/share/man/man1/reqcli.1"),
    (re.compile(r"completions/reqcli\.bash$"), "data/share/bash-completion/completions/reqcli"),
    (re.compile(r"completions/reqcli\.zsh$"), "data/share/zsh/site-functions/_reqcli"),
    (re.compile(r"completions/reqcli\.fish$"), "data/share/fish/vendor_completions.d/reqcli.fish"),
]

METADATA = """\
Metadata-Version: 2.1
Name: reqcli
Version: {version}
Summary: Describe an HTTP API once, in JSON files; send, check, stub and serve it from the command line
License: Apache-2.0
Keywords: http,rest,api,testing,mock,curl
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Other
Classifier: Topic :: Internet :: WWW/HTTP
Classifier: Topic :: Software Development :: Testing
Requires-Python: >=3.7
Description-Content-Type: text/markdown
{licences}
{description}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: reqcli
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def placed(path):
    for pattern, target in SCHEMES:
        match = pattern.fullmatch(path)
        if match:
            return match.expand(target)
    return None


def members(folder, version, platform):
    """The name, bytes and mode of each file, in the order of the wheel."""
    info = f"reqcli-{version}.dist-info"
    licences = []
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        path = file.relative_to(folder).as_posix()
        target = placed(path)
        if target:
            yield f"reqcli-{version}.data/{target}", file.read_bytes(), 0o755 if path == "reqcli" else 0o644
        elif path == "LICENSE" or path.startswith("licenses/"):
            licences.append(path)
            yield f"{info}/{path}", file.read_bytes(), 0o644
        elif path.endswith(".spdx.json"):
            yield f"{info}/sboms/{file.name}", file.read_bytes(), 0o644
    # Links and pictures of the README lead into the repository, so that an index would show them broken.
    description = (folder / "README.md").read_text().split("\n## ")[0]
    description = re.sub(r"!?\[([^\]]*)\]\((?!https?:)[^)]*\)", r"\1", description)
    headers = "".join(f"License-File: {path}\n" for path in licences)
    metadata = METADATA.format(version=version, licences=headers, description=description)
    yield f"{info}/METADATA", metadata.encode(), 0o644
    yield f"{info}/WHEEL", WHEEL.format(platform=platform).encode(), 0o644


class Wheel:
    """A zip file, written here because Python's zipfile takes no compressed data."""

    def __init__(self, file, moment):
        year, month, day, hour, minute, second = moment
        self.file, self.directory, self.count, self.offset = file, b"", 0, 0
        self.moment = struct.pack("<HH", hour << 11 | minute << 5 | second // 2, (year - 1980) << 9 | month << 5 | day)

    def add(self, path, content, mode):
        gzip = subprocess.run(["libdeflate-gzip", "-12", "-c"], input=content, stdout=subprocess.PIPE, check=True).stdout
        data, name = gzip[10:-8], path.encode()  # without the head and the checksum of gzip
        common = struct.pack("<HHH", 20, 0, 8) + self.moment
        common += struct.pack("<LLLHH", zlib.crc32(content), len(data), len(content), len(name), 0)
        self.file.write(b"PK\3\4" + common + name + data)
        # Made on Unix, so that the mode counts.
        self.directory += b"PK\1\2" + struct.pack("<H", 3 << 8 | 20) + common
        self.directory += struct.pack("<HHHLL", 0, 0, 0, (0o100000 | mode) << 16, self.offset) + name
        self.offset += 30 + len(name) + len(data)
        self.count += 1

    def close(self):
        self.file.write(self.directory + b"PK\5\6" + struct.pack(
            "<HHHHLLH", 0, 0, self.count, self.count, len(self.directory), self.offset, 0))


def main(folder, version, platform, out):
    name = f"reqcli-{version}-py3-none-{platform}.whl"
    moment = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]  # a zip file begins in 1980
    record = []
    with pathlib.Path(out, name).open("wb") as file:
        wheel = Wheel(file, moment)
        for path, content, mode in members(pathlib.Path(folder), version, platform):
            wheel.add(path, content, mode)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}\n")
        path = f"reqcli-{version}.dist-info/RECORD"
        wheel.add(path, "".join(record + [f"{path},,\n"]).encode(), 0o644)
        wheel.close()
    print(pathlib.Path(out, name))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__.splitlines()[-1])
    main(*sys.argv[1:])
