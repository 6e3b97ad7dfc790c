#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What PEs start, what starts PEs, and what is left of jobs that end early.

Usage: test_children.py OSHRUN LAUNCHED
"""
import os
import random
import signal
import sys
import tempfile
import time
import unittest

import jobs

OSHRUN, PROGRAM = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
SHAPES = (("-n", "2"), ("--hosts", "2", "-n", "4"))


class Started(jobs.Case):
    def test_by_a_pe(self):
        """Its place is not inherited, nor are its descriptors."""
        for shape in SHAPES:
            self.check([OSHRUN, *shape, PROGRAM, "run", PROGRAM], 0,
                       "PE 0 of 1 says 0 and shares memory with 1\n")
        self.check([OSHRUN, *SHAPES[1], PROGRAM, "run", f"{OSHRUN} --hosts 3 {PROGRAM}"], 0, "PE 2 of 3 says")
        self.check([OSHRUN, *SHAPES[1], PROGRAM, "run", "ls -l /proc/self/fd"], 0,
                   r"\A(?!(.|\n)*(memfd|socket):)(.|\n)*/proc/")

    def test_by_scripts(self):
        """One process is one PE."""
        for shape in SHAPES:
            self.check([OSHRUN, *shape, "sh", "-c", f"true; {PROGRAM}; exit $?"], 0, "PE 0 of")
            for script in f"{PROGRAM} && {PROGRAM}", f"{PROGRAM} & {PROGRAM}; wait":
                self.check([OSHRUN, *shape, "sh", "-c", script], 1, "^",
                           r"\A.*this PE is another process already.*\n(Terminated\n)?\Z")

    def test_by_others(self):
        """N times "PE 0 of 1" never comes without a message."""
        for name in ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "MV2_COMM_WORLD_SIZE",
                     "JSM_NAMESPACE_SIZE"):
            self.check([PROGRAM], 1, "", rf"\A.*with 4 processes \({name}\), but no PMIx reaches this "
                       r"one.*RINGBELL_PES=1.*\n\Z", **{name: "4"})
        for env in ({"PMI_SIZE": "1"}, {"SLURM_STEP_NUM_TASKS": "1"}, {"SLURM_NTASKS": "4"},
                    {"PMI_SIZE": "4", "RINGBELL_PES": "1"}):
            self.check([PROGRAM], 0, "PE 0 of 1", **env)
        self.check([OSHRUN, "-n", "2", PROGRAM], 0, "PE 1 of 2", PMI_SIZE="4", OMPI_COMM_WORLD_SIZE="4")


class Ends(jobs.Case):
    def test_oshrun_stands_still(self):
        """More messages than the socket has room for: none may be lost."""
        job = self.start(OSHRUN, "-n", "2", PROGRAM, "often", "4000")
        self.assertTrue(job.stdout.readline())  # it is open
        job.send_signal(signal.SIGSTOP)
        time.sleep(0.5)  # longer than the socket takes to fill
        job.send_signal(signal.SIGCONT)
        _, err = job.communicate(timeout=jobs.LIMIT)
        self.assertEqual((job.returncode, err), (5, "oshrun: PE 0 ended the job with status 5\n"))

    def test_words_and_handlers(self):
        """However a job ends, each PE that is left flushes and runs handlers as by exit(), in and out of calls:
        at shmem_global_exit(), where a PE is killed, and where a cable, or a second one, is lost."""
        cut = ("--fault", "cut 0-1 at 1s", "--hosts", "4", "-n", "8")
        for status, end, *shape in (
                (0, 0, "-n", "2"), (6, 6, "--hosts", "2", "-n", "4"), (0, 0, "--hosts", "5"),
                (137, 137, "-n", "3"), (137, 137, "--hosts", "2", "-n", "6"), (1, -1, *cut),
                (1, -1, "--survive", "--fault", "cut 2-3 at 1500ms", *cut)):
            with self.subTest(shape=shape, status=status):
                n = int(shape[-1])
                code, out, err = self.job(OSHRUN, *shape, PROGRAM, "speak", str(end))
                self.assertEqual(code, status, err)
                for pe in range(n - (status == 137)):
                    self.assertIn(f"words of PE {pe}\n", out)
                    self.assertIn(f"handler of PE {pe}\n", out)
                self.assertRegex(err, {0: r"\A\Z", 6: rf"\Aoshrun: PE {n - 1} ended the job with status 6\n\Z",
                                       137: rf"\Aoshrun: PE {n - 1} .* was killed by signal 9 .*\n\Z",
                                       1: r"PE \d: the .* cable of .*\n\Z"}[status])

    def test_locked_stream(self):
        for shape in SHAPES:
            self.check([OSHRUN, *shape, PROGRAM, "hold", "6"], 6, "^", "ended the job with status 6")


class Folders(jobs.Case):
    def test_jobs_that_end_early(self):
        """Nothing is left of jobs that end while they start."""
        dice = random.Random(17)
        with tempfile.TemporaryDirectory() as folder:
            for i in range(9):
                job = self.start(OSHRUN, "--hosts", "6", PROGRAM, "wait",
                                 env=jobs.environment(RUNTIME_DIRECTORY=folder))
                time.sleep(dice.uniform(0.02, 0.3))
                job.send_signal((signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[i % 3])
                job.communicate(timeout=jobs.LIMIT)
            left = [name for _, dirs, files in os.walk(folder) for name in dirs + files
                    if name != "dpdk"]
            self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
