#!/usr/bin/env python3
"""Exports this workspace and random ones with hostile names and values, and has other programs read the result.

OpenAPI: openapi-spec-validator. Postman: a schema of what a collection 2.1 has; its scripts run in node. Locust: Python's parser.
No text of a workspace may become code, no secret may be in any file, and two runs write the same bytes.
"""

import argparse
import ast
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMATS = ["openapi", "postman", "hurl", "http", "http --flavor jetbrains", "http --flavor vscode", "locust", "k6"]
SECRET = "sEcReT-vAlUe-4711"
NASTY = [
    "'); pwned(); ('", '"); pwned(); ("', "\\'); pwned() #", '\\"); pwned(); //', "*/ pwned(); /*", "`${pwned()}`",
    "a\nb", "a\r\nimport os; pwned()", "a\u2028pwned()\u2029b", "\u0085pwned()", "%}\npwned()\n> {%", "\\{{braces}}", "}}", "é\U0001f600",
    "</script>", "\\", "\\u0027); pwned()", "'''", '"""', "# comment", "###\nGET http://pwned/", "\x00\x01\x7f", "$(pwned)", "#{pwned}",
]

PAIR = {"type": "object", "required": ["key"], "properties": {"key": {"type": "string"}, "value": {"type": ["string", "null"]}}}
BEHAVIOR = {
    "type": "object", "additionalProperties": False,
    "properties": {"followRedirects": {"type": "boolean"}, "maxRedirects": {"type": "integer"}, "followAuthorizationHeader": {"type": "boolean"}}}
POSTMAN = {
    "type": "object", "required": ["info", "item"],
    "properties": {
        "info": {"type": "object", "required": ["name", "schema"], "properties": {"name": {"type": "string"}}},
        "item": {"type": "array", "items": {"$ref": "#/$defs/item"}},
        "variable": {"type": "array", "items": PAIR},
        "protocolProfileBehavior": BEHAVIOR,
    },
    "additionalProperties": False,
    "$defs": {
        "item": {"anyOf": [{"$ref": "#/$defs/folder"}, {"$ref": "#/$defs/request"}]},
        "folder": {
            "type": "object", "required": ["name", "item"], "additionalProperties": False,
            "properties": {"name": {"type": "string"}, "item": {"type": "array", "items": {"$ref": "#/$defs/item"}}},
        },
        "request": {
            "type": "object", "required": ["name", "request", "response"], "additionalProperties": False,
            "properties": {
                "name": {"type": "string"},
                "protocolProfileBehavior": BEHAVIOR,
                "request": {"$ref": "#/$defs/wire"},
                "event": {"type": "array", "items": {
                    "type": "object", "required": ["listen", "script"],
                    "properties": {"listen": {"enum": ["test", "prerequest"]}, "script": {
                        "type": "object", "properties": {"exec": {"type": "array", "items": {"type": "string"}}}}}}},
                "response": {"type": "array", "items": {
                    "type": "object", "required": ["name", "originalRequest", "code", "header"],
                    "properties": {"code": {"type": "integer"}, "header": {"type": "array", "items": PAIR}, "body": {"type": "string"}}}},
            },
        },
        "wire": {
            "type": "object", "required": ["method", "header", "url"],
            "properties": {
                "method": {"type": "string"}, "header": {"type": "array", "items": PAIR},
                "url": {
                    "type": "object", "required": ["raw", "host"],
                    "properties": {
                        "raw": {"type": "string"}, "host": {"type": "array", "items": {"type": "string"}},
                        "path": {"type": "array", "items": {"type": "string"}}, "query": {"type": "array", "items": PAIR}},
                },
                "auth": {"type": "object", "required": ["type"], "properties": {
                    "type": {"enum": ["apikey", "awsv4", "basic", "bearer", "digest", "edgegrid", "hawk", "noauth", "oauth1", "oauth2", "ntlm"]}}},
                "body": {"type": "object", "required": ["mode"], "properties": {
                    "mode": {"enum": ["raw", "urlencoded", "formdata", "file", "graphql"]},
                    "raw": {"type": "string"}, "urlencoded": {"type": "array", "items": PAIR}, "formdata": {"type": "array", "items": PAIR}}},
            },
        },
    },
}
# Everything is there and answers itself; only `pwned` must not be called.
NODE = """
globalThis.pwned = () => { console.log('PWNED'); process.exit(3); };
const any = new Proxy(function () {}, {
    get: (_, key) => key === Symbol.toPrimitive ? () => '1' : key === Symbol.iterator ? [][Symbol.iterator] : any,
    apply: (_, self, given) => { for (const one of given) if (typeof one === 'function') try { one(any); } catch (e) {} return any; } });
globalThis.pm = any; globalThis.client = any; globalThis.response = any;
for (const script of JSON.parse(require('fs').readFileSync(0, 'utf8'))) {
    let run;
    try { run = new Function(script); } catch (error) { console.log('SYNTAX ' + error + ' in ' + script); process.exit(2); }
    try { run(); } catch (error) {}
}
"""


