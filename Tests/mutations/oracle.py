#!/usr/bin/env python3
"""Runs `check --mutate` on random suites, and compares the survivors with those of an oracle: it makes the mutants itself, and knows
what each condition of the suite accepts.

usage: Tests/mutations/oracle.py PROGRAM [SUITES] [--seed N]
"""
import argparse, copy, json, os, pathlib, random, subprocess, sys, tempfile

parser = argparse.ArgumentParser()
parser.add_argument("program", type=pathlib.Path)
parser.add_argument("suites", type=int, nargs="?", default=200)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
PROGRAM = str(options.program.resolve())
GONE = object()


def value(rng, depth):
    kind = rng.choice(["int", "float", "text", "bool", "null", "list", "object"] if depth else ["int", "float", "text", "bool", "null"])
    if kind == "int": return rng.choice([0, 1, -3, 17, 1000])
    if kind == "float": return rng.choice([0.5, -2.25, 19.75])
    if kind == "text": return rng.choice(["", "a", "EUR", "äö"])
    if kind == "bool": return rng.random() < 0.5
    if kind == "null": return None
    if kind == "list": return [value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return {name: value(rng, depth - 1) for name in rng.sample("abcdef", rng.randint(0, 3))}


def number(x): return int(x) if float(x).is_integer() else float(x)


def mutants(node, path=(), member=False):
    """The changes as (subject, words, path, other)."""
    subject = "$" + "".join("[*]" if isinstance(step, int) else f".{step}" for step in path)
    if member: yield subject, "removed", path, GONE
    if path and node is not None: yield subject, "null", path, None
    if node is None: yield subject, "a string in place of null", path, "x"
    elif isinstance(node, bool):
        yield subject, f"{str(node).lower()} → {str(not node).lower()}", path, not node
        yield subject, "a string", path, str(node).lower()
    elif isinstance(node, (int, float)):
        yield subject, "+ 1", path, number(node + 1)
        yield subject, "- 1", path, number(node - 1)
        if node: yield subject, "× -1", path, number(-node)
        yield subject, "a string", path, json.dumps(node)
    elif isinstance(node, str):
        if node: yield subject, "emptied", path, ""
        yield subject, "changed", path, node + "x"
        yield subject, "a number", path, 7
    elif isinstance(node, list):
        if node:
            yield subject, "emptied", path, []
            yield subject, "doubled", path, node + node
        if json.dumps(node[::-1]) != json.dumps(node): yield subject, "reordered", path, node[::-1]
        yield subject, "an object", path, {}
        for index in sorted({0, len(node) - 1}):
            if 0 <= index < len(node): yield from mutants(node[index], path + (index,))
    else:
        yield subject, "an unknown member added", path, {**node, "x-unknown": True}
        if path: yield subject, "a list", path, [node]
        for name in node: yield from mutants(node[name], path + (name,), True)


def replaced(root, path, other):
    if not path: return other
    root = copy.deepcopy(root)
    node = root
    for step in path[:-1]: node = node[step]
    if other is GONE: del node[path[-1]]
    else: node[path[-1]] = other
    return root


def places(node, path=()):
    yield path
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else []
    for step, child in children: yield from places(child, path + (step,))


def at(node, path):
    for step in path:
        if isinstance(step, int):
            if not isinstance(node, list) or step >= len(node): return GONE
        elif not isinstance(node, dict) or step not in node: return GONE
        node = node[step]
    return node


def same(one, other):
    if isinstance(one, bool) or isinstance(other, bool): return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)): return one == other
    if type(one) is not type(other): return False
    if isinstance(one, list): return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict): return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    return one == other


def type_of(node):
    if node is None: return "null"
    if isinstance(node, bool): return "boolean"
    if isinstance(node, str): return "string"
    if isinstance(node, list): return "array"
    if isinstance(node, dict): return "object"
    return "number"


