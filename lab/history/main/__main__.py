# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The command line of ringbell-history."""
import argparse
import sys

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
    parser.add_argument("--version", action="version", version=f"ringbell-history (Ringbell) {VERSION}")
    options = parser.parse_args(args)
    word.Step.stores = options.stores
    return judge.check(read.load(options.folder)).write()


try:
    sys.exit(main(sys.argv[1:]))
except read.Bad as e:
    print(f"ringbell-history: {e}", file=sys.stderr)
    sys.exit(2)
except KeyboardInterrupt:
    sys.exit(130)
