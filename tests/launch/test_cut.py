#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A cable breaks while a job runs. The job ends with a reason, and no lost put counts as complete.

Usage: test_cut.py OSHRUN PROGRAM
"""
import os
import re
import subprocess
import sys
import unittest

OSHRUN = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
LIMIT = 60  # seconds for anything, on a busy machine
REASON = re.compile(r"PE \d+: the (left|right) cable of host (\d), to host (\d): (.*); what was "
                    r"under way is lost, so the job ends")


def run(windows, fault, operation, *shape):
    env = {k: v for k, v in os.environ.items() if not k.startswith("RINGBELL_")}
    env.update(SHMEM_SYMMETRIC_SIZE="16M", RINGBELL_WINDOWS=windows)
    return subprocess.run([OSHRUN, "--timeout", str(LIMIT), *shape, PROGRAM, fault, operation],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=2 * LIMIT, check=False,
                          env=env)


class Cut(unittest.TestCase):
    def ends(self, windows, fault, operation, *shape):
        with self.subTest(f"{windows} {fault} {operation} {shape}"):
            r = run(windows, fault, operation, *shape)
            self.assertEqual(r.returncode, 1, r.stderr)
            reason = REASON.search(r.stderr)
            self.assertIsNotNone(reason, r.stderr)
            # port 0 is the left one of host 0
            ends = {("left", "0"), ("right", str(int(shape[1]) - 1))}
            self.assertIn(reason.group(1, 2), ends, r.stderr)
            if windows == "bridge" and operation != "barrier":
                self.assertEqual(r.stdout, "", r.stderr)

    def test_break_of_a_microsecond(self):
        for operation in "quiet", "get", "add", "barrier":
            self.ends("bridge", "fault_retrain", operation, "--hosts", "3")
        self.ends("memory", "fault_retrain", "barrier", "--hosts", "3")

    def test_pulled_cable(self):
        for operation in "quiet", "get", "barrier":
            self.ends("bridge", "fault_cable", operation, "--hosts", "3")
        self.ends("memory", "fault_cable", "barrier", "--hosts", "2")

    def test_several_pes_a_host(self):
        for windows in "bridge", "memory":
            self.ends(windows, "fault_cable", "barrier", "--hosts", "2", "-n", "4")

    def test_nothing_breaks(self):
        for windows in "bridge", "memory":
            for operation in "quiet", "get":
                r = run(windows, "none", operation, "--hosts", "3")
                self.assertEqual((r.returncode, r.stdout), (0, f"{operation} is complete\n"),
                                 r.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