def export(program, workspace, words, target):
    run = subprocess.run(
        [program, "export", *words.split(), "--env", "main", "-o", f"{target}/", "-C", str(workspace)], capture_output=True, text=True,
        env={"PATH": "/usr/bin:/bin", "TOKEN": SECRET, "HOME": "/nonexistent"})
    if run.returncode != 0:
        raise AssertionError(f"export {words} of {workspace} ended with {run.returncode}: {run.stderr}")
    if SECRET in run.stderr + run.stdout:
        raise AssertionError(f"export {words} shows a secret")
    return {str(path.relative_to(target)): path.read_bytes() for path in sorted(target.rglob("*")) if path.is_file()}


def scripts(collection):
    for item in collection["item"]:
        if "item" in item:
            yield from scripts(item)
        for event in item.get("event", []):
            yield "\n".join(event["script"]["exec"])


def run_scripts(texts):
    run = subprocess.run(["node", "-e", NODE], input=json.dumps(texts), capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(f"a script: {run.stdout}{run.stderr}")


def check_python(text):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "pwned" or isinstance(node, ast.Attribute) and node.attr == "pwned":
            raise AssertionError("a text became code of Python")
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    if classes != ["WorkspaceUser"]:
        raise AssertionError(f"unexpected classes: {classes}")


def check_hurl(text):
    for line in text.split("\n"):
        if re.search(r"[\x00-\x08\x0b-\x1f]", line):
            raise AssertionError(f"a control character in {line!r}")
    methods = [line for line in text.split("\n") if re.match(r"[A-Z]+ (\{\{|https?://)", line)]
    if not methods or any("pwned/" in line for line in methods):
        raise AssertionError(f"unexpected entries: {methods}")
    asserts = [line for line in text.split("\n") if line.startswith(("jsonpath ", "header "))]
    value = r'("([^"\\]|\\.)*"|-?[0-9.eE+-]+|true|false|null|\{\{[\w-]+\}\})'
    for line in asserts:
        if not re.fullmatch(rf'\w+ "([^"\\]|\\.)*"( count)?( regex "([^"\\]|\\.)*")?( not)? ?(\S+( {value})?)?', line):
            raise AssertionError(f"no assertion: {line!r}")


def check_http(text):
    titles = [line for line in re.split(r"\r\n|\n|\r", text) if line.startswith("### ")]
    if any("pwned/" in line for line in re.findall(r"^[A-Z]+ .*", text, re.M)) or not titles:
        raise AssertionError("a text became a request")
    return re.findall(r"^> \{%\n(.*?)^%\}$", text, re.M | re.S)


def plan_of_python(text):
    return next(ast.literal_eval(node.value) for node in ast.parse(text).body
                if isinstance(node, ast.Assign) and node.targets[0].id == "PLAN")


def plan_of_script(text):
    literal = re.search(r"^const plan = (\{\n.*?^\});$", text, re.M | re.S)[1]
    run = subprocess.run(["node", "-e", "console.log(JSON.stringify(eval('(' + require('fs').readFileSync(0, 'utf8') + ')')))"],
                         input=literal, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def without_codings(plan):
    """The plan without the header in which the tools differ: they can decode different codings."""
    for step in plan["steps"]:
        step["headers"] = [header for header in step["headers"] if header[0] != "Accept-Encoding"]
    return plan


def check(program, workspace):
    plans = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for number, words in enumerate(FORMATS):
            files = export(program, workspace, words, folder / f"{number}a")
            if files != export(program, workspace, words, folder / f"{number}b"):
                raise AssertionError(f"{words} differs between two runs")
            for name, content in files.items():
                if SECRET.encode() in content:
                    raise AssertionError(f"{name} of {words} holds a secret")
                if b"zqx0reqcli" in content:
                    raise AssertionError(f"{name} of {words} holds a stand-in")
            texts = {name: content.decode() for name, content in files.items()}
            for name, text in texts.items():
                if name.endswith(".json"):
                    json.loads(text)
            kind = words.split()[0]
            if kind == "openapi":
                OpenAPIV31SpecValidator(json.loads(texts["openapi.json"])).validate()
            elif kind == "postman":
                collection = json.loads(texts["collection.json"])
                Draft202012Validator(POSTMAN).validate(collection)
                run_scripts(list(scripts(collection)))
            elif kind == "hurl":
                check_hurl(texts["requests.hurl"])
            elif kind == "http":
                run_scripts(check_http(texts["requests.http"]))
            elif kind == "k6":
                check_module(texts["loadtest.js"])
                plans.append(plan_of_script(texts["loadtest.js"]))
            else:
                check_python(texts["locustfile.py"])
                plans.append(plan_of_python(texts["locustfile.py"]))
    if without_codings(plans[0]) != without_codings(plans[1]):
        raise AssertionError("the plans of the load tests differ")


def check_module(text):
    """Whether node takes a module."""
    with tempfile.NamedTemporaryFile("w", suffix=".mjs") as file:
        file.write(text)
        file.flush()
        ended = subprocess.run(["node", "--check", file.name], capture_output=True, text=True)
    if ended.returncode != 0:
        raise AssertionError(ended.stderr[:1200])


def literal(text):
    return text.replace("{{", "\\{{") if "\\{{" not in text else text


def random_workspace(folder, rng):
    nasty = lambda: literal(rng.choice(NASTY))
    header = lambda: re.sub(r"[^ -~]", "", nasty()).strip() or "x"
    names = ["id", "name", "count", "flag", "tags", "filter", "ticket", "a-b_c"]
    kinds = {"id": "integer", "count": "number", "flag": "boolean", "name": "string", "tags": "list", "filter": "json", "ticket": "string", "a-b_c": "string"}
    samples = {"id": lambda: rng.randint(1, 99), "count": lambda: 1.5, "flag": lambda: True, "name": lambda: rng.choice(NASTY).replace("{{", "{"),
               "tags": lambda: ["a", rng.choice(NASTY).replace("{{", "{")], "filter": lambda: {"x": [1, nasty()]}, "ticket": lambda: "abc", "a-b_c": lambda: "x y"}

    def endpoint(index):
        used = rng.sample(names, rng.randint(0, 5))
        params = {}
        for name in used:
            param = {"type": kinds[name], "description": rng.choice(NASTY)}
            if kinds[name] == "list":
                param["items"] = {"type": "string"}
                if rng.random() < 0.5:
                    param["join"] = ","
            key = rng.choice(["example", "example", "default", None])
            if key:
                value = samples[name]()
                param[key] = value
                if "{{" in json.dumps(value):
                    param.pop(key)
            if rng.random() < 0.3 and key != "default":
                param["required"] = False
            params[name] = param
        scalars = [name for name in used if kinds[name] not in ("list", "json")]
        definition = {"description": rng.choice(NASTY), "method": rng.choice(["GET", "POST", "PUT", "DELETE"]), "params": params}
        required = [name for name in scalars if params[name].get("required", True)]
        definition["path"] = f"e{index}" + "".join("/{{%s}}" % name for name in required[:2])
        definition["query"] = {nasty_key(rng): [nasty()] for _ in range(rng.randint(0, 2))} | {name: "{{%s}}" % name for name in used if kinds[name] != "json"}
        definition["headers"] = {"X-A": header()} | ({"X-B": "{{%s}}" % required[-1]} if required and kinds[required[-1]] != "string" else {})
        if definition["method"] in ("POST", "PUT"):
            definition["body"] = rng.choice([
                {"json": {nasty_key(rng): nasty(), "list": [nasty()], "n": None} | {name: "{{%s}}" % name for name in used}},
                {"json": {"text": "a {{%s}} b" % required[0] if required else "x", "id": "{{$uuid}}", "time": "{{$timestamp}}"}},
                {"text": nasty() + "{{secret.token}}"}, {"form": {"a": nasty(), nasty_key(rng): "{{secret.token}}"}},
                {"multipart": {"a": nasty(), "b": "{{secret.token}}"}},
                {"graphql": {"query": "query { a }", "variables": {"v": nasty()}}},
            ])
        definition["expect"] = {
            "status": rng.choice([200, "2xx", [200, 404]]), "headers": {"Content-Type": {"contains": nasty()}}, "maxTime": 2,
            "json": {"$.a": nasty(), "$.b[0].c": {"type": "integer"}, "$.d": {"matches": "a+", "startsWith": nasty()}, "$.e": {"length": {">": 0}}, "$.f": {"exists": True},
                     "$.g": {"in": [nasty(), 1]}, "$.h": {"not": {"contains": nasty()}}, "$['x'].y": 1},
        }
        if index > 0:
            definition["needs"] = {"login": "login"}
            definition["headers"]["X-Token"] = "{{login.token}}"
            definition["expect"]["json"]["$.token"] = "{{login.token}}"
        definition["stubs"] = {"variants": {"standard": {"json": {"a": rng.choice(NASTY)}, "description": rng.choice(NASTY)}, "bad": {"status": 404, "text": rng.choice(NASTY)}}}
        definition["tags"] = ["smoke", rng.choice(NASTY)]
        return definition

    def nasty_key(rng):
        key = rng.choice(NASTY)
        return "k" + re.sub(r"[{}\x00-\x1f\x7f-\x9f]", "", key) if "{{" in key or "}}" in key else "k" + re.sub(r"[\x00-\x1f\x7f-\x9f]", "", key)

    shutil.rmtree(folder, ignore_errors=True)
    (folder / "endpoints").mkdir(parents=True)
    (folder / "environments").mkdir()
    endpoints = {f"e{index}": endpoint(index) for index in range(rng.randint(1, 6))}
    auth = rng.choice([
        {"bearer": "{{secret.token}}"}, {"basic": {"user": "u", "password": "{{secret.token}}"}}, {"digest": {"user": "u", "password": "{{secret.token}}"}},
        {"apiKey": {"header": "X-Key", "value": "{{secret.token}}"}}, {"apiKey": {"query": "key", "value": "{{secret.token}}"}}, None])
    (folder / "endpoints" / "group.json").write_text(json.dumps({"endpoints": endpoints}))
    (folder / "endpoints" / "login.json").write_text(json.dumps({
        "method": "POST", "path": "login", "body": {"json": {"password": "{{secret.token}}", "region": "{{region}}"}}, "auth": None,
        "capture": {"token": {"json": "$.token", "secret": True}, "head": {"header": "X-A", "match": "a\"b'c\\\\+"}}}))
    environment = {"description": rng.choice(NASTY), "baseURL": "http://localhost:8080/api", "headers": {"X-Environment": header()},
                   "variables": {"region": literal(rng.choice(NASTY))}, "secrets": {"token": {"env": "TOKEN"}}}
    if auth:
        environment["auth"] = auth
    (folder / "environments" / "main.json").write_text(json.dumps(environment))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--workspaces", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.workspaces):
            workspace = pathlib.Path(folder) / "workspace"
            random_workspace(workspace, random.Random(arguments.seed * 1_000_003 + number))
            valid = subprocess.run([arguments.program, "validate", "-C", str(workspace)], capture_output=True, text=True)
            if valid.returncode != 0:
                print(f"workspace {number} is not valid: {valid.stderr[:2000]}")
                failures += 1
                continue
            try:
                check(arguments.program, workspace)
            except Exception as problem:
                kept = pathlib.Path(tempfile.gettempdir()) / f"reqcli-export-{number}"
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(workspace, kept)
                print(f"FAIL workspace {number} (kept in {kept}): {type(problem).__name__}: {str(problem)[:1500]}")
                failures += 1
        own = pathlib.Path(folder) / "own"
        for name in ("endpoints", "environments", "stubs"):
            shutil.copytree(ROOT / name, own / name)
        (own / "environments" / "main.json").write_text(json.dumps({"extends": "staging"}))
        try:
            check(arguments.program, own)
        except Exception as problem:
            print(f"FAIL this repository: {type(problem).__name__}: {str(problem)[:1500]}")
            failures += 1
    print(f"{arguments.workspaces + 1 - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
