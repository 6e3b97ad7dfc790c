#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Jobs that go on where a host is lost. Usage: test_survive.py OSHRUN PROGRAM EXAMPLE [CASE...]"""
import os
import re
import subprocess
import sys
import unittest

OSHRUN, PROGRAM, EXAMPLE = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
LIMIT = 120  # seconds for anything, on a busy machine
KILLED = 137
LOST = re.compile(r"^oshrun: host (\d+) is lost; the other PEs may go on without it$", re.M)
CALLS = ["barrier", "reduce", "large", "collect", "alltoall", "broadcast", "split", "malloc",
         "atomics", "rma", "ring", "signal", "lock", "posted", "at_once"]


class Survive(unittest.TestCase):
    def run_job(self, *args, options=(), mode="error", **more):
        env = {**os.environ, "SHMEM_SYMMETRIC_SIZE": "16M", **more}
        if mode is not None:
            env["RINGBELL_LOST_HOST"] = mode
        job = subprocess.run([OSHRUN, "--timeout", "90", *options, *map(str, args)], timeout=LIMIT,
                             text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False, env=env)
        self.assertNotIn("BROKEN", job.stdout, job.stdout + job.stderr)
        return job

    def check(self, hosts, pes, dead, what):
        job = self.run_job(PROGRAM, dead, what, options=["--hosts", str(hosts), "-n", str(pes)])
        each = pes // hosts
        left = [pe for pe in range(pes) if pe // each != dead // each]
        said = sorted(job.stdout.splitlines(), key=lambda line: int(line.split()[1]))
        self.assertEqual(said, [f"PE {pe} is {rank} of {len(left)}"
                                for rank, pe in enumerate(left)], job.stdout + job.stderr)
        self.assertEqual(LOST.findall(job.stderr), [str(dead // each)])
        self.assertEqual(job.returncode, 0, job.stderr)

    def test_calls(self):
        """In whatever call the others are; whoever dies: a lead or another PE, and PE 0, too."""
        layouts = [(3, 3, 1), (4, 8, 3), (2, 4, 0), (5, 5, 4), (3, 6, 2)]
        for i, what in enumerate(CALLS):
            hosts, pes, dead = layouts[i % len(layouts)]
            with self.subTest(what=what, hosts=hosts, pes=pes, dead=dead):
                self.check(hosts, pes, dead, what)

    def test_layouts(self):
        for hosts, pes, dead in ((8, 8, 5), (3, 9, 4), (2, 2, 1)):
            with self.subTest(hosts=hosts, pes=pes, dead=dead):
                self.check(hosts, pes, dead, "reduce")

    def test_example(self):
        for fault, left in (("kill host 2 at 0.2s", 3), ("kill PE 0 at 0.1s", 3)):
            job = self.run_job(EXAMPLE, "-r", 200, options=["--hosts", "4", "--fault", fault])
            self.assertEqual(job.returncode, 0, job.stdout + job.stderr)
            self.assertIn(f"{left} of 4 PEs: 200 rounds, verified: yes\n", job.stdout)
            self.assertEqual(len(LOST.findall(job.stderr)), 1)

    def test_nobody_dies(self):
        job = self.run_job(PROGRAM, -1, options=["--hosts", "3"])
        self.assertEqual(job.returncode, 0, job.stderr)
        self.assertEqual(job.stderr, "")
        self.assertEqual(len(job.stdout.splitlines()), 3)

    def test_without_agreement(self):
        """Results of PEs that may not have noticed do not count."""
        job = self.run_job(PROGRAM, 1, "barrier", "ignore", options=["--hosts", "3"])
        self.assertEqual((job.returncode, job.stdout), (KILLED, ""), job.stderr)

    def test_one_leaves(self):
        """No PE waits for one that is in shmem_finalize."""
        job = self.run_job(PROGRAM, 1, "reduce", "leave", options=["--hosts", "4"])
        self.assertEqual(sorted(job.stdout.splitlines()), ["PE 2: no team", "PE 3: no team"],
                         job.stderr)
        self.assertEqual(job.returncode, KILLED)

    def test_two_losses(self):
        job = self.run_job(PROGRAM, 1, "reduce", "twice", options=["--hosts", "3"])
        self.assertEqual(job.returncode, KILLED, job.stderr)
        self.assertEqual(len(job.stdout.splitlines()), 2)
        self.assertRegex(job.stderr, r"PE 0 .* was killed by signal 9")

    def test_default(self):
        """Without the mode the job ends; a single host has nothing to go on with."""
        for mode, hosts, what in ((None, 3, "barrier"), ("end", 3, "barrier"),
                                  ("error", 1, "barrier"), (None, 3, "posted"), (None, 2, "at_once")):
            job = self.run_job(PROGRAM, 1, what, mode=mode,
                               options=["--hosts", str(hosts), "-n", "3"])
            self.assertEqual((job.returncode, job.stdout), (KILLED, ""))
            self.assertEqual(LOST.findall(job.stderr), [])
            self.assertRegex(job.stderr, r"PE 1 .* was killed by signal 9")

    def test_refused(self):
        for more, words in (({"RINGBELL_WINDOWS": "bridge"}, "needs an emulated ring with RINGBELL"),
                            ({"RINGBELL_NOTIFY": "scratchpad"}, "needs the barrier twoway"),
                            ({"RINGBELL_BARRIER": "linear"}, "needs the barrier twoway"),
                            ({"RINGBELL_DMA": "dma_skeleton0"}, "needs no RINGBELL_DMA"),
                            ({"SHMEM_CHECK": "1"}, "does not go with SHMEM_CHECK")):
            job = self.run_job(PROGRAM, -1, options=["--hosts", "3"], **more)
            self.assertNotEqual(job.returncode, 0)
            self.assertIn(f"RINGBELL_LOST_HOST=error {words}", job.stderr)
        job = self.run_job(PROGRAM, -1, options=["--hosts", "3"], mode="errors")
        self.assertIn("RINGBELL_LOST_HOST=errors: want end or error", job.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
