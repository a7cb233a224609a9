#!/usr/bin/env python3
"""Records random runs of `check` against a flaky server, and replays them without network, variables and workspace: the report must be
the same. Looks for secrets in the recordings, in eight forms. Damages recordings: each must be refused with a message.

usage: Tests/recordings/verify.py PROGRAM [RUNS] [--damaged N] [--seed N]
"""
import argparse, base64, concurrent.futures, html, http.server, json, os, pathlib, random, re, socket, struct, subprocess, sys, tempfile, threading, time, urllib.parse, zlib

parser = argparse.ArgumentParser()
parser.add_argument("program", type=pathlib.Path)
parser.add_argument("runs", type=int, nargs="?", default=500)
parser.add_argument("--damaged", type=int, default=10000)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
PROGRAM = str(options.program.resolve())
LITERAL = "hunter2-literal-9"
# A replay has no network if the user is root; otherwise only its environment and its workspace are missing.
OFFLINE = ["unshare", "-n"] if os.geteuid() == 0 else []


def forms(secret):
    raw = secret.encode()
    return {
        "raw": secret, "percent": urllib.parse.quote(secret, safe=""),
        "percent, all": "".join(f"%{byte:02x}" for byte in raw),
        "base64": base64.b64encode(raw).decode(), "base64url": base64.urlsafe_b64encode(raw).decode(),
        "basic": base64.b64encode(b"ada:" + raw).decode(),
        "json": json.dumps(secret)[1:-1], "unicode": "".join(f"\\u{ord(each):04x}" for each in secret),
        "html": html.escape(secret),
    }


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    counts, tokens, lock = {}, {}, threading.Lock()

    def log_message(self, *_): pass

    def handle(self):
        try: super().handle()
        except OSError: pass

    def finish(self):
        try: super().finish()
        except OSError: pass

    def answer(self, status, body, kind="application/json", headers=()):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in [("Content-Type", kind), ("Content-Length", str(len(body))), *headers]: self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self): self.do_GET()

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.split("?")[0]
        with Server.lock: Server.counts[path] = count = Server.counts.get(path, 0) + 1
        rng = random.Random()
        what = path.rsplit("/", 1)[-1]
        secret = (self.headers.get("Authorization") or "Bearer none").removeprefix("Bearer ").encode("latin-1").decode(errors="replace")
        if what == "login":
            if rng.random() < 0.1: return self.answer(503, {})
            token = f"Tok{rng.randrange(10**12):012d}x/+"
            with Server.lock: Server.tokens.setdefault(path.split("/")[1], []).append(token)
            return self.answer(200, {"token": token, "user": 7}, headers=[("Set-Cookie", f"sid={token[3:15]}a1b2; Path=/")])
        if what == "echo":
            all_forms = forms(secret)
            escaped = all_forms.pop("unicode")
            body = json.dumps(all_forms, ensure_ascii=False)[:-1] + f', "escaped": "{escaped}"}}'
            return self.answer(200, body.encode(), headers=[("X-Secret", urllib.parse.quote(secret))])
        if what == "later":
            time.sleep(0.3)
            return self.answer(500, {})
        if what == "poll": return self.answer(200, {"state": "done" if count % 5 == 0 else "wait"})
        if what == "hop": return self.answer(302, {}, headers=[("Location", path.replace("/hop", f"/{rng.choice(['value', 'gone', 'hop'])}"))])
        if what == "gone": return self.answer(404, {"error": secret})
        if what == "large": return self.answer(200, {"data": "x" * rng.choice([10, 5000])})
        if what == "events":
            lines = "".join(f"event: tick\ndata: {{\"n\": {n}}}\n\n" for n in range(rng.randint(0, 4))).encode()
            return self.answer(200, lines, kind="text/event-stream")
        if what == "zipped":
            packed = zlib.compressobj(wbits=31)
            body = packed.compress(json.dumps({"value": rng.choice([1, 2]), "secret": secret}).encode()) + packed.flush()
            return self.answer(200, body if rng.random() < 0.8 else body[:-6], headers=[("Content-Encoding", "gzip")])
        # The five kinds of flake.
        flake = rng.choice(["status", "value", "slow", "reset", "cut", None, None, None])
        if flake == "status": return self.answer(rng.choice([500, 502, 429]), {"error": "try later"})
        if flake == "value": return self.answer(200, {"value": 2, "list": [1]})
        if flake == "slow": time.sleep(0.4)
        if flake == "reset":
            self.close_connection = True
            return self.connection.shutdown(socket.SHUT_RDWR)
        if flake == "cut":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{\"value\":")
            self.close_connection = True
            return
        self.answer(200, {"value": 1, "list": [1, 2], "at": "2026-01-01T00:00:00Z"})


