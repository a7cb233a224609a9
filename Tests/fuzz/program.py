#!/usr/bin/env python3
"""Runs the program on damaged workspaces, with damaged arguments, against a server that sends damaged responses.

A run fails if the program ends by a signal or with a status that isn't documented, takes too long or too much memory, shows
a stack trace, or prints a secret. A failing run is kept in a folder with the command that repeats it. Each run
follows from the seed and its number.

usage: Tests/fuzz/program.py REQCLI [--seconds N] [--runs N] [--seed N] [--run N] [--keep FOLDER]
"""

import argparse
import copy
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
STATUSES = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
MOST_SECONDS = 5
MOST_MEGABYTES = 512
SECRET = "s3cr3t-value-4711"
#: What no message of the program says.
CRASH_WORDS = (b"Fatal error", b"Stack dump", b"*** Program crashed", b"Backtrace took", b"AddressSanitizer")

NASTY_TEXTS = [
    "", " ", "{{", "}}", "{{x}}", "{{$uuid}}", "{{secret.token}}", "{{$env.TOKEN}}", "\\{{", "\x00", "\x1b[31m", "\u202e",
    "é", "👩‍👩‍👧", "a" * 5000, "../../etc/passwd", "~", "/", "//", "http://", "http://[::1", "https://bücher.example/", "-1",
    "1e999", "0", "9223372036854775808", "null", "true", "GET", "CONNECT", "\r\nX: y", "%", "%zz", "[a-", "(", "$.", "$..*",
    "$[?match(@.n,'(')]", "{{a}}{{a}}", "2xx", "10ms..", "1s", "Content-Length", "Transfer-Encoding", "Host", "*",
]
NASTY_VALUES = [None, True, False, 0, -1, 1.5, 1e308, 2**63, 10**30, [], {}, [[]], {"": ""}, [None], "x"]


class Server:
    """Answers each connection with bytes that follow from the run's number."""

    PARTS = [
        b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 302 Found\r\nLocation: /next\r\n", b"HTTP/1.1 401 No\r\n", b"HTTP/1.1 503 Busy\r\n",
        b"HTTP/1.1 103 Early Hints\r\n\r\n", b" folded: x\r\n", b"Content-Type: application/json\r\n", b"Content-Length: 2\r\n",
        b"Content-Length: 7, 100\r\n", b"Transfer-Encoding: chunked\r\n", b"Content-Encoding: gzip\r\n", b"Retry-After: 0\r\n",
        b"Set-Cookie: a=\x7f\r\n", b"Set-Cookie: token=" + SECRET.encode() + b"; Path=/\r\n", b"Location: http://127.0.0.1:1/\r\n",
        b"WWW-Authenticate: Digest realm=\"a\", nonce=\"b\", qop=\"auth\"\r\n", b"X-\xe9: \xff\x1b[2J\r\n", b"\r\n", b"\n",
        b"{\"id\":1,\"items\":[1,2,3]}", b"{\"a\":1,\"a\":2}", b"[" * 600, b"2\r\nok\r\n0\r\n\r\n", b"\x1f\x8b\x08\x00", b"\xff\xfe{\x00}\x00",
    ]

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.socket.getsockname()[1]
        self.seed = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        chance = random.Random(self.seed)
        connection.settimeout(10)
        try:
            for _ in range(20):
                head = b""
                while b"\r\n\r\n" not in head:
                    data = connection.recv(65536)
                    if not data:
                        return
                    head = (head + data)[-70000:]
                connection.sendall(self.response(chance))
                if chance.random() < 0.5:
                    return
        except OSError:
            pass
        finally:
            connection.close()

    def response(self, chance):
        if chance.random() < 0.3:
            body = json.dumps(chance.choice([{"id": 1, "items": [{"id": 1}]}, [], "text", None, {"a": {"b": [1.0, -0]}}])).encode()
            return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        parts = [chance.choice(self.PARTS[:4])] + [chance.choice(self.PARTS) for _ in range(chance.randrange(8))]
        response = bytearray(b"".join(parts + [b"\r\n", chance.choice(self.PARTS)]))
        for _ in range(chance.choice([0, 0, 1, 3])):
            response[chance.randrange(len(response))] = chance.randrange(256)
        return bytes(response)


