#!/usr/bin/env python3
"""Loads against servers that stand still, fail or don't answer, from machines that are stopped, slowed, late or missing: no bad run may
end with status 0, and what is reported must be what has happened.

usage: loads.py PROGRAM [--whole]

With --whole, loads are as long as in the table of the contract; else a few seconds. Parts of a load run in network namespaces if the
user may make them."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

# A shell's background jobs ignore this signal, and so would the programs that are started here.
signal.signal(signal.SIGINT, signal.default_int_handler)
parser = argparse.ArgumentParser()
parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
parser.add_argument("--whole", action="store_true")
options = parser.parse_args()

failures = []


def check(what, holds, found):
    print(f"{'ok  ' if holds else 'FAIL'}  {what}: {found}", flush=True)
    if not holds:
        failures.append(what)


class Server:
    """A server of HTTP/1.1. `respond` gives the delay, the status and the body of the response to the n-th request."""

    def __init__(self, respond=lambda number: (0.002, 200, b"{}"), address="127.0.0.1"):
        self.respond, self.count, self.lock = respond, 0, threading.Lock()
        self.pause_until = 0.0
        self.socket = socket.create_server((address, 0), backlog=4096)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        data = b""
        with connection:
            while True:
                while b"\r\n\r\n" not in data:
                    try:
                        more = connection.recv(65536)
                    except OSError:
                        return
                    if not more:
                        return
                    data += more
                head, data = data.split(b"\r\n\r\n", 1)
                with self.lock:
                    self.count += 1
                    delay, status, body = self.respond(self.count)
                time.sleep(delay)
                pause = self.pause_until - time.monotonic()
                if pause > 0:
                    time.sleep(pause)
                if status is None:
                    return
                try:
                    connection.sendall(
                        b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        % (status, len(body), body))
                except OSError:
                    return

    def stop(self):
        # A thread that waits in accept would otherwise accept one more connection.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def workspace(folder, port, host="127.0.0.1"):
    root = pathlib.Path(folder)
    (root / "endpoints").mkdir(exist_ok=True)
    (root / "environments").mkdir(exist_ok=True)
    (root / "endpoints/thing.json").write_text('{"path": "/thing", "expect": {"status": 200}}')
    (root / "environments/development.json").write_text(json.dumps({"baseURL": f"http://{host}:{port}"}))
    return root


def load(root, *words, before=(), limits=None, during=None):
    """Runs a load. Returns its status and what it wrote."""
    process = subprocess.Popen(
        [*before, options.program, "load", "thing", *words], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, preexec_fn=limits, env={"HOME": str(root), "PATH": os.environ["PATH"]})
    if during:
        during(process)
    text = process.communicate(timeout=300)[0]
    return process.returncode, text


def repeated(run, is_fine, attempts=5):
    """The result of the first run in which this machine was not too busy."""
    for _ in range(attempts):
        result = run()
        if is_fine(result):
            break
    return result


def stall():
    """A server of 2 ms stops for a second: all requests of this second are late, and the percentiles must say so."""
    rate, length = (1000, 10) if options.whole else (200, 5)

    def run():
        with tempfile.TemporaryDirectory() as folder:
            server = Server()
            root = workspace(folder, server.port)

            def pause(_):
                time.sleep(length / 2)
                server.pause_until = time.monotonic() + 1

            status, text = load(
                root, "--rate", f"{rate}/s", "--for", f"{length}s", "--report", "json=load.json", during=pause)
            server.stop()
            return status, text, json.loads((root / "load.json").read_text())

    status, text, report = repeated(run, lambda result: result[0] != 2)
    latencies = report["actions"][0]["latencyUs"]

    def percentile(percent):
        rank, seen = percent / 100 * latencies["count"], 0
        for edge, count in latencies["buckets"]:
            seen += count
            if seen >= rank:
                return min(edge, latencies["max"]) / 1000

    # The share p of all requests is faster than 1 s less the time of the requests above p.
    for percent in (95, 99, 99.9):
        expected = 1000 - (100 - percent) / 100 * length * 1000 + 2
        found = percentile(percent)
        check(f"stall: p{percent}", abs(found - expected) <= max(expected * 0.03, 8), f"{found:.0f} ms, expected {expected:.0f}")
    check("stall: nothing else fails", status == 0, status if status == 0 else text)


def bad_runs():
    """Runs that prove nothing or fail: none may have status 0. Where it is certain, the status is the one given."""
    brief = ["--rate", "100/s", "--for", "4s"]

    def stopped(process):
        time.sleep(1.5)
        process.send_signal(signal.SIGSTOP)
        time.sleep(1)
        process.send_signal(signal.SIGCONT)

    def interrupted(process):
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)

    def dying(server):
        def die(_):
            time.sleep(1.5)
            server.stop()
            server.respond = lambda number: (0, None, b"")
        return die

    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    slow = lambda number: (0 if number == 1 else 30, 200, b"{}")
    runs = {
        "stopped by SIGSTOP": dict(expected=2, during=lambda server: stopped),
        "interrupted": dict(during=lambda server: interrupted),
        "fast 500s": dict(respond=lambda number: (0, 200 if number == 1 else 500, b"{}")),
        "one error": dict(respond=lambda number: (0, 200 if number != 50 else 500, b"{}")),
        "another body": dict(respond=lambda number: (0, 200 if number < 50 else 204, b"")),
        "closed connections": dict(respond=lambda number: (0, 200 if number < 50 else None, b"{}")),
        "a server that dies": dict(during=dying),
        "a dead server": dict(expected=6, dead=True),
        "a broken first response": dict(expected=1, respond=lambda number: (0, 500, b"{}")),
        "few descriptors": dict(respond=slow, limits=few_files, words=["--rate", "200/s", "--for", "2s", "--timeout", "2s"]),
        "few in flight": dict(respond=slow, words=["--rate", "100/s", "--for", "2s", "--in-flight", "20", "--timeout", "2s"]),
        "timeouts": dict(respond=lambda number: (0 if number < 50 else 2, 200, b"{}"), words=[*brief, "--timeout", "1s"]),
        "a threshold": dict(words=[*brief, "--threshold", "p50 < 0.1ms"]),
        "a threshold on an endpoint that isn't called": dict(words=[*brief, "--threshold", "other: p50 < 1s"]),
        "abort": dict(
            respond=lambda number: (0, 200 if number < 20 else 500, b"{}"),
            words=[*brief, "--threshold", "errors < 100 %"]),
        "a shard without a start": dict(expected=2, words=[*brief, "--shard", "1/2", "--seed", "1"]),
        "a late shard": dict(expected=2, words=[*brief, "--shard", "1/2", "--seed", "1", "--start-at", "2020-01-01T00:00:00Z"]),
        "a shard without a seed": dict(words=[*brief, "--shard", "1/2", "--start-at", "2040-01-01T00:00:00Z"]),
        "another machine without consent": dict(expected=8, host="localhost.example"),
        "a report that can't be written": dict(expected=9, words=[*brief, "--report", "json=/nowhere/load.json"]),
    }

    def run(name, expected=None, respond=None, during=None, limits=None, words=None, dead=False, host="127.0.0.1"):
        with tempfile.TemporaryDirectory() as folder:
            server = Server(respond) if respond else Server()
            root = workspace(folder, server.port, host)
            if dead:
                server.stop()
            status, text = load(root, *(words or brief), limits=limits, during=during and during(server))
            if server.socket.fileno() >= 0:
                server.stop()
            return name, expected, status, text

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for name, expected, status, text in pool.map(lambda item: run(item[0], **item[1]), runs.items()):
            is_bad = status not in (0, -6, -11) if expected is None else status == expected
            check(f"bad run: {name}", is_bad, f"status {status}" if is_bad else f"status {status}\n{text}")


def clocks():
    """A part whose machine has a clock that nothing sets warns; a load that is alone doesn't. The kernel's answer is replaced."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        print("      not run: there is no C compiler for a clock that is not synchronized")
        return
    with tempfile.TemporaryDirectory() as folder:
        server = Server()
        root = workspace(folder, server.port)

        def begun(state, *words):
            library = root / f"clock{state}.so"
            source = f"struct timex; int adjtimex(struct timex *t) {{ (void)t; return {state}; }}"
            subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=source, text=True, check=True)
            return load(
                root, "--rate", "20/s", "--for", "1s", "--seed", "1", "--report", "json=clock.json", *words,
                before=["env", f"LD_PRELOAD={library}"])

        def part(state):
            start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(time.time()) + 3))
            return begun(state, "--shard", "1/1", "--start-at", start)

        not_synchronized = 5
        warning = "clock is not synchronized"
        status, text = repeated(lambda: part(not_synchronized), lambda result: result[0] == 0)
        check("clock: a part warns", status == 0 and warning in text, status if status == 0 and warning in text else text)
        check("clock: so does its report", warning in (root / "clock.json").read_text(), (root / "clock.json").read_text()[:300])
        status, text = repeated(lambda: part(0), lambda result: result[0] == 0)
        check("clock: a part with a synchronized clock doesn't", status == 0 and warning not in text, status if status == 0 and warning not in text else text)
        status, text = repeated(lambda: begun(not_synchronized), lambda result: result[0] == 0)
        check("clock: a load without parts doesn't", status == 0 and warning not in text, status if status == 0 and warning not in text else text)
        server.stop()


