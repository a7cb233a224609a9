#!/usr/bin/env python3
"""Runs the program on damaged workspaces, with damaged arguments, against a server that sends damaged responses.

A run fails if the program ends by a signal or with a status that isn't documented, takes too long or too much memory, shows
a stack trace, prints a secret, fails without a message, prints something else than JSON with --json, or leaves an unfinished
file. A failing run is kept in a folder with the command that repeats it. Each run follows from the seed and its number.

The workspace is made of the one in this repository, of the one beside this file, and of the samples in Tests/Fixtures.

usage: Tests/fuzz/program.py REQCLI [--seconds N] [--runs N] [--seed N] [--run N] [--keep FOLDER]
"""

import argparse
import collections
import copy
import gzip
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zlib
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


def deep(levels):
    return b"[" * levels + b"]" * levels


def packed(size, unit=b"0,"):
    """JSON of this many bytes, as gzip: small on its way, large when it has come."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    block = unit * ((1 << 20) // len(unit))
    blocks = [b"["] + [block] * (size >> 20) + [b"0]"]
    return b"".join(map(packer.compress, blocks)) + packer.flush()


class Server:
    """Answers each connection with bytes that follow from the run's number and the connection's."""

    GOOD = (b'{"id": 1, "token": "t0ken", "name": "Ada", '
            b'"items": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Grace"}]}')
    BODIES = [
        b"", b"ok", b"[]", b"null", b'{"a":1,"a":2}', b'{"id":1e400,"b":-0.0,"c":"\\ud800"}', b"\xef\xbb\xbf{}",
        b"\xff\xfe{\x00}\x00", b"\x00" * 100, b"\x1b]0;x\x07\x1b[2J", b"<html>\xc3\xa9</html>", b"a\r\n" * 3000, deep(500),
        deep(100_000), b'{"a":' * 600, b"[" + b",".join(b'{"id":%d}' % n for n in range(20_000)) + b"]",
        b'"' + b"a" * 3_000_000 + b'"', b"\xe9" * 12_000_000,
        b"{" + b",".join(b'"k%d":%d' % (n, n) for n in range(20_000)) + b"}",
    ]
    BOMBS = [packed(30 << 20), packed(30 << 20, b"[[],{}],"), packed(300 << 20, b"        ")]
    HEADERS = [
        b"ETag: x", b"Content-Type: application/json", b"Content-Type: text/html; charset=latin1",
        b"Content-Type: multipart/x; boundary=", b" folded: x", b"X-\xe9: \xff\x1b[2J", b"X: a\x00b", b": x", b"no colon",
        b"X:", b"X: " + b"a" * 90_000, b"\r\n".join(b"X-%d: y" % n for n in range(400)), b"Retry-After: 0",
        b"Retry-After: 99999999999999999999", b"Retry-After: Wed, 21 Oct 2015 07:28:00 GMT", b"Set-Cookie: a=\x7f",
        b"Set-Cookie: =", b"Set-Cookie: token=" + SECRET.encode() + b"; Path=/; Max-Age=99999999999999999999",
        b"Set-Cookie: a=b; Domain=127.0.0.1; Expires=x; Secure",
        b"\r\n".join(b"Set-Cookie: c%d=%d; Path=/%d" % (n, n, n) for n in range(300)), b"Set-Cookie: long=" + b"c" * 5000,
        b'WWW-Authenticate: Digest realm="a", nonce="b", qop="auth"',
        b'WWW-Authenticate: Digest realm="\xff, nonce=' + b"n" * 9000,
        b'Content-Disposition: attachment; filename="../../a\x1b"',
        b"Content-Disposition: attachment; filename*=UTF-8''%2e%2e%2f%00",
        b'Content-Disposition: attachment; filename="' + b"n" * 400 + b'"', b"Connection: close", b"Connection: token",
        b"Trailer: X", b"Upgrade: h2c",
    ]
    PLACES = [
        b"/next", b"next?a=b#c", b"", b"?", b"//[::1", b"http://127.0.0.1:1/", b"http://localhost:%d/", b"ftp://x/",
        b"http://a:b@127.0.0.1:%d/", b"/\xff\x00", b"/" + b"a" * 9000, b"https://127.0.0.1:%d/", b"/{{x}}",
        b"file:///etc/passwd",
    ]

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.socket.getsockname()[1]
        self.begin(0)
        threading.Thread(target=self.serve, daemon=True).start()

    def begin(self, run):
        self.run, self.connections = run, 0

    def serve(self):
        while True:
            connection, _ = self.socket.accept()
            self.connections += 1
            chance = random.Random(f"{self.run}/{self.connections}")
            threading.Thread(target=self.answer, args=(connection, chance), daemon=True).start()

    def answer(self, connection, chance):
        connection.settimeout(1.5)
        try:
            for _ in range(20):
                head = b""
                while b"\r\n\r\n" not in head:
                    data = connection.recv(65536)
                    if not data:
                        return
                    head = (head + data)[-70000:]
                connection.sendall(self.response(chance))
                how = chance.random()
                if how < 0.5:
                    connection.shutdown(socket.SHUT_WR)
                if how < 0.6:
                    while connection.recv(65536):
                        pass
                    return
        except OSError:
            pass
        finally:
            connection.close()

    def response(self, chance):
        status = chance.choice([200] * 20 + [301, 302, 303, 307, 308] * 2 + [201, 204, 206, 304, 400, 401, 404, 429, 500, 503, 0, 999])
        headers = chance.sample(self.HEADERS, chance.choice([0, 0, 0, 1, 1, 3]))
        if 300 < status < 309 and status != 304:
            place = chance.choice(self.PLACES[:2] * 8 + self.PLACES)
            headers.append(b"Location: " + place.replace(b"%d", b"%d" % self.port))
        body = self.GOOD if chance.random() < 0.6 else chance.choice(self.BODIES)
        if chance.random() < 0.15:
            coding = chance.choice([b"gzip", b"gzip", b"deflate", b"br", b"gzip, gzip", b"x" * 300])
            headers.append(b"Content-Encoding: " + coding)
            packed_body = gzip.compress(body, 1)
            body = chance.choice([body, packed_body, packed_body[:-5], zlib.compress(body, 1)] + self.BOMBS[: chance.choice([0, 2, 3])])
        if body == self.GOOD:
            headers.append(b"Content-Type: application/json")
        framing = chance.random()
        if framing < 0.55:
            headers.append(b"Content-Length: %d" % len(body))
        elif framing < 0.8:
            size = max(1, len(body) // chance.choice([1, 3, 50]))
            chunks = [body[at : at + size] for at in range(0, len(body), size)]
            trailer = chance.choice([b"", b"", b"X: y\r\n" * 99])
            body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n" + trailer + b"\r\n"
            headers.append(b"Transfer-Encoding: chunked")
        elif framing < 0.9:
            lengths = [b"Content-Length: 7, 100", b"Content-Length: -1", b"Content-Length: " + b"9" * 20, b"Transfer-Encoding: x"]
            headers.append(chance.choice(lengths))
        hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 40
        early = chance.choice([b""] * 12 + [hints, b"\r\n", b"HTTP/1.1 101 Switching\r\n\r\n"])
        version = chance.choice([b"HTTP/1.1"] * 12 + [b"HTTP/1.0", b"HTTP/2", b"ICY"])
        head = bytearray(early + b"%s %03d Some\x1b words\r\n%s\r\n\r\n" % (version, status, b"\r\n".join(headers)))
        for _ in range(chance.choice([0] * 6 + [1, 3])):
            head[chance.randrange(len(head))] = chance.choice(b"\x00\n\r :;,=\xffz")
        return bytes(head) + body


class Workspace:
    """A folder of files that were good once."""

    FILES = {
        "rows.csv": [
            b"id,name\n1,Ada\n2,\n", b"id\n1\n2\n", b"", b'"', b"id\n" + b"1\n" * 300, b"id,id\n1,2\n", b"id\n\xff\n",
            b'name\n"' + b"a" * 90_000,
        ],
        "rows.json": [
            b'[{"id":1},{"id":2,"name":"Ada"}]', b"[1]", deep(9000), b'[{"id":9007199254740993}]', b"[]", b'{"id":1}',
        ],
        "rows.ndjson": [b'{"id":1}\n{"id":2}\n', b'{"id":null}\n\n{', b"\x00"],
        "jar": [
            b"127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n",
            b"#HttpOnly_127.0.0.1\tFALSE\t/\tTRUE\t99999999999999999999\tc\td\n# x\n", b"\xff\n", b"a\tb\n",
            b"".join(b"127.0.0.1\tFALSE\t/%d\tFALSE\t0\tc%d\tv\n" % (n, n) for n in range(3000)),
        ],
        "netrc": [
            b"machine 127.0.0.1 login ada password " + SECRET.encode(), b"default login x", b'machine "a\\',
            b"macdef x\n" + b"y\n" * 9000, b"machine x " * 9000,
        ],
        "vars": [b'STAGE=bin\nTOKEN="a b"\n', b"export A='\n", b"=\n\x00", b"A=$A\n" * 3000],
        "body": [
            b"{}", b"a=b&c=d", b"\x00\xff" * 9000, b"[" + b"1," * 400_000 + b"1]", deep(9000), b"", b"{{x}}", b"x" * 9_000_000,
        ],
        "stubs/large.json": [
            Server.GOOD, b"[" + Server.GOOD + (b"," + Server.GOOD) * 9000 + b"]", deep(9000), b'{"a":', b"\x00\xff" * 99_000,
        ],
    }
    VALUES = {"string": "Ada é", "integer": "1", "number": "-1.5e3", "boolean": "true", "json": "{\"a\":[1,null]}", "file": "body"}

    def __init__(self):
        self.good = {f"certs/{name}.pem": b"not a certificate" for name in ("ca", "me", "acme")}
        self.good["stubs/large.json"] = Server.GOOD
        for root in (ROOT, ROOT / "Tests/fuzz/workspace"):
            for folder in ("endpoints", "environments", "stubs", "bodies"):
                for path in sorted((root / folder).rglob("*.*")):
                    self.good[str(path.relative_to(root))] = path.read_bytes()
        for kind in ("endpoint", "environment"):
            for path in sorted((ROOT / "Tests/Fixtures/good" / kind).glob("*.json")):
                self.good[f"{kind}s/{path.stem}-sample.json"] = path.read_bytes()
        self.trees = {}
        for name, data in self.good.items():
            try:
                self.trees[name] = json.loads(data)
            except ValueError:
                pass
        self.subtrees = [value for tree in self.trees.values() for value in all_values(tree)]
        self.values_of = collections.defaultdict(list)
        for tree in self.subtrees:
            for key, value in tree.items() if isinstance(tree, dict) else ():
                self.values_of[key].append(value)
        self.keys = sorted(self.values_of)
        #: By id: each endpoint's params, its stub variants, the captures it takes, and whether it expects anything.
        self.endpoints, self.variants, self.captures, self.expects = {}, {}, {}, {}
        for name, tree in self.trees.items():
            if name.startswith("endpoints/"):
                common = tree.get("defaults", {})
                for key, endpoint in tree.get("endpoints", {"": tree}).items():
                    identifier = Path(name).stem + ("." + key if key else "")
                    params = {**common.get("params", {}), **endpoint.get("params", {})}
                    self.endpoints[identifier] = {name: param for name, param in params.items() if param}
                    text = json.dumps([common, endpoint])
                    self.captures[identifier] = sorted(set(re.findall(r"\{\{((?!secret)\w+\.\w+)\}\}", text)))
                    self.expects[identifier] = "expect" in {*common, *endpoint} or "checks" in endpoint
                    self.variants[identifier] = list(endpoint.get("stubs", {}).get("variants", {}))

    def names(self, endpoint):
        """The files to have; the samples belong to each other."""
        return [name for name in sorted(self.good) if "-sample" in endpoint or "-sample" not in name]

    def write_good(self, folder, names):
        for name in names:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.good[name])

    def write(self, folder, chance, endpoint):
        """Writes the workspace, in most runs with damage, mostly in a file that the endpoint's requests read."""
        names = self.names(endpoint)
        self.write_good(folder, names)
        for name, contents in self.FILES.items():
            (folder / name).write_bytes(chance.choice(contents[:1] * 12 + contents))
        own = [f"endpoints/{endpoint.split('.')[0]}.json", "endpoints/auth.json", "environments/base.json"]
        names = [name for name in own if name in names] if chance.random() < 0.6 else names
        for name in chance.sample(names, min(len(names), chance.choice([0, 0, 0, 1, 1, 2, 4]))):
            (folder / name).write_bytes(self.damaged(name, chance))

    def params(self, endpoint, chance):
        """The words that give an endpoint its params."""
        words = []
        for name, param in self.endpoints.get(endpoint, {}).items():
            needed = param.get("required", "default" not in param)
            if chance.random() > (0.98 if needed else 0.3):
                continue
            value = chance.choice(param.get("enum", [param.get("example", self.VALUES[param["type"]])]))
            value = value if isinstance(value, str) else json.dumps(value)
            if chance.random() < (0.3 if param["type"] in ("string", "json") else 0.05):
                value = chance.choice(NASTY_TEXTS + ["5", "x" * 100_000])
            if chance.random() < 0.03:
                name, value = name + "@", chance.choice(["body", "-", "jar"])
            words.append(f"{name}={value}".replace("\x00", ""))
        return words

    def damaged(self, name, chance):
        if name in self.trees and chance.random() < 0.75:
            tree, is_gentle = copy.deepcopy(self.trees[name]), chance.random() < 0.7
            for _ in range(chance.choice([1, 1, 2, 5])):
                tree = self.changed(tree, chance, is_gentle)
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

    def changed(self, tree, chance, is_gentle, key=None):
        """The tree, a value of this key, with one place in it changed; gently, another value of its type takes its place."""
        if isinstance(tree, dict) and tree and (is_gentle or chance.random() < 0.85):
            key = chance.choice(list(tree))
            how = 0 if is_gentle else chance.random()
            if how < 0.6:
                tree[key] = self.changed(tree[key], chance, is_gentle, key)
            elif how < 0.7:
                del tree[key]
            elif how < 0.85:
                tree[chance.choice(self.keys + NASTY_TEXTS)] = tree.pop(key)
            else:
                tree[chance.choice(self.keys)] = copy.deepcopy(chance.choice(self.subtrees))
            return tree
        if isinstance(tree, list) and tree and chance.random() < 0.8:
            index = chance.randrange(len(tree))
            tree[index] = self.changed(tree[index], chance, is_gentle, key)
            # Lists of lists would grow by a factor for each level.
            is_flat = not any(isinstance(value, (dict, list)) for value in tree)
            return tree * chance.choice([1, 1, 1, 40]) if is_flat else tree
        how = chance.random()
        if is_gentle and tree is not None:
            others = self.values_of[key] if chance.random() < 0.7 else NASTY_TEXTS + NASTY_VALUES + self.subtrees
            return copy.deepcopy(chance.choice([value for value in others if type(value) is type(tree)] or [tree]))
        if how < 0.4:
            return chance.choice(NASTY_TEXTS)
        if how < 0.7:
            return copy.deepcopy(chance.choice(NASTY_VALUES))
        if how < 0.9:
            return copy.deepcopy(chance.choice(self.subtrees))
        for _ in range(chance.choice([5, 100, 600])):
            tree = [tree] if chance.random() < 0.5 else {"a": tree}
        return tree


