#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A program that fails is shrunk to a few calls, and the C program of them fails in the same way.

Usage: test_shrink.py OSHRUN CALLS_FAULTY FAULT SEED WORD

fault.c stands for a library with a fault: in a put, or in a collective. WORD is in the text of a call
that is to be left.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

MINUTES = "3"
HANG = "6"
FEW = 4 # calls


def check(what, good, output):
    print(("ok" if good else "not ok") + " - " + what, flush=True)
    if not good:
        sys.exit(output)


def main():
    oshrun, calls, fault, seed, word = sys.argv[1:]
    done = subprocess.run(
        [os.path.join(HERE, "fuzz.py"), oshrun, calls, "--layout", "-n 4", "--seed", seed,
         "--epochs", "6", "--hang", HANG, "--shrink", MINUTES],
        env={**os.environ, "CALLS_FAULT": fault}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False)
    output = done.stdout.decode(errors="replace")
    print(output)
    found = re.search(r"shrunk from (\d+) calls to (\d+)", output)
    check("it fails, and is made smaller", done.returncode == 1 and found, output)
    check(f"at most {FEW} calls are left", int(found.group(2)) <= FEW, output)
    check("the call with the fault is one of them", word in output.split(
        found.group(0))[1].split("it ends with")[0], output)


if __name__ == "__main__":
    main()
