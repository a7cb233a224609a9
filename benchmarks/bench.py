#!/usr/bin/env python3
"""Measures reqcli beside what a user would take instead, in one run. `make bench` builds what it needs and starts it.

contributing/benchmark.md says how to read the table."""

import argparse
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

from measuring import BenchmarkProblem, MissingProgram
from report import Result, Table, write_json
from rows import ROWS
from scene import Scene


def main():
    arguments = parsed_arguments()
    # The scene is cleared away however this ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    rows = [row for row in ROWS if not arguments.only or {row.name, row.group} & set(arguments.only)]
    with Scene() as scene:
        outcome = measure(rows, scene, Table(rows))
        # latest.json keeps what all rows came to: some of them don't replace it.
        if arguments.json or not arguments.only and outcome.is_complete:
            write_json(arguments.json or Path(__file__).parent / "latest.json", outcome.results, scene)
    missed = [result.row.name for result in outcome.results if not result.is_kept]
    print(f"\nmeasured: {len(outcome.results)}, beyond their limit: {', '.join(missed) or 'none'}")
    for line in outcome.complaints:
        print(line, file=sys.stderr)
    # These are measurements and no tests: a limit that is missed on a busy machine is no error.
    return 0 if outcome.is_complete else 1


def measure(rows, scene, table):
    """Measures each row that can be: one that can't is named, and the others are measured all the same."""
    outcome = Outcome()
    for row in rows:
        try:
            ours, other = scene.launcher.measure(row.pair(scene))
        except MissingProgram as program:
            outcome.missing.setdefault(program.name, (program, []))[1].append(row.name)
        except BenchmarkProblem as problem:
            outcome.problems.append(f"{row.name}: {problem}")
        else:
            outcome.results.append(Result(row, ours, other))
            table.add(outcome.results[-1])
    return outcome


@dataclass
class Outcome:
    """What the rows came to."""

    results: list = field(default_factory=list)
    problems: list = field(default_factory=list)
    #: Programs by name, each with the rows that need it.
    missing: dict = field(default_factory=dict)

    @property
    def is_complete(self):
        return not self.problems and not self.missing

    @property
    def complaints(self):
        """A line for each program that is missing, and for each row that failed."""
        for program, rows in self.missing.values():
            yield f"not measured: {program}: {', '.join(rows)}"
        for problem in self.problems:
            yield f"not measured: {problem}"


def parsed_arguments():
    names = [row.name for row in ROWS] + sorted({row.group for row in ROWS if row.group})
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", action="append", metavar="ROW", choices=names,
        help=f"one row alone, or one group; may be repeated: {', '.join(names)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the results (benchmarks/latest.json)")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
