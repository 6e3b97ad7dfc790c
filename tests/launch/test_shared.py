#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Jobs whose hosts have a file in common (raw_ntb_shared), each started by an oshrun of its own.

Usage: test_shared.py OSHRUN PROGRAM
"""
import contextlib
import os
import signal
import sys
import tempfile
import unittest

import jobs

OSHRUN, PROGRAM = map(os.path.abspath, sys.argv[1:3])
del sys.argv[1:]
HOSTS = 3


class Shared(jobs.Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/dev/shm")
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "memory")
        with open(self.path, "wb") as f:
            f.truncate(256 << 20)

    def host(self, k, *words, hosts=HOSTS, npes=2 * HOSTS, path=None):
        return (OSHRUN, "--hosts", str(hosts), "--host-id", str(k), "-n", str(npes), "--cpus", "1", "--cable",
                f"raw_ntb_shared,path={path or self.path}", PROGRAM, *words)

    def begin(self, *words):
        """All hosts, each in a session of its own, as on a machine of its own."""
        ring = [self.start(*self.host(k, *words), start_new_session=True) for k in range(HOSTS)]
        try:
            self.reads(ring[0].stdout, "PE 5 of 6")
        except AssertionError as e:
            self.fail(f"{e}: {[job.communicate(timeout=jobs.LIMIT)[1] for job in ring]}")
        return ring

    def right(self, hosts=HOSTS):
        said = self.run_all([(self.host(k, hosts=hosts, npes=2 * hosts), jobs.environment(SHMEM_DEBUG="1", SHMEM_SYMMETRIC_SIZE="4M"))
                             for k in range(hosts)])
        self.assertEqual([status for status, *_ in said], [0] * hosts, said)
        last = 2 * hosts - 1
        self.assertIn(f"PE {last} of {last + 1} says {100 * last} and shares memory with 2\n", said[0][1])
        return said

    def test_mesh(self):
        """Each host has a cable to each other one, and the next job on the file may have fewer."""
        self.assertEqual("".join(err for _, _, err in self.right(5)).count("Cables: to 4 of 4 other hosts"), 10)
        self.right()

    def test_killed(self):
        """A host that is gone with all its processes is named, and the next job takes its place."""
        ring = self.begin("wait")
        # None of them may see another one end and tell it: all stand still first, oshrun before the others.
        gone = [ring[1].pid, *jobs.running(OSHRUN, PROGRAM)]
        for what in (signal.SIGSTOP, signal.SIGKILL):
            for pid in gone:
                with contextlib.suppress(ProcessLookupError): # with the one that it ended with
                    if os.getsid(pid) == ring[1].pid:
                        os.kill(pid, what)
        said = [job.communicate(timeout=jobs.LIMIT)[1] for job in ring]
        self.assertEqual([job.returncode for job in ring[::2]], [1, 1], said)
        self.assertRegex(said[0] + said[2], "host [02], to host 1: the link broke")
        self.right()
        self.right()

    def test_taken(self):
        """Two jobs on one file do not meet."""
        ring = self.begin("wait")
        for other, words in ((self.host(1), "holds the place of host 1: another job uses this path"),
                             (self.host(0, hosts=2, npes=2), "is in use, with hosts=3")):
            status, _, err = self.job(*other)
            self.assertNotEqual(status, 0)
            self.assertIn(words, err)
        ring[0].terminate()
        for job in ring:
            job.communicate(timeout=jobs.LIMIT)


unittest.main(verbosity=2)
