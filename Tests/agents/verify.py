#!/usr/bin/env python3
"""Talks to `reqcli mcp` as agents do: the official client of MCP in each of its ways to begin, all tools compared with the commands, random
and hostile calls, large results, cancelled calls, damaged lines.

usage: Tests/agents/verify.py PROGRAM [--calls N] [--sends N] [--damages N] [--entries N] [--seed N]
"""
import argparse, asyncio, http.server, json, os, pathlib, random, select, shutil, subprocess, sys, tempfile, threading, time

parser = argparse.ArgumentParser()
parser.add_argument("program", type=pathlib.Path)
parser.add_argument("--calls", type=int, default=60, help="how many random calls are made")
parser.add_argument("--sends", type=int, default=100, help="how many random calls are made while files are edited")
parser.add_argument("--damages", type=int, default=500, help="how many damaged lines are sent")
parser.add_argument("--entries", type=int, default=200, help="how many endpoints are listed in pages")
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()

here = pathlib.Path(__file__).resolve().parent
try:
    import mcp
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client
except ImportError:
    # The same script again, in an environment of its own.
    folder = here.parents[1] / ".build/agents"
    if not (folder / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "mcp==2.3.0"], check=True)
    os.execv(folder / "bin/python", [str(folder / "bin/python"), *sys.argv])

PROGRAM = str(options.program.resolve())
temporary = tempfile.TemporaryDirectory(prefix="reqcli-agents-")
root = pathlib.Path(temporary.name)
SHOP = root / "shop"
shutil.copytree(here.parents[1] / "examples/shop", SHOP)
SECRET = "Xq7-hidden-Secret-91"
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": str(root), "SHOP_PASSWORD": SECRET, "REQCLI_TRUST": "1"}
VERSION = "io.modelcontextprotocol/protocolVersion"
LIMIT = 16 << 10
failures, chance = [], random.Random(options.seed)


def check(name, holds, found=""):
    print(f"{'ok' if holds else 'not ok'} - {name}{'' if holds else f': found {str(found)[:600]}'}", flush=True)
    if not holds: failures.append(name)


def command(*words):
    done = subprocess.run([PROGRAM, *words], cwd=SHOP, env=ENVIRONMENT, capture_output=True)
    return json.loads(done.stdout or b"null")


class Raw:
    """A client that is written by hand: it can also send what no agent sends."""

    def __init__(self, *words, folder=SHOP, environment=ENVIRONMENT, begins=True):
        self.process = subprocess.Popen(
            [PROGRAM, "mcp", *words], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(root / "log", "ab"))
        self.buffer, self.last, self.answers, self.orphans, self.everything = b"", 0, {}, [], b""
        if begins: self.began = self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message): self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def request(self, method, params=None):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params or {}})
        return self.last

    def answer(self, id, seconds=20):
        end = time.monotonic() + seconds
        while id not in self.answers:
            if not self.read(end - time.monotonic()): raise TimeoutError(f"no answer to request {id}")
        return self.answers.pop(id)

    def ask(self, method, params=None): return self.answer(self.request(method, params))

    def call(self, tool, arguments=None):
        return self.ask("tools/call", {"name": tool, "arguments": {} if arguments is None else arguments})["result"]

    def read(self, seconds):
        while b"\n" not in self.buffer:
            if not select.select([self.process.stdout], [], [], max(0, seconds))[0]: return False
            piece = os.read(self.process.stdout.fileno(), 1 << 20)
            if not piece: raise EOFError("the server has ended")
            self.buffer += piece
        line, _, self.buffer = self.buffer.partition(b"\n")
        self.everything += line
        message = json.loads(line)
        if message["id"] is None: self.orphans.append(message["error"]["code"])
        else:
            assert not isinstance(message["id"], int) or message["id"] not in self.answers, f"two answers to request {message['id']}"
            self.answers[message["id"]] = message
        return True

    def close(self):
        self.process.stdin.close()
        return self.process.wait(20)


# MARK: The official client

