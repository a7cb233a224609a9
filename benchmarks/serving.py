"""Measures `reqcli serve` beside nginx: rates, processor time, memory and the start."""

import json
import os
import resource
import socket
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from measuring import BenchmarkProblem, Figures

PATIENCE = 60
TICK = os.sysconf("SC_CLK_TCK")

#: The response in most rows: 45 bytes.
BODY = {"id": 7, "name": "Ada", "email": "ada@b.invalid"}
TEXT = json.dumps(BODY, separators=(",", ":"))


@dataclass(frozen=True)
class Served:
    """What is measured in turn of two servers: ours, and the one it is held against."""

    ours: Callable
    other: Callable
    #: From a running server to its figures.
    figures: Callable
    runs: int = 5

    def measure(self):
        """Ours, the other, ours, the other …, with both running all the time."""
        with self.ours() as ours, self.other() as other:
            found = {ours: [], other: []}
            for number in range(self.runs + 1):
                for server in (ours, other):
                    figures = self.figures(server)
                    if number > 0:  # The first has warmed the caches.
                        found[server].append(figures)
            return median(found[ours]), median(found[other])


@dataclass(frozen=True)
class Started:
    """Runs of which each starts its own servers, one after the other."""

    ours: Callable
    other: Callable
    figures: Callable
    runs: int = 5

    def measure(self):
        found = [], []
        for _ in range(self.runs):
            for start, list in zip((self.ours, self.other), found):
                begin = time.perf_counter()
                with start() as server:
                    list.append(self.figures(server, time.perf_counter() - begin))
        return median(found[0]), median(found[1])


@dataclass(frozen=True)
class Beside:
    """Commands that are measured in turn while one server runs."""

    start: Callable
    #: From a running server to the commands.
    pair: Callable
    launcher: object

    def measure(self):
        with self.start() as server:
            return self.launcher.measure(self.pair(server))


def median(figures):
    return Figures(
        statistics.median(each.seconds for each in figures), statistics.median(each.cpu_seconds for each in figures),
        max(each.peak_kib for each in figures))


