"""`reqcli serve` on a free port, with a workspace of its own, and sockets that call it."""

import json
import os
import re
import select
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PATIENCE = 60


class Server:
    """The program, until the end of the `with`. Its standard input is a pipe, whose end is the program's end."""

    def __init__(self, program, endpoints, *options, files=None, reads_log=True):
        self.program, self.options = Path(program).resolve(), options
        self.folder = tempfile.TemporaryDirectory(prefix="reqcli-serve-")
        root = Path(self.folder.name)
        for name in ("endpoints", "environments", "stubs"):
            (root / name).mkdir()
        (root / "environments/development.json").write_text('{"baseURL": "http://localhost:8080"}')
        (root / "endpoints/it.json").write_text(json.dumps({"endpoints": endpoints}))
        for name, size in (files or {}).items():
            with open(root / "stubs" / name, "wb") as file:
                file.truncate(size)
        self.reads_log = reads_log

    def __enter__(self):
        log = open(os.devnull, "w") if self.reads_log else subprocess.PIPE
        self.process = subprocess.Popen(
            [self.program, "serve", "--port", "0", "--json", "--until-eof", *self.options], cwd=self.folder.name,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        line = self.process.stdout.readline()
        ready = json.loads(line)
        self.port, self.token = ready["port"], ready.get("token")
        if self.reads_log:
            # The log of requests comes with --json on standard output, too.
            self.drain = subprocess.Popen(["cat"], stdin=self.process.stdout, stdout=subprocess.DEVNULL)
        return self

    def end(self, seconds=PATIENCE):
        """Closes standard input. Whether the program has ended within this time."""
        self.process.stdin.close()
        try:
            return self.process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return False

    def __exit__(self, *_):
        has_ended = self.process.poll() is not None or self.end()
        self.process.stdout.close()
        if self.process.stderr:
            self.process.stderr.close()
        if self.reads_log:
            self.drain.wait(PATIENCE)
        self.folder.cleanup()
        if not has_ended:
            raise AssertionError("the server doesn't end")

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    # What the system says of the process

    def status(self, name):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1])
        raise KeyError(name)

    @property
    def memory(self):
        """Resident memory in KiB."""
        return self.status("VmRSS")

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def wait_for_descriptors(self, count):
        """The number of descriptors once it is no more than `count`, or after a while."""
        end = time.monotonic() + PATIENCE
        while self.descriptors > count and time.monotonic() < end:
            time.sleep(0.02)
        return self.descriptors


def get(path, *headers):
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)\r\n")


def response(connection, head_alone=False):
    """The status and the body of one response that states its length."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += more(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    length = LENGTH.search(head + b"\r\n")
    length = int(length[1]) if length and not head_alone else 0
    parts = [body]
    missing = length - len(body)
    while missing > 0:
        parts.append(more(connection))
        missing -= len(parts[-1])
    return int(STATUS.match(head)[1]), b"".join(parts)


def more(connection):
    received = connection.recv(1 << 18)
    if not received:
        raise EOFError("the server has closed the connection")
    return received


def ask(connection, request):
    connection.sendall(request)
    return response(connection)


def is_readable(connection):
    return bool(select.select([connection], [], [], 0)[0])
