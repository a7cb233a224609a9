#!/usr/bin/env python3
"""Exports random workspaces and those of this repository, and imports the result into an empty one.

The requests of the imported endpoints have to be those of the original ones, as `reqcli render` prints them. A second export as OpenAPI
has to be the first one, byte for byte: its file carries what the format can't say.
"""

import argparse
import difflib
import json
import pathlib
import random
import re
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
    """Imports an export of the workspace; the folder of the imported one, and the requests that the format cannot say."""
    first, second, imported = folder / "first", folder / "second", folder / "imported" / workspace.name
    for path in (first, second, imported):
        shutil.rmtree(path, ignore_errors=True)
    imported.mkdir(parents=True)
    for name in ("files", "stubs"):
        if (workspace / name).exists() and name == "files":
            shutil.copytree(workspace / name, imported / name)
    (imported / ".gitignore").write_text(".env\n")
    secrets = [] if format == "openapi" else ["--save-secrets"]
    words = ["export", *format.split(), *environment]
    notes = reqcli(program, [*words, "-o", f"{first}/"], workspace)
    if notes.returncode != 0:
        raise AssertionError(f"export ended with {notes.returncode}: {notes.stderr[:1200]}")
    sources = {"openapi": ["openapi.json"], "postman": sorted(path.name for path in first.glob("*.json"))}.get(format)
    run(program, ["import", format.split()[0], *(str(first / name) for name in sources or ["."]), "--into", ".", *secrets], imported)
    run(program, ["validate"], imported)
    if format == "openapi":
        run(program, [*words, "-o", f"{second}/"], imported)
        difference = first_difference(contents(first), contents(second))
        if difference:
            raise AssertionError(f"{format} differs in {difference}")
    unsaid = re.findall(r"note: a body (?:whose lines|with carriage returns).*\((\S+)\)$", notes.stderr, re.MULTILINE)
    return imported, set(unsaid)


def definitions(folder):
    """The endpoints of a workspace by id, with what their group gives them."""
    found = {}
    for path in sorted((folder / "endpoints").rglob("*.json")):
        name = ".".join(path.relative_to(folder / "endpoints").with_suffix("").parts)
        content = json.loads(path.read_text())
        common = content.get("defaults", {})
        for key, value in content["endpoints"].items() if "endpoints" in content else [(None, content)]:
            found[f"{name}.{key}" if key else name] = {"defaults": common, **common, **value}
    return found


def rendered(program, folder, id, definition, environment):
    """The message of a request with the values that its file gives; None without them."""
    words = []
    for name, param in definition.get("params", {}).items():
        value = param.get("default", param.get("example") if param.get("required", True) else None)
        if value is None and param.get("required", True):
            return None
        for item in value if param["type"] == "list" and value is not None else [] if value is None else [value]:
            words.append(f"{name}={item if isinstance(item, str) else json.dumps(item)}")
    if any("\0" in word for word in words):  # which no command line can have
        return None
    captured = set(re.findall(r"\{\{([\w-]+\.[\w-]+)\}\}", json.dumps(definition))) if definition.get("needs") else set()
    words += [f"{name}=t0ken" for name in sorted(captured) if not name.startswith("secret.")]
    secrets = [json.loads(path.read_text()).get("secrets", {}) for path in (folder / "environments").glob("*.json")]
    variables = {secret["env"]: "t0ken" for all in secrets for secret in all.values()}
    if (folder / ".env").exists():
        for line in (folder / ".env").read_text().splitlines():
            variables.pop(line.split("=")[0].removeprefix("export "), None)
    variables |= VARIABLES
    ended = subprocess.run([program, "render", id, *words, *environment, "--format", "http", "--reveal"], cwd=folder, capture_output=True,
                           env=variables)
    if ended.returncode != 0:
        return None
    head, _, body = ended.stdout.partition(b"\r\n\r\n")
    start, *fields = head.decode().split("\r\n")
    return start, sorted(field for field in fields if not field.lower().startswith("content-length")), body


def compare_requests(program, workspace, imported, format, unsaid, environment):
    """Returns how many requests are the same; those that make values of their own are not looked at."""
    before, after = definitions(workspace), definitions(imported)
    # Of notes of one kind, only three name their endpoint.
    environments = "".join(path.read_text() for path in (workspace / "environments").glob("*.json"))
    if format != "openapi" and "\\\\{{" in environments:
        return 0
    # Endpoints keep their names in OpenAPI alone; elsewhere a request has to be among those of the import.
    others = {}
    if format != "openapi":
        for id, definition in after.items():
            others.setdefault(repr(rendered(program, imported, id, definition, environment)), []).append(id)
    count = 0
    for id, definition in before.items():
        if id in unsaid:
            continue
        text = json.dumps(definition)
        # What no .http file or collection can say is noted by the export.
        if "{{$" in text or "\\\\{{" in text or "multipart" in text or "join" in text:
            continue
        one = rendered(program, workspace, id, definition, environment)
        if one is None:
            continue
        if format == "openapi":
            other = rendered(program, imported, id, after[id], environment) if id in after else None
            if other is None:
                continue
            one, other = ((start, [], body) for start, _, body in (one, other))
            if one != other:
                raise AssertionError(f"{format}: the request of {id} was\n{one}\nand is\n{other}")
        elif not others.get(repr(one)):
            nearest = max(others, key=lambda other: difflib.SequenceMatcher(None, repr(one), other).quick_ratio())
            raise AssertionError(f"{format}: the request of {id} was\n{one}\nand the nearest one is\n{nearest}")
        count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--workspaces", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", choices=FORMATS)
    arguments = parser.parse_args()
    passed = failed = requests = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for number in range(arguments.workspaces):
            workspace = folder / "workspace"
            random_workspace(workspace, random.Random(arguments.seed * 1_000_003 + number))
            for format in [arguments.format] if arguments.format else FORMATS:
                try:
                    imported, unsaid = check(arguments.program, workspace, format, folder, ("--env", "main"))
                    requests += compare_requests(arguments.program, workspace, imported, format, unsaid, ("--env", "main"))
                    passed += 1
                except AssertionError as problem:
                    kept = pathlib.Path(tempfile.gettempdir()) / f"reqcli-round-trip-{number}"
                    shutil.rmtree(kept, ignore_errors=True)
                    shutil.copytree(workspace, kept)
                    print(f"FAIL workspace {number} (kept in {kept}): {str(problem)[:2000]}")
                    failed += 1
    print(f"{requests} requests are the same")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
