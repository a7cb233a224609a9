#!/usr/bin/env python3
"""Exports random workspaces, imports the result into an empty one, and exports that again.

The second export has to be the first one, byte for byte, for every format that both commands know. The requests of the imported
endpoints have to be those of the original ones, as `reqcli render` prints them.
"""

import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from formats import ROOT, random_workspace

FORMATS = ["openapi", "postman", "hurl", "http", "http --flavor jetbrains"]
VARIABLES = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TOKEN": "t0ken"}


def reqcli(program, words, folder):
    return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, env=VARIABLES)


def run(program, words, folder):
    ended = reqcli(program, words, folder)
    if ended.returncode != 0:
        raise AssertionError(f"{' '.join(words[:2])} ended with {ended.returncode}: {ended.stderr[:1200]}")
    return ended.stdout


def contents(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def first_difference(one, other):
    for name in sorted(one.keys() | other.keys()):
        before, after = one.get(name, "").split("\n"), other.get(name, "").split("\n")
        if before == after:
            continue
        at = next((i for i, (a, b) in enumerate(zip(before, after)) if a != b), min(len(before), len(after)))
        shown = lambda lines: "\n".join(lines[max(0, at - 3):at + 4])
        return f"{name}, line {at + 1}:\n--- first\n{shown(before)}\n--- second\n{shown(after)}"
    return None


def check(program, workspace, format, folder, environment=()):
    """Imports an export of the workspace, and returns the folder of the imported one."""
    first, second, imported = folder / "first", folder / "second", folder / "imported" / workspace.name
    for path in (first, second, imported):
        shutil.rmtree(path, ignore_errors=True)
    imported.mkdir(parents=True)
    for name in ("files", "stubs"):
        if (workspace / name).exists() and name == "files":
            shutil.copytree(workspace / name, imported / name)
    words = ["export", *format.split(), *environment]
    run(program, [*words, "-o", f"{first}/"], workspace)
    sources = {"openapi": ["openapi.json"], "postman": sorted(path.name for path in first.glob("*.json"))}.get(format)
    run(program, ["import", format.split()[0], *(str(first / name) for name in sources or ["."]), "--into", "."], imported)
    run(program, ["validate"], imported)
    run(program, [*words, "-o", f"{second}/"], imported)
    difference = first_difference(contents(first), contents(second))
    if difference:
        raise AssertionError(f"{format} differs in {difference}")
    return imported


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--workspaces", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", choices=FORMATS)
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for number in range(arguments.workspaces):
            workspace = folder / "workspace"
            random_workspace(workspace, random.Random(arguments.seed * 1_000_003 + number))
            for format in [arguments.format] if arguments.format else FORMATS:
                try:
                    check(arguments.program, workspace, format, folder, ("--env", "main"))
                    passed += 1
                except AssertionError as problem:
                    kept = pathlib.Path(tempfile.gettempdir()) / f"reqcli-round-trip-{number}"
                    shutil.rmtree(kept, ignore_errors=True)
                    shutil.copytree(workspace, kept)
                    print(f"FAIL workspace {number} (kept in {kept}): {str(problem)[:2000]}")
                    failed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
