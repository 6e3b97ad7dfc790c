# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The command line of ringbell-history."""
import argparse
import sys
import time

import judge
import read
import word
from version import VERSION

ABOUT = """\
Was what the calls of an OpenSHMEM program returned possible? Checks a run that libringbell_history.so has
recorded: oshrun -x LD_PRELOAD=libringbell_history.so -x RINGBELL_HISTORY=FOLDER PROGRAM.
"""


def main(args):
    parser = argparse.ArgumentParser(prog="ringbell-history", description=ABOUT)
    parser.add_argument("folder", metavar="FOLDER", help="the histories of all PEs of one run")
    parser.add_argument("--stores", action="store_true", help="the program stores to words itself, between its waits "
                        "for them and without a barrier (since 1.5 the standard leaves that to atomics and signals)")
    parser.add_argument("--time", action="store_true", help="also print how long it took")
    parser.add_argument("--version", action="version", version=f"ringbell-history (Ringbell) {VERSION}")
    options = parser.parse_args(args)
    word.Step.stores = options.stores
    start = time.monotonic()
    run = read.load(options.folder)
    status = judge.check(run).write()
    if options.time:
        took, count = time.monotonic() - start, sum(map(len, run))
        print(f"{count} calls in {took:.2f} s: {count / took:.0f} a second")
    return status


try:
    sys.exit(main(sys.argv[1:]))
except read.Bad as e:
    print(f"ringbell-history: {e}", file=sys.stderr)
    sys.exit(2)
except KeyboardInterrupt:
    sys.exit(130)
