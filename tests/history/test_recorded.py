#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Runs of programs are recorded and right, on one host and on two; a number changed in the file of one is found.

Usage: test_recorded.py RINGBELL-HISTORY LIBRARY OSHRUN AMO LOCK SIGNAL WAIT CALLS
"""
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest

import write

HISTORY, LIBRARY, OSHRUN, AMO, LOCK, SIGNAL, WAIT, CALLS = (os.path.abspath(name) for name in sys.argv[1:9])
PROGRAMS = {
    "amo": ([AMO, "-c", "compare_swap"], "atomics"), "lock": ([LOCK, "-c", "test_beside_queue"], "locks"),
    "signal": ([SIGNAL, "-c", "add_from_all"], "signals"), "wait": ([WAIT, "-c", "woken by"], "waits"),
    "calls": ([CALLS, "-s", "1", "-e", "4"], "barriers"),
}
HEADER, ENTRY, T0, T1, RESULT, KIND = 4096, 64, 0, 8, 40, 48


class Recorded(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name + "/run"

    def record(self, program, layout):
        done = subprocess.run([OSHRUN, *layout, "-x", "LD_PRELOAD=" + LIBRARY, "-x", "RINGBELL_HISTORY=" + self.folder,
                               "-x", "SHMEM_SYMMETRIC_SIZE=64M", "--timeout", "60", *program],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=90)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_right(self):
        for layout in (["-n", "4"], ["--hosts", "2", "-n", "4"]):
            for name, (program, kind) in PROGRAMS.items():
                with self.subTest(name, layout=layout):
                    self.folder += "+"
                    self.record(program, layout)
                    status, out = write.check(HISTORY, self.folder)
                    self.assertEqual((status, out.count(": right\n")), (0, 5), out)
                    self.assertGreater(int(re.search(rf"(?m)^{kind} .*: (\d+): right", out)[1]), 10, out)

    def calls(self, pe, kind):
        """Offsets of the calls of a kind in the file of a PE."""
        with open(f"{self.folder}/{pe}.history", "rb") as f:
            whole = f.read()
        number = whole[64:HEADER].split(b"\0")[0].decode().split().index(kind)
        return [at for at in range(HEADER, len(whole), ENTRY) if whole[at + KIND] == number]

    def word(self, pe, at, change=None):
        with open(f"{self.folder}/{pe}.history", "r+b") as f:
            f.seek(at)
            old, = struct.unpack("Q", f.read(8))
            if change is not None:
                f.seek(at)
                f.write(struct.pack("Q", change))
        return old

    def found(self, kind, pe, at, change):
        old = self.word(pe, at, change)
        status, out = write.check(HISTORY, self.folder)
        self.assertEqual(status, 1, out)
        self.assertRegex(out, rf"(?m)^{kind} \(section .*\): \d+: (?!right)")
        self.assertIn(f"\n    PE {pe} thread", out)
        self.word(pe, at, old)

    def test_changed(self):
        self.record(PROGRAMS["amo"][0], ["-n", "4"])
        at = self.calls(1, "_atomic_compare_swap")[50]
        self.found("atomics", 1, at + RESULT, self.word(1, at + RESULT) + 1)
        entered = {self.word(pe, self.calls(pe, "_barrier_all")[0] + T0): pe for pe in range(4)}
        first = entered[min(entered)]
        at = self.calls(first, "_barrier_all")[0]
        self.found("barriers", first, at + T1, self.word(first, at + T0))
        self.assertEqual(write.check(HISTORY, self.folder)[0], 0)

    def test_two_holders(self):
        """One PE keeps the lock until its next turn has begun."""
        self.record(PROGRAMS["lock"][0], ["-n", "4"])
        clears = self.calls(0, "_clear_lock")
        at = clears[5]
        late = self.word(0, clears[-1] + T0)
        self.word(0, at + T1, late + 1)
        self.found("locks", 0, at + T0, late)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
