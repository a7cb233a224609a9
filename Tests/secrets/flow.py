#!/usr/bin/env python3
"""Sends the requests of random workspaces to servers of several origins. Every origin that receives a secret must be in the list of
`reqcli secrets`; with `origins`, a server of another origin must never receive it.

usage: Tests/secrets/flow.py PROGRAM [WORKSPACES] [--seed N]
"""
import argparse, base64, hashlib, http.server, json, os, pathlib, random, re, subprocess, sys, tempfile, threading, urllib.parse
from concurrent.futures import ThreadPoolExecutor

parser = argparse.ArgumentParser()
parser.add_argument("program", type=pathlib.Path)
parser.add_argument("workspaces", type=int, nargs="?", default=60)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
PROGRAM = str(options.program.resolve())
SECRETS = {"tok": "tok-4f9a+/ä=71c", "key": "key 8812&zz%9", "pin": "pin-77-quux-03"}


def forms(secret):
    """The secret as a request can carry it."""
    raw = secret.encode()
    quoted = {urllib.parse.quote(secret, safe=""), urllib.parse.quote(secret, safe="/"), urllib.parse.quote_plus(secret)}
    texts = {json.dumps(secret)[1:-1], raw.hex(), hashlib.sha256(raw).hexdigest(), *quoted, *(text.lower() for text in quoted)}
    return {raw, secret.encode("latin-1"), base64.b64encode(raw), base64.urlsafe_b64encode(raw), *(text.encode() for text in texts)}


FORMS = {name: forms(value) for name, value in SECRETS.items()}
received, lock = {}, threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        text = (self.path + "\n" + "\n".join(f"{n}: {v}" for n, v in self.headers.items())).encode("latin-1") + b"\n" + body
        for scheme, data in re.findall(rb"(?i)(basic) ([A-Za-z0-9+/=]+)", text):
            text += b"\n" + base64.b64decode(data)
        decoded = urllib.parse.unquote_to_bytes(text.replace(b"+", b" "))
        host = self.headers.get("Host", "")
        with lock:
            for name, all in FORMS.items():
                if any(form in text or form in decoded for form in all):
                    received.setdefault((self.server.server_port, self.headers.get("X-Run", "?")), set()).add(name)
        path = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(path.query)
        status, headers, reply = 200, {"Content-Type": "application/json"}, {"page": 1}
        if "/token" in path.path: reply = {"access_token": "t", "token_type": "bearer"}
        if "/login" in path.path: reply = {"token": "captured", "echo": self.headers.get("X-Echo") or "none"}
        if "/moved" in path.path:
            status = random.choice([302, 307, 308])
            headers["Location"] = f"http://127.0.0.1:{random.choice(PORTS)}/landed"
        if "/pages" in path.path and "page" not in query:
            headers["Link"] = f'<http://127.0.0.1:{random.choice(PORTS + [self.server.server_port])}/pages?page=2>; rel="next"'
        data = json.dumps(reply).encode()
        self.send_response(status)
        for name, value in headers.items(): self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data if self.command != "HEAD" else b"")

    do_GET = do_POST = do_PUT = do_DELETE = answer

    def log_message(self, *_): pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


SERVERS = [Server(("127.0.0.1", 0), Handler) for _ in range(4)]
PORTS = [server.server_port for server in SERVERS]
for server in SERVERS: threading.Thread(target=server.serve_forever, daemon=True).start()


def origin(port): return f"http://127.0.0.1:{port}"


