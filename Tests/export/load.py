#!/usr/bin/env python3
"""Runs an exported load test: a master and two workers on loopback against a small server.

The server keeps each request as it came. They have to be those that `reqcli render --format http` prints, but for the order of headers
and the codings that Locust can decode; every planted failure has to be counted, and the weights have to hold.
"""

import argparse
import csv
import http.server
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

TOKEN = "t0ken é\"\\&/=+%".encode().decode()
SECRET = "s3cret&/=+ \"\\"

ENDPOINTS = {
    "defaults": {"headers": {"X-Fixed": "a'b\"c\\d"}},
    "endpoints": {
        "login": {
            "method": "POST", "path": "login", "body": {"json": {"password": "{{secret.key}}", "note": "it's {{secret.key}}"}},
            "capture": {"token": {"json": "$.data[0].token", "secret": True}, "number": {"json": "$.number"}},
            "expect": {"status": 200},
        },
        "often": {
            "path": "often/{{id}}", "tags": ["smoke"], "params": {"id": {"type": "string", "example": "a b/é%?#"}},
            "query": {"q": ["'\"", "{{id}}"], "empty": ""}, "expect": {"status": 200, "json": {"$.ok": True, "$.list[*].n": {"<": 10}}},
        },
        "rare": {
            "method": "PUT", "path": "rare/{{login.number}}", "needs": {"login": {"endpoint": "shop.login", "refreshOn": [401]}},
            "query": {"token": "{{login.token}}"}, "body": {"json": {"token": "{{login.token}}", "text": "x {{login.token}}"}},
            "expect": {"status": "2xx", "headers": {"Content-Type": {"startsWith": "application/json"}}, "maxTime": 5},
        },
        "form": {"method": "POST", "path": "form", "body": {"form": {"a": "{{secret.key}}", "b": "c d"}}},
        "account": {"path": "account", "auth": {"basic": {"user": "ada", "password": "{{secret.key}}"}}},
        "wrong_status": {"path": "often/1", "expect": {"status": 404}},
        "wrong_header": {"path": "often/2", "expect": {"status": 200, "headers": {"Content-Type": "text/plain"}}},
        "wrong_body": {"path": "often/3", "expect": {"body": {"contains": "nothing like it"}}},
        "wrong_json": {"path": "often/4", "expect": {"json": {"$.ok": False}}},
        "wrong_items": {"path": "often/5", "expect": {"json": {"$.list[*].n": {"<": 2}}}},
        "too_slow": {"path": "slow", "expect": {"status": 200, "maxTime": 0.05}},
        "redirected": {"path": "away", "expect": {"status": 302}},
    },
}
FAILING = {"wrong_status", "wrong_header", "wrong_body", "wrong_json", "wrong_items", "too_slow"}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
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
            # The first call on each connection finds its login expired.
            with self.server.lock:
                if self.connection not in self.server.refused:
                    self.server.refused.add(self.connection)
                    status = 401
        answer = {"ok": True, "number": 42, "data": [{"token": TOKEN}], "list": [{"n": 1}, {"n": 3}]}
        text = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in [("Content-Type", "application/json"), ("Content-Length", str(len(text))), ("Set-Cookie", "a=b"), *extra]:
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


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    """A worker that comes before its master gets no file from it."""
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=int, default=6)
    arguments = parser.parse_args()
    server = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "endpoints").mkdir()
        (folder / "environments").mkdir()
        (folder / "endpoints" / "shop.json").write_text(json.dumps(ENDPOINTS))
        (folder / "environments" / "load.json").write_text(json.dumps({
            "baseURL": f"http://127.0.0.1:{server.server_port}/api", "secrets": {"key": {"env": "LOAD_KEY"}},
            "auth": {"bearer": "{{secret.key}}"}}))
        variables = {"PATH": os.environ["PATH"], "LOAD_KEY": SECRET, "HOME": str(folder)}

        def reqcli(*words):
            run = subprocess.run([arguments.program, *words, "--env", "load"], cwd=folder, env=variables, capture_output=True)
            if run.returncode != 0:
                raise SystemExit(f"reqcli {' '.join(words)} ended with {run.returncode}: {run.stderr.decode()}")
            return run.stdout

        reqcli("export", "locust", "--weight", "shop.often=30", "--weight", "shop.rare=10", "-o", "locustfile.py")
        expected = {}
        for name, definition in ENDPOINTS["endpoints"].items():
            words = [f"shop.{name}"] + [f"{key}={param['example']}" for key, param in definition.get("params", {}).items()]
            if "needs" in definition:
                words += [f"login.token={TOKEN}", "login.number=42"]
            expected[comparable(parsed(reqcli("render", *words, "--format", "http", "--reveal")))] = name

        port = free_port()
        locust = [str(pathlib.Path(sys.executable).parent / "locust")]
        master = subprocess.Popen(
            locust + ["-f", "locustfile.py", "--master", "--master-bind-host", "127.0.0.1", "--master-bind-port", str(port), "--headless",
                      "--expect-workers", "2", "-u", "8", "-r", "8", "-t", f"{arguments.seconds}s", "--csv", "result", "--exit-code-on-error", "1"],
            cwd=folder, env={key: value for key, value in variables.items() if key != "LOAD_KEY"}, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        wait_for(port)
        elsewhere = folder / "worker"
        elsewhere.mkdir()
        workers = [
            subprocess.Popen(
                locust + ["-f", "-", "--worker", "--master-host", "127.0.0.1", "--master-port", str(port)], cwd=elsewhere, env=variables,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(2)]
        try:
            _, errors = master.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            for worker in workers:
                worker.terminate()
            said = b"".join(worker.communicate()[1] for worker in workers)
            raise SystemExit(f"the master didn't end in time; the workers: {said.decode()[-3000:]}")
        finally:
            for process in workers + [master]:
                if process.poll() is None:
                    process.terminate()
        said = b"".join(worker.communicate()[1] for worker in workers)
        with open(folder / "result_stats.csv") as file:
            counts = {row["Name"]: (int(row["Request Count"]), int(row["Failure Count"])) for row in csv.DictReader(file)}

    for key, times in server.seen.items():
        if comparable(key) not in expected:
            problems.append(f"no such request in the workspace, {times} times: {key}")
    met = {expected.get(comparable(key)) for key in server.seen}
    for name in set(expected.values()) - met:
        problems.append(f"never sent as rendered: {name}: {[key for key, value in expected.items() if value == name]}")
    if server.cookies:
        problems.append(f"{server.cookies} requests carried a cookie")
    for name in ENDPOINTS["endpoints"]:
        sent, failed = counts.get(f"shop.{name}", (0, 0))
        wanted = sent if name in FAILING else 0
        if sent == 0 or failed != wanted:
            problems.append(f"{name}: {failed} of {sent} failed, expected {wanted}")
    total = sum(sent for name, (sent, _) in counts.items() if name != "Aggregated")
    ratio = counts.get("shop.often", (0, 0))[0] / max(1, counts.get("shop.rare", (0, 0))[0])
    if not 1.8 < ratio < 4.5:
        problems.append(f"often : rare is {ratio:.2f} : 1, expected about 3 : 1")
    if problems:
        print(f"the master: {errors.decode()[-1500:]}\nthe workers: {said.decode()[-3000:]}")
    for problem in problems:
        print(f"FAIL {problem[:1500]}")
    print(f"{total} requests, often : rare is {ratio:.2f} : 1")
    print(f"{len(ENDPOINTS['endpoints']) - len(problems)} passed, {len(problems)} failed")
    sys.exit(1 if problems else 0)


main()
