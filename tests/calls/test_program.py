#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The C program that the fuzzer prints of a whole random program compiles without a warning and finds
nothing wrong, as the random program does.

Usage: test_program.py OSHRUN CALLS EPOCHS SEED...
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import job
import layouts

HANG = 60 # seconds of an epoch


def main():
    oshrun, calls, epochs, *seeds = sys.argv[1:]
    bad = 0
    with tempfile.TemporaryDirectory(prefix="ringbell-program-") as folder:
        for seed in seeds:
            program = job.Program(oshrun, calls, layouts.LAYOUTS["block"], int(seed))
            path = os.path.join(folder, f"seed{seed}.c")
            with open(path, "w", encoding="utf-8") as f:
                f.write(program.source(int(epochs), HANG))
            status, output = program.run_source(path, HANG, [])
            print(("ok" if status == 0 else "not ok") + f" - seed {seed}", flush=True)
            bad += status != 0
            if status != 0:
                print(output[:4000])
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
