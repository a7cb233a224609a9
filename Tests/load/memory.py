#!/usr/bin/env python3
"""Watches the memory of a long load: 1,000 requests a second of ten actions, at `reqcli serve` with a delay of 2 ms.

The memory after one minute must stay below 64 MB, and must not grow by more than 1 MB after that.

usage: memory.py PROGRAM [--minutes N] [--rate N]
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
parser.add_argument("--minutes", type=float, default=60)
parser.add_argument("--rate", type=int, default=1000, help="requests a second")
options = parser.parse_args()

ACTIONS = 10
MINUTE = 60
MOST, GROWTH = 64 * 1024, 1024


def memory(process):
    """The resident memory of a process in KB; None if it has ended."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except FileNotFoundError:
        return None
    lines = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(lines[0].split()[1]) if lines else None


with tempfile.TemporaryDirectory(prefix="reqcli-load-") as folder:
    root = pathlib.Path(folder)
    for name in ("endpoints", "environments", "loads"):
        (root / name).mkdir()
    endpoints = {
        f"action{number}": {
            "path": f"/action/{number}", "expect": {"status": 200, "json": {"$.id": number}},
            "stubs": {"variants": {"default": {"json": {"id": number}, "delay": "2ms"}}}}
        for number in range(ACTIONS)}
    (root / "endpoints/it.json").write_text(json.dumps({"endpoints": endpoints}))
    (root / "environments/development.json").write_text('{"baseURL": "http://127.0.0.1:1"}')
    (root / "loads/ten.json").write_text(json.dumps({
        "mix": [{"endpoint": f"it.{name}", "weight": 1} for name in endpoints],
        "stages": [{"rate": f"{options.rate}/s", "for": f"{round(options.minutes * MINUTE)}s"}]}))
    environment = {"HOME": folder, "PATH": os.environ["PATH"]}
    server = subprocess.Popen(
        [options.program, "serve", "--port", "0"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    address = server.stdout.readline().split()[0]
    load = subprocess.Popen(
        [options.program, "load", "ten", "--base-url", address, "--report", "json=report.json"], cwd=root, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, env=environment)
    begin, minutes, highest = time.monotonic(), [], 0
    while load.poll() is None:
        time.sleep(0.5)
        found = memory(load)
        if found is None:
            continue
        highest = max(highest, found)
        if time.monotonic() - begin >= MINUTE * (len(minutes) + 1):
            minutes.append(found)
            print(f"{len(minutes)} min: {found} KB", flush=True)
    text = load.stdout.read()
    server.terminate()
    server.wait()
    print(text)
    growth = highest - minutes[0] if minutes else 0
    print(f"most: {highest} KB; after the first minute {growth} KB more")
    if load.returncode != 0:
        sys.exit(f"memory.py: the load ended with {load.returncode}")
    if highest > MOST or growth > GROWTH:
        sys.exit(f"memory.py: found {highest} KB, {growth} KB of them after the first minute; expected at most {MOST} and {GROWTH}")
