#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Each thing that a program may do to itself, in each phase, whose layouts differ. By hand with other turns, a third of
all cells each: over the three turns each phase has each layout.

Usage: test_hostile.py OSHRUN HOSTILE PRELOAD TURNS [ACTION...], where TURNS are some of 0, 1 and 2"""
import collections
import re
import shutil
import subprocess
import sys
import tempfile

import cells

PHASES = ("before", "during", "after")
FILES = "all numbers" # of actions that look whether pages of the heap were given back


def run_cell(oshrun, program, preload, locales, action, phase, layout, pattern):
    """@return kind, and what was said"""
    env = {"LOCPATH": locales, "HOSTILE_PRELOAD": preload,
           "SHMEM_SYMMETRIC_SIZE": "80M" if action.startswith(FILES) else "8M"}
    status, said, right, wrong = cells.run(oshrun, layout, [program, action, str(phase)], env)
    if "cannot do this here" in said:
        return "skipped", said
    if wrong:
        return wrong, said
    says = pattern.removeprefix("says ") if pattern.startswith("says ") else r"\A\Z"
    if not pattern or says in pattern:
        return "works" if status == 0 and right and re.search(says, said) else f"status {status}", said
    lines = [line for line in said.splitlines() if not line.startswith("child ")]
    # one of each PE that comes to it, and oshrun's
    if status == 0 or not re.search(pattern, said) or len(lines) > cells.LAYOUTS[layout][0] + 1:
        return f"status {status}, not as expected: {pattern}", said
    return "ends with a line", said


def main():
    oshrun, program, preload, turns, *names = sys.argv[1:]
    listed = subprocess.run([program, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    layouts = list(cells.LAYOUTS)
    table = [(action, phase, layouts[(row + phase + int(turn)) % len(layouts)], pattern)
             for row, (action, *patterns) in enumerate(line.split("\t") for line in listed.splitlines())
             for turn in turns for phase, pattern in enumerate(patterns)
             if pattern != "-" and (not names or action in names)]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as locales:
        if shutil.which("localedef"):
            subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{locales}/de_DE.UTF-8"], check=False)
        done = cells.each(lambda *cell: run_cell(oshrun, program, preload, locales, *cell), table)
        for (action, phase, layout, _), (kind, said) in done:
            if kind not in ("works", "ends with a line"):
                print(f"{action}, {PHASES[phase]}, {layout}: {kind}\n{said}", end="", flush=True)
                kind = kind if kind == "skipped" else "wrong"
            counts[kind] += 1
    print(f"{len(table)} cells: {dict(counts)}")
    return counts["wrong"] != 0


if __name__ == "__main__":
    sys.exit(main())
