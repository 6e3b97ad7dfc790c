#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What PEs do before a loss ends the job. Usage: test_saves.py OSHRUN PROGRAM"""
import os
import re
import subprocess
import sys
import time
import unittest

OSHRUN = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
LIMIT = 90  # seconds for anything, on a busy machine
SAVES = re.compile(r"^PE (\d+) of (\d+) saves: all, PE (\d+) of host (\d+) is (dead|cut off), "
                   r"status (\d+), (.*)$", re.M)
KILLED = 137


class Saves(unittest.TestCase):
    def run_job(self, *args, options=()):
        env = {**os.environ, "SHMEM_SYMMETRIC_SIZE": "16M"}
        job = subprocess.run([OSHRUN, *options, PROGRAM, *map(str, args)], timeout=LIMIT, text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False, env=env)
        self.assertNotIn("BROKEN", job.stdout)
        return job

    def check(self, job, who, pes, dead):
        """@return what the PEs of @p who have said"""
        said = [m.groups() for m in SAVES.finditer(job.stdout)]
        self.assertEqual(sorted(int(s[0]) for s in said), sorted(who), job.stdout + job.stderr)
        self.assertEqual(len(job.stdout.splitlines()), len(said))
        for s in said:
            self.assertEqual((int(s[1]), s[4]), (pes, dead))
        return said

    def test_all_others_save(self):
        """Whether the PE that dies has the ports of its host or not, or the job is one host."""
        for options, pes, hosts, killed in ((["--hosts", "3"], 3, 3, 1),
                                            (["--hosts", "2", "-n", "6"], 6, 2, 3),
                                            (["--hosts", "3", "-n", "6"], 6, 3, 5),
                                            (["-n", "3"], 3, 1, 0)):
            for how in "", "exit":
                with self.subTest(options=options, killed=killed, how=how):
                    job = self.run_job(killed, how, options=options)
                    self.assertEqual(job.returncode, KILLED, job.stderr)
                    for s in self.check(job, set(range(pes)) - {killed}, pes, "dead"):
                        self.assertEqual((int(s[2]), int(s[3]), int(s[5])),
                                         (killed, killed // (pes // hosts), KILLED))
                        self.assertRegex(s[6], rf"^PE {killed} .* was killed by signal 9")
                    self.assertRegex(job.stderr, rf"PE {killed} .* was killed by signal 9")
                    self.assertEqual(len(job.stderr.splitlines()), 1)

    def test_second_cable(self):
        job = self.run_job(-1, options=["--fault", "cut 0-1 at 0.2s; cut 2-3 at 0.6s", "--survive", "--hosts", "4"])
        self.assertEqual(job.returncode, 1, job.stderr)
        for s in self.check(job, range(4), 4, "cut off"):
            self.assertEqual(s[5], "1")
            self.assertIn(" cable ", s[6])

    def test_who_computes(self):
        """A PE without a call is not waited for longer than it said."""
        job = self.run_job(2, "compute", options=["--hosts", "3"])
        self.assertEqual(job.returncode, KILLED)
        self.check(job, {1}, 3, "dead")

    def test_none(self):
        """Neither without a function, nor where the program ends the job."""
        since = time.monotonic()
        for args, status in (((1, "none"), KILLED), ((-1, "global"), 7)):
            job = self.run_job(*args, options=["--hosts", "3"])
            self.assertEqual((job.returncode, job.stdout), (status, ""))
        self.assertLess(time.monotonic() - since, LIMIT)

    def test_wrong(self):
        job = self.run_job(-1, "wrong", options=["-n", "1"])
        self.assertEqual((job.returncode, job.stdout, job.stderr), (0, "-1 -1 0\n", ""))
        alone = subprocess.run([PROGRAM, "-1", "wrong"], timeout=LIMIT, text=True, check=False,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((alone.returncode, alone.stdout), (0, "-1 -1 0\n"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