def all_values(tree):
    yield tree
    for value in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else []:
        yield from all_values(value)


#: For each command words that may follow it: at most one of each list.
REQUEST = [
    ["-H X:y", "-H Cookie:a=b", "-H Accept;", "-H Host:a", "-H X-Token:", f"-H X:{'a' * 90_000}", "-H x:1 -H X:2",
     "-H Content-Length:5", "-H Range:bytes=0-1"],
    ["-q a=b", "-q é={{x}}", f"-q a={'&' * 30_000}", "-q a=1 -q a=2"],
    ["--netrc", "--netrc-file netrc"], ["--env-file vars", "--env-file body"],
    ["--resolve localhost:80:127.0.0.1", "--resolve localhost:80:[::1] --resolve x:1:127.0.0.1", "--resolve 127.0.0.1:1:[::1]",
     "--unix-socket jar"],
    ["--trust"], ["--no-input"], ["--color always", "--color never"], ["-C .", "-C ../workspace"],
]
MESSAGE = REQUEST + [
    ["--body {}", "--body @body", "--body @body", "--body -"], ["--cookie-jar jar", "--cookie-jar jar", "--cookie-jar new"],
    ["--follow", "--follow", "--no-follow"], ["--insecure"], ["--ca certs/ca.pem"],
]
SENDING = [["--yes"], ["--loader curl", "--loader curl", "--loader foundation"]]
OPTIONS = {
    "send": MESSAGE + SENDING + [
        ["--retry 1", "--retry 2"],
        ["-i", "-v", "--headers", "--body-only", "-Q", "-o out", "-o stubs/large.json", "-o no/out", "--download", "--download -v",
         "-s $..id", "-s $..*", "-s $..[?@.id>1].name --pretty", "-s $.items[?match(@.name,'(A|a)*b')]",
         "--json", "--json -s $..id", "--json -v", "--pretty", "--pretty --color always", "--raw",
         "--save-stub saved", "--save-stub saved", "--save-stub standard --force", "--save-stub standard"],
    ],
    "render": MESSAGE + [
        ["--format curl", "--shell fish", "--shell powershell", "--one-line", "--format http", "--format json", "--format har",
         "--diff staging", "--diff shared", "--diff local"],
        ["--reveal"],
    ],
    "explain": MESSAGE + [["--json"]],
    "check": REQUEST + SENDING + [
        ["--report json=-", "--report junit=r.xml", "--report html=r.html", "--report tap=-",
         "--report github=- --report html=r.html --report json=r.json"],
        ["--fail-fast"], ["--jobs 1", "--jobs 8"], ["--list"], ["--shard 1/2", "--shard 2/9"], ["--retry 2 --retry-interval 10ms"],
        ["orders.list --data rows.csv", "todos.get orders.list --data rows.json", "orders.list/* --data rows.ndjson",
         "orders.list --data -"],
    ],
    "show": [["--json"], ["--color always"]],
    "list": [["--json"], ["environments", "orders", "user.*", "tag:smoke", "tag:orders orders.get/*", "*"], ["--env shared"]],
    "validate": [["--json"], ["--color always"]],
    "init": [["made", "made", "endpoints", "new/made", "."]],
    "completions": [["bash", "bash", "fish", "zsh"]],
    "schema": [["endpoint", "environment", "settings"]],
    "help": [["send", "check", "render", "init", "nothing"], ["--color always"]],
    "__complete": [[
        "bash 0 se", "zsh 1 send ", "fish 2 send uploads.json ", "bash 2 send uploads.json flag=", "zsh 1 check --stub=orders.list=",
        "fish 3 render orders.get --env ", "bash 99 send", "zsh -1 send"]],
}
COMMANDS = ["send"] * 12 + ["check"] * 6 + ["render"] * 4 + ["explain", "validate"] * 2 + [
    "show", "list", "init", "completions", "schema", "help", "__complete"]


