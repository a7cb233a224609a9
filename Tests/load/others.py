#!/usr/bin/env python3
"""reqcli load beside wrk, ab and locust, in one run: the processor time of a request, and what each says about a server that stands still
for a second.

usage: others.py PROGRAM [--seconds N]

Nothing is checked: loads.py checks reqcli. A program that isn't installed is left out. nginx is needed."""

import argparse
import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import socket
import subprocess
import tempfile
import threading
import time

parser = argparse.ArgumentParser()
parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
parser.add_argument("--seconds", type=int, default=10)
options = parser.parse_args()
SECONDS = options.seconds

NGINX = """
worker_processes 1; daemon off; pid nginx.pid; error_log stderr error;
events { worker_connections 1024; }
http { access_log off; keepalive_requests 100000000;
       server { listen 127.0.0.1:PORT; location / { default_type application/json; return 200 '{"id": 1, "name": "Ada"}'; } } }
"""
LOCUST = """
from locust import FastHttpUser, task
class User(FastHttpUser):
    @task
    def thing(self):
        self.client.get("/thing")
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Stalling:
    """A server that answers after 2 ms. It stands still for a second, in the middle of a run."""

    def __init__(self):
        self.pause_until, self.count = 0.0, 0
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection = self.socket.accept()[0]
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection, contextlib.suppress(OSError):
            while connection.recv(65536):
                time.sleep(max(0.002, self.pause_until - time.monotonic()))
                self.count += 1
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}")


def measured(words, folder):
    """The output of a program, and the seconds of processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, env={"HOME": str(folder), "PATH": os.environ["PATH"]})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.stdout + ended.stderr, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def programs(folder, url, seconds):
    """The command of each program for 16 connections, and how to read the number of requests and its p99 in ms."""
    (folder / "locustfile.py").write_text(LOCUST)
    base = url.rsplit("/", 1)[0]

    def reqcli(text):
        action = json.loads((folder / "load.json").read_text())["actions"][0]
        latencies, seen = action["latencyUs"], 0
        for edge, count in latencies["buckets"]:
            seen += count
            if seen >= 0.99 * latencies["count"]:
                return latencies["count"], min(edge, latencies["max"]) / 1000

    def wrk(text):
        value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
        return int(re.search(r"(\d+) requests in", text)[1]), float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]

    def ab(text):
        return int(re.search(r"Complete requests:\s+(\d+)", text)[1]), float(re.search(r"\n\s+99%\s+(\d+)", text)[1])

    def locust(text):
        cells = [line.split() for line in text.splitlines() if "Aggregated" in line]
        # The first table has counts, the last one percentiles; the ninth of these is p99.
        return int(cells[0][1]), float(cells[-1][8])

    return {
        "reqcli load": ([options.program, "load", "thing", *LOADS[seconds], "--report", "json=load.json"], reqcli),
        "wrk": (["wrk", "-t1", "-c16", f"-d{seconds}s", "--latency", url], wrk),
        "ab": (["ab", "-q", "-k", "-c", "16", "-t", str(seconds), "-n", "100000000", url], ab),
        "locust": (
            ["locust", "--headless", "-u", "16", "-r", "16", "-t", f"{seconds}s", "-H", base, "--only-summary", "--loglevel", "ERROR"], locust),
    }


LOADS = {}


def workspace(folder, port):
    for name, text in {
        "endpoints/thing.json": '{"path": "/thing", "expect": {"status": 200}}',
        "environments/development.json": json.dumps({"baseURL": f"http://127.0.0.1:{port}"}),
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder, port = pathlib.Path(name), free_port()
        (folder / "nginx.conf").write_text(NGINX.replace("PORT", str(port)))
        nginx = subprocess.Popen(["nginx", "-p", name, "-c", "nginx.conf"], stderr=subprocess.DEVNULL)
        try:
            while socket.socket().connect_ex(("127.0.0.1", port)):
                time.sleep(0.02)
            workspace(folder, port)
            LOADS[SECONDS] = ["--users", "16", "--for", f"{SECONDS}s", "--threads", "1"]
            print(f"16 connections to nginx for {SECONDS} s, one thread:")
            for program, (words, read) in programs(folder, f"http://127.0.0.1:{port}/thing", SECONDS).items():
                if not shutil.which(words[0]):
                    print(f"  {program:12} is not installed")
                    continue
                text, seconds = measured(words, folder)
                count = read(text)[0]
                print(f"  {program:12} {count:9,} requests {1e6 * seconds / count:8.1f} µs of processor time each", flush=True)
        finally:
            nginx.terminate()
            nginx.wait()

        stalling = Stalling()
        workspace(folder, stalling.port)
        LOADS[SECONDS] = ["--rate", "1000/s", "--for", f"{SECONDS}s"]
        print(f"a server of 2 ms that stands still for 1 s of {SECONDS} s:")
        for program, (words, read) in programs(folder, f"http://127.0.0.1:{stalling.port}/thing", SECONDS).items():
            if not shutil.which(words[0]):
                continue

            def pause():
                first = stalling.count
                while stalling.count == first:
                    time.sleep(0.01)
                time.sleep(SECONDS / 2)
                stalling.pause_until = time.monotonic() + 1

            threading.Thread(target=pause, daemon=True).start()
            text, _ = measured(words, folder)
            count, p99 = read(text)
            print(f"  {program:12} {count:9,} requests, p99 {p99:8.1f} ms", flush=True)


main()
