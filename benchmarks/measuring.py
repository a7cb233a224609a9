"""Runs two commands in turn and tells what each took."""

import os
import statistics
import subprocess
from dataclasses import dataclass, field
from pathlib import Path


class BenchmarkProblem(Exception):
    """Something that keeps a row from being measured."""


class MissingProgram(BenchmarkProblem):
    """A program that a row needs and that isn't installed."""

    def __init__(self, name, source):
        super().__init__(f"{name} is missing; it comes with {source}")
        self.name = name


@dataclass(frozen=True)
class Command:
    """One side of a row: a command, and what its output goes to."""

    words: list
    folder: Path = Path("/")
    #: "nowhere", or "pipe" for another process that reads all of it.
    output: str = "nowhere"
    #: A file that the command leaves; removed before each run, so that every run does the same.
    leaves: Path | None = None
    #: How many things the command does; the figures are for one of them.
    count: int = 1


@dataclass(frozen=True)
class Pair:
    """What is measured in turn: ours, and what it is held against."""

    ours: Command
    other: Command
    runs: int
    #: Whether the row is about the processor time.
    by_cpu: bool = False


@dataclass
class Figures:
    """What the runs of one side took."""

    seconds: float
    cpu_seconds: float
    peak_kib: int


@dataclass
class Launcher:
    """Starts commands in an environment that no setting of the user's reaches."""

    program: Path
    scratch: Path
    environment: dict = field(default_factory=dict)

    def measure(self, pair):
        """Ours, the other, ours, the other …: what disturbs the machine for a while disturbs both."""
        if not isinstance(pair, Pair):
            return pair.measure()
        runs = {"ours": [], "other": []}
        for number in range(pair.runs + 1):
            for side, command in (("ours", pair.ours), ("other", pair.other)):
                run = self.run(command)
                if number > 0:  # The first has warmed the caches.
                    runs[side].append(run)
        return [
            self._figures(runs[side], command.count, pair.by_cpu)
            for side, command in (("ours", pair.ours), ("other", pair.other))
        ]

    def run(self, command):
        """Runs a command to its end: seconds, CPU seconds, peak memory. One that fails would mean nothing."""
        if command.leaves and command.leaves.exists():
            command.leaves.unlink()
        result, errors = self.scratch / "result", self.scratch / "errors"
        words = [str(word) for word in [self.program, result, *command.words]]
        with open(errors, "w+") as error_file, self._output(command) as output:
            status = subprocess.run(
                words, cwd=command.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=error_file).returncode
        if status != 0:
            raise BenchmarkProblem(f"{words[2]} can't be started: {errors.read_text().strip()}")
        nanoseconds, peak, microseconds, status = (int(word) for word in result.read_text().split())
        if status != 0:
            raise BenchmarkProblem(f"{' '.join(words[2:])}: status {status}\n{errors.read_text().strip()}")
        return nanoseconds / 1e9, microseconds / 1e6, peak

    @staticmethod
    def _figures(runs, count, by_cpu):
        seconds, cpu_seconds, peaks = zip(*runs)
        each = statistics.median(cpu_seconds) / count
        return Figures(each if by_cpu else statistics.median(seconds) / count, each, max(peaks))

    @staticmethod
    def _output(command):
        return _Reader() if command.output == "pipe" else open(os.devnull, "w")


class _Reader:
    """A pipe with a process at its other end."""

    def __enter__(self):
        self.process = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        return self.process.stdin

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
