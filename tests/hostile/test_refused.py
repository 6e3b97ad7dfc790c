#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Memory refused at one call after the other: of the library, of DPDK and of the C library.

Usage: test_refused.py OSHRUN HOSTILE REFUSE any|place STEP [FIRST]: calls FIRST, FIRST + STEP, ... of some PEs
of each layout; FIRST is drawn where it is not given. refuse.c says what "any" and "place" are."""
import collections
import random
import re
import sys

import cells

ALL = 1000000
PES = {"one host": (0,), "ring of 2": (1,), "ring of 3": (0, 1)}  # leads, and one that is none
# status, refused call, and whose: a fault of others, which is printed
KNOWN = {(139, "calloc", "librte_common_mlx5"): "DPDK's mlx5 unregisters at exit what it could not register"}
NOTE = re.compile(r"^oshrun: fault: .*\n|^refuse: .*\n", re.M)


def run_call(oshrun, program, library, calls, layout, pe, number):
    status, said, right, wrong = cells.run(oshrun, layout, [program, "nothing", "0"],
                                           {"LD_PRELOAD": library, "REFUSE": f"{pe}:{calls}:{number}"})
    words = NOTE.sub("", said)
    call = re.search(r"fault: (\w+) \d+ is refused to (\w*)", said)
    known = KNOWN.get((status, *call.groups())) if call else None
    if known:
        return known, said
    if wrong:
        return wrong, said
    if status == 0:
        return "works" if right else "status 0", said
    if status == 134 and "PANIC in " in words:
        return "panics with words", said
    if status >= 128 or not words:
        return f"status {status}", said
    return "ends with a line", said


def main():
    *job, step, first = sys.argv[1:] if len(sys.argv) > 6 else [*sys.argv[1:], 0]
    step = int(step)
    start = int(first) or random.randrange(1, step + 1)
    cases = []
    for layout, pe in ((layout, pe) for layout, pes in PES.items() for pe in pes):
        said = run_call(*job, layout, pe, ALL)[1]
        calls = int(re.search(r"refuse: (\d+) calls", said)[1])
        print(f"{layout}, PE {pe}: {calls} calls, every {step}th from {start} on")
        cases += [(layout, pe, n) for n in range(start, calls + 1, step)]
    counts = collections.defaultdict(collections.Counter)
    for case, (kind, said) in cells.each(lambda *case: run_call(*job, *case), cases):
        if kind not in ("works", "ends with a line", "panics with words", *KNOWN.values()):
            print(f"{case[0]}, PE {case[1]}, call {case[2]}: {kind}\n{said}", end="", flush=True)
            kind = "wrong"
        counts[case[:2]][kind] += 1
    for (layout, pe), count in counts.items():
        print(f"{layout}, PE {pe}: {dict(count)}")
    return any(count["wrong"] for count in counts.values())


if __name__ == "__main__":
    sys.exit(main())
