#!/usr/bin/env python3
"""Talks to `reqcli lsp` as editors do: typed requests with pytest-lsp's client, random edits whose problems must be those of `validate`,
damaged messages; Neovim, Emacs with Eglot, and the client for VS Code with node, as far as they are installed.

usage: Tests/editors/verify.py PROGRAM [--edits N] [--damages N] [--renames N] [--seed N]
"""
import argparse, asyncio, json, os, pathlib, random, re, shlex, shutil, subprocess, sys, tempfile, time, urllib.parse

parser = argparse.ArgumentParser()
parser.add_argument("program", type=pathlib.Path)
parser.add_argument("--edits", type=int, default=100, help="how many random edits are made")
parser.add_argument("--damages", type=int, default=500, help="how many damaged messages are sent")
parser.add_argument("--renames", type=int, default=10, help="how many names are changed, and changed back")
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()

here = pathlib.Path(__file__).resolve().parent
try:
    import pytest_lsp
    from lsprotocol import types
except ImportError:
    # The same script again, in an environment of its own.
    folder = here.parents[1] / ".build/editors"
    if not (folder / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run(
        [folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "pytest-lsp==1.0.1", "lsprotocol==2025.0.0"], check=True)
    os.execv(folder / "bin/python", [str(folder / "bin/python"), *sys.argv])

sys.path.insert(0, str(here))
from client import Client

PROGRAM = str(options.program.resolve())
temporary = tempfile.TemporaryDirectory(prefix="reqcli-editors-")
root = pathlib.Path(temporary.name)
shutil.copytree(here.parents[1] / "examples/shop", root / "shop")
SHOP = root / "shop"
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": str(root)}
failures, chance = [], random.Random(options.seed)
PULL = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
RENAMES = {"workspace": {"diagnostics": {"refreshSupport": True}, "workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename"]}}}
UTF8 = {"general": {"positionEncodings": ["utf-8", "utf-16"]}}


def check(name, holds, found=""):
    print(f"{'ok' if holds else 'not ok'} - {name}{'' if holds else f': found {found}'}", flush=True)
    if not holds: failures.append(name)


def endpoint_file():
    return next(path for path in sorted((SHOP / "endpoints").rglob("*.json")) if '"{{' in path.read_text() or "{{" in path.read_text())


def at(text, needle, inside=0):
    """The position of a text, for a file of ASCII lines before it."""
    offset = text.index(needle) + inside
    return {"line": text.count("\n", 0, offset), "character": len(text[:offset].rpartition("\n")[2].encode("utf-16-le")) // 2}


# MARK: Typed requests

async def typed():
    client = pytest_lsp.client_capabilities and pytest_lsp.make_test_lsp_client()
    await client.start_io(PROGRAM, "lsp", cwd=str(SHOP))
    found = await client.initialize_session(
        types.InitializeParams(capabilities=pytest_lsp.client_capabilities("neovim"), root_uri=SHOP.as_uri()))
    check("initialize", found.server_info.name == "reqcli", found.server_info)
    path = endpoint_file()
    document = types.TextDocumentIdentifier(path.as_uri())
    client.text_document_did_open(types.DidOpenTextDocumentParams(
        types.TextDocumentItem(path.as_uri(), "json", 1, path.read_text())))
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    check("symbols of a file", len(symbols) > 0, symbols)
    symbols = await client.workspace_symbol_async(types.WorkspaceSymbolParams("get"))
    check("symbols of the workspace", any("GET" in symbol.name for symbol in symbols), symbols)
    text = path.read_text()
    place = at(text, "{{", 2)
    position = types.Position(place["line"], place["character"])
    completion = await client.text_document_completion_async(types.CompletionParams(document, position))
    check("completion in a placeholder", any(item.label == "$uuid" for item in completion.items), completion)
    position = types.Position(place["line"], place["character"] + 1)
    hover = await client.text_document_hover_async(types.HoverParams(document, position))
    check("hover on a placeholder", hover is not None and hover.contents.value, hover)
    definition = await client.text_document_definition_async(types.DefinitionParams(document, position))
    check("definition of a placeholder", bool(definition), definition)
    references = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), document, position))
    check("references of a placeholder", len(references) >= 2, references)
    await client.shutdown_session()
    await client.stop()


# MARK: Problems

def validated():
    run = subprocess.run([PROGRAM, "validate", "--json"], cwd=SHOP, capture_output=True, env=ENVIRONMENT)
    found = {}
    for problem in json.loads(run.stdout)["diagnostics"]:
        message = problem["message"] + ("\n" + problem["hint"] if "hint" in problem else "")
        place = problem.get("range", {}).get("start")
        found.setdefault(problem.get("file", "reqcli.json"), []).append((problem["code"], message, place and (place["line"], place["column"])))
    return {file: sorted(all, key=str) for file, all in found.items()}


