#!/usr/bin/env python3
"""Holds the JSON Schemas that reqcli prints against an independent validator.

    Tests/schemas/validate.py path/to/reqcli       asks the program for them (reqcli schema endpoint, …)
    Tests/schemas/validate.py --schemas FOLDER     reads endpoint.schema.json and environment.schema.json there

Each schema has to be one itself, to accept the workspace's own files and the good fixtures, and to reject every
fixture whose shape is broken. Exit code 0: all of that holds; 1: something doesn't; 2: it couldn't be tried.
"""

import json
import pathlib
import subprocess
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit("validate.py needs the Python package jsonschema: apt-get install python3-jsonschema, or pip install jsonschema")

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests" / "Fixtures"
OWN_FILES = {"endpoint": "endpoints", "environment": "environments"}


def schemas(arguments):
    """The schema of each kind of file, as text."""
    if len(arguments) == 2 and arguments[0] == "--schemas":
        folder = pathlib.Path(arguments[1])
        return {kind: (folder / f"{kind}.schema.json").read_text("utf-8") for kind in OWN_FILES}
    if len(arguments) == 1 and not arguments[0].startswith("-"):
        return {
            kind: subprocess.run([arguments[0], "schema", kind], check=True, capture_output=True, text=True).stdout
            for kind in OWN_FILES
        }
    print(__doc__, file=sys.stderr)
    sys.exit(2)


def files(folder):
    return sorted(folder.rglob("*.json")) if folder.is_dir() else []


def complaints(kind, validator):
    """What doesn't hold for one kind of file, and how many files were looked at."""
    good = files(ROOT / OWN_FILES[kind]) + files(FIXTURES / "good" / kind)
    broken = files(FIXTURES / "broken-shape" / kind)
    found = []
    for path in good:
        for error in validator.iter_errors(json.loads(path.read_text("utf-8"))):
            found.append(f"{path.relative_to(ROOT)}: rejected at {error.json_path}: {error.message[:200]}")
    for path in broken:
        if validator.is_valid(json.loads(path.read_text("utf-8"))):
            found.append(f"{path.relative_to(ROOT)}: accepted, though its shape is broken")
    for sort, paths in (("good", good), ("broken", broken)):
        if not paths:
            found.append(f"there is no {sort} {kind} file to try")
    return found, len(good) + len(broken)


def main():
    try:
        texts = schemas(sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as problem:
        print(f"validate.py: the schemas can't be had: {problem}", file=sys.stderr)
        return 2
    found = []
    for kind, text in texts.items():
        schema = json.loads(text)
        Draft202012Validator.check_schema(schema)
        of_kind, count = complaints(kind, Draft202012Validator(schema))
        found += of_kind
        print(f"{kind}: {count} files tried, {len(of_kind)} complaints")
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