def suite(rng):
    body = {name: value(rng, 2) for name in rng.sample("abcdefg", rng.randint(1, 4))}
    conditions = []
    for path in rng.sample(list(places(body)), min(len(list(places(body))), rng.randint(0, 6))):
        node = at(body, path)
        text = "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
        kind = rng.choice(["equals", "type", "exists"])
        operand = node if kind == "equals" else type_of(node) if kind == "type" else True
        if not any(text == other[0] for other in conditions): conditions.append((text, path, kind, operand))
    status = rng.choice([None, 200]) if conditions else 200
    header = rng.choice([None, "equals", "exists"])
    return body, conditions, status, header


def accepts(conditions, body):
    for _, path, kind, operand in conditions:
        node = at(body, path)
        if node is GONE: return False
        if kind == "equals" and not same(node, operand): return False
        if kind == "type" and type_of(node) != operand: return False
    return True


def expected(body, conditions, status, header):
    survivors = set()
    if status is None: survivors.add(("status", "200 → 201"))
    for subject, words, path, other in mutants(body):
        if accepts(conditions, replaced(body, path, other)): survivors.add((subject, words))
    for name in ["X-A", "Content-Type"]:
        for change in ["removed", "emptied"]:
            isSeen = name == "X-A" and (header == "equals" or header == "exists" and change == "removed")
            if not isSeen: survivors.add((f"header {name}", change))
    survivors.add(("header Content-Type", "another type"))
    if not conditions: survivors |= {("body", "emptied"), ("body", "cut in half")}
    return survivors


def run(folder, report):
    return subprocess.run([PROGRAM, "check", "--mutate", "--report", f"json={report}"], cwd=folder, capture_output=True, text=True,
                          env={"PATH": os.environ["PATH"], "HOME": folder}, stdin=subprocess.DEVNULL, timeout=120)


failures, made, killed = [], 0, 0
for number_of_suite in range(options.suites):
    rng = random.Random(f"{options.seed}-{number_of_suite}")
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "endpoints").mkdir(); (place / "environments").mkdir()
        (place / "environments/development.json").write_text('{"baseURL": "http://127.0.0.1:1"}')
        suites = {f"e{index}": suite(rng) for index in range(rng.randint(1, 3))}
        for name, (body, conditions, status, header) in suites.items():
            expect = {"json": {text: {kind: operand} for text, _, kind, operand in conditions}}
            if status: expect["status"] = status
            if header: expect["headers"] = {"X-A": {"equals": "1"} if header == "equals" else {"exists": True}}
            (place / f"endpoints/{name}.json").write_text(json.dumps(
                {"path": "/" + name, "expect": expect, "stubs": {"variants": {"standard": {"json": body, "headers": {"X-A": "1"}}}}}))
        first, second = run(folder, "one.json"), run(folder, "two.json")
        try: report = json.loads((place / "one.json").read_text())
        except (OSError, ValueError):
            failures.append(f"{number_of_suite}: {first.stderr or first.stdout}")
            continue
        if first.stdout != second.stdout or (place / "one.json").read_text() != (place / "two.json").read_text():
            failures.append(f"{number_of_suite}: another result in the second run")
        made, killed = made + report["mutants"], killed + report["killed"]
        for endpoint in report["endpoints"]:
            found = {(each["subject"], each["change"]) for each in endpoint["cases"][0]["survivors"]}
            wanted = expected(*suites[endpoint["id"]])
            if found != wanted:
                failures.append(f"{number_of_suite} {endpoint['id']}: too many {sorted(found - wanted)[:5]}, missing {sorted(wanted - found)[:5]}"
                                f" of {json.dumps(suites[endpoint['id']][0])} {suites[endpoint['id']][1:]}")
for failure in failures[:15]: print("not ok -", failure)
print(f"{options.suites} suites, {made} mutants, {killed} killed, {len(failures)} failures")
sys.exit(1 if failures or not made else 0)