def shown(diagnostics, text):
    """Diagnostics as `validate` has them: columns count characters that a person sees. The texts here have one for each scalar."""
    lines = text.encode().split(b"\n")
    found = []
    for problem in diagnostics:
        start = problem["range"]["start"]
        line = lines[start["line"]] if start["line"] < len(lines) else b""
        column = len(line[:start["character"]].decode(errors="replace"))
        found.append((problem["code"], problem["message"], (start["line"] + 1, column + 1)))
    return sorted(found, key=str)


def edits(pulls):
    """Random edits of the open files. At rest, the problems are those of `validate` for files with these texts."""
    client = Client(PROGRAM, SHOP, UTF8 | (PULL if pulls else {}), ENVIRONMENT)
    paths = sorted(path for path in SHOP.rglob("*.json") if path.relative_to(SHOP).parts[0] in ("endpoints", "environments", "scenarios"))
    texts = {path: path.read_text() for path in paths}
    originals = dict(texts)
    for path in paths: client.open(path)
    different, compared, slowest, version = [], 0, 0, 1
    for number in range(options.edits):
        path = chance.choice(paths)
        text = texts[path]
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 1, 1, 2, 10]))
        new = chance.choice(["", "x", "\"", "{", "}", ",", ":", "é", "{{", "}}", "\n", "1", "null", "\"nme\": 1,", "😀"])
        if chance.random() < 0.3: start, end, new = 0, len(text), originals[path]
        def position(offset):
            before = text[:offset]
            return {"line": before.count("\n"), "character": len(before.rpartition("\n")[2].encode())}
        version += 1
        client.tell("textDocument/didChange", {
            "textDocument": {"uri": path.as_uri(), "version": version},
            "contentChanges": [{"range": {"start": position(start), "end": position(end)}, "text": new}]})
        texts[path] = text[:start] + new + text[end:]
        if pulls:
            before = time.monotonic()
            client.ask("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})
            slowest = max(slowest, time.monotonic() - before)
        if number % 10 != 9: continue
        client.settle()
        for one, text in texts.items(): one.write_text(text)
        expected = validated()
        for one, text in texts.items():
            compared += 1
            if pulls:
                found = client.ask("textDocument/diagnostic", {"textDocument": {"uri": one.as_uri()}})["items"]
            else:
                found = client.pushed.get(one.as_uri(), [])
            found = shown(found, text)
            wanted = [(code, message, place or (1, 1)) for code, message, place in expected.get(str(one.relative_to(SHOP)), [])]
            if found != sorted(wanted, key=str): different.append((one.name, found[:2], wanted[:2]))
        for one, text in originals.items(): one.write_text(text)
        client.settle(0.3)
    how = "pulled" if pulls else "pushed"
    check(f"{options.edits} random edits: problems as in validate, {how} ({compared} files compared)", not different, different[:2])
    if pulls: check(f"a keystroke's own file is answered quickly ({slowest * 1000:.0f} ms at most)", slowest < 1, slowest)
    check(f"the server ends ({how})", client.close() == 0)


# MARK: Changes

def applied(path, edits):
    """The bytes of a file after edits with columns in UTF-8."""
    lines = path.read_bytes().split(b"\n")
    starts = [0]
    for line in lines: starts.append(starts[-1] + len(line) + 1)
    data = path.read_bytes()
    def offset(place): return starts[place["line"]] + place["character"]
    for edit in sorted(edits, key=lambda edit: offset(edit["range"]["start"]), reverse=True):
        data = data[:offset(edit["range"]["start"])] + edit["newText"].encode() + data[offset(edit["range"]["end"]):]
    return data


def local(uri): return pathlib.Path(urllib.parse.unquote(uri.removeprefix("file://")))


def rename(client, path, place, name):
    """Renames in the files; false if the server refuses the name."""
    answer = client.answer(client.request("textDocument/rename", {
        "textDocument": {"uri": path.as_uri()}, "position": place, "newName": name}))
    if "error" in answer: return False
    result = answer["result"]
    for uri, found in result.get("changes", {}).items(): local(uri).write_bytes(applied(local(uri), found))
    for change in result.get("documentChanges", []):
        if change.get("kind") != "rename":
            path = local(change["textDocument"]["uri"])
            path.write_bytes(applied(path, change["edits"]))
            continue
        new = local(change["newUri"])
        new.parent.mkdir(parents=True, exist_ok=True)
        local(change["oldUri"]).rename(new)
    client.settle(0.5)
    return True


def codes(problems): return {file: sorted(problem[0] for problem in all) for file, all in problems.items()}


def renames():
    """Each renamed thing keeps what validate and render say, and its old name brings back the same bytes."""
    client = Client(PROGRAM, SHOP, UTF8 | PULL | RENAMES, ENVIRONMENT)
    before = validated()
    paths = [path for path in sorted(SHOP.rglob("*.json")) if path.relative_to(SHOP).parts[0] in ("endpoints", "scenarios")]
    places = [(path, at(path.read_text(), match.group(0), 2)) for path in paths for match in re.finditer(r"\{\{[A-Za-z.]+\}\}", path.read_text())]
    chance.shuffle(places)
    wrong, done, refused = [], 0, 0
    for path, place in places[:options.renames]:
        question = {"textDocument": {"uri": path.as_uri()}, "position": place}
        answer = client.answer(client.request("textDocument/prepareRename", question))
        if "error" in answer:
            refused += 1
            continue
        old = answer["result"]["placeholder"]
        bytes_before = {file: file.read_bytes() for file in SHOP.rglob("*.json")}
        # A load may name a step, for example: what the server doesn't rename, it refuses to break.
        if not rename(client, path, place, "renamedOnce"):
            refused += 1
            continue
        if codes(validated()) != codes(before): wrong.append(("validate", path.name, old))
        if not rename(client, path, place, old) or any(file.read_bytes() != data for file, data in bytes_before.items()): wrong.append(("back", path.name, old))
        done += 1
        for file, data in bytes_before.items(): file.write_bytes(data)
    check(f"{done} renames and back: validate says the same, then the bytes are the same ({refused} refused)", done > 0 and not wrong, wrong[:3])
    path_renames(client, before)
    path, place = places[0]
    for name in ["no name", "", "{{x}}"]:
        answer = client.answer(client.request("textDocument/rename", {"textDocument": {"uri": path.as_uri()}, "position": place, "newName": name}))
        check(f"the name {name!r} is refused", "error" in answer, answer)
    client.close()


def path_renames(client, before):
    """Ids of endpoints and names of environments, from each place that names them: their files, and those of snapshots, are renamed as well."""
    ids = [endpoint["id"] for endpoint in json.loads(output("list", "--json"))]
    names = [path.stem for path in (SHOP / "environments").glob("*.json")]

    def all_files(): return {path: path.read_bytes() for path in SHOP.rglob("*") if path.is_file()}

    wrong, done = [], 0
    for name in ids + names:
        found = [(path, at(path.read_text(), f'"{name}"', 1)) for path in sorted(SHOP.rglob("*.json"))
                 if f'"{name}"' in path.read_text() and path.relative_to(SHOP).parts[0] in ("endpoints", "environments", "scenarios", "loads", "reqcli.json")]
        for path, place in found:
            question = {"textDocument": {"uri": path.as_uri()}, "position": place}
            answer = client.answer(client.request("textDocument/prepareRename", question))
            if "error" in answer or answer["result"]["placeholder"] != name: continue
            files = all_files()
            new = name.rpartition(".")[0] + "." * ("." in name) + "renamedOnce"
            if not rename(client, path, place, new): continue
            done += 1
            if sorted(codes(validated()).values()) != sorted(codes(before).values()): wrong.append(("validate", path.name, name))
            listed = output("list", "--json") + output("env", "list", "--json")
            if f'"{new}"' not in listed or f'"{name}"' in listed: wrong.append(("list", path.name, name))
            moved = path if path.exists() else next(one for one in SHOP.rglob("renamedOnce.json*"))
            if not rename(client, moved, place, name) or all_files() != files: wrong.append(("back", path.name, name))
            for one in all_files(): one.unlink()
            for one, data in files.items(): one.write_bytes(data)
            client.settle(0.5)
    check(f"{done} renames of endpoints and environments, and back", done > 3 and not wrong, wrong[:3] or done)


def output(*words): return subprocess.run([PROGRAM, *words], cwd=SHOP, capture_output=True, text=True, env=ENVIRONMENT).stdout


def formats():
    """Formatting changes only whitespace, and the second time nothing."""
    client = Client(PROGRAM, SHOP, UTF8 | PULL, ENVIRONMENT)
    wrong = []
    def asked(path):
        return client.ask("textDocument/formatting", {"textDocument": {"uri": path.as_uri()}, "options": {"tabSize": 2, "insertSpaces": True}})
    for path in sorted((SHOP / "endpoints").rglob("*.json")):
        original = path.read_bytes()
        path.write_bytes(original.replace(b"  ", b" ").replace(b": ", b":"))
        once = applied(path, asked(path))
        if json.loads(once) != json.loads(original) and b": " not in original: wrong.append(path.name)
        if re.sub(rb"\s", b"", once) != re.sub(rb"\s", b"", original): wrong.append(("tokens", path.name))
        path.write_bytes(once)
        if asked(path): wrong.append(("twice", path.name))
        path.write_bytes(original)
    check("formatting keeps everything but whitespace, and twice is once", not wrong, wrong[:3])
    path = endpoint_file()
    client.open(path, "{")
    check("broken text isn't formatted", asked(path) is None)
    client.close()


def fixes():
    client = Client(PROGRAM, SHOP, UTF8 | PULL, ENVIRONMENT)
    path = SHOP / "endpoints/fixed.json"
    client.open(path, '{\n  "path": "/{{nme}}",\n  "params": {"name": {"type": "strng"}},\n  "methd": "GET"\n}\n')
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    found = client.ask("textDocument/codeAction", {"textDocument": {"uri": path.as_uri()}, "range": whole, "context": {"diagnostics": []}})
    titles = sorted(action["title"] for action in found)
    check("fixes", titles == ['Replace with "method"', 'Replace with "name"', 'Replace with "string"'], titles)
    client.close()


def explanations():
    """A line of an endpoint is explained: its value, its origin, and what it replaces. Secrets have names in place of values."""
    client = Client(PROGRAM, SHOP, UTF8, ENVIRONMENT | {"SHOP_PASSWORD": "never-read"})
    path = SHOP / "endpoints/hovered.json"
    text = '{\n  "path": "/a",\n  "headers": {\n    "Accept": "text/x-one",\n    "X-Key": "id-{{secret.password}}"\n  },\n  "timeout": "7s"\n}\n'
    client.open(path, text)

    def hovered(word):
        answer = client.ask("textDocument/hover", {"textDocument": {"uri": path.as_uri()}, "position": at(text, word, 1)})
        return answer["contents"]["value"] if answer else ""
    accept, key, timeout = hovered("text/x-one"), hovered("id-"), hovered('"timeout"')
    check("hover on a header explains it", all(part in accept for part in ("header Accept", "text/x-one", "hovered.json:4:", "was */*")), accept)
    check("hover shows the name of a secret", "id-<secret.password>" in key and "never-read" not in key, key)
    check("hover on a key has both", "timeout" in timeout and "7s" in timeout and "hovered.json:7:" in timeout, timeout)
    client.close()


def lenses():
    """Command lines, only for a client that runs them, and all of them are understood."""
    path = endpoint_file()
    asked = ("textDocument/codeLens", {"textDocument": {"uri": path.as_uri()}})
    client = Client(PROGRAM, SHOP, UTF8, ENVIRONMENT)
    check("no lens for a client that runs nothing", client.ask(*asked) == [] and "codeLensProvider" not in client.initialized["capabilities"])
    client.close()
    client = Client(PROGRAM, SHOP, UTF8, ENVIRONMENT, {"commands": ["reqcli.run"]})
    lines = {lens["command"]["title"]: lens["command"]["arguments"][0] for lens in client.ask(*asked)}
    check("lenses of endpoints", set(lines) == {"Send", "Check", "Explain"}, lines)
    run = subprocess.run(shlex.split(lines["Explain"].replace("reqcli", PROGRAM, 1)), cwd=SHOP, capture_output=True, env=ENVIRONMENT | {"SHOP_TOKEN": "x"})
    check("the line of a lens runs", run.returncode == 0, run.stderr.decode()[:200])
    client.close()
    client = Client(PROGRAM, SHOP, UTF8, ENVIRONMENT, {"commands": ["reqcli.copy"]})
    found = client.ask(*asked)
    check("a lens for curl has no command yet", found and all("command" not in lens for lens in found), found)
    commands = [client.ask("codeLens/resolve", lens)["command"] for lens in found]
    check("it gets one when it is shown", all(each["title"] == "Copy as curl" and each["arguments"][0].startswith("curl ") for each in commands), commands)
    check("a lens of an unknown endpoint", client.ask("codeLens/resolve", found[0] | {"data": {"uri": path.as_uri(), "endpoint": "no.such"}})["command"]["command"] == "")
    client.close()


# MARK: Damage

def damages():
    client = Client(PROGRAM, SHOP, UTF8 | PULL, ENVIRONMENT)
    path = endpoint_file()
    client.open(path)
    whole = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {
        "textDocument": {"uri": path.as_uri()}, "position": {"line": 1, "character": 3}}}).encode()
    slowest = 0
    for number in range(options.damages):
        body = bytearray(whole)
        for _ in range(chance.randrange(1, 4)):
            body[chance.randrange(len(body))] = chance.randrange(256)
        kind = chance.randrange(4)
        if kind == 0: client.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        elif kind == 1: client.raw(b"Content-Length: nine\r\n\r\n" + body[:chance.randrange(len(body))] + b"\r\n\r\n")
        elif kind == 2: client.raw(bytes(chance.randrange(256) for _ in range(chance.randrange(60))) + b"\r\n\r\n")
        else: client.send(chance.choice([[], 1, None, {}, {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "method": 1},
                          {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": chance.choice([None, [], {}, {"textDocument": 1}])}]))
        client.last = 10000 + number
        client.answers = {}
        before = time.monotonic()
        client.ask("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})
        slowest = max(slowest, time.monotonic() - before)
    check(f"{options.damages} damaged messages: the next request is answered ({slowest * 1000:.0f} ms at most)", slowest < 1, slowest)
    client.answers = {}
    check("the server ends after damage", client.close() == 0)


# MARK: Nothing leaves

def nothing_leaves():
    if not shutil.which("strace"):
        print("# not run: strace is not installed")
        return
    trace = root / "trace"
    program = root / "traced"
    program.write_text(f'#!/bin/sh\nexec strace -f -qq -e trace=socket,connect,execve -o {trace} {PROGRAM} "$@"\n')
    program.chmod(0o755)
    client = Client(str(program), SHOP, UTF8 | PULL, ENVIRONMENT | {"SHOP_TOKEN": "s3cret"})
    path = endpoint_file()
    client.open(path)
    text = path.read_text()
    for line, content in enumerate(text.split("\n")):
        for character in range(0, len(content), 4):
            place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}}
            client.ask("textDocument/hover", place)
            client.ask("textDocument/completion", place)
    client.settle()
    client.close()
    calls = [line for line in trace.read_text().splitlines() if "socket(" in line or "connect(" in line or "execve(" in line]
    check("no socket, no program", len(calls) == 1 and "execve(" in calls[0], calls[:5])


# MARK: Neovim

def neovim():
    if not shutil.which("nvim"):
        print("# not run: nvim is not installed")
        return
    path = endpoint_file()
    result = root / "neovim.json"
    run = subprocess.run(
        ["nvim", "--headless", "--clean", str(path), "-c", f"luafile {here / 'neovim.lua'}"], cwd=SHOP, capture_output=True, timeout=60,
        env=ENVIRONMENT | {"REQCLI": PROGRAM, "RESULT": str(result), "XDG_STATE_HOME": str(root)})
    found = json.loads(result.read_text()) if result.exists() else {"error": run.stderr.decode()[-500:]}
    check("Neovim shows a problem while typing", "key.unknown" in str(found.get("problems")), found)
    check("Neovim completes a placeholder", "$uuid" in str(found.get("completion")), found)
    check("Neovim goes to a definition", "definition" in found and len(found["definition"]) > 0, found)


# MARK: Emacs

def emacs():
    if not shutil.which("emacs"):
        print("# not run: emacs is not installed")
        return
    result = root / "emacs.json"
    run = subprocess.run(
        ["emacs", "--batch", "-Q", "-l", str(here / "emacs.el")], cwd=SHOP, capture_output=True, timeout=120,
        env=ENVIRONMENT | {"REQCLI": PROGRAM, "RESULT": str(result), "FILE": str(endpoint_file())})
    found = json.loads(result.read_text()) if result.exists() else {"error": run.stderr.decode()[-500:]}
    check("Emacs shows a problem while typing", "key.unknown" in str(found.get("problems")), found)
    check("Emacs completes a placeholder", "$uuid" in found.get("completion", []), found)
    check("Emacs goes to a definition", found.get("definition", 0) > 0, found)


# MARK: Visual Studio Code

def vscode():
    """The client of editors/vscode with a stand-in for the editor."""
    if not shutil.which("node"):
        print("# not run: node is not installed")
        return
    run = subprocess.run(["node", str(here / "vscode.js"), PROGRAM, str(SHOP)], capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
    print(run.stdout, end="")
    check("the client for VS Code", run.returncode == 0 and "not ok" not in run.stdout and run.stdout.count("ok - ") > 10, run.stderr[-500:])


asyncio.run(typed())
edits(pulls=True)
edits(pulls=False)
renames()
formats()
fixes()
explanations()
lenses()
damages()
nothing_leaves()
neovim()
emacs()
vscode()
print(f"{len(failures)} failures")
sys.exit(bool(failures))
