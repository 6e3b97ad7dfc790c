#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What is printed while a PE starts comes out, and the EAL prints nothing.

Usage: test_words.py OSHRUN PROGRAM
"""
import collections
import os
import re
import subprocess
import sys
import unittest

OSHRUN = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
LIMIT = 60  # seconds for anything, on a busy machine


def run(*args):
    env = {k: v for k, v in os.environ.items() if not k.startswith("RINGBELL_")}
    env.update(SHMEM_SYMMETRIC_SIZE="16M", RINGBELL_STATIC="copy")  # threads before shmem_init
    return subprocess.run([OSHRUN, "--timeout", str(LIMIT), *args], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=2 * LIMIT, check=False, env=env)


class Words(unittest.TestCase):
    def whole(self, text, *more):
        # a note of oshrun comes where this machine is so busy that a PE starts seconds after another
        lines = [s for s in text.splitlines() if not s.startswith("ringbell: static data: ")
                 and "in shmem_init for PE" not in s]
        counts = [tuple(map(int, m.groups())) for m in
                  (re.fullmatch(r"(\d+) of the thread, (\d+) of children", s) for s in lines) if m]
        self.assertEqual(len(counts), 2, text[-400:])
        want = collections.Counter({"thread": sum(c[0] for c in counts),
                                    "child": sum(c[1] for c in counts)})
        want.update(f"{c[0]} of the thread, {c[1]} of children" for c in counts)
        want.update(more)
        self.assertEqual(collections.Counter(lines), want)

    def test_of_threads_and_children(self):
        for more in ((), ("--eal", "--log-level=lib.eal:info"), ("--telemetry",),
                     ("--eal", "--log-level=1")):
            r = run("--hosts", "2", *more, PROGRAM)
            self.assertEqual(r.returncode, 0, r.stderr)
            self.whole(r.stdout, "before", "before")
            self.whole(r.stderr)


class WrongSettings(unittest.TestCase):
    def test_lcores_of_scratchpad(self):
        r = run("--hosts", "2", "--notify", "scratchpad", "-x", "RINGBELL_LCORES=2", PROGRAM)
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertIn("RINGBELL_LCORES=2: RINGBELL_NOTIFY=scratchpad", r.stderr)


class WrongArguments(unittest.TestCase):
    """A line that gives the cause, and where DPDK prints its usage, also that."""

    def refused(self, eal, *words):
        r = run("--hosts", "2", "--eal", eal, PROGRAM)
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertRegex(r.stderr, r"(?m)^oshrun: PE [01]: shmem_init_thread: .*EAL.*: ")
        for word in words:
            self.assertIn(word, r.stderr)

    def test_each_kind(self):
        self.refused("--no-such-option", "no-such-option")
        self.refused("--proc-type=nonsense", "process type")
        self.refused("--help", "--help")
        self.refused("-d /no/such/driver.so", "/no/such/driver.so")


if __name__ == "__main__":
    unittest.main()
