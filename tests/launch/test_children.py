#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What PEs start, what starts PEs, and what is left of jobs that end early.

Usage: test_children.py OSHRUN PROGRAM
"""
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

OSHRUN = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
LIMIT = 60  # seconds for anything, on a busy machine
SHAPES = (("-n", "2"), ("--hosts", "2"), ("--hosts", "2", "-n", "4"))
MIB = 1 << 20


def environment(**more):
    env = dict(os.environ, SHMEM_SYMMETRIC_SIZE="16M", **more)
    return {k: v for k, v in env.items() if not k.startswith("RINGBELL_")}


def run(*args, **kwargs):
    kwargs.setdefault("env", environment())
    return subprocess.run([OSHRUN, "--timeout", str(LIMIT), *args], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=2 * LIMIT, check=False, **kwargs)


class Started(unittest.TestCase):
    """By a PE: its place is not inherited."""

    def test_bare_program(self):
        for shape in SHAPES:
            r = run(*shape, PROGRAM, "run", PROGRAM)
            self.assertEqual((r.returncode, r.stderr), (0, ""), r.stdout)
            self.assertIn("PE 0 of 1 says 0 and shares memory with 1\n", r.stdout)

    def test_job_of_a_job(self):
        for shape in SHAPES:
            r = run(*shape, PROGRAM, "run", f"{OSHRUN} --hosts 3 {PROGRAM}")
            self.assertEqual((r.returncode, r.stderr), (0, ""), r.stdout)
            self.assertIn("PE 2 of 3 says", r.stdout)

    def test_descriptors(self):
        r = run("--hosts", "2", "-n", "4", PROGRAM, "run", "ls -l /proc/self/fd")
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn("/proc/", r.stdout)
        for word in ("memfd:", "socket:"):
            self.assertNotIn(word, r.stdout)


class Scripts(unittest.TestCase):
    """One process is one PE."""

    def test_one_program(self):
        for shape in SHAPES:
            r = run(*shape, "sh", "-c", f"true; {PROGRAM}; exit $?")
            self.assertEqual((r.returncode, r.stderr), (0, ""))

    def second(self, script, shape):
        r = run(*shape, "sh", "-c", script)
        self.assertEqual(r.returncode, 1, r.stdout + r.stderr)
        self.assertEqual(r.stderr.count("\n"), 1, r.stderr)
        self.assertIn("this PE is another process already", r.stderr)

    def test_program_after_program(self):
        for shape in SHAPES:
            self.second(f"{PROGRAM} && {PROGRAM}", shape)

    def test_programs_at_once(self):
        for shape in SHAPES:
            self.second(f"{PROGRAM} & {PROGRAM}; wait", shape)


class Limits(unittest.TestCase):
    def limited(self, soft, hard):
        return run("--hosts", "2", PROGRAM,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)))

    def test_file_size(self):
        r = self.limited(MIB, resource.RLIM_INFINITY)
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        r = self.limited(MIB, MIB)
        self.assertEqual(r.returncode, 1)
        self.assertEqual(r.stderr.count("\n"), 1, r.stderr)
        self.assertIn("ulimit -f", r.stderr)


class Late(unittest.TestCase):
    def test_oshrun_stands_still(self):
        """More messages than the socket has room for: none may be lost."""
        job = subprocess.Popen([OSHRUN, "-n", "2", PROGRAM, "often", "4000"], env=environment(),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        self.addCleanup(job.kill)
        self.assertTrue(job.stdout.readline())  # it is open
        job.send_signal(signal.SIGSTOP)
        time.sleep(2)  # longer than the socket takes to fill
        job.send_signal(signal.SIGCONT)
        _, err = job.communicate(timeout=LIMIT)
        self.assertEqual((job.returncode, err), (5, "oshrun: PE 0 ended the job with status 5\n"))


class Ends(unittest.TestCase):
    """shmem_global_exit() flushes and runs handlers as an exit() of each PE."""

    def test_words_and_handlers(self):
        for shape in (*SHAPES, ("--hosts", "5"), ("--hosts", "3", "-n", "12")):
            n = int(shape[-1])
            for status in (0, 6):
                r = run(*shape, PROGRAM, "speak", str(status))
                self.assertEqual(r.returncode, status, r.stderr)
                for pe in range(n):
                    self.assertIn(f"words of PE {pe}\n", r.stdout)
                    self.assertIn(f"handler of PE {pe}\n", r.stdout)
                said = f"oshrun: PE {n - 1} ended the job with status 6\n" if status else ""
                self.assertEqual(r.stderr, said)

    def test_locked_stream(self):
        for shape in SHAPES:
            r = run(*shape, PROGRAM, "hold", "6")
            self.assertEqual(r.returncode, 6, r.stderr)


class Telemetry(unittest.TestCase):
    def test_socket_after_the_end_of_a_child(self):
        look = "test -S $RUNTIME_DIRECTORY/dpdk/ringbell-*-0/dpdk_telemetry.v2"
        for shape in SHAPES:
            with tempfile.TemporaryDirectory() as folder:
                r = run(*shape, "--telemetry", PROGRAM, "child-exits", look,
                        env=environment(RUNTIME_DIRECTORY=folder))
                self.assertEqual((r.returncode, r.stderr), (0, ""))
                self.assertEqual(os.listdir(os.path.join(folder, "dpdk")), [])


class Early(unittest.TestCase):
    """Nothing is left of jobs that end while they start."""

    def test_folders_of_the_eal(self):
        dice = random.Random(17)
        with tempfile.TemporaryDirectory() as folder:
            env = environment(RUNTIME_DIRECTORY=folder)
            for i in range(12):
                job = subprocess.Popen([OSHRUN, "--hosts", "6", PROGRAM, "wait"], env=env,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
                time.sleep(dice.uniform(0.02, 0.5))
                job.send_signal((signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[i % 3])
                job.wait(LIMIT)
            left = [name for _, dirs, files in os.walk(folder) for name in dirs + files
                    if name != "dpdk"]
            self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