def arguments(chance, port, samples, endpoint):
    """The words of a call, mostly right ones."""
    command = chance.choice(COMMANDS)
    words = [command]
    if command in ("show", "explain", "render", "send") or command == "check" and samples.expects.get(endpoint):
        words.append(endpoint)
    if command in ("explain", "render", "send"):
        words += samples.params(endpoint, chance)
    if command in ("explain", "render"):
        words += [f"{capture}={chance.choice(['1', 'x y'])}" for capture in samples.captures.get(endpoint, [])]
    lists = OPTIONS[command]
    for choices in lists if len(lists) == 1 else chance.sample(lists, min(len(lists), chance.choice([0, 1, 2, 3, 4, 6]))):
        words += chance.choice(choices).split(" ")
    if command in ("explain", "render", "send", "check"):
        names = [Path(name).stem for name in samples.names(endpoint) if name.startswith("environments/")]
        words += ["--env", chance.choice(["base"] * 30 + ["local"] * 5 + ["shared"] * 5 + names)]
        variant = chance.choice(samples.variants.get(endpoint) or [""])
        if command not in ("send", "check") or "--save-stub" in words or chance.random() < 0.75:
            words += ["--base-url", f"http://127.0.0.1:{port}{chance.choice(['', '', '/api/', '/é'])}"]
        else:
            words.append(f"--stub={endpoint}={variant}" if variant and chance.random() < 0.8 else "--stub")
        words += ["--timeout", chance.choice(["1s", "500ms", "500ms", "0.2"])] if chance.random() < 0.97 else []
    if chance.random() < 0.03:
        words.insert(chance.randrange(len(words) + 1), chance.choice(NASTY_TEXTS).replace("\x00", ""))
    if chance.random() < 0.03:
        words += chance.choice(chance.choice(OPTIONS[chance.choice(COMMANDS)])).split(" ")
    return words


