#!/usr/bin/env python3
"""Holds the JSON Schemas that reqcli prints against an independent validator.

Each schema has to be one itself, to accept the workspace's own files and the good fixtures, and to reject every
fixture whose shape is broken. Exit code 0: all of that holds; 1: something doesn't; 2: it couldn't be tried.
"""

import argparse
import json
import pathlib
import subprocess
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("validate.py needs the Python package jsonschema:", file=sys.stderr)
    print("apt-get install python3-jsonschema, or pip install jsonschema", file=sys.stderr)
    sys.exit(2)

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests" / "Fixtures"
OWN_FILES = {"endpoint": "endpoints", "environment": "environments", "scenario": "scenarios"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("program", nargs="?", help="the reqcli to ask: reqcli schema endpoint, …")
    source.add_argument("--schemas", type=pathlib.Path, help="a folder with endpoint.schema.json, …")
    parser.add_argument("--accept", type=pathlib.Path, help="a folder with further good files below endpoint/, …")
    return parser.parse_args()


def schema(kind, options):
    """The text of one schema."""
    if options.schemas:
        return (options.schemas / f"{kind}.schema.json").read_text("utf-8")
    return subprocess.run([options.program, "schema", kind], check=True, capture_output=True, text=True).stdout


def files(folder):
    return sorted(folder.rglob("*.json")) if folder.is_dir() else []


def complaints(kind, validator, options):
    """What doesn't hold for one kind of file, and how many files were looked at."""
    good = files(ROOT / OWN_FILES[kind]) + files(FIXTURES / "good" / kind)
    if options.accept:
        good += files(options.accept / kind)
    broken = files(FIXTURES / "broken-shape" / kind)
    found = []
    for path in good:
        for error in validator.iter_errors(json.loads(path.read_text("utf-8"))):
            found.append(f"{path}: rejected at {error.json_path}: {error.message[:200]}")
    for path in broken:
        if validator.is_valid(json.loads(path.read_text("utf-8"))):
            found.append(f"{path}: accepted, though its shape is broken")
    for sort, paths in (("good", good), ("broken", broken)):
        if not paths:
            found.append(f"there is no {sort} {kind} file to try")
    return found, len(good) + len(broken)


def main():
    options = arguments()
    try:
        texts = {kind: schema(kind, options) for kind in OWN_FILES}
    except (OSError, subprocess.CalledProcessError) as problem:
        print(f"validate.py: the schemas can't be had: {problem}", file=sys.stderr)
        return 2
    failed = False
    for kind, text in texts.items():
        document = json.loads(text)
        Draft202012Validator.check_schema(document)
        found, count = complaints(kind, Draft202012Validator(document), options)
        failed = failed or bool(found)
        print(f"{kind}: {count} files tried, {len(found)} complaints")
        for line in found:
            print(line, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
