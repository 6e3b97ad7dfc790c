#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Programs that start the EAL leave nothing in the folder where it keeps its files.

Usage: test_leftovers.py COMMAND...   (each one word for the shell's rules)
"""
import os
import shlex
import subprocess
import sys
import tempfile

LIMIT = 50


def left_by(command):
    with tempfile.TemporaryDirectory(prefix="ringbell-leftovers-") as folder:
        done = subprocess.run(shlex.split(command), env={**os.environ, "RUNTIME_DIRECTORY": folder},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=LIMIT)
        if done.returncode != 0:
            sys.exit(f"{command}: status {done.returncode}\n{done.stdout.decode()}")
        used = os.path.join(folder, "dpdk")
        if not os.path.isdir(used):
            sys.exit(f"{command}: no EAL started below {folder}")
        return os.listdir(used)


def main():
    bad = 0
    for command in sys.argv[1:]:
        left = left_by(command)
        if left:
            print(f"{command} leaves {', '.join(left)}")
        bad += len(left)
    return bad != 0


sys.exit(main())
