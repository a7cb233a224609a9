#!/usr/bin/env python3
"""Imports sources of n and of four times n parts, and fails if the larger one takes more than six times as long.

`reqcli import` has to take linear time in the number of parts of a source, whatever these parts are: requests, headers,
variables, conditions. Processor time counts, without that of the program's start. The kinds of sources are the functions of
sources.py.

usage: Tests/import/linear.py REQCLI [--parts N] [KIND ...]     KIND is the beginning of a name, such as postman or curl_headers
"""

import argparse
import concurrent.futures
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

from sources import KINDS, REFUSED

#: How often the time for n parts may be that for four times as many.
MOST = 6
#: Seconds that are not told from noise.
LEAST = 0.1
#: How often a pair is measured at most.
TRIES = 10
#: Seconds of processor time after which a run is stopped.
LIMIT = 30
VARIABLES = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def seconds(program, words, folder, statuses=(0,)):
    """The processor time of a run. Each worker is a process of its own, so that it has no other children meanwhile."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run([program, *words], cwd=folder, env=VARIABLES, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit_time)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if ended.returncode == -signal.SIGKILL:
        return LIMIT
    if ended.returncode not in statuses:
        raise RuntimeError(f"{' '.join(words)} ended with {ended.returncode}: {ended.stderr.decode()[-500:]}")
    return taken


def measure(program, kind, parts):
    """The times for n and for four times n parts. A pair that seems to be too far apart is measured again: what else runs on the
    machine makes single runs slower, a large one more than a small one, and never one faster."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "reqcli.json").write_text("{}")
        format = kind.split("_")[0]
        statuses = (0, 3) if kind in REFUSED else (0,)
        words = []
        for count in (parts, 4 * parts):
            ending = "bru" if format == "bruno" else "yaml" if kind.startswith("postman_v3") else "txt"
            source = folder / f"{count}.{ending}"
            source.write_text(KINDS[kind](count))
            words.append(["import", format, source.name, "--dry-run", "--json"])
        start, whole = float("inf"), [float("inf")] * 2
        for _ in range(TRIES):
            # The least of each: a start that was slow by chance would make the time of a small source too short.
            start = min(start, seconds(program, ["--version"], folder))
            whole = [min(known, seconds(program, each, folder, statuses)) for known, each in zip(whole, words)]
            times = [max(time - start, 0.001) for time in whole]
            if not is_slow(times) or max(times) > LIMIT / 2:
                break
        return times


def is_slow(times):
    return times[1] > LEAST and times[1] > MOST * max(times[0], LEAST / MOST)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", type=os.path.realpath)
    options.add_argument("kinds", nargs="*", metavar="KIND")
    options.add_argument("--parts", type=int, default=2000)
    options = options.parse_intermixed_args()
    kinds = [kind for kind in KINDS if not options.kinds or kind.startswith(tuple(options.kinds))]
    failed = 0
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        results = {kind: pool.submit(measure, options.program, kind, options.parts) for kind in kinds}
        for kind, result in results.items():
            try:
                small, large = result.result()
            except RuntimeError as problem:
                failed += 1
                print(f"FAIL {kind}: {problem}", flush=True)
                continue
            line = f"{kind:30} {small:7.3f} s {large:7.3f} s  × {large / small:4.1f}"
            if is_slow([small, large]):
                failed += 1
                line = f"FAIL {line}: four times as many parts may take at most {MOST} times as long"
            print(line, flush=True)
    print(f"{len(kinds)} kinds of sources, {failed} of them failed")
    return 1 if failed or not kinds else 0


if __name__ == "__main__":
    sys.exit(main())