async def official(mode):
    server = StdioServerParameters(command=PROGRAM, args=["mcp", "--env", "local"], cwd=str(SHOP), env=ENVIRONMENT)
    async with Client(stdio_client(server), mode=mode) as client:
        tools = (await client.list_tools()).tools
        check(f"{mode}: seven tools, all read-only", sorted(tool.name for tool in tools) == ["explain", "list", "read", "render", "send", "show", "validate"]
              and all(tool.annotations.read_only_hint for tool in tools), tools)
        found = await client.call_tool("show", {"id": "auth.login"})
        check(f"{mode}: show is the command", not found.is_error and found.structured_content["path"] == "/login", found)
        check(f"{mode}: the result is also text", json.loads(found.content[0].text) == found.structured_content, found)
        found = await client.call_tool("show", {"id": "auth.logn"})
        check(f"{mode}: an unknown endpoint is an error with a hint", found.is_error and "auth.login" in found.content[0].text, found)
        version = client.protocol_version
    check(f"{mode}: the version is agreed on", version == {"auto": "2026-07-28", "legacy": "2025-11-25"}.get(mode, mode), version)


for mode in ["auto", "legacy", "2026-07-28"]: asyncio.run(official(mode))

# MARK: Sending

arrived = []


class Counting(http.server.BaseHTTPRequestHandler):
    """Notes each request, and echoes what it carries."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_): pass

    def handle_one_request(self):
        try: super().handle_one_request()
        except OSError: pass

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        arrived.append((self.server.server_port, self.command, self.path))
        if self.path.startswith("/hop"):
            self.send_response(307)
            self.send_header("Location", f"http://127.0.0.1:{elsewhere.server_port}/stolen")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        body = json.dumps({"token": "t-123456789012", "sent": dict(self.headers), "path": self.path}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD": self.wfile.write(body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = answer


def listening():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Counting)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


target, elsewhere = listening(), listening()
API = root / "api"
ENDPOINT = {"path": "/item", "headers": {"X-Key": "{{secret.key}}"}}
FILES = {
    "reqcli.json": {"environment": "staging"},
    "environments/base.json": {"secrets": {"key": {"env": "SHOP_PASSWORD"}}},
    "environments/staging.json": {"extends": "base", "baseURL": f"http://127.0.0.1:{target.server_port}", "policy": {"methods": ["GET", "HEAD", "POST", "PUT", "PATCH"], "confirm": ["PATCH"]}},
    "environments/other.json": {"baseURL": f"http://127.0.0.1:{elsewhere.server_port}"},
    "endpoints/item.json": {"endpoints": {
        "get": ENDPOINT, "head": ENDPOINT | {"method": "HEAD"}, "add": ENDPOINT | {"method": "POST"}, "put": ENDPOINT | {"method": "PUT"},
        "mend": ENDPOINT | {"method": "PATCH"}, "drop": ENDPOINT | {"method": "DELETE"}, "hop": {"path": "/hop"}, "hopped": {"path": "/hop", "redirects": {"follow": True}},
        "login": {"path": "/login", "method": "POST", "capture": {"token": {"json": "$.token", "secret": True}}},
        "mine": {"path": "/mine", "needs": {"in": "item.login"}, "auth": {"bearer": "{{in.token}}"}}}},
}


def workspace():
    # The folder itself stays, because servers run in it.
    for path in API.rglob("*"):
        if path.is_file(): path.unlink()
    for path, content in FILES.items():
        (API / path).parent.mkdir(parents=True, exist_ok=True)
        (API / path).write_text(json.dumps(content))


def sends(raw, tool, endpoint):
    """The result of a call, and the requests that have arrived because of it."""
    arrived.clear()
    found = raw.call(tool, {"endpoint": endpoint})
    return found, [(method, path) for _, method, path in arrived]


workspace()
raw = Raw("--env", "staging", folder=API)
found, requests = sends(raw, "send", "item.get")
check("send sends", requests == [("GET", "/item")] and not found["isError"] and found["structuredContent"].get("response", {}).get("status") == 200, found)
check("an echoed secret is masked", SECRET not in json.dumps(found) and "<secret.key>" in json.dumps(found), found)
for endpoint in ["item.add", "item.put", "item.mend", "item.drop", "item.login", "item.mine"]:
    found, requests = sends(raw, "send", endpoint)
    check(f"without --allow, {endpoint} is refused before anything is sent", not requests and found["structuredContent"].get("exit") == 8, (requests, found))
found, requests = sends(raw, "send", "item.hopped")
check("a redirect to another server isn't followed", requests == [("GET", "/hop")] and found["structuredContent"].get("exit") == 8, (requests, found))
raw.close()

raw = Raw("--env", "staging", "--allow", "item.login", "--allow", "item.add", "--allow", "PATCH", "--allow", "DELETE", folder=API)
found, requests = sends(raw, "change", "item.add")
check("what is allowed is sent", requests == [("POST", "/item")], (requests, found))
check("a login that is allowed serves a read", sends(raw, "send", "item.mine")[1] == [("POST", "/login"), ("GET", "/mine")])
check("send only reads, whatever is allowed", sends(raw, "send", "item.add")[1] == [])
check("what isn't allowed is not sent", sends(raw, "change", "item.put")[1] == [])
found, requests = sends(raw, "change", "item.mend")
check("what the policy asks about is refused, without the hint --yes", not requests and "--yes" not in json.dumps(found) and "agent" in json.dumps(found), found)
check("the policy holds beside --allow", sends(raw, "change", "item.drop")[1] == [])
raw.close()


def edited(path, content):
    (API / path).parent.mkdir(parents=True, exist_ok=True)
    (API / path).write_text(content if isinstance(content, str) else json.dumps(content))


edited("environments/late.json", {"extends": "missing"})
raw = Raw("--env", "late", folder=API)
edited("environments/missing.json", FILES["environments/staging.json"])
found, requests = sends(raw, "send", "item.hop")
check("a file of an environment that came later is not taken", not requests and "has changed since" in json.dumps(found), found)
raw.close()

EVIL = f"http://127.0.0.1:{elsewhere.server_port}"
EDITS = [
    lambda: edited("environments/staging.json", FILES["environments/staging.json"] | {"baseURL": EVIL}),
    lambda: edited("environments/staging.json", FILES["environments/staging.json"] | {"policy": None}),
    lambda: edited("environments/base.json", FILES["environments/base.json"] | {"headers": {"A": "b"}}),
    lambda: edited("reqcli.json", {"environment": "other"}),
    lambda: (API / "reqcli.json").unlink(missing_ok=True),
    lambda: edited(".env", "SHOP_PASSWORD=x\n"),
    lambda: edited("endpoints/item.json", {"endpoints": FILES["endpoints/item.json"]["endpoints"] | {"get": ENDPOINT | {"baseURL": EVIL}}}),
    lambda: edited("endpoints/item.json", {"endpoints": FILES["endpoints/item.json"]["endpoints"] | {"get": ENDPOINT | {"host": "127.0.0.1", "port": elsewhere.server_port}}}),
    lambda: edited("endpoints/item.json", {"endpoints": FILES["endpoints/item.json"]["endpoints"] | {"get": ENDPOINT | {"proxy": EVIL}}}),
    lambda: edited("endpoints/item.json", {"endpoints": FILES["endpoints/item.json"]["endpoints"] | {"add": ENDPOINT | {"method": "POST", "path": "/other"}}}),
    lambda: edited("endpoints/item.json", {"endpoints": FILES["endpoints/item.json"]["endpoints"] | {"get": ENDPOINT | {"method": "PUT"}}}),
    lambda: edited("endpoints/item.json", {"endpoints": FILES["endpoints/item.json"]["endpoints"] | {
        "get": ENDPOINT | {"auth": {"oauth2": {"flow": "clientCredentials", "tokenURL": EVIL + "/token", "clientID": "a", "clientSecret": "{{secret.key}}"}}}}}),
    lambda: edited("endpoints/item.json", {"defaults": {"tls": {"insecure": True}}, "endpoints": FILES["endpoints/item.json"]["endpoints"]}),
    lambda: edited("endpoints/item.json", {"endpoints": FILES["endpoints/item.json"]["endpoints"] | {"get": ENDPOINT | {"needs": {"a": "item.put"}}}}),
]
workspace()
raw = Raw("--env", "staging", "--allow", "item.login", "--allow", "item.add", folder=API)
wrong, refused, sent = [], 0, 0
for number in range(options.sends):
    if chance.random() < 0.7: chance.choice([workspace, chance.choice(EDITS)])()
    tool, endpoint = chance.choice(["send", "change"]), "item." + chance.choice(list(FILES["endpoints/item.json"]["endpoints"]))
    arrived.clear()
    found = raw.call(tool, {"endpoint": endpoint} | ({"env": chance.choice(["staging", "other", "base"])} if chance.random() < 0.2 else {}))
    sent, refused = sent + len(arrived), refused + found["isError"]
    if found["isError"] and not found["structuredContent"].get("problems"): wrong.append((tool, endpoint, "no reason", found))
    for port, method, path in arrived:
        allowed = method in ("GET", "HEAD") or (method, path) in (("POST", "/login"), ("POST", "/item"))
        if port != target.server_port or not allowed: wrong.append((tool, endpoint, port == target.server_port, method, path))
    if SECRET in json.dumps(found): wrong.append((tool, endpoint, "a secret"))
check(f"{options.sends} random calls between random edits: {sent} requests, {refused} refusals, nothing that isn't allowed", not wrong and sent and refused, wrong[:5])
workspace()
raw.close()

# MARK: Versions

raw = Raw("--env", "local", begins=False)
check("before initialize, a request is refused", raw.ask("tools/list")["error"]["code"] == -32600)
unknown = raw.ask("tools/list", {"_meta": {VERSION: "2030-01-01"}})["error"]
check("an unknown version is refused with those that are known", unknown["code"] == -32022 and "2026-07-28" in unknown["data"]["supported"], unknown)
found = raw.ask("server/discover", {"_meta": {VERSION: "2026-07-28"}})["result"]
check("server/discover", found["supportedVersions"] == ["2026-07-28"] and found["resultType"] == "complete", found)
for asked, agreed in [("2025-06-18", "2025-06-18"), ("2024-11-05", "2025-11-25")]:
    found = raw.ask("initialize", {"protocolVersion": asked, "capabilities": {}})["result"]["protocolVersion"]
    check(f"initialize with {asked}", found == agreed, found)
tools = raw.ask("tools/list")
check("tools/list is at most 8 KiB", len(json.dumps(tools)) <= 8 << 10, len(json.dumps(tools)))
check("an unknown tool", raw.ask("tools/call", {"name": "change", "arguments": {}})["error"]["code"] == -32602)
check("an unknown method", raw.ask("tools/run")["error"]["code"] == -32601)

# MARK: Tools are commands

for id in [entry["id"] for entry in command("list", "--json")]:
    for tool, arguments, words in [("show", {"id": id}, ["--", id])] + ([] if ":" in id else [("explain", {"endpoint": id}, ["--env", "local", "--", id])]):
        found, wanted = raw.call(tool, arguments), command(tool, "--json", *words)
        if wanted is None: same = found["isError"]
        elif "call" in found["structuredContent"] and "shape" in found["structuredContent"]: same = True
        else: same = {**wanted, **found["structuredContent"]} == found["structuredContent"]
        check(f"{tool} {id} is the command's result", same, found)
check("list has all entries", raw.call("list")["structuredContent"]["entries"] == command("list", "--json"))
check("validate", raw.call("validate")["structuredContent"] == command("validate", "--json"))
rendered = raw.call("render", {"endpoint": "auth.login"})
check("render masks the secret", "<secret.password>" in rendered["content"][0]["text"] and not rendered["isError"], rendered)

# MARK: Hostile calls

outside = root / "outside.txt"
outside.write_text("outside")
(SHOP / "endpoints/upload.json").write_text(json.dumps({"endpoints": {"put": {
    "method": "PUT", "path": "/f", "params": {"file": {"type": "file"}, "note": {"type": "string", "required": False}}, "body": {"file": "{{file}}"}}}}))
(SHOP / "inside.txt").write_text("inside")
(SHOP / "link.txt").symlink_to(outside)
check("a file of the workspace is a value", not raw.call("render", {"endpoint": "upload.put", "params": {"file": "inside.txt"}})["isError"],
      raw.call("render", {"endpoint": "upload.put", "params": {"file": "inside.txt"}}))
for path in [str(outside), "../outside.txt", "link.txt", "endpoints/../../outside.txt"]:
    found = raw.call("render", {"endpoint": "upload.put", "params": {"file": path}})
    check(f"a file outside is refused: {path.rpartition('/')[2]}", found["isError"] and "outside the workspace" in found["content"][0]["text"], found)
words = ["--reveal", "--trust", "--yes", "-o", f"-o{root}/made", "--output=made", "--format=http", f"@{outside}", "--env=production", "-C/", "--",
         "https://127.0.0.1:9/", "/x", "", "=x", ":=1", "auth.login", "a\0b", "é", "{{secret.password}}", "product", "id", "production", "local"]
before = sorted(path for path in root.rglob("*") if path.name != "log")
for number in range(options.calls):
    tool = chance.choice(["list", "show", "explain", "render", "validate", "read"])
    def value():
        return chance.choice([chance.choice(words), [chance.choice(words)], {chance.choice(words): chance.choice(words)}, 1, -1, None, True])
    keys = chance.sample(["select", "id", "endpoint", "params", "env", "offset", "call", "reveal", "yes", "trust"], chance.randrange(4))
    arguments = {key: value() for key in keys}
    if tool in ("explain", "render") and chance.random() < 0.8:
        arguments = {"endpoint": chance.choice(["auth.login", "orders.create", "upload.put"]), "params": {chance.choice(words + ["product", "file"]): value() for _ in range(2)}}
    found = raw.ask("tools/call", {"name": tool, "arguments": chance.choice([arguments, arguments, arguments, value()])})
    if len(json.dumps(found.get("result", {}), ensure_ascii=False).encode()) > LIMIT: check(f"call {number} is small", False, found)
    if "result" in found and found["result"].get("structuredContent", {}).get("environment", "local") != "local": check(f"call {number} is for local", False, found)
check(f"{options.calls} random calls were answered, and wrote no file", sorted(path for path in root.rglob("*") if path.name != "log") == before)
check("no answer has the secret", SECRET.encode() not in raw.everything)
check("another environment is refused", "does not allow" in raw.call("render", {"endpoint": "auth.login", "env": "production"})["content"][0]["text"])
with open(SHOP / "endpoints/leak.json", "w") as file:
    json.dump({"endpoints": {"a": {"path": "/", "headers": {"Authorization": "Bearer abcdefgh12345678", "X": "{{secret.password | base64}}"},
                                   "body": {"json": {"password": "Literal-Pw-12345", "t": "{{secret.password}}"}}}}}, file)
texts = json.dumps([raw.call(tool, arguments) for tool, arguments in [("render", {"endpoint": "leak.a"}), ("explain", {"endpoint": "leak.a"}), ("show", {"id": "leak.a"})]])
check("literal secrets and encoded ones are masked", not any(text in texts for text in ["abcdefgh12345678", "Literal-Pw-12345", SECRET, "WHE3LWhpZGRlbi"]), texts)

# MARK: Programs are not trusted by a variable

environment = json.loads((SHOP / "environments/local.json").read_text())
(SHOP / "environments/program.json").write_text(json.dumps({**environment, "secrets": {"password": {"command": ["touch", str(root / "ran")]}}}))
program = Raw("--env", "program")
found = program.call("render", {"endpoint": "auth.login"})
check("no program runs that was not agreed to", not (root / "ran").exists() and found["isError"], found)
program.close()

# MARK: Sizes

(SHOP / "endpoints/many.json").write_text(json.dumps({"endpoints": {f"e{number}": {"path": f"/{number}", "description": "é\"" * 40} for number in range(options.entries)}}))
offset, ids = 0, []
while offset is not None:
    page = raw.call("list", {"select": ["many"], "offset": offset})
    if len(json.dumps(page, ensure_ascii=False).encode()) > LIMIT: check("a page is small", False, len(json.dumps(page)))
    ids += [entry["id"] for entry in page["structuredContent"]["entries"]]
    offset = page["structuredContent"].get("next")
check(f"pages have all of {options.entries} endpoints", sorted(ids) == sorted(f"many.e{number}" for number in range(options.entries)), len(ids))
(SHOP / "endpoints/large.json").write_text(json.dumps({"endpoints": {"a": {"path": "/", "body": {"json": {"items": [{"n": number, "text": "\u00e9\"\n" * 20} for number in range(800)]}}}}}))
large = raw.call("show", {"id": "large.a"})
call = large["structuredContent"].get("call")
check("a large result is its shape and a call", call and large["structuredContent"]["size"] > LIMIT and "shape" in large["structuredContent"], large)
whole = command("show", "--json", "large.a")
found = raw.call("read", {"call": call, "select": "$.definition.body.json.items[7].n"})["structuredContent"]
check("read selects", found == {"value": 7}, found)
text, offset = "", 0
while offset is not None:
    part = raw.call("read", {"call": call, "offset": offset})
    if len(json.dumps(part, ensure_ascii=False).encode()) > LIMIT: check("a part is small", False, len(json.dumps(part)))
    text += part["structuredContent"]["text"]
    offset = part["structuredContent"].get("next")
check("read gives all in parts", json.loads(text) == whole, text[:200])
check("validate sees edited files", raw.call("validate")["structuredContent"]["endpoints"] > options.entries)

# MARK: Cancelling, damage, the end

id = raw.request("tools/call", {"name": "validate", "arguments": {}})
raw.send({"method": "notifications/cancelled", "params": {"requestId": id}})
raw.ask("ping")
check("a cancelled call gets no answer, the next request does", id not in raw.answers)
raw.orphans.clear()
line = json.dumps({"jsonrpc": "2.0", "id": "d", "method": "ping"}).encode()
started, longest = time.monotonic(), 0
for number in range(options.damages):
    damaged = bytearray(line)
    for _ in range(chance.randrange(1, 4)): damaged[chance.randrange(len(damaged))] = chance.choice(b'{}[]",:\\\x00\xff 1a')
    moment = time.monotonic()
    raw.raw(bytes(damaged).replace(b"\n", b"") + b"\n")
    if number % 20 == 0: raw.ask("ping")
    raw.answers.clear()
    longest = max(longest, time.monotonic() - moment)
check(f"{options.damages} damaged lines: the server goes on", raw.ask("ping")["result"] == {} and longest < 1, longest)
check("the end of stdin ends the server", raw.close() == 0)
ended = subprocess.run([PROGRAM, "mcp"], cwd=SHOP, env=ENVIRONMENT, capture_output=True, input=b"".join(
    json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n" for number, (method, params) in enumerate([
        ("initialize", {"protocolVersion": "2025-11-25"}), ("tools/call", {"name": "show", "arguments": {"id": "auth.me"}}), ("ping", {})])))
check("requests before the end of stdin are answered", [json.loads(line)["id"] for line in ended.stdout.splitlines()] == [0, 1, 2] and ended.returncode == 0, ended)
for words, status in [(["--env", "no"], 2), (["--max-result", "1K"], 2), (["--allow", "no.such"], 2)]:
    found = subprocess.run([PROGRAM, "mcp", *words], cwd=SHOP, env=ENVIRONMENT, capture_output=True, stdin=subprocess.DEVNULL)
    check(f"mcp {' '.join(words)} ends with {status}", found.returncode == status, found)
check("the log has calls and no secret", b"mcp: show: exit 0" in (root / "log").read_bytes() and SECRET.encode() not in (root / "log").read_bytes())

if failures:
    sys.exit(f"{len(failures)} failed with --seed {options.seed}: {', '.join(failures[:10])}")
print(f"all passed with --seed {options.seed}")
