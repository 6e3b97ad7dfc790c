#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Each room has a budget of lines, as `git ls-files ROOM | xargs cat | wc -l` counts them, and is at most 3 % above
it. CONTRIBUTING.md says how a budget is raised. So that nobody meets one by denser code, functions and lines of the
product are no longer than they were: their median, and the length that nine of ten do not exceed."""
import re
import statistics
import sys

import tree

ROOMS = {  # thousand lines at most
    "runtime": 20.8,
    "shmem": 17.3,
    "drivers": 13.9,
    "apps": 14.4,
    "lab": 14.1,
    "tests": 49.1,
    "Markdown": 5.8,
}
MARGIN = 1.03
PRODUCT = ("runtime/", "drivers/", "shmem/", "apps/", "lab/")
LENGTHS = {"functions": (7, 20), "lines": (32, 84)}  # median, 90th percentile
# a definition by the tree's style: name at the start of a line, brace alone at the start of one
FUNCTION = re.compile(r"^(\w+)\([^;{}]*?\)\n\{\n(.*?)^\}", re.M | re.S)


def rooms_of(name):
    """All of the pages count as Markdown, those of the tests as tests too."""
    top = name.split("/")[0]
    return {top, "Markdown" if name.endswith(".md") else top}


def count_lines():
    lines = dict.fromkeys(ROOMS, 0)
    for name in tree.files(""):
        for room in rooms_of(name) & set(ROOMS):
            with open(f"{tree.TOP}/{name}", "rb") as f:
                lines[room] += f.read().count(b"\n")
    return lines


def check_rooms():
    problems = []
    print(f"{'thousand lines':32}{'budget':>8}{'now':>8}")
    for room, lines in count_lines().items():
        print(f"{room:32}{ROOMS[room]:8.1f}{lines / 1000:8.2f}")
        if lines > ROOMS[room] * 1000 * MARGIN:
            problems.append(f"{room}: {lines} lines, more than 3 % above {ROOMS[room]} thousand")
    return problems


def check_lengths():
    found = {"functions": [], "lines": []}
    for name in tree.files(".c", ".h"):
        if name.startswith(PRODUCT):
            text = tree.read(name)
            found["functions"] += [body.count("\n") for what, body in FUNCTION.findall(text) if not what.isupper()]
            found["lines"] += [len(line.expandtabs(8)) for line in text.splitlines() if line]
    problems = []
    for what, most in LENGTHS.items():
        now = (statistics.median(found[what]), sorted(found[what])[len(found[what]) * 9 // 10])
        print(f"{len(found[what])} {what}: median length {now[0]:g} (at most {most[0]}), "
              f"90th percentile {now[1]} (at most {most[1]})")
        if now[0] > most[0] or now[1] > most[1]:
            problems.append(f"{what} have become longer")
    return problems


def main():
    problems = check_rooms() + check_lengths()
    return tree.verdict(problems, f"{len(ROOMS)} rooms")


sys.exit(main())