def limit_memory():
    # Well above what is allowed, so that a leak ends as a failed allocation and not in swap.
    resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def problem_of(words, status, seconds, megabytes, output, errors):
    if os.WIFSIGNALED(status):
        return f"signal {signal.Signals(os.WTERMSIG(status)).name}"
    if os.waitstatus_to_exitcode(status) not in STATUSES:
        return f"status {os.waitstatus_to_exitcode(status)}"
    if seconds > MOST_SECONDS:
        return f"{seconds:.1f} s"
    if megabytes > MOST_MEGABYTES:
        return f"{megabytes} MB"
    for word in CRASH_WORDS:
        if word in errors:
            return f"stderr has {word.decode()}"
    # What "send" prints may be the body of a response, which is passed on as it is.
    if "--reveal" not in words and SECRET.encode() in (errors if "send" in words[:2] else output + errors):
        return "a secret in the output"
    # A response with 4xx or 5xx speaks for itself, even when it is empty.
    if not output.strip() and not errors.strip() and os.waitstatus_to_exitcode(status) not in (0, 1, 4, 5):
        return f"status {os.waitstatus_to_exitcode(status)}, and nothing was said"
    if "--json" in words[1:] and output and not is_json(output):
        return "no JSON, but --json"
    return None


def is_json(output):
    try:
        json.loads(output, parse_int=str)
    except RecursionError:
        pass
    except ValueError:
        return False
    return True