def workspace(rng, root, port, name):
    bearer = {"bearer": "{{secret.api}}"}
    def one(what, expect, **more): return {"path": f"/{name}/{what}", "expect": expect, **more}
    value = {"status": 200, "json": {"$.value": 1}}
    pool = {
        "plain": one("value", value), "other": one("value2", {"status": 200, "json": {"$.value": rng.choice([1, 2]), "$.list": {"length": 2}}}),
        "late": one("value3", value, timeout="200ms"), "again": one("value4", value, retry={"times": 2, "on": [500, 502, 429]}),
        "echo": one("echo", {"status": 200, "json": {"$.raw": "{{secret.api}}", "$.basic": {"exists": rng.random() < 0.6}}}),
        "hop": one("hop", {"status": 200}, redirects={"follow": True, "max": 3}),
        "large": one("large", {"json": {"$.data": {"length": 10}}}), "gone": one("gone", {"status": rng.choice([404, 200])}),
        "events": one("events", {"events": {"within": "1s", "first": rng.randint(1, 4), "each": {"json": {"$.n": {"<": rng.randint(1, 4)}}}}}),
        "zipped": one("zipped", value),
        "rows": one("value5", {"json": {"$.value": "{{n}}"}}, params={"n": {"type": "integer", "default": 1}}, query={"n": "{{n}}"}, ),
        "random": one("value6", {"json": {"$.at": {"not": {"equals": "{{$uuid}}"}}}}, headers={"X-Id": "{{$uuid}}"}),
    }
    needing = {
        "needs": {"path": f"/{name}/echo", "needs": {"in": "login"}, "auth": {"bearer": "{{in.token}}"},
            "expect": {"status": 200, "json": {"$.raw": "{{in.token}}", "$.html": {"exists": rng.random() < 0.7}}}},
        "needs2": one("value7", value, needs={"in": "login"}, query={"u": "{{in.user}}"}),
    }
    login = {"path": f"/{name}/login", "method": "POST", "body": {"json": {"password": LITERAL}},
        "capture": {"token": {"json": "$.token", "secret": True}, "user": {"json": "$.user"}}, "expect": {"status": 200}}
    chosen = {key: pool[key] for key in rng.sample(sorted(pool), rng.randint(3, len(pool)))}
    if rng.random() < 0.6: chosen |= needing
    files = {
        "environments/development.json": {"baseURL": f"http://127.0.0.1:{port}", "secrets": {"api": {"env": "API_SECRET"}}, "auth": bearer},
        "endpoints/login.json": login, "endpoints/poll.json": {"path": f"/{name}/poll"},
    } | {f"endpoints/{key}.json": value for key, value in chosen.items()}
    if rng.random() < 0.6:
        files["scenarios/flow.json"] = {"steps": [
            {"name": "in", "endpoint": "login"},
            {"name": "wait", "endpoint": "poll", "poll": {"every": "20ms", "within": rng.choice(["50ms", "2s"]), "until": {"json": {"$.state": "done"}}}},
            {"name": "end", "endpoint": "poll", "expect": {"json": {"$.state": {"in": rng.choice([["wait"], ["wait", "done"]])}}}}]}
    write(root, files)
    words = []
    if rng.random() < 0.4: words += ["--retry", "2", "--retry-interval", "10ms"]
    if rng.random() < 0.3: words += ["--fail-on-flaky"]
    if rng.random() < 0.3: words += ["--fail-fast"]
    if rng.random() < 0.4: words += ["--jobs", rng.choice(["1", "8"])]
    if rng.random() < 0.3: words += ["--max-body", "1K"]
    if rng.random() < 0.2: words += ["--shard", "1/2"]
    if rng.random() < 0.2: words += ["--exclude", rng.choice(sorted(chosen))]
    return words


def write(root, files):
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(json.dumps(content, indent=2))


