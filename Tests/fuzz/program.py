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
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from arguments import OPTIONS, arguments
from samples import Workspace
from server import SECRET, Server

STATUSES = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
#: Of the processor; four times as many may pass on a busy machine, or while the program waits.
MOST_SECONDS = 5
MOST_MEGABYTES = 512
#: Seconds after which a run hangs. A damaged environment may ask for ten attempts, with 10 seconds of waits between them.
MOST_WAITING = 60
#: What no message of the program says.
CRASH_WORDS = (b"Fatal error", b"Stack dump", b"*** Program crashed", b"Backtrace took", b"AddressSanitizer", b" reqcli[")


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
    if words[0] in ("send", "explain", "list", "show", "validate") and "--json" in words and output and not is_json(output):
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
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "REQCLI_HISTORY": "1", "STAGING_TOKEN": SECRET, "TOKEN": "t0ken", "STAGE": "bin",
                   "COLUMNS": "80", "SWIFT_BACKTRACE": "enable=no"}
    failures, count, most, statuses = 0, 0, (0, 0), collections.Counter()
    samples.write_good(folder / "good", samples.good)
    if subprocess.run([program, "-C", folder / "good", "validate"], env=environment, stderr=subprocess.DEVNULL).returncode:
        sys.exit("the workspace is broken before it is damaged")
    ids = ["orders.list"] * 12 + ["orders.get"] * 4 + ["nothing"]
    ids += [name for name in sorted(samples.endpoints) for _ in range(1 if "-sample" in name else 3)]
    end = time.monotonic() + options.seconds
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)
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
                try:
                    child = subprocess.Popen([program, *words], cwd=workspace, env=environment, stdin=body,
                                             stdout=out, stderr=errors, preexec_fn=limit_memory)
                except ValueError:
                    count += 1
                    continue
                timer = threading.Timer(MOST_WAITING, child.kill)
                timer.start()
                _, status, usage = os.wait4(child.pid, 0)
                timer.cancel()
                child.returncode = status
            seconds, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10
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
    except KeyboardInterrupt:
        pass
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(*table(statuses), sep="\n")
    print(f"{count} runs, at most {most[0]:.2f} s of the processor and {most[1]} MB")
    print(f"{count - failures} passed, {failures} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