def namespaces():
    """Whether this user may make network namespaces."""
    return os.geteuid() == 0 and subprocess.run(["ip", "netns", "list"], capture_output=True).returncode == 0


def shards():
    """Three parts, in namespaces of their own where possible: whole; one slowed; one late; one missing."""
    count = 3
    length = 20 if options.whole else 3
    own = namespaces()
    names = [f"reqcli-load-{os.getpid()}-{index}" for index in range(count)]
    sh = lambda command: subprocess.run(command, shell=True, check=True, capture_output=True)
    bridge = f"rql{os.getpid() % 100000}"
    base = f"10.{200 + os.getpid() % 50}.{os.getpid() % 250}"
    try:
        if own:
            try:
                sh(f"ip link add {bridge} type bridge && ip addr add {base}.1/24 dev {bridge} && ip link set {bridge} up")
                for index, name in enumerate(names):
                    sh(f"ip netns add {name} && ip link add {bridge}v{index} type veth peer name eth0 netns {name}")
                    sh(f"ip link set {bridge}v{index} master {bridge} up && ip -n {name} addr add {base}.{index + 2}/24 dev eth0")
                    sh(f"ip -n {name} link set eth0 up && ip -n {name} link set lo up")
            except subprocess.CalledProcessError:
                own = False
        print(f"      the parts run in {'network namespaces of their own' if own else 'one namespace'}")
        host = f"{base}.1" if own else "127.0.0.1"
        with tempfile.TemporaryDirectory() as folder:
            server = Server(address=host)
            root = workspace(folder, server.port, host)

            def parts(prefix, indices=range(count), delays={}, slowed=None):
                second = int(time.time()) + 4
                start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))
                processes = {}
                for index in indices:
                    before = ["ip", "netns", "exec", names[index]] if own else []
                    words = [
                        *before, options.program, "load", "thing", "--yes", "--rate", "30/s", "--for", f"{length}s",
                        "--seed", "1", "--start-at", start, "--shard", f"{index + 1}/{count}", "--threshold", "p50 < 1s",
                        "--report", f"json={prefix}-{index}.json"]
                    delay = delays.get(index, 0)
                    processes[index] = subprocess.Popen(
                        ["sh", "-c", f'sleep {delay}; exec "$@"', "sh", *words], cwd=root, stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL, env={"HOME": str(root), "PATH": os.environ["PATH"]})
                if slowed is not None:
                    time.sleep(second + 1 - time.time())
                    processes[slowed].send_signal(signal.SIGSTOP)
                    time.sleep(0.5)
                    processes[slowed].send_signal(signal.SIGCONT)
                return {index: process.wait(timeout=120) for index, process in processes.items()}

            def merge(prefix):
                files = sorted(path.name for path in root.glob(f"{prefix}-*.json"))
                run = subprocess.run(
                    [options.program, "report", "merge", *files, "--report", f"json={prefix}.json"], cwd=root,
                    capture_output=True, text=True)
                return run.returncode, run.stderr + run.stdout

            def whole():
                for path in root.glob("whole*"):
                    path.unlink()
                return parts("whole"), merge("whole")

            statuses, (status, text) = repeated(whole, lambda result: set(result[0].values()) == {0})
            check("shards: each part ends well", set(statuses.values()) == {0}, statuses)
            check("shards: the whole load passes", status == 0, status if status == 0 else text)
            if status == 0:
                action = json.loads((root / "whole.json").read_text())["actions"][0]
                check("shards: every arrival is in one part", action["arrivals"] == 30 * length, action["arrivals"])
            problems = {
                "missing": (dict(indices=[0, 2]), "missing part: 2/3"),
                "late": (dict(delays={1: 5}), "part 2/3: this part was ready"),
                "slowed": (dict(slowed=1), "part 2/3: "),
            }
            with concurrent.futures.ThreadPoolExecutor(len(problems)) as pool:
                ended = {prefix: pool.submit(parts, prefix, **problem[0]) for prefix, problem in problems.items()}
            for prefix, (_, found) in problems.items():
                status, text = merge(prefix)
                is_seen = status == 2 and found in text
                check(f"shards: with a part that is {prefix}", is_seen, ended[prefix].result() if is_seen else text)
            server.stop()
    finally:
        if own:
            for name in names:
                subprocess.run(["ip", "netns", "del", name], capture_output=True)
            subprocess.run(["ip", "link", "del", bridge], capture_output=True)


for part in (stall, bad_runs, clocks, shards):
    part()
print(f"{len(failures)} failures" if failures else "all as expected")
sys.exit(1 if failures else 0)
