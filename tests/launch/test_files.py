#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Programs that close their descriptors, and open files and sockets of their own under the numbers.

Usage: test_files.py OSHRUN FILES
"""
import os
import sys
import unittest

import jobs

OSHRUN, PROGRAM = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
SHAPES = (("-n", "2"), ("--hosts", "2"), ("--hosts", "2", "-n", "4"))
LINES = r"\A(line \d+\n)+\Z"
AFTER = (  # what the program does after shmem_init
    ("close",),
    ("reuse",),
    ("close", "reuse"),
)


class Files(jobs.Case):
    def run_shapes(self, command, out):
        for shape in SHAPES:
            pes = int(shape[-1])
            self.check([OSHRUN, *shape, *command], 0, out, rf"\A(PE of {pes} is right\n){{{pes}}}\Z",
                       SHMEM_SYMMETRIC_SIZE="256M")

    def test_after_the_start(self):
        """Nothing of the program's is changed, and the job ends well."""
        for deeds in AFTER:
            self.run_shapes([PROGRAM, "/", *deeds], LINES)

    def test_closed_output(self):
        """What the program prints goes nowhere, not into symmetric memory."""
        self.run_shapes(["sh", "-c", f"{PROGRAM} >&-"], r"\A\Z")
        self.run_shapes([PROGRAM, "quiet"], r"\A\Z")


if __name__ == "__main__":
    unittest.main(verbosity=2)
