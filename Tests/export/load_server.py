"""A workspace for load tests, and the small server that they are run against.

The server keeps each request as it came, to be compared with those that `reqcli render --format http` prints.
"""

import http.server
import json
import os
import subprocess
import threading

TOKEN = "t0ken é\"\\&/=+%".encode().decode()
SECRET = "s3cret&/=+ \"\\"

ENDPOINTS = {
    "defaults": {"headers": {"X-Fixed": "a'b\"c\\d"}},
    "endpoints": {
        "login": {
            "method": "POST", "path": "login", "body": {"json": {"password": "{{secret.key}}", "note": "it's {{secret.key}}"}},
            "capture": {"token": {"json": "$.data[0].token", "secret": True}, "number": {"json": "$.number"},
                        "one": {"json": "$.list[0].n"}, "session": {"cookie": "session"}},
            "expect": {"status": 200},
        },
        "often": {
            "path": "often/{{id}}", "tags": ["smoke"], "params": {"id": {"type": "string", "example": "a b/é%?#"}},
            "query": {"q": ["'\"", "{{id}}"], "empty": ""}, "expect": {"status": 200, "json": {"$.ok": True, "$.list[*].n": {"<": 10}}},
        },
        "rare": {
            "method": "PUT", "path": "rare/{{login.number}}", "needs": {"login": {"endpoint": "shop.login", "refreshOn": [401]}},
            "query": {"token": "{{login.token}}"}, "headers": {"X-Session": "{{login.session}}"}, "body": {"json": {"token": "{{login.token}}", "text": "x {{login.token}}"}},
            "expect": {"status": "2xx", "headers": {"Content-Type": {"startsWith": "application/json"}}, "maxTime": 5},
        },
        "captured": {"path": "often/8", "needs": {"login": "shop.login"}, "headers": {"X-Session": "{{login.session}}"}, "expect": {"json": {
            "$.data[0].token": "{{login.token}}", "$.number": "{{login.number}}", "$.list": {"contains": {"n": "{{login.one}}"}}}}},
        "form": {"method": "POST", "path": "form", "body": {"form": {"a": "{{secret.key}}", "b": "c d"}}},
        "account": {"path": "account", "auth": {"basic": {"user": "ada", "password": "{{secret.key}}"}}},
        "wrong_status": {"path": "often/1", "expect": {"status": 404}},
        "wrong_header": {"path": "often/2", "expect": {"status": 200, "headers": {"Content-Type": "text/plain"}}},
        "wrong_body": {"path": "often/3", "expect": {"body": {"contains": "nothing like it"}}},
        "wrong_json": {"path": "often/4", "expect": {"json": {"$.ok": False}}},
        "wrong_items": {"path": "often/5", "expect": {"json": {"$.list[*].n": {"<": 2}}}},
        "wrong_length": {"path": "often/6", "expect": {"json": {"$.number": {"length": 2}}}},
        "wrong_null": {"path": "often/7", "expect": {"json": {"$.nothing": {"length": {">": 0}}}}},
        "too_slow": {"path": "slow", "expect": {"status": 200, "maxTime": 0.05}},
        "redirected": {"path": "away", "expect": {"status": 302}},
    },
}
FAILING = {"wrong_status", "wrong_header", "wrong_body", "wrong_json", "wrong_items", "wrong_length", "wrong_null", "too_slow"}


# A comma stands in a date and in a value: it separates no cookies.
COOKIES = [("Set-Cookie", "a=b; Expires=Wed, 21 Oct 2099 07:28:00 GMT"), ("Set-Cookie", "session=c,d; Path=/")]


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, refuses_once=False):
        super().__init__(("127.0.0.1", 0), Handler)
        self.refuses_once = refuses_once
        self.seen = {}
        self.cookies = 0
        self.refused = set()
        self.lock = threading.Lock()

    def handle_error(self, *_):
        """Says nothing about connections that the end of the load test has closed."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        with self.server.lock:
            key = (self.command, self.path, tuple(sorted((name.lower(), value) for name, value in self.headers.items())), body)
            self.server.seen[key] = self.server.seen.get(key, 0) + 1
            self.server.cookies += "Cookie" in self.headers
        status, extra = 200, []
        if self.path.startswith("/api/slow"):
            threading.Event().wait(0.1)
        if self.path.startswith("/api/away"):
            status, extra = 302, [("Location", "/api/nowhere")]
        if self.path.startswith("/api/rare"):
            # The first call on each connection, or of all, finds its login expired.
            caller = None if self.server.refuses_once else self.connection
            with self.server.lock:
                if caller not in self.server.refused:
                    self.server.refused.add(caller)
                    status = 401
        answer = {"ok": True, "nothing": None, "number": 42, "data": [{"token": TOKEN}], "list": [{"n": 1}, {"n": 3}]}
        text = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in [("Content-Type", "application/json"), ("Content-Length", str(len(text))), *COOKIES, *extra]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = answer

    def log_message(self, *_):
        pass


def parsed(message):
    head, _, body = message.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ")
    headers = [line.split(":", 1) for line in lines[1:]]
    return method, target, tuple(sorted((name.lower(), value.strip()) for name, value in headers)), body


def comparable(key):
    method, target, headers, body = key
    kept = [(name, "…" if name == "accept-encoding" else value) for name, value in headers]
    return method, target, tuple(sorted(kept)), body


class Workspace:
    """The endpoints in a folder, with the server's address in the environment `load`."""

    def __init__(self, program, folder, port):
        self.program, self.folder = os.path.realpath(program), folder
        (folder / "endpoints").mkdir()
        (folder / "environments").mkdir()
        (folder / "endpoints" / "shop.json").write_text(json.dumps(ENDPOINTS))
        (folder / "environments" / "load.json").write_text(json.dumps({
            "baseURL": f"http://127.0.0.1:{port}/api", "secrets": {"key": {"env": "LOAD_KEY"}},
            "auth": {"bearer": "{{secret.key}}"}}))
        self.variables = {"PATH": os.environ["PATH"], "LOAD_KEY": SECRET, "HOME": str(folder)}

    def reqcli(self, *words):
        run = subprocess.run([self.program, *words, "--env", "load"], cwd=self.folder, env=self.variables, capture_output=True)
        if run.returncode != 0:
            raise SystemExit(f"reqcli {' '.join(words)} ended with {run.returncode}: {run.stderr.decode()}")
        return run.stdout

    def requests(self):
        """The names of endpoints by the requests that `render` prints for them."""
        requests = {}
        for name, definition in ENDPOINTS["endpoints"].items():
            words = [f"shop.{name}"] + [f"{key}={param['example']}" for key, param in definition.get("params", {}).items()]
            if "needs" in definition:
                captured = [f"login.token={TOKEN}", "login.number=42", "login.session=c,d", "login.one=1"]
                words += [word for word in captured if "{{%s}}" % word.split("=")[0] in json.dumps(definition)]
            requests[comparable(parsed(self.reqcli("render", *words, "--format", "http", "--reveal")))] = name
        return requests


def differences(server, expected):
    """What the server has seen and the workspace doesn't say, and the other way round."""
    problems = []
    for key, times in server.seen.items():
        if comparable(key) not in expected:
            problems.append(f"no such request in the workspace, {times} times: {key}")
    met = {expected.get(comparable(key)) for key in server.seen}
    for name in set(expected.values()) - met:
        problems.append(f"never sent as rendered: {name}: {[key for key, value in expected.items() if value == name]}")
    if server.cookies:
        problems.append(f"{server.cookies} requests carried a cookie")
    return problems
