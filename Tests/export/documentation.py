#!/usr/bin/env python3
"""Exports workspaces as documentation, and reads it as a validator and a browser do.

The workspaces: the shop in examples/, a small one with long names and text from right to left, one with 800 endpoints, a description
with hundreds of operations (of the corpora, if they are there), and random ones with hostile text. Two exports have the same bytes, html5lib finds no
error, links exist, no secret is shown, and in Chromium the pages fit, can be read, and work with the keyboard.
usage: documentation.py REQCLI [FOLDER FOR SCREENSHOTS]
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import html5lib

from formats import ROOT, SECRET, random_workspace

sys.path.append(str(ROOT / "Tests/site"))
import check as site  # noqa: E402

CORPORA = pathlib.Path(os.environ.get("REQCLI_CORPORA", ROOT.parent / "shared/corpora"))
DESCRIPTION = CORPORA / "openapi/openapi-to-postman/valid_openapi/stripe_openapi.json"
BROWSER = pathlib.Path(__file__).with_name("pages.mjs")
LONG = "a_name_that_has_no_end_" * 6


def run(program, words, folder):
    variables = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TOKEN": SECRET, "SHOP_PASSWORD": SECRET}
    ended = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, env=variables)
    if ended.returncode != 0:
        sys.exit(f"reqcli {' '.join(words)} ended with {ended.returncode}: {ended.stderr[:2000]}")


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def errors(name, text):
    parser = html5lib.HTMLParser()
    parser.parse(text)
    return [f"{name}:{line}: {code} {details}" for (line, _), code, details in parser.errors]


def check(program, name, workspace, folder, least, shots=None):
    print(f"# {name}")
    before = time.monotonic()
    run(program, ["export", "html", "-o", f"{folder}/", "--source", "https://example.com/blob/main"], workspace)
    took = time.monotonic() - before
    run(program, ["export", "html", "-o", f"{folder}-again/", "--source", "https://example.com/blob/main"], workspace / "endpoints")
    files = contents(folder)
    print(f"# {len(files)} files, {sum(map(len, files.values())) / 1e6:.1f} MB in {took:.1f} s")
    site.check("two exports, from two folders, have the same bytes", [] if files == contents(pathlib.Path(f"{folder}-again")) else [name])
    site.check_pages(folder, least)
    site.check("html5lib finds no error", [error for file, content in files.items() if file.endswith(".html") for error in errors(file, content.decode())])
    site.check("no secret and no stand-in is shown",
               [file for file, content in files.items() if SECRET.encode() in content or b"zqx0reqcli" in content])
    site.check("nothing of this machine is shown", [file for file, content in files.items() if str(workspace).encode() in content])
    if shots is not None:
        site.check_in_browser(folder, [f"{shots}/{name}"] if shots else [], BROWSER)


def odd_workspace(folder):
    """Five endpoints with long names, and with text from right to left."""
    arabic, hebrew = "يعيد الطلب رقم 5 مع (كل) العناصر", "מחזיר את ההזמנה"
    endpoints = {
        LONG[:100]: {"path": f"/{LONG}/{{{{{LONG[:60]}}}}}", "params": {LONG[:60]: {"type": "string", "description": arabic}}, "description": LONG},
        "rtl": {"path": f"/{hebrew}", "description": arabic, "tags": [hebrew], "query": {hebrew: arabic}, "headers": {"X-Long": LONG},
                "stubs": {"variants": {"ok": {"description": hebrew, "json": {arabic: hebrew, LONG: [LONG]}}}}},
        "post": {"method": "POST", "path": "/", "body": {"json": {LONG: arabic}}},
        "text": {"method": "PROPFIND", "path": "/", "body": {"text": LONG * 5}},
        "plain": {"path": "/plain", "expect": {"status": 200, "schema": "odd.json"}},
    }
    scenario = {"description": hebrew, "steps": [
        {"name": LONG[:80], "endpoint": f"group.{LONG[:100]}", "with": {LONG[:60]: arabic}}, {"name": "rtl", "endpoint": "group.rtl"}]}
    files = {"endpoints/group.json": {"endpoints": endpoints}, "scenarios/odd.json": scenario, "schemas/odd.json": {"title": arabic, "type": "object"},
             "environments/one.json": {"baseURL": f"https://{LONG[:50].replace('_', '-')}.example", "description": arabic, "variables": {LONG: LONG}},
             "environments/two.json": {"baseURL": "https://two.example"}, "reqcli.json": {"environment": "one"}}
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(json.dumps(content, ensure_ascii=False))


def many_endpoints(folder):
    """800 endpoints: half of them in one group, and the others in 40 groups."""
    one = {"path": "/items/{{id}}", "params": {"id": {"type": "integer", "example": 1}}, "stubs": {"variants": {"ok": {"json": {"id": 1}}}}}
    groups = {"large": 400} | {f"group-{number}": 10 for number in range(40)}
    (folder / "endpoints").mkdir(parents=True)
    (folder / "environments").mkdir()
    (folder / "environments/development.json").write_text('{"baseURL": "http://localhost:8080"}')
    for name, count in groups.items():
        endpoints = {f"call-{number}": one | {"description": f"Call {number} of {name}"} for number in range(count)}
        (folder / f"endpoints/{name}.json").write_text(json.dumps({"endpoints": endpoints}, indent=2))


def imported_workspace(program, folder):
    for name in ("endpoints", "environments"):
        (folder / name).mkdir(parents=True)
    run(program, ["import", "openapi", str(DESCRIPTION)], folder)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip().splitlines()[-1])
    program, shots = os.path.realpath(sys.argv[1]), (sys.argv + [""])[2]
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name)
        shutil.copytree(ROOT / "examples/shop", base / "shop")
        check(program, "shop", base / "shop", base / "shop-pages", 8, shots)
        odd_workspace(base / "odd")
        check(program, "odd", base / "odd", base / "odd-pages", 5, shots)
        many_endpoints(base / "many")
        check(program, "many", base / "many", base / "many-pages", 43, shots)
        if DESCRIPTION.exists():
            imported_workspace(program, base / "large")
            check(program, "large", base / "large", base / "large-pages", 20, shots)
        else:
            print(f"SKIPPED: {DESCRIPTION} does not exist, so no large description was exported")
        for number in range(3):
            workspace = base / f"random-{number}"
            random_workspace(workspace, random.Random(number))
            check(program, workspace.name, workspace, base / f"random-{number}-pages", 2, None if number else shots)
    sys.exit(1 if site.failures else 0)


if __name__ == "__main__":
    main()