def table(statuses):
    """How often each command ended with each status; -1 is a signal."""
    codes = sorted({code for _, code in statuses})
    yield "".join(["command     "] + [f"{code:8}" for code in codes])
    for command in [*OPTIONS, "other", "all"]:
        counts = [sum(statuses[name, code] for name in [*OPTIONS, "other"] if command in (name, "all")) for code in codes]
        yield "".join([f"{command:12}"] + [f"{count:8}" for count in counts])


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
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "STAGING_TOKEN": SECRET, "TOKEN": "t0ken", "STAGE": "bin",
                   "COLUMNS": "80", "SWIFT_BACKTRACE": "enable=no"}
    failures, count, most, statuses = 0, 0, (0, 0), collections.Counter()
    samples.write_good(folder / "good", samples.good)
    if subprocess.run([program, "-C", folder / "good", "validate"], env=environment, stderr=subprocess.DEVNULL).returncode:
        sys.exit("the workspace is broken before it is damaged")
    ids = ["orders.list"] * 12 + ["orders.get"] * 4 + ["nothing"]
    ids += [name for name in sorted(samples.endpoints) for _ in range(1 if "-sample" in name else 3)]
    end = time.monotonic() + options.seconds
    try:
        while time.monotonic() < end and (options.runs is None or count < options.runs):
            number = options.run if options.run is not None else count
            chance = random.Random(f"{options.seed}/{number}")
            shutil.rmtree(folder)
            (folder / "home").mkdir(parents=True)
            workspace = folder / "workspace"
            endpoint = chance.choice(ids)
            samples.write(workspace, chance, endpoint)
            shutil.copy(workspace / "netrc", folder / "home/.netrc")
            server.begin(number)
            words = arguments(chance, server.port, samples, endpoint)
            with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as errors, open(workspace / "body", "rb") as body:
                start = time.monotonic()
                try:
                    child = subprocess.Popen([program, *words], cwd=workspace, env=environment, stdin=body,
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
            statuses[next((word for word in words[:2] if word in OPTIONS), "other"), code] += 1
            output, errors = (folder / "stdout").read_bytes(), (folder / "stderr").read_bytes()
            problem = problem_of(words, status, seconds, megabytes, output, errors)
            if not problem and any(folder.rglob("*.reqcli.part")):
                problem = "an unfinished file is left"
            if problem:
                failures += 1
                kept = options.keep / f"{options.seed}-{number}"
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(folder, kept, symlinks=True)
                (kept / "command").write_text(json.dumps(words) + "\n")
                print(f"run {number}: {problem}: reqcli {' '.join(words)[:400]!r}")
                print(f"  kept in {kept}; again: --seed {options.seed} --run {number}", flush=True)
            if options.run is not None:
                sys.stdout.buffer.write(output)
                sys.stderr.buffer.write(errors)
                break
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(*table(statuses), sep="\n")
    print(f"{count} runs, at most {most[0]:.2f} s and {most[1]} MB")
    print(f"{count - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
