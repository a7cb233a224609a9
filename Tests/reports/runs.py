#!/usr/bin/env python3
"""Writes JSON reports of runs with many cases, with long, hostile and right-to-left names: runs.py FOLDER CASES RUNS"""
import json
import pathlib
import random
import sys

HOSTILE = ["<script>document.title = 'run'</script>", "<img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)", "' style='top:0",
           "</title></style></svg>", "<!-- ", "]]>", "&lt;b&gt;", "javascript:alert(1)", "{{secret.key}}"]
PHASES = ["nameLookup", "connect", "tls", "firstByte", "total"]


def name(number):
    plain = f"shop.orders.item{number}"
    return {0: plain, 1: f"{HOSTILE[number % len(HOSTILE)]} {number}", 2: f"{HOSTILE[number % len(HOSTILE)]}.{number}",
            3: "long" * 45 + str(number), 4: f"العربية/طلبات {number} עברית"}.get(number % 5 if number % 8 else 0)


def case(number, start, generator, day):
    duration = generator.lognormvariate(4, 1.1) + 12
    failed = generator.random() < 0.05 or (number == 2 and day % 2)
    steps = [0.4, 1.2, 9, duration * 0.8, duration] if number % 3 else [0, 0, 0, duration * 0.7, duration]
    failure = {"subject": "status", "expected": "200", "actual": "503", "file": "endpoints/shop.json", "line": 1, "column": 9}
    return {
        "id": name(number), "endpoint": "shop", "number": number + 1, "file": "endpoints/shop.json", "line": 1, "column": 3,
        "verdict": "failed" if failed else "passed", "attempts": 1, "startMs": round(start), "durationMs": round(duration),
        "failures": [failure] if failed else [],
        "request": {"method": "GET", "url": "https://shop.example.com/", "curl": "curl https://shop.example.com/"},
        "response": {"status": 503 if failed else 200, "head": "HTTP 200 OK", "body": "{}", "bodyIsWhole": True, "bodySize": 2,
                     "timings": dict(zip(PHASES, steps))}}


def main():
    folder, cases, runs = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    generator = random.Random(4)
    for day in range(1, runs + 1):
        report = {
            "format": "reqcli.check", "version": 1, "environment": "staging", "commit": f"{day // 2:012x}",
            "startedAt": f"2026-03-{day:02}T08:00:00Z", "durationMs": cases * 30,
            "cases": [case(number, number * 25, generator, day) for number in range(cases)]}
        (folder / f"{day:02}.json").write_text(json.dumps(report))


main()