def stopped(rng, root, port, name):
    """A run that ends while one scenario waits for its next poll and another is in the middle of a loop."""
    write(root, {
        "environments/development.json": {"baseURL": f"http://127.0.0.1:{port}"},
        "endpoints/later.json": {"path": f"/{name}/later", "expect": {"status": 200}},
        "endpoints/poll.json": {"path": f"/{name}/poll"}, "endpoints/slow.json": {"path": f"/{name}/later"},
        "scenarios/wait.json": {"steps": [{"name": "wait", "endpoint": "poll", "poll": {"every": "20s", "within": "40s", "until": {"json": {"$.state": "done"}}}}]},
        "scenarios/loop.json": {"steps": [{"name": "loop", "endpoint": "slow", "forEach": list(range(9)), "expect": {"status": 500}}]}})
    return ["--fail-fast", "later", "scenario:*"]


def run(words, folder, variables, offline=False):
    return subprocess.run((OFFLINE if offline else []) + [PROGRAM, *words], cwd=folder, env=variables, capture_output=True, text=True, timeout=60, errors="replace")


def plain(report):
    """The report without what the recording replaces: a literal password in the command of a request."""
    return re.sub(r'(password\\*":\\*")[^"\\]+', r"\1", report)


def prove(number, port, kept, workspace=workspace):
    rng = random.Random(options.seed * 100_000 + number)
    secret = "".join(rng.choice("abcdefXYZ0123456789") for _ in range(14)) + rng.choice(["", "/+&", "\"é<", "-._~", "=="])
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "w").mkdir(), (root / "empty").mkdir()
        words = workspace(rng, root / "w", port, f"r{number}")
        variables = {"API_SECRET": secret, "PATH": os.environ["PATH"], "HOME": folder}
        first = run(["check", *words, "--report", "json=../a.json", "--record", "../run.reqcli"], root / "w", variables)
        where = f"run {number}: check {' '.join(words)}"
        if not (root / "run.reqcli").exists(): return [f"{where}: no recording: status {first.returncode}, {first.stderr}"], 0, 0
        data = (root / "run.reqcli").read_bytes()
        (root / "w").rename(root / "gone")
        again = run(["check", "--replay", "../run.reqcli", "--report", "json=../b.json"], root / "empty", {"PATH": os.environ["PATH"]}, offline=True)
        problems = []
        recorded, replayed = (plain((root / name).read_text()) if (root / name).exists() else "" for name in ["a.json", "b.json"])
        gaps = json.loads(zip_entries(data)["run.json"])["unreplayable"]
        if gaps:
            if again.returncode == 0: problems.append(f"{where}: green in spite of {gaps}")
            unexpected = [gap for gap in gaps if "compressed body" not in gap["reason"] and "needed" not in gap["reason"]]
            if unexpected: problems.append(f"{where}: {unexpected}")
        elif recorded != replayed:
            other = next((f"{a!r} / {b!r}" for a, b in zip(recorded.splitlines(), replayed.splitlines()) if a != b), "length")
            problems.append(f"{where}: reports differ: {other} {again.stderr}")
        elif first.returncode != again.returncode or plain(first.stdout) != plain(again.stdout):
            other = next((f"{a!r} / {b!r}" for a, b in zip(plain(first.stdout).splitlines(), plain(again.stdout).splitlines()) if a != b), "")
            problems.append(f"{where}: status {first.returncode} and {again.returncode}, {other}")
        text = subprocess.run(["unzip", "-p", str(root / "run.reqcli")], capture_output=True).stdout
        for name, form in (forms(secret) | {"literal": LITERAL}).items():
            if form.encode() in data or form.encode() in text: problems.append(f"{where}: the secret is in the recording, {name}")
        if any(each[3:13].encode() in data for each in Server.tokens.get(f"r{number}", [])): problems.append(f"{where}: a captured token or a cookie is in the recording")
        if first.returncode == 1 and not gaps: kept.append(data)
        if problems and os.environ.get("KEEP"):
            __import__("shutil").copytree(root, f"{os.environ['KEEP']}/{number}", dirs_exist_ok=True)
            pathlib.Path(f"{os.environ['KEEP']}/{number}/out").write_text(first.stdout + first.stderr + "=====" + again.stdout + again.stderr)
        return problems, first.returncode != 0, len(gaps)


# --- Damage

def zip_entries(data):
    entries, index = {}, 0
    while data[index:index + 4] == b"PK\3\4":
        size, name = struct.unpack("<I", data[index + 18:index + 22])[0], struct.unpack("<H", data[index + 26:index + 28])[0]
        start = index + 30 + name
        entries[data[index + 30:start].decode()] = data[start:start + size]
        index = start + size
    return entries


