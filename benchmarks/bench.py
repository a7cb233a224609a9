#!/usr/bin/env python3
"""Measures reqcli beside what a user would take instead, in one run. `make bench` builds what it needs and starts it.

docs/performance.md says how to read the table."""

import argparse
import signal
import sys
from pathlib import Path

from measuring import BenchmarkProblem
from report import Result, Table, write_json
from rows import ROWS
from scene import Scene


def main():
    arguments = parsed_arguments()
    # The scene is cleared away however this ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    rows = [row for row in ROWS if not arguments.only or row.name in arguments.only]
    results, problems = [], []
    with Scene() as scene:
        table = Table(rows)
        for row in rows:
            try:
                ours, other = scene.launcher.measure(row.pair(scene))
            except BenchmarkProblem as problem:
                problems.append(f"{row.name}: {problem}")
                continue
            results.append(Result(row, ours, other))
            table.add(results[-1])
        # A part of the rows doesn't replace all of them.
        if arguments.json or not arguments.only:
            write_json(arguments.json or Path(__file__).parent / "latest.json", results, scene)
    missed = [result.row.name for result in results if not result.is_kept]
    print(f"\nmeasured: {len(results)}, beyond their limit: {', '.join(missed) or 'none'}")
    for problem in problems:
        print(f"not measured: {problem}", file=sys.stderr)
    # These are measurements and no tests: a limit that is missed on a busy machine is no error.
    return 1 if problems else 0


def parsed_arguments():
    names = [row.name for row in ROWS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", action="append", metavar="ROW", choices=names,
        help=f"one row alone; may be repeated: {', '.join(names)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the results (benchmarks/latest.json)")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
