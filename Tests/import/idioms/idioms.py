#!/usr/bin/env python3
"""Imports each source in this folder and compares the requests with a hand-written expectation.

    idioms.py REQCLI [NAME ...]      NAME: FORMAT, FORMAT/NAME, or the beginning of one
    idioms.py --list

FORMAT/NAME.EXT (or the folder FORMAT/NAME) is a source, FORMAT/NAME.expected.json says what the source's own tool sends:

    requests     a list of objects, in the order of the source:
        method, url       as sent; "decoded": true compares the URL after percent-decoding
        headers           name to value, or to a list of values; "absent": names that must not be sent
        body              text, JSON, or null for none (the default)
        form, multipart   in place of body: [[name, value]], or [{name, value, filename, type}]
        with              values of params of this request, by their names in the source
        unsendable        true: nothing is expected for this request; "note": text that the notes must contain
    args, source, environment    options for import, the files to import (of a folder), the value of --env
    values       values for params, variables and secrets that the source leaves open, by name
    env          variables of the process
    notes        texts that the notes must contain; "silent": true allows no note
    no, kept     texts that no written file and no output may contain; texts that a written file must contain

A text that begins with "~" is a regular expression; "#number" is any number. The value of each capture is "captured", and that of
each secret without a value in the source is "stand-in". After OpenAPI and Postman, an update must change nothing. The commands that an
import names as the next ones must exit with 0. known.txt lists differences that are documented ("FORMAT/NAME: reason").
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from email.parser import BytesParser
from pathlib import Path
from urllib.parse import parse_qsl, unquote

HERE = Path(__file__).resolve().parent


def plain(name):
    """A name without case and punctuation, since an import may respell it."""
    return re.sub(r"[\W_]", "", name).lower()


def equal(expected, found):
    if isinstance(expected, str) and expected.startswith("~"):
        return isinstance(found, str) and re.search(expected[1:], found, re.S) is not None
    if expected == "#number":
        return type(found) in (int, float)
    if isinstance(expected, dict) and isinstance(found, dict):
        return expected.keys() == found.keys() and all(equal(expected[k], found[k]) for k in expected)
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(equal, expected, found))
    return type(expected) is type(found) and expected == found or \
        {type(expected), type(found)} == {int, float} and expected == found


def parsed(data, other):
    """JSON as a value, or another value if the data is not JSON."""
    try:
        return json.loads(data)
    except ValueError:
        return other


class Workspace:
    """A temporary folder with the import of one source."""

    def __init__(self, program, folder, expected):
        self.program, self.folder, self.expected = program, folder, expected
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder / ".home"), **expected.get("env", {})}
        self.values = {plain(k): v for k, v in expected.get("values", {}).items()}
        self.rendered = {}

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              env=self.environment, timeout=60)

    def choose_environment(self):
        """Chooses the environment, and sets its variables and secrets."""
        files = {f.stem: f for f in sorted((self.folder / "environments").glob("*.json"))}
        wanted = self.expected.get("environment", "development")
        other = wanted if "environment" in self.expected else next(iter(files), None)
        name = next((f for f in files if plain(f) == plain(wanted)), other)
        self.env_option = ["--env", name] if name else []
        saved = self.folder / ".env"
        stored = re.findall(r"^(\w+)=", saved.read_text() if saved.exists() else "", re.M)
        for file in files.values():
            data = json.loads(file.read_text())
            for key, value in data.get("variables", {}).items():
                if plain(key) in self.values and isinstance(value, (str, int, float, bool)):
                    data["variables"][key] = self.values[plain(key)]
            file.write_text(json.dumps(data))
            for key, value in data.get("secrets", {}).items():
                if isinstance(value, dict) and "env" in value and value["env"] not in stored:
                    self.environment.setdefault(value["env"], self.values.get(plain(key), "stand-in"))

    def arguments(self, shown, more):
        """NAME=VALUE for each param that has no default, and for each captured value."""
        words = []
        for param in shown["params"]:
            values = {**self.values, **more}
            if plain(param["name"]) in values:
                value = values[plain(param["name"])]
            elif param.get("required") and param.get("secret") and param["type"] == "string":
                value = "stand-in"
            elif param.get("required") and "example" in param:
                value = param["example"]
            else:
                continue
            if isinstance(value, list) and param["type"] == "string":
                value = ",".join(map(str, value))
            for v in value if isinstance(value, list) and param["type"] == "list" else [value]:
                words.append(f"{param['name']}={v if isinstance(v, str) else json.dumps(v)}")
        group = json.loads((self.folder / shown["file"]).read_text()).get("defaults", {})
        used = json.dumps([shown["definition"], group])
        for alias in {**group.get("needs", {}), **shown["definition"].get("needs", {})}:
            for capture in sorted(set(re.findall(r"\{\{%s\.([\w-]+)\}\}" % re.escape(alias), used))):
                words.append(f"{alias}.{capture}=captured")
        return words

    def request(self, name, more):
        """The request of an endpoint, or why there is none."""
        key = (name, json.dumps(more, sort_keys=True))
        if key not in self.rendered:
            shown = json.loads(self.run("show", name, "--json").stdout)
            more = {plain(k): v for k, v in more.items()}
            if more.keys() <= {plain(p["name"]) for p in shown["params"]}:
                words = ["render", name, *self.arguments(shown, more), *self.env_option, "--no-input", "--trust", "--reveal"]
                self.rendered[key] = self.parse(self.run(*words, "--format", "json"), self.run(*words, "--format", "http"))
            else:
                self.rendered[key] = f"has no param {', '.join(more)}, only {', '.join(p['name'] for p in shown['params'])}"
        return self.rendered[key]

    @staticmethod
    def parse(parts, message):
        if parts.returncode or message.returncode:
            return "cannot be rendered: " + (parts.stderr or message.stderr).decode(errors="replace").strip()[:300]
        head, _, body = message.stdout.partition(b"\r\n\r\n")
        headers = {}
        for line in head.decode(errors="replace").split("\r\n")[1:]:
            key, _, value = line.partition(":")
            headers.setdefault(key.strip().lower(), []).append(value.strip())
        data = json.loads(parts.stdout)
        return {"method": data["method"], "url": data["url"], "headers": headers, "body": body}


def multipart(found):
    content_type = found["headers"].get("content-type", [""])[0]
    message = BytesParser().parsebytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + found["body"])
    parts = []
    for part in message.get_payload() if message.is_multipart() else []:
        fields = {"name": part.get_param("name", header="content-disposition"), "filename": part.get_filename(),
                  "value": part.get_payload(decode=True).decode(errors="replace"), "type": part.get("content-type")}
        parts.append({k: v for k, v in fields.items() if v is not None})
    return parts


def differences(expected, found):
    """What is different between an expected request and the rendered one."""
    if isinstance(found, str):
        return [found]
    result = []

    def compare(what, want, got):
        if not equal(want, got):
            result.append(f"{what}: expected {json.dumps(want, ensure_ascii=False)}, "
                          f"got {json.dumps(got, ensure_ascii=False)}")

    decode = (lambda text: unquote(text.replace("+", " "))) if expected.get("decoded") else str
    compare("method", expected["method"], found["method"])
    compare("URL", decode(expected["url"]), decode(found["url"]))
    for name, value in expected.get("headers", {}).items():
        got = found["headers"].get(name.lower(), [])
        compare(name, value, got if isinstance(value, list) else ", ".join(got) if got else None)
    for name in expected.get("absent", []):
        compare(name, None, found["headers"].get(name.lower()))
    text = found["body"].decode(errors="replace")
    if "form" in expected:
        compare("form", [list(p) for p in expected["form"]], [list(p) for p in parse_qsl(text, keep_blank_values=True)])
    elif "multipart" in expected:
        got = multipart(found)
        want = expected["multipart"]
        compare("multipart", want, [{k: v for k, v in g.items() if k in w} for g, w in zip(got, want)] + got[len(want):])
    elif isinstance(expected.get("body"), (dict, list)):
        compare("body", expected["body"], parsed(text, text))
    else:
        compare("body", expected.get("body") or "", text)
    return result


def assign(workspace, wanted, names):
    """Pairs each expected request with the endpoint that is most like it, and gives the differences."""
    options = sorted(
        (isinstance(f, str) + str(f).startswith("has no"), any(x.startswith(("method", "URL")) for x in d), len(d), i, j, d)
        for i, w in enumerate(wanted) for j, n in enumerate(names)
        for f in [workspace.request(n, w.get("with", {}))] for d in [differences(w, f)])
    taken, used, result = set(), set(), []
    for _, _, _, i, j, found in options:
        # Several requests of a source may be one endpoint with different params.
        if i not in taken and (j not in used or "with" in wanted[i]):
            taken.add(i)
            used.add(j)
            result += [f"{wanted[i]['method']} {wanted[i]['url']} ({names[j]}): {d}" for d in found]
    result += [f"{w['method']} {w['url']}: no endpoint" for i, w in enumerate(wanted) if i not in taken]
    return result + [f"unexpected endpoint {n}" for j, n in enumerate(names) if j not in used]


def checked(program, source, expected, folder):
    """The differences between an import and what is expected of it."""
    workspace = Workspace(program, folder, expected)
    (folder / ".gitignore").write_text(".env\n")
    if source.is_dir() and "source" in expected:
        shutil.copytree(source, folder, dirs_exist_ok=True)
        sources = [expected["source"]] if isinstance(expected["source"], str) else expected["source"]
    else:
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / source.name)
        sources = [source.name]
    before = {f for f in folder.rglob("*") if f.is_file()}
    other = Workspace(program, shutil.copytree(folder, folder.with_name(folder.name + "-next")), expected)
    words = ["import", "--save-secrets", *expected.get("args", []), *sources]
    result = workspace.run(*words, "--json")
    notes = [": ".join(n[k] for k in ("message", "detail") if n.get(k)) for n in parsed(result.stdout, {}).get("notes", [])]
    errors = [f"{e['message']}: {e.get('hint', '')}" for e in parsed(result.stderr, {}).get("diagnostics", [])]
    told = "\n".join(notes + (errors or [result.stderr.decode(errors="replace")]))
    wanted = [r for r in expected["requests"] if not r.get("unsendable")]
    found = []
    if result.returncode and wanted:
        return [f"import exits with {result.returncode}: {told.strip()[:600]}"]
    written = {f: f.read_bytes().decode(errors="replace") for f in folder.rglob("*")
               if f.is_file() and f not in before and f.name != ".env"}
    for text in expected.get("no", []):
        places = [str(f.relative_to(folder)) for f, content in written.items() if text in content]
        places += ["the output"] if text in told or text.encode() in result.stdout else []
        found += [f"{text!r} is in {p}" for p in places]
    for text in expected.get("kept", []):
        found += [] if any(text in content for content in written.values()) else [f"no file has {text!r}"]
    for text in expected.get("notes", []) + [r["note"] for r in expected["requests"] if r.get("note")]:
        found += [] if text.lower() in told.lower() else [f"no note has {text!r}: {told.strip()[:300] or 'there is none'}"]
    found += [f"unexpected note: {n}" for n in notes if expected.get("silent")]
    if result.returncode == 0:
        if (folder / "imports").exists() and workspace.run("import", "--update", "--dry-run").returncode:
            found.append("an update right after the import changes something")
        found += failing_next(other, other.run(*words))
        workspace.choose_environment()
        valid = workspace.run("validate")
        found += [f"validate: {valid.stderr.decode(errors='replace').strip()[:300]}"] if valid.returncode else []
        found += assign(workspace, wanted, [e["id"] for e in parsed(workspace.run("list", "--json").stdout, [])])
    return found


def failing_next(workspace, result):
    """Those of the commands that an import names as the next ones which fail."""
    _, found, text = (result.stdout + result.stderr).decode(errors="replace").partition("Try next\n")
    commands = [shlex.split(line)[1:] for line in text.splitlines() if line.startswith("  ")] if found else []
    if len(commands) < 2:
        return [f"names {len(commands)} commands to run next"]
    return [f"{shlex.join(c)} exits with {r.returncode}: {r.stderr.decode(errors='replace').strip()[:200]}"
            for c in commands for r in [workspace.run(*c)] if r.returncode]


def examine(program, name, source, expected):
    start = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="idioms") as folder:
            (inner := Path(folder).resolve() / "workspace").mkdir()
            found = checked(program, source, expected, inner)
    except Exception as error:  # A source with a mistake must not end the run.
        found = [f"{type(error).__name__}: {error}"]
    return name, found, time.monotonic() - start


def cases():
    for file in sorted(HERE.glob("*/*.expected.json")):
        stem = file.name.removesuffix(".expected.json")
        sources = [f for f in file.parent.iterdir() if f != file and (f.name == stem or f.stem == stem)]
        if len(sources) != 1:
            sys.exit(f"{file}: {len(sources)} sources")
        yield f"{file.parent.name}/{stem}", sources[0], json.loads(file.read_text())


def main():
    arguments = sys.argv[1:]
    if "--list" in arguments:
        print("\n".join(name for name, _, _ in cases()))
        return 0
    if not arguments:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    program, names = os.path.abspath(arguments[0]), arguments[1:]
    lines = (HERE / "known.txt").read_text().splitlines() if (HERE / "known.txt").exists() else []
    known = dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    chosen = [c for c in cases() if not names or any(c[0].startswith(n) for n in names)]
    bad, excused, slowest = 0, 0, (0, "")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, found, seconds in pool.map(lambda c: examine(program, *c), chosen):
            slowest = max(slowest, (seconds, name))
            if found and name in known:
                excused += 1
            elif found or name in known:
                bad += 1
                print(name)
                print("\n".join(f"    {f}" for f in found or ["is in known.txt, but has no difference"]))
    requests = sum(not r.get("unsendable") for _, _, e in chosen for r in e["requests"])
    print(f"{len(chosen)} sources, {requests} requests: {len(chosen) - bad - excused} equal, {bad} different, {excused} known; "
          f"slowest {slowest[1]}, {slowest[0]:.1f} s")
    return 1 if bad or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
