#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Programs that close their descriptors, open files and sockets of their own under the numbers, or drop their rights.

Usage: test_files.py OSHRUN FILES
"""
import os
import subprocess
import sys
import unittest

import jobs

OSHRUN, PROGRAM = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
SHAPES = (("-n", "2"), ("--hosts", "2", "-n", "3"))
AFTER = (("close",), ("drop",))  # what the program does after shmem_init


class Files(jobs.Case):
    def run_shapes(self, command):
        for shape in SHAPES:
            pes = int(shape[-1])
            self.check([OSHRUN, *shape, *command], 0, rf"\A(PE of {pes} is right\n){{{pes}}}\Z")

    def test_after_the_start(self):
        """Nothing of the program's is changed, and the job ends well."""
        for deeds in AFTER:
            self.run_shapes([PROGRAM, "/", *deeds])

    def test_before_the_start(self):
        """oshrun gives its files once more: to the PE, not to what comes after it."""
        python = [sys.executable, "-c", "import subprocess, sys; [subprocess.run(sys.argv[2:], check=True)"
                  " for i in range(int(sys.argv[1]))]"]
        self.run_shapes([PROGRAM, "close"])
        self.run_shapes([*python, "1", PROGRAM])
        self.check([OSHRUN, "-n", "2", *python, "2", PROGRAM], 0,
                   r"\A(PE of 2 is right\n){2}(PE of 1 is right\n){2}\Z")

    def test_left_by_a_shell(self):
        """The PE goes on where what oshrun has started ends well."""
        self.run_shapes(["sh", "-c", f"{PROGRAM} & true"])

    def test_namespaces(self):
        """Process ids are to mean the same to all PEs."""
        unshare = ["unshare", "-pf", "--mount-proc", PROGRAM]
        if subprocess.call([*unshare[:-1], "true"], stderr=subprocess.DEVNULL) != 0:
            self.skipTest("may not make namespaces")
        # the first process of a namespace ignores SIGTERM: both wait for the end of the grace
        for status, out, err in self.run_all([((OSHRUN, *shape, *unshare), None) for shape in SHAPES]):
            self.assertEqual((status, out), (1, ""))
            self.assertRegex(err, r"\A.*another PID or user namespace.*\n\Z")


if __name__ == "__main__":
    unittest.main(verbosity=2)
