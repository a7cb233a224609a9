#!/usr/bin/env python3
"""Runs an exported load test: a master and two workers on loopback against a small server.

The server keeps each request as it came. They have to be those that `reqcli render --format http` prints, but for the order of headers
and the codings that Locust can decode; every planted failure has to be counted, and the weights have to hold.
"""

import argparse
import csv
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

from load_server import ENDPOINTS, FAILING, Server, Workspace, differences


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
        workspace = Workspace(arguments.program, folder, server.server_port)
        variables = workspace.variables
        workspace.reqcli("export", "locust", "--weight", "shop.often=30", "--weight", "shop.rare=10", "-o", "locustfile.py")
        expected = workspace.requests()

        port = free_port()
        locust = [str(pathlib.Path(sys.executable).parent / "locust")]
        master = subprocess.Popen(
            locust + ["-f", "locustfile.py", "--master", "--master-bind-host", "127.0.0.1", "--master-bind-port", str(port), "--headless",
                      "--expect-workers", "2", "-u", "8", "-r", "8", "-t", f"{arguments.seconds}s", "--csv", "result", "--exit-code-on-error", "1"],
            cwd=folder, env={key: value for key, value in variables.items() if key != "LOAD_KEY"}, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        wait_for(port)
        workers = []
        for number in range(2):
            # A worker keeps the master's file as TMPDIR/locustfile.py: two workers with one TMPDIR read each other's half-written file.
            elsewhere = folder / f"worker-{number}"
            elsewhere.mkdir()
            workers.append(subprocess.Popen(
                locust + ["-f", "-", "--worker", "--master-host", "127.0.0.1", "--master-port", str(port)], cwd=elsewhere,
                env={**variables, "TMPDIR": str(elsewhere)}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
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

    problems += differences(server, expected)
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
