#!/usr/bin/env python3
"""Checks that the targets stand on the floors that contributing/layout.md draws, and that each import goes down, or sideways as drawn.

In the drawing, "A < B" means: B imports A, which stands on the same floor. A floor may import every floor below it, but each target
only what Package.swift gives it, or what its dependencies import.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
IMPORT = re.compile(r"^\s*(?:@\w+(?:\(\w*\))? )*(?:(?:public|package|internal|private|fileprivate) )?import (?:\w+ )?(\w+)", re.M)


def drawing():
    """The floors from the top down, each with its targets and with the pairs (importer, imported) on the same floor."""
    text = (ROOT / "contributing/layout.md").read_text()
    floors = {}
    for line in re.search(r"^```\n(Program .*?)^```", text, re.M | re.S)[1].splitlines():
        floor, chains = line.split(maxsplit=1)
        targets, pairs = set(), set()
        for chain in chains.split(" · "):
            links = [set(link.split(", ")) for link in chain.strip().split(" < ")]
            targets.update(*links)
            pairs.update((upper, lower) for low, up in zip(links, links[1:]) for upper in up for lower in low)
        floors[floor] = (targets, pairs)
    return floors


def main():
    floors = drawing()
    rank = {floor: height for height, floor in enumerate(reversed(floors))}
    description = subprocess.run(
        ["swift", "package", "describe", "--type", "json"], cwd=ROOT, capture_output=True, text=True, check=True)
    targets = {target["name"]: target for target in json.loads(description.stdout)["targets"]}
    below = {name: set(target.get("target_dependencies", [])) for name, target in targets.items()}

    def reached(name):
        """The target's dependencies, with their own."""
        found, left = set(), list(below[name])
        while left:
            dependency = left.pop()
            if dependency not in found:
                found.add(dependency)
                left += below[dependency]
        return found

    def place(name):
        """The folder, the floor and the name in the drawing; no floor for what supports the tests."""
        parts = pathlib.PurePath(targets[name]["path"]).parts
        return parts[0], parts[1] if parts[1] in floors else None, parts[-1]

    problems, sideways = [], {floor: set() for floor in floors}
    for name in targets:
        root, floor, folder = place(name)
        if root == "Sources" and (floor is None or folder not in floors[floor][0]):
            problems.append(f"{name}: the drawing in contributing/layout.md has no {folder} on the floor {floor}")
            continue
        for dependency in below[name]:
            other_root, other, other_folder = place(dependency)
            if root == "Sources" and other_root == "Tests":
                problems.append(f"{name} imports {dependency}, which only tests may import")
            elif root == "Sources" and other == floor:
                sideways[floor].add((folder, other_folder))
        allowed = reached(name) | {name}
        for file in sorted((ROOT / targets[name]["path"]).rglob("*.swift")):
            for module in IMPORT.findall(file.read_text()):
                if module not in targets:
                    continue
                other = place(module)[1]
                if floor and other and rank[other] > rank[floor]:
                    problems.append(f"{file.relative_to(ROOT)} ({floor}) imports {module} ({other}), which stands above it")
                elif module not in allowed:
                    problems.append(f"{file.relative_to(ROOT)} imports {module}; Package.swift doesn't give it to {name}")
    for floor, (drawn, pairs) in floors.items():
        found = {place(name)[2] for name in targets if place(name)[:2] == ("Sources", floor)}
        problems += [f"the drawing has {name} on the floor {floor}; there is no such target" for name in sorted(drawn - found)]
        problems += [f"the drawing lacks {low} < {up} on the floor {floor}" for up, low in sorted(sideways[floor] - pairs)]
        problems += [f"the drawing has {low} < {up}, which Package.swift hasn't" for up, low in sorted(pairs - sideways[floor])]
    for problem in problems:
        print(f"floors: {problem}", file=sys.stderr)
    if problems:
        sys.exit(1)


if __name__ == "__main__":
    main()
