#!/usr/bin/env python3
"""Whether memory stays flat over 1 GiB of events and over 1,000 pages, whether a body that is too large to be checked takes little more
memory than the limit, and how soon an event is printed after it came.

usage: streams.py PROGRAM [MEBIBYTES]"""

import http.server
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

#: How many megabytes a long stream may take beyond a short one.
MOST_GROWTH = 8
#: How many times the limit of --max-body a body may take that is larger.
MOST_ROOM = 1.5
#: The median of the times in seconds from the server's write to the printed event.
MOST_DELAY = 0.010
EVENT = b"id: 7\ndata: " + json.dumps({"n": 1, "text": "a" * 200}).encode() + b"\n\n"
LINE = json.dumps({"n": 1, "text": "a" * 200}).encode() + b"\n"
PAGE = json.dumps([{"id": number, "text": "a" * 200} for number in range(100)]).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        kind, _, number = self.path.strip("/").partition("/")
        getattr(self, kind)(int(number))

    def head(self, type, *headers):
        self.send_response(200)
        self.send_header("Content-Type", type)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def repeat(self, type, unit, mebibytes):
        self.close_connection = True
        self.head(type, ("Connection", "close"))
        block = unit * ((1 << 20) // len(unit))
        for _ in range(mebibytes):
            self.wfile.write(block)

    def events(self, mebibytes):
        self.repeat("text/event-stream", EVENT, mebibytes)

    def lines(self, mebibytes):
        self.repeat("application/x-ndjson", LINE, mebibytes)

    def text(self, mebibytes):
        try:
            self.repeat("text/plain", b"a", mebibytes)
        except OSError:
            pass  # Who checks a body reads no further than the limit.

    def ticks(self, count):
        """Events that say when they were written."""
        self.close_connection = True
        self.head("text/event-stream", ("Connection", "close"))
        for _ in range(count):
            time.sleep(0.02)
            self.wfile.write(b"data: %d\n\n" % time.monotonic_ns())

    def pages(self, left):
        headers = [("Content-Length", str(len(PAGE)))]
        if left > 1:
            headers.append(("Link", f'</pages/{left - 1}>; rel="next"'))
        self.head("application/json", *headers)
        self.wfile.write(PAGE)


def peak(words, folder, environment, expected=0):
    """The largest memory of one run in megabytes, and its seconds."""
    start = time.monotonic()
    with open(os.devnull, "w") as nothing:
        process = subprocess.Popen(words, cwd=folder, env=environment, stdout=nothing)
        _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != expected:
        sys.exit(f"{' '.join(words)}: status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss / 1024, time.monotonic() - start


def room_of_large_body(program, base, folder, environment):
    """How many times the limit of 64 MiB a larger body takes that is checked."""
    for name, content in (
        ("reqcli.json", {}),
        ("endpoints/text.json", {"path": "text/{{size}}", "params": {"size": {"type": "integer"}}, "checks": [
            {"name": str(size), "with": {"size": size}, "expect": {"body": {"contains": "a"}}} for size in (1, 80)]}),
        ("environments/development.json", {"baseURL": base}),
    ):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            json.dump(content, file)
    words = [program, "check", "--max-body", "64M"]
    small, _ = peak([*words, "text/1"], folder, environment)
    large, _ = peak([*words, "text/80"], folder, environment, expected=1)
    return (large - small) / 64


def delays(words, folder, environment):
    process = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.PIPE)
    return [
        (time.monotonic_ns() - int(line.removeprefix(b"data: "))) / 1e9
        for line in process.stdout if line.startswith(b"data: ")
    ]


def main():
    program = os.path.abspath(sys.argv[1])
    mebibytes = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PATH": os.environ["PATH"], "HOME": folder}
        rows = [
            ("events", "events", 16, mebibytes, []),
            ("events as JSON", "events", 16, mebibytes, ["--json"]),
            ("a value of each event", "events", 16, mebibytes, ["--select", "$.n"]),
            ("lines of JSON", "lines", 16, mebibytes, []),
            ("pages", "pages", 16, 1000, ["--paginate"]),
        ]
        for name, path, few, many, options in rows:
            small, _ = peak([program, "send", f"{base}/{path}/{few}", *options], folder, environment)
            large, seconds = peak([program, "send", f"{base}/{path}/{many}", *options], folder, environment)
            isFlat = large - small <= MOST_GROWTH
            failed |= not isFlat
            print(f"{name:22} {small:5.0f} MB for {few}, {large:5.0f} MB for {many} in {seconds:.1f} s"
                  + ("" if isFlat else f": more than {MOST_GROWTH} MB of growth"))
        room = room_of_large_body(program, base, folder, environment)
        isBounded = room <= MOST_ROOM
        failed |= not isBounded
        print(f"a body that is larger than --max-body takes {room:.2f} times as much" + ("" if isBounded else f": more than {MOST_ROOM}"))
        times = delays([program, "send", f"{base}/ticks/200", "--raw"], folder, environment)
        median = statistics.median(times)
        isSoon = len(times) == 200 and median <= MOST_DELAY
        failed |= not isSoon
        print(f"{len(times)} events, each printed after {median * 1000:.2f} ms in the median, {max(times) * 1000:.2f} ms at most"
              + ("" if isSoon else f": expected 200 within {MOST_DELAY * 1000:.0f} ms"))
    sys.exit(failed)


if __name__ == "__main__":
    main()