class Workspace:
    """A folder of files that were good once."""

    def __init__(self):
        self.good = {}
        for folder in ("endpoints", "environments", "stubs"):
            for path in (ROOT / folder).iterdir():
                self.good[f"{folder}/{path.name}"] = path.read_bytes()
        for path in (ROOT / "Tests/Fixtures/good/endpoint").glob("*.json"):
            self.good[f"endpoints/{path.stem}-sample.json"] = path.read_bytes()
        for path in (ROOT / "Tests/Fixtures/good/environment").glob("*.json"):
            self.good[f"environments/{path.stem}-sample.json"] = path.read_bytes()
        self.trees = {}
        for name, data in self.good.items():
            try:
                self.trees[name] = json.loads(data)
            except ValueError:
                pass
        self.keys = sorted({key for tree in self.trees.values() for key in all_keys(tree)})
        self.subtrees = [value for tree in self.trees.values() for value in all_values(tree)]

    def write(self, folder, chance):
        for name, data in self.good.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        for name in chance.sample(sorted(self.good), chance.choice([1, 1, 2, 4])):
            (folder / name).write_bytes(self.damaged(name, chance))

    def damaged(self, name, chance):
        if name in self.trees and chance.random() < 0.75:
            tree = copy.deepcopy(self.trees[name])
            for _ in range(chance.choice([1, 1, 2, 5])):
                tree = self.changed(tree, chance)
            return json.dumps(tree, ensure_ascii=chance.random() < 0.5).encode(errors="surrogatepass")
        data = bytearray(self.good[name])
        for _ in range(chance.choice([1, 2, 5, 20])):
            if not data:
                break
            place = chance.randrange(len(data))
            how = chance.randrange(5)
            if how == 0:
                data[place] = chance.randrange(256)
            elif how == 1:
                del data[place:]
            elif how == 2:
                data[place:place] = data[place : place + chance.randrange(200)] * chance.choice([1, 2, 50])
            elif how == 3:
                del data[place : place + chance.randrange(20)]
            else:
                data[place:place] = chance.choice(NASTY_TEXTS).encode()
        return bytes(data)

    def changed(self, tree, chance):
        """The tree with one place in it changed."""
        if isinstance(tree, dict) and tree and chance.random() < 0.85:
            key = chance.choice(list(tree))
            how = chance.random()
            if how < 0.6:
                tree[key] = self.changed(tree[key], chance)
            elif how < 0.7:
                del tree[key]
            elif how < 0.85:
                tree[chance.choice(self.keys + NASTY_TEXTS)] = tree.pop(key)
            else:
                tree[chance.choice(self.keys)] = copy.deepcopy(chance.choice(self.subtrees))
            return tree
        if isinstance(tree, list) and tree and chance.random() < 0.8:
            index = chance.randrange(len(tree))
            tree[index] = self.changed(tree[index], chance)
            # Lists of lists would grow by a factor for each level.
            is_flat = not any(isinstance(value, (dict, list)) for value in tree)
            return tree * chance.choice([1, 1, 1, 40]) if is_flat else tree
        how = chance.random()
        if how < 0.4:
            return chance.choice(NASTY_TEXTS)
        if how < 0.7:
            return copy.deepcopy(chance.choice(NASTY_VALUES))
        if how < 0.9:
            return copy.deepcopy(chance.choice(self.subtrees))
        for _ in range(chance.choice([5, 100, 600])):
            tree = [tree] if chance.random() < 0.5 else {"a": tree}
        return tree


