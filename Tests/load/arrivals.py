#!/usr/bin/env python3
"""Measures on the server how late the requests of a load arrive, compared with its schedule. The machine must be idle.

Half of 5,000 requests a second must be at most 0.2 ms late, and 99 of 100 at most 2 ms.

usage: arrivals.py PROGRAM [--rate N] [--seconds N]
"""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
parser.add_argument("--rate", type=int, default=5000, help="requests a second")
parser.add_argument("--seconds", type=int, default=10)
options = parser.parse_args()

with tempfile.TemporaryDirectory(prefix="reqcli-load-") as folder:
    root = pathlib.Path(folder)
    for name in ("endpoints", "environments"):
        (root / name).mkdir()
    subprocess.run(["clang", "-O2", "-o", str(root / "server"), str(pathlib.Path(__file__).with_name("arrivals.c"))], check=True)
    server = subprocess.Popen([str(root / "server"), str(root / "times")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    port = server.stdout.readline().strip()
    (root / "endpoints/it.json").write_text('{"path": "/it", "expect": {"status": 200}}')
    (root / "environments/development.json").write_text(json.dumps({"baseURL": f"http://127.0.0.1:{port}"}))
    start = int(time.time()) + 3
    at = datetime.datetime.fromtimestamp(start, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    load = subprocess.run(
        [options.program, "load", "it", "--rate", f"{options.rate}/s", "--for", f"{options.seconds}s", "--shard", "1/1", "--start-at", at,
         "--seed", "1"],
        cwd=root, capture_output=True, text=True, env={"HOME": folder, "PATH": os.environ["PATH"]})
    server.communicate()
    # A load begins with one request of each action, to see whether it is answered as expected.
    times = sorted(int(line) for line in (root / "times").read_text().split())[1:]

count = options.rate * options.seconds
if load.returncode != 0 or len(times) != count:
    sys.exit(f"{len(times)} of {count} requests arrived, exit status {load.returncode}\n{load.stdout}{load.stderr}")
late = sorted((time - start * 10**9) / 1e6 - index * 1000 / options.rate for index, time in enumerate(times))
p50, p99 = (late[int(count * part)] for part in (0.5, 0.99))
print(f"{options.rate}/s seen by the server: {late[0]:.3f} ms after the schedule at least, p50 {p50:.3f}, p99 {p99:.3f}, at most {late[-1]:.3f}")
if late[0] < 0:
    sys.exit("a request arrived before its time")
if p50 > 0.2 or p99 > 2:
    sys.exit("too late: p50 must be at most 0.2 ms, p99 at most 2 ms")