def workspace(number, rng):
    """A random workspace: its files, the sends, and the ports that its secrets may reach."""
    secret = lambda: "{{secret.%s}}" % rng.choice(list(SECRETS))
    value = lambda: rng.choice([secret(), "{{v}}", "x" + secret(), "{{secret.tok | base64}}", "{{secret.key | sha256 | hex}}", "plain", "{{p}}", "{{p | hex}}", "{{p | sha256 | hex}}"])
    allowed = {name: rng.sample(PORTS, rng.randint(1, 2)) for name in SECRETS if rng.random() < 0.7}
    environment = {
        "baseURL": origin(rng.choice(PORTS)), "expect": {"status": 200}, "variables": {"v": rng.choice([secret(), "w", "a" + secret()]), "p": "q"},
        "secrets": {name: {"env": "S_" + name.upper()} for name in SECRETS}, "headers": {"X-Run": str(number)},
        "redirects": {"follow": rng.random() < 0.8, **({"credentials": "anyHost"} if rng.random() < 0.2 else {})},
    }
    if rng.random() < 0.4: environment["headers"]["X-Shared"] = value()
    if rng.random() < 0.4: environment["auth"] = rng.choice([{"bearer": secret()}, {"basic": {"user": "ada", "password": secret()}}])
    if rng.random() < 0.25: environment["proxy"] = {"url": origin(rng.choice(PORTS)), "user": "ada", "password": secret()}
    if rng.random() < 0.2:
        environment["variables"]["base"] = {"$switch": "{{$env.WHERE | default 'a'}}", "a": origin(rng.choice(PORTS)), "$default": origin(rng.choice(PORTS))}
        environment["baseURL"] = "{{base}}"
    endpoints = {}

    def endpoint(path, needs=()):
        one = {"path": path, "method": rng.choice(["GET", "POST"]), "params": {"p": {"type": "string", "default": "d"}}}
        if rng.random() < 0.5: one["headers"] = {rng.choice(["X-Echo", "X-A"]): value()}
        if rng.random() < 0.4: one["query"] = {"q": value()}
        if rng.random() < 0.3: one["auth"] = rng.choice(
            [None, {"apiKey": {"query": "k", "value": secret()}}, {"apiKey": {"header": "X-K", "value": secret()}},
             {"hmac": {"key": secret(), "sign": "{{$method}}", "headers": {"X-Sig": "{{$signature}}", "X-Id": secret()}}}])
        if rng.random() < 0.2: one["auth"] = {"oauth2": {
            "flow": "clientCredentials", "tokenURL": origin(rng.choice(PORTS)) + "/token", "clientID": "c",
            "clientAuth": rng.choice(["post", "basic"]), "clientSecret": rng.choice([secret(), "{{p}}", "{{p | hex}}"]), "parameters": {"a": value()}}}
        if rng.random() < 0.3:
            one["params"]["o"] = {"type": "string", "required": False}
            one.setdefault("headers", {})["X-Shared"] = rng.choice(["{{o}}", {"$switch": "{{o}}", "1": "x"}])
        if rng.random() < 0.4: one["baseURL"] = origin(rng.choice(PORTS))
        elif rng.random() < 0.2:
            one["params"]["server"] = {"type": "string", "example": "http://h"}
            one["params"]["server"]["default"] = origin(rng.choice(PORTS))
            one["baseURL"] = "{{server}}"
        if one["method"] == "POST" and rng.random() < 0.6:
            one["body"] = rng.choice([{"json": {"a": value()}}, {"form": {"a": value()}}, {"text": "t " + secret()}])
        if needs: one["needs"] = needs
        return one

    login = endpoint("login")
    login["capture"] = {"token": {"json": "$.token"}, "echo": {"json": "$.echo"}}
    endpoints["login"] = login
    for index in range(4):
        needs = {"l": {"endpoint": "login", "with": {"p": value()}}} if rng.random() < 0.5 else {}
        one = endpoint(rng.choice(["plain", "moved", "pages", "a/moved"]), needs)
        if needs and rng.random() < 0.7: one.setdefault("headers", {})["X-Captured"] = rng.choice(["{{l.echo}}", "{{l.token}}", "{{l.echo | hex}}"])
        if index and rng.random() < 0.4: one.setdefault("needs", {})["n"] = {"endpoint": f"e{index - 1}", "with": {"p": value()}}
        endpoints[f"e{index}"] = one
    scenario = {"steps": [
        {"name": "a", "endpoint": "login", "with": {"p": value()}},
        {"name": "b", "endpoint": "e0", "forEach": [secret(), "plain"], "with": {"p": rng.choice(["{{item}}", "{{item | hex}}"])}}]}
    if rng.random() < 0.5: scenario["steps"].append({"name": "c", "endpoint": "e1", "with": {"p": "{{a.echo | hex}}"}})
    return environment, endpoints, scenario, allowed


def run(*words, cwd, **more):
    env = {"PATH": os.environ["PATH"], "HOME": str(cwd), **{"S_" + name.upper(): value for name, value in SECRETS.items()}}
    return subprocess.run([PROGRAM, *words], cwd=cwd, env=env, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)


def judge(number):
    rng, problems, sends = random.Random(f"{options.seed}-{number}"), [], 0
    environment, endpoints, scenario, allowed = workspace(number, rng)
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for name in ["endpoints", "environments", "scenarios"]: (place / name).mkdir()
        (place / "scenarios/s.json").write_text(json.dumps(scenario))
        for name, one in endpoints.items(): (place / f"endpoints/{name}.json").write_text(json.dumps(one))
        for isLimited in [False, True]:
            run_id = f"{number}-{'limited' if isLimited else 'open'}"
            environment["headers"]["X-Run"] = run_id
            for name, ports in allowed.items():
                if isLimited: environment["secrets"][name]["origins"] = [origin(port) for port in ports]
            (place / "environments/development.json").write_text(json.dumps(environment))
            listed = run("secrets", "--json", cwd=place)
            if listed.returncode not in (0, 1): return [f"{number}: secrets: {listed.stderr}"], 0, 0
            flows = {s["name"]: s["destinations"] for s in json.loads(listed.stdout)["environments"][0]["secrets"]}
            for name in endpoints:
                for words in [["send", name], ["send", name, "--paginate"], ["check", name]][: 2 if "pages" in endpoints[name]["path"] else 3]:
                    run(*words, cwd=place); sends += 1
                if isLimited: run("send", name, "--base-url", origin(rng.choice(PORTS)), cwd=place); sends += 1
            for words in [["check", "scenario:s"], ["load", "e3", "--rate", "20/s", "--for", "0.2s"]]: run(*words, cwd=place); sends += 1
            for port in PORTS:
                with lock: got = set(received.get((port, run_id), ()))
                for name in got:
                    if isLimited and name in allowed and port not in allowed[name]:
                        problems.append(f"{number}: {name} reached {origin(port)}, allowed {allowed[name]}")
                    if not isLimited and not any(d.get("anywhere") or d.get("origin") == origin(port) for d in flows[name]):
                        # A server that returns the secret, and a capture that carries it on, are not part of the files.
                        if not any(".echo" in json.dumps(one) for one in [scenario, *endpoints.values()]):
                            problems.append(f"{number}: {name} reached {origin(port)}, listed {flows[name]}")
            count = sum(len(received.get((port, run_id), ())) for port in PORTS)
    return problems, sends, count


with ThreadPoolExecutor(2) as pool: results = list(pool.map(judge, range(options.workspaces)))
failures = [problem for problems, _, _ in results for problem in problems]
for failure in failures[:20]: print("not ok -", failure)
sends, arrivals = sum(r[1] for r in results), sum(r[2] for r in results)
print(f"{options.workspaces} workspaces, {sends} runs, {arrivals} allowed arrivals of a secret, {len(failures)} failures")
sys.exit(1 if failures or not arrivals else 0)