def all_keys(tree):
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield key
            yield from all_keys(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from all_keys(value)


def all_values(tree):
    yield tree
    for value in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else []:
        yield from all_values(value)


ENDPOINTS = ["user.get", "user.feed", "user.create", "breeds.list", "todos.get", "todos.create", "users.search", "ping",
             "employee.list", "group-sample.a", "single-sample", "expectations-sample", "nothing"]
PARAMS = ["userID=1", "id=1", "name=Ada", "city=é", "maxResults=10", "ascending=true", "name=\x1b[31m", "x=", "=", "id=-", "id@=/dev/null"]
OPTIONS = ["--env offline", "--env staging", "--env digest-sample", "--json", "-v", "--stub", "--stub empty", "--stub malformed", "--one-line",
           "--format har", "--format http", "--format json", "--shell fish", "--shell powershell", "--select $..id", "--pretty", "--raw",
           "--headers", "-i", "--retry 2", "--follow", "--netrc", "-H X:y", "-H Cookie:a=b", "-q a=b", "--body {}", "--yes", "--no-input",
           "--color always", "--report json=-", "--report junit=r.xml", "--report html=r.html", "--report tap=-", "--fail-fast",
           "--jobs 8", "--list", "--save-stub saved", "--cookie-jar jar", "-o out", "--download", "--data rows.csv", "--insecure",
           "--trust", "--bogus", "--loader foundation", "--timeout 300ms", "--shard 1/2", "-s", "-Q"]
COMMANDS = ["list", "list environments", "validate", "validate --json", "show", "explain", "render", "send", "send", "check", "check",
            "schema endpoint", "help", "completions bash"]


def arguments(chance, port):
    command = chance.choice(COMMANDS)
    words = command.split()
    if command in ("show", "explain", "render", "send", "check"):
        words += [chance.choice(ENDPOINTS)] if command != "check" or chance.random() < 0.4 else []
        words += chance.sample(PARAMS, chance.randrange(3)) if command != "check" else []
        for option in chance.sample(OPTIONS, chance.randrange(5)):
            words += option.split(" ", 1)
        if command in ("send", "check"):
            words += ["--timeout", "2s"] if chance.random() < 0.9 else []
            words += ["--base-url", f"http://127.0.0.1:{port}"] if chance.random() < 0.9 else ["--stub"]
    if chance.random() < 0.05:
        words.insert(chance.randrange(len(words) + 1), chance.choice(NASTY_TEXTS).replace("\x00", ""))
    return words


def limit_memory():
    # Well above what is allowed, so that a leak ends as a failed allocation and not in swap.
    resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def problem_of(status, seconds, megabytes, output):
    if os.WIFSIGNALED(status):
        return f"signal {signal.Signals(os.WTERMSIG(status)).name}"
    if os.waitstatus_to_exitcode(status) not in STATUSES:
        return f"status {os.waitstatus_to_exitcode(status)}"
    if seconds > MOST_SECONDS:
        return f"{seconds:.1f} s"
    if megabytes > MOST_MEGABYTES:
        return f"{megabytes} MB"
    for word in CRASH_WORDS:
        if word in output:
            return f"the output has {word.decode()}"
    return None


def shows_secret(words, errors):
    # Standard output may be the body of a response, which is passed on as it is.
    return SECRET.encode() in errors and "--reveal" not in words


def main():
    sys.setrecursionlimit(20_000)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reqcli")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--runs", type=int, help="stop after this many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--run", type=int, help="only this one")
    parser.add_argument("--keep", type=Path, default=Path(".build/fuzz"))
    options = parser.parse_args()
    program = str(Path(options.reqcli).resolve())
    server, samples = Server(), Workspace()
    folder = Path(tempfile.mkdtemp(prefix="reqcli-fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "STAGING_TOKEN": SECRET, "TOKEN": SECRET,
                   "COLUMNS": "80", "SWIFT_BACKTRACE": "enable=no"}
    failures, count, most, statuses = 0, 0, (0, 0), {}
    end = time.monotonic() + options.seconds
    try:
        while time.monotonic() < end and (options.runs is None or count < options.runs):
            number = options.run if options.run is not None else count
            chance = random.Random(f"{options.seed}/{number}")
            shutil.rmtree(folder)
            (folder / "home").mkdir(parents=True)
            workspace = folder / "workspace"
            samples.write(workspace, chance)
            (workspace / "rows.csv").write_text(chance.choice(["id\n1\n2\n", "id,name\n1,\n", "", "\"", "id\n" + "1\n" * 500]))
            server.seed = number
            words = arguments(chance, server.port)
            with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as errors:
                start = time.monotonic()
                try:
                    child = subprocess.Popen([program, *words], cwd=workspace, env=environment, stdin=subprocess.DEVNULL,
                                             stdout=out, stderr=errors, preexec_fn=limit_memory)
                except ValueError:
                    count += 1
                    continue
                timer = threading.Timer(MOST_SECONDS * 4, child.kill)
                timer.start()
                _, status, usage = os.wait4(child.pid, 0)
                timer.cancel()
                child.returncode = status
            seconds, megabytes = time.monotonic() - start, usage.ru_maxrss >> 10
            count += 1
            most = max(most[0], seconds), max(most[1], megabytes)
            code = -1 if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)
            statuses[code] = statuses.get(code, 0) + 1
            errors = (folder / "stderr").read_bytes()
            problem = problem_of(status, seconds, megabytes, errors)
            if not problem and shows_secret(words, errors):
                problem = "a secret on stderr"
            if problem:
                failures += 1
                kept = options.keep / f"{options.seed}-{number}"
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(folder, kept, symlinks=True)
                (kept / "command").write_text(json.dumps(words) + "\n")
                print(f"run {number}: {problem}: reqcli {' '.join(words)!r}\n  kept in {kept}; again: --seed {options.seed} --run {number}",
                      flush=True)
            if options.run is not None:
                sys.stdout.buffer.write((folder / "stdout").read_bytes())
                sys.stderr.buffer.write(errors)
                break
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{count} runs, statuses {dict(sorted(statuses.items()))}, at most {most[0]:.2f} s and {most[1]} MB")
    print(f"{count - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
