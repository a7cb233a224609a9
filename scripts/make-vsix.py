#!/usr/bin/env python3
"""Packs the extension for Visual Studio Code as editors install it: a zip with a manifest. The same folder and SOURCE_DATE_EPOCH give the
same bytes.
usage: scripts/make-vsix.py VERSION OUT
"""
import json
import os
import pathlib
import sys
import time
import zipfile
from xml.sax.saxutils import escape, quoteattr

MANIFEST = """\
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher} />
    <DisplayName>{title}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>{tags}</Tags>
    <Categories>{categories}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine} />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value={kind} />
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
"""

TYPES = """\
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
{}
</Types>
"""


def main():
    version, out = sys.argv[1], pathlib.Path(sys.argv[2])
    root = pathlib.Path(__file__).resolve().parents[1]
    folder = root / "editors/vscode"
    # The program's version is the extension's, too: it is written in one place.
    package = json.loads((folder / "package.json").read_text()) | {"version": version}
    files = {f"extension/{path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    files["extension/package.json"] = json.dumps(package, indent=2).encode() + b"\n"
    files["extension/LICENSE.txt"] = (root / "LICENSE").read_bytes()
    files["extension.vsixmanifest"] = MANIFEST.format(
        name=quoteattr(package["name"]), version=quoteattr(version), publisher=quoteattr(package["publisher"]),
        title=escape(package["displayName"]), description=escape(package["description"]), tags=escape(",".join(package["keywords"])),
        categories=escape(",".join(package["categories"])), engine=quoteattr(package["engines"]["vscode"]),
        kind=quoteattr(",".join(package["extensionKind"]))).encode()
    kinds = {"json": "application/json", "vsixmanifest": "text/xml", "js": "application/javascript", "md": "text/markdown", "txt": "text/plain"}
    files["[Content_Types].xml"] = TYPES.format("\n".join(
        f'  <Default Extension=".{ending}" ContentType="{kind}" />' for ending, kind in kinds.items())).encode()
    moment = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[name])
    print(out)


main()