def zipped(entries):
    out, directory = b"", b""
    for name, data in entries.items():
        fields = struct.pack("<HHHHHIIIHH", 20, 0x800, 0, 0, 0x21, zlib.crc32(data), len(data), len(data), len(name.encode()), 0)
        directory += b"PK\1\2" + struct.pack("<H", 20) + fields + bytes(10) + struct.pack("<I", len(out)) + name.encode()
        out += b"PK\3\4" + fields + name.encode() + data
    return out + directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(entries), len(entries), len(directory), len(out), 0)


def damaged(rng, data):
    data = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data))
        kind = rng.choice(["flip", "cut", "remove", "insert", "zero", "copy"])
        if kind == "flip": data[at] ^= 1 << rng.randrange(8)
        if kind == "cut": del data[at:]
        if kind == "remove": del data[at:at + rng.randint(1, 50)]
        if kind == "insert": data[at:at] = rng.randbytes(rng.randint(1, 20))
        if kind == "zero": data[at:at + 8] = bytes(8)
        if kind == "copy": data[at:at] = data[:rng.randint(1, 200)]
        if not data: break
    return bytes(data)


def forged(rng, data):
    """A valid archive whose content is wrong. What remains of the run is still red."""
    entries = zip_entries(data)
    kind = rng.choice(["newer", "format", "missing", "more", "outside", "type", "number", "deep", "body"])
    head = json.loads(entries["run.json"])
    if kind == "newer": head["version"] = 2
    if kind == "format": head["format"] = "other"
    if kind == "outside": head["files"].append({"path": "/etc/../../x"}); entries["outside/9"] = b"{}"
    if kind == "type": head[rng.choice(sorted(head))] = rng.choice([None, [], {}, -1, "x", [[]]])
    if kind == "number": head[rng.choice(["date", "origin", "duration", "exitCode"])] = rng.choice([-1, 1e300, 10**30, -10**18])
    entries["run.json"] = json.dumps(head).encode()
    if kind == "deep": entries["run.json"] = b"[" * 100_000
    if kind == "missing": entries.pop(rng.choice(sorted(entries)))
    if kind == "more": entries["../../tmp/x"] = b"x"
    if kind == "body":
        calls = json.loads(entries["calls.json"])
        each = rng.choice(calls)
        each[rng.choice(sorted(each))] = rng.choice([None, -1, [], {}, 10**18, -10**18, "", [["a"]]])
        entries["calls.json"] = json.dumps(calls).encode()
    return kind, zipped(entries)


def refuse(number, kept):
    rng = random.Random(options.seed * 1_000_003 + number)
    data = rng.choice(kept)
    kind, broken = ("damage", damaged(rng, data)) if rng.random() < 0.8 else forged(rng, data)
    if broken == data: return []
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "x").write_bytes(broken)
        result = run(["check", "--replay", "x"], folder, {})
        wrong = result.returncode not in (1, 2, 3, 6, 7, 9) or os.listdir(folder) != ["x"]
        if kind in ("damage", "newer", "format", "more", "deep"): wrong |= result.returncode != 2 or "cannot re" not in result.stderr or result.stdout != ""
        if kind == "newer": wrong |= "newer version" not in result.stderr
        return [f"{kind} {number}: status {result.returncode}, {result.stderr[:300]} {result.stdout[:200]}"] if wrong else []


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
kept, problems, red, gaps = [], [], 0, 0
problems += prove(-1, server.server_port, [], stopped)[0]
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    for found, is_red, count in pool.map(lambda number: prove(number, server.server_port, kept), range(options.runs)):
        problems += found
        red, gaps = red + is_red, gaps + count
    print(f"{options.runs} runs, {red} of them red, {gaps} cases not replayable, {len(problems)} problems")
    damages = [problem for found in pool.map(lambda number: refuse(number, kept), range(options.damaged if kept else 0)) for problem in found]
    problems += damages
for problem in problems[:20]: print(problem, file=sys.stderr)
if problems: sys.exit(f"{len(problems)} problems")
if not red or not kept: sys.exit("no run was red")
print(f"ok: {options.runs} recordings replay alike and hold no secret; {options.damaged} damaged ones are refused")
