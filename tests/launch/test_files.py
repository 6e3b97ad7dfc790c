#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What stands between oshrun and a PE closes oshrun's files, or begins a name space. What programs do to their own
descriptors and rights: tests/hostile.

Usage: test_files.py OSHRUN LAUNCHED
"""
import os
import subprocess
import sys
import unittest

import jobs

OSHRUN, PROGRAM = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
SHAPES = (("-n", "2"), ("--hosts", "2", "-n", "3"))
# so many times one behind the other, with the standard descriptors alone
PYTHON = [sys.executable, "-c", "import subprocess, sys; [subprocess.run(sys.argv[2:], check=True)"
          " for i in range(int(sys.argv[1]))]"]


class Files(jobs.Case):
    def test_closed_before_the_start(self):
        """oshrun gives its files once more: to the PE, not to what comes after it."""
        for shape in SHAPES:
            pes = int(shape[-1])
            self.check([OSHRUN, *shape, *PYTHON, "1", PROGRAM], 0, rf"\A(PE \d of {pes} says .*\n){{{pes}}}\Z")
        status, out, err = self.job(OSHRUN, "-n", "2", *PYTHON, "2", PROGRAM)
        self.assertEqual((status, out.count("of 2 says"), out.count("PE 0 of 1 says")), (0, 2, 2), out + err)

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
