#!/usr/bin/env python3
"""Compares what `expect.openapi` says about responses with openapi-core.

    Tests/openapi/compare.py [--answers 5000] [--seed 1] [--folder .build/openapi-compare]

First the published examples of OpenAPI 3 must load. Then the verdicts on random responses to random descriptions in
OpenAPI 3.0 and 3.1 must be those of openapi-core. Differences with a known reason (`ARGUED` in `reasons.py`) are counted apart: each is
judged again without its reason, and must be gone then. The status is 1 if any other is left.

Needs `swift build`, or the program as REQCLI=PATH, and pip: openapi-core is installed into the folder. The examples are
looked for below REQCLI_CORPORA, or in ../shared/corpora.
"""

import argparse
import collections
import copy
import json
import os
import random
import subprocess
import sys
from pathlib import Path

from descriptions import METHODS, Descriptions
from judges import ROOT, Reference, judged_by_reqcli
from reasons import explanation

CORPORA = Path(os.environ.get("REQCLI_CORPORA", ROOT.parent / "shared" / "corpora"))
EXAMPLES = CORPORA / "openapi" / "examples"
ANSWERS_EACH = 50


def install(place):
    """Starts again in an environment that has openapi-core."""
    python = place / "venv" / "bin" / "python"
    if Path(sys.prefix) == python.parents[1]:
        return
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "openapi-core==0.23.1"], check=True)
    os.execv(python, [str(python), *sys.argv])


def load_examples():
    """Whether each operation of the published examples can be held against a response."""
    files = sorted(EXAMPLES.glob("v3.*/*.json"))
    if not files:
        print(f"examples: skipped, because there are none in {EXAMPLES}; set REQCLI_CORPORA")
        return True
    loaded = operations = 0
    for file in files:
        description = json.loads(file.read_text())
        paths = description.get("paths", {})
        found = [(path, method) for path, item in paths.items() for method in METHODS if method in item]
        answers = [
            {"method": method.upper(), "path": path.replace("{", "").replace("}", ""), "status": 599, "headers": [], "body": b""}
            for path, method in found
        ]
        none = {"method": "GET", "path": "/none", "status": 200, "headers": [], "body": b""}
        cases, errors = judged_by_reqcli(description, answers or [none])
        if cases and all(cases):
            loaded += 1
            operations += len(found)
        elif not found and "the description has no operations" in errors:
            print(f"examples: {file.name} is read, and refused because it has no operations (webhooks are not checked)")
            loaded += 1
        else:
            print(f"{file}: {errors}")
    print(f"examples: {loaded} of {len(files)} load, {operations} operations")
    return loaded == len(files)


def compare(count, seed, shown):
    generator = random.Random(seed)
    counts, explained, unexplained = collections.Counter(), collections.Counter(), []
    while counts["answers"] < count:
        descriptions = Descriptions(generator)
        description = descriptions.description()
        answers = [descriptions.answer(description) for _ in range(min(ANSWERS_EACH, count - counts["answers"]))]
        reference = Reference(copy.deepcopy(description))
        cases, errors = judged_by_reqcli(description, answers)
        if cases is None:
            print(f"REFUSED: {errors}\n{json.dumps(description)}")
            return False
        for answer, case in zip(answers, cases):
            counts["answers"] += 1
            failures, url = case["failures"], case["request"]["url"]
            if case["verdict"] not in ("passed", "failed"):
                counts["NO VERDICT"] += 1
                unexplained.append((answer, case, "no verdict", description))
                continue
            # A stub has a Content-Type, also where none is stated.
            lines = case["response"]["head"].split("\n")[1:]
            answer["headers"] = [line.split(": ", 1) if ": " in line else [line.rstrip(":"), ""] for line in lines if line]
            theirs = reference.errors(answer, url)
            if bool(failures) == bool(theirs):
                counts["both refuse" if failures else "both accept"] += 1
                continue
            side = "only ours refuses" if failures else "only theirs refuses"
            reason = explanation(description, answer, url, failures)
            if reason:
                explained[f"{side}: {reason}"] += 1
            else:
                counts[f"UNEXPLAINED, {side}"] += 1
                unexplained.append((answer, case, theirs, description))
    print(dict(counts))
    for reason, number in explained.most_common():
        print(f"  {number:5} {reason}")
    for answer, case, theirs, description in unexplained[:shown]:
        print(f"DIFFERS: {description['openapi']} {answer}\n  ours {[(f['subject'], f['expected'], f['actual']) for f in case['failures']]}")
        print(f"  theirs {theirs}\n  places {[f.get('schema', {}).get('absolute') for f in case['failures']]}")
        if os.environ.get("WHOLE"):
            print(json.dumps(description))
    return not unexplained


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--answers", type=int, default=5000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", type=int, default=10, help="how many differences without a reason are shown")
    arguments.add_argument("--folder", type=Path, default=ROOT / ".build" / "openapi-compare")
    options = arguments.parse_args()
    install(options.folder.absolute())
    loads = load_examples()
    agrees = compare(options.answers, options.seed, options.show)
    sys.exit(0 if loads and agrees else 1)


if __name__ == "__main__":
    main()
