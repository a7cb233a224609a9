#!/usr/bin/env python3
"""Prints the names of the data that a program touched, from what valgrind's lackey wrote about it.

usage: scripts/touched-data.py BINARY TRACE"""

import bisect
import subprocess
import sys

# Data, read-only data, and what begins as zero; not code, which callgrind tells of.
KINDS = set("bBdDrRvV")


def symbols(binary):
    """Addresses and names, in the order of the addresses."""
    listing = subprocess.run(["nm", "--defined-only", "-n", binary], capture_output=True, text=True, check=True).stdout
    rows = [line.split(" ", 2) for line in listing.splitlines()]
    return [(int(address, 16), kind, name) for address, kind, name in rows]


def touched(trace):
    """Each address once, to the word, in which something was read or written."""
    words = set()
    with open(trace, errors="replace") as lines:
        for line in lines:
            if line[:3] in (" L ", " S ", " M "):
                words.add(int(line[3:].partition(",")[0], 16) & ~7)
    return words


def main(binary, trace):
    table = symbols(binary)
    addresses = [address for address, _, _ in table]
    names = set()
    for word in touched(trace):
        index = bisect.bisect_right(addresses, word + 7) - 1
        if index >= 0 and word < addresses[-1] + 4096 and table[index][1] in KINDS:
            names.add(table[index][2])
    print("\n".join(sorted(names)))


main(*sys.argv[1:])
