#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Every call of the library that may get no memory, refused one after the other.

The job ends with its result, or with a status below 128 and a line of its cause. Nothing crashes or
hangs, and the line is about memory. Usage: test_refused.py BUILD
"""
import os
import re
import subprocess
import sys
import unittest

BUILD = os.path.abspath(sys.argv.pop(1))
LIMIT = 100 # seconds of a job, on a busy machine
MOST = {"malloc": 30, "calloc": 40, "realloc": 6, "mmap": 70, "ftruncate": 6, "pthread_create": 8}
REFUSED = re.compile(r"oshrun: fault: (\w+) (\d+) is refused\n")


class Refused(unittest.TestCase):
    def one(self, call, n):
        """@return whether the program makes so many of these calls"""
        env = {**os.environ, "LD_PRELOAD": os.path.join(BUILD, "tests", "faults", "librefuse.so"),
               "REFUSE": f"1:{call}:{n}", "SHMEM_SYMMETRIC_SIZE": "16M"}
        job = subprocess.run([os.path.join(BUILD, "apps", "oshrun"), "--hosts", "2", "--timeout",
                              str(LIMIT - 10), os.path.join(BUILD, "tests", "calls", "calls"), "-s", "5",
                              "-e", "1", "-a", "60"], env=env, stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.STDOUT, timeout=LIMIT, check=False)
        if not REFUSED.search(job.stdout):
            self.assertEqual(job.returncode, 0, job.stdout)
            return False
        self.assertLess(job.returncode, 124, job.stdout)
        rest = REFUSED.sub("", job.stdout)
        self.assertTrue(rest.strip(), f"{call} {n}: no reason")
        if job.returncode == 0:
            self.assertIn(", ok\n", rest)
        self.assertNotIn("does not answer", rest, f"{call} {n}")
        return True

    def test_all(self):
        for call, most in MOST.items():
            seen = 0
            for n in range(1, most + 1):
                with self.subTest(call=call, n=n):
                    if not self.one(call, n):
                        break
                    seen += 1
            print(f"{call}: {seen} refused", flush=True)
            self.assertGreater(seen, 0, call)


if __name__ == "__main__":
    unittest.main(verbosity=2)