class Running:
    """A server that answers on a port of this machine."""

    def __init__(self, pid, port):
        self.pid, self.port = pid, port

    @property
    def times(self):
        """Seconds of the processor: all, and those outside of the kernel."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        user, system = int(fields[11]) / TICK, int(fields[12]) / TICK
        return user + system, user

    def memory(self, name="VmRSS"):
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1])
        raise BenchmarkProblem(f"the process {self.pid} has no {name}")

    def forget_peak(self):
        Path(f"/proc/{self.pid}/clear_refs").write_text("5")

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection


class ServeProcess(Running):
    """`reqcli serve`, until the end of the `with`. Its log goes nowhere, or into a file."""

    def __init__(self, program, folder, *options, log=None):
        self.words = [str(program), "serve", "--port", "0", "--until-eof", *options]
        self.folder, self.log = folder, log

    def __enter__(self):
        self.log_file = open(self.log or os.devnull, "w")
        self.process = subprocess.Popen(
            self.words, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log_file)
        line = self.process.stdout.readline().decode()
        if not line.startswith("http://"):
            raise BenchmarkProblem(f"reqcli serve doesn't start in {self.folder}: {line}")
        super().__init__(self.process.pid, int(line.rpartition(":")[2]))
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log_file.close()


class NginxProcess(Running):
    """nginx with one worker, which answers with the same bytes, and with the large file below /large."""

    def __init__(self, nginx, folder, pages, port):
        self.nginx, self.folder, self.pages, self.wanted_port = nginx, folder, pages, port

    def __enter__(self):
        self.folder.mkdir(exist_ok=True)
        temporary = "\n".join(
            f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = self.folder / "nginx.conf"
        configuration.write_text(f"""
            {"user root;" if os.geteuid() == 0 else ""}
            worker_processes 1; daemon off; pid {self.folder}/pid; error_log {self.folder}/error.log;
            events {{ worker_connections 16000; }}
            http {{
                access_log off; sendfile on; keepalive_requests 100000000; client_max_body_size 0; {temporary}
                default_type application/json;
                server {{
                    listen 127.0.0.1:{self.wanted_port} backlog=4096;
                    location / {{ return 200 '{TEXT}'; }}
                    location = /large {{ root {self.pages}; }}
                }}
            }}""")
        self.process = subprocess.Popen([self.nginx, "-c", configuration, "-e", self.folder / "error.log"])
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            with socket.socket() as connection:
                if children and connection.connect_ex(("127.0.0.1", self.wanted_port)) == 0:
                    super().__init__(int(children[0]), self.wanted_port)
                    return self
            time.sleep(0.02)
        raise BenchmarkProblem("nginx doesn't answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


# Figures


def rate(wrk, connections, seconds=2, path="/user/7", script=None, user_alone=False, latency=False):
    """The time that a request takes at this many connections, and its processor time."""
    def figures(server):
        words = [wrk, "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30"]
        if script:
            words += ["-s", script]
        before = server.times
        told = subprocess.run(
            [*words, f"http://127.0.0.1:{server.port}{path}"], capture_output=True, text=True, timeout=PATIENCE + seconds)
        after = server.times
        lines = told.stdout.splitlines()
        count = next((int(line.split()[0]) for line in lines if " requests in " in line), 0)
        taken = next((float(line.split()[1]) for line in lines if line.startswith("Requests/sec:")), 0)
        wrong = [line.strip() for line in lines if "Non-2xx" in line or "Socket errors" in line]
        if not count or not taken or wrong:
            raise BenchmarkProblem(f"wrk: {'; '.join(wrong) or told.stderr.strip() or 'no request'}")
        cpu = (after[1] - before[1] if user_alone else after[0] - before[0]) / count
        return Figures(1 / taken, cpu, server.memory())

    return figures


def by_cpu(figures):
    """The processor time in place of the time."""
    def changed(server):
        found = figures(server)
        return Figures(found.cpu_seconds, found.cpu_seconds, found.peak_kib)

    return changed


def file_time(size):
    """The time in which the large file comes, and the largest memory meanwhile beyond that before it."""
    def figures(server):
        server.forget_peak()
        memory = server.memory()
        with server.connect() as connection:
            begin = time.perf_counter()
            connection.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            buffer, count = bytearray(1 << 20), 0
            while got := connection.recv_into(buffer):
                count += got
            seconds = time.perf_counter() - begin
        if not size < count < size + 1000:
            raise BenchmarkProblem(f"{count} bytes came of {size}")
        return Figures(seconds, 0, max(0, server.memory("VmHWM") - memory))

    return figures


def idle_memory(count):
    """The memory of one idle connection, in KiB, as the figure of the row."""
    def figures(server):
        # The first connections make what all of them share.
        for connection in opened(server, 200, REQUEST):
            connection.close()
        time.sleep(0.2)
        before = server.memory()
        connections = opened(server, count, REQUEST)
        for connection in connections:
            connection.recv(1000)
        each = (server.memory() - before) / count
        for connection in connections:
            connection.close()
        return Figures(max(0.001, each), 0, server.memory())

    return figures


REQUEST = b"GET /user/7 HTTP/1.1\r\nHost: localhost\r\n\r\n"


def opened(server, count, bytes):
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    connections = []
    for _ in range(count):
        connection = server.connect()
        connection.sendall(bytes)
        connections.append(connection)
    return connections


def beside_many(idle, slow, seconds=6):
    """The time that 99 of 100 requests take at most, while other connections are idle, and others send a line now and then."""
    def figures(server):
        crowd = opened(server, idle, REQUEST)
        slow_ones = opened(server, slow, b"GET /user/7 HTTP/1.1\r\nHost: localhost\r\n")
        times = []
        with server.connect() as probe:  # With a limit of time.
            end = next_line = time.monotonic()
            end += seconds
            while time.monotonic() < end:
                if time.monotonic() >= next_line:
                    next_line += 1
                    for connection in slow_ones:
                        connection.send(b"A: b\r\n")
                begin = time.perf_counter()
                probe.sendall(REQUEST)
                if not probe.recv(1000).startswith(b"HTTP/1.1 200 "):
                    raise BenchmarkProblem("a request beside slow ones wasn't answered")
                times.append(time.perf_counter() - begin)
        for connection in crowd + slow_ones:
            connection.close()
        return Figures(sorted(times)[len(times) * 99 // 100], 0, server.memory())

    return figures


def start_time(server, seconds):
    return Figures(seconds, sum(server.times[:1]), server.memory())
