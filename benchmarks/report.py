"""The results as a table and as JSON."""

import json
import os
import platform
import re
import subprocess

from measuring import BenchmarkProblem

COLUMNS = ("", "row", "what", "reqcli", "other", "beside", "ratio", "limit", "memory", "limit", "other's")


class Result:
    """A row with its figures, held against its limits."""

    def __init__(self, row, ours, other):
        self.row, self.ours, self.other = row, ours, other
        limit = row.limit
        self.is_speed = limit.speed_at_least is not None
        self.ratio = other.seconds / ours.seconds if self.is_speed else ours.seconds / other.seconds
        self.is_fast_enough = (
            self.ratio >= limit.speed_at_least if self.is_speed
            else limit.time_at_most is None or self.ratio <= limit.time_at_most) and (
                limit.at_most is None or ours.seconds <= limit.at_most)
        self.is_small_enough = limit.megabytes is None or ours.peak_kib <= limit.megabytes << 10

    @property
    def is_kept(self):
        return self.is_fast_enough and self.is_small_enough

    @property
    def mark(self):
        if self.row.limit == type(self.row.limit)():
            return "    "
        return "pass" if self.is_kept else "MISS"

    def cells(self):
        limit = self.row.limit
        ratio_limit = (
            f"≥ {limit.speed_at_least:.2f}" if self.is_speed
            else f"≤ {self.shown(limit.at_most)}" if limit.at_most is not None
            else "" if limit.time_at_most is None else f"≤ {limit.time_at_most:.2f}")
        return (
            self.mark, self.row.name, self.row.title, self.shown(self.ours.seconds), self.shown(self.other.seconds),
            self.row.beside, f"{self.ratio:.2f}", ratio_limit, _memory(self.ours.peak_kib),
            "" if limit.megabytes is None else f"≤ {limit.megabytes} MB", _memory(self.other.peak_kib))

    def shown(self, figure):
        return f"{figure:.2f} {self.row.unit}" if self.row.unit else _time(figure)

    def json(self):
        return {
            "name": self.row.name,
            "what": self.row.title,
            "beside": self.row.beside,
            "ours": self._figures(self.ours),
            "other": self._figures(self.other),
            "ratioOf": "speed" if self.is_speed else "time",
            "ratio": round(self.ratio, 3),
            "limits": {
                key: value for key, value in vars(self.row.limit).items() if value is not None},
            "isKept": self.is_kept,
        }


    def _figures(self, figures):
        if self.row.unit:
            return {self.row.unit: round(figures.seconds, 3), "peakKiB": figures.peak_kib}
        return _figures(figures)


class Table:
    """Prints a line as soon as it is known."""

    def __init__(self, rows):
        self.widths = [
            4, max(len(row.name) for row in rows), max(len(row.title) for row in rows), 8, 8,
            max(len(row.beside) for row in rows), 5, 9, 6, 7, 7]
        self._line(COLUMNS)

    def add(self, result):
        self._line(result.cells())

    def _line(self, cells):
        leading = {3, 4, 6, 8, 10}
        print("  ".join(
            cell.rjust(width) if place in leading else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(cells, self.widths))).rstrip(), flush=True)


def write_json(path, results, scene):
    document = {
        "format": "reqcli.bench",
        "version": 1,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "tools": {name: _version(scene, name, *words) for name, *words in _VERSIONS},
        "rows": [result.json() for result in results],
    }
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


_VERSIONS = (("curl", "--version"), ("http", "--version"), ("jq", "--version"), ("nginx", "-v"), ("wrk", "-v"))


def _version(scene, name, *words):
    try:
        told = subprocess.run([scene.path(name), *words], capture_output=True, text=True)
    except BenchmarkProblem:
        return None
    number = re.search(r"\d+(\.\d+)+", told.stdout + told.stderr)
    return number.group() if number else None


def _figures(figures):
    return {
        "milliseconds": round(figures.seconds * 1000, 4),
        "cpuMilliseconds": round(figures.cpu_seconds * 1000, 4),
        "peakKiB": figures.peak_kib,
    }


def _time(seconds):
    if seconds >= 1:
        return f"{seconds:.2f} s"
    milliseconds = seconds * 1000
    if milliseconds >= 100:
        return f"{milliseconds:.0f} ms"
    return f"{milliseconds:.2f} ms" if milliseconds >= 0.1 else f"{milliseconds * 1000:.1f} µs"


def _memory(kib):
    return f"{kib / 1024:.0f} MB"
