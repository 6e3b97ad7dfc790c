#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Telemetry of users who have no XDG_RUNTIME_DIR, on one machine. Needs root, to be several users.
Usage: test_users.py OSHRUN TRAFFIC LIBSHMEM"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from job import LIMIT, until

FILES = [os.path.abspath(path) for path in sys.argv[1:4]]
del sys.argv[1:4]
USER, OTHER = 654000, 654001  # that no machine has
PRIVATE = f"/tmp/ringbell-{USER}"


def sweep():
    if os.path.islink(PRIVATE):
        os.unlink(PRIVATE)
    shutil.rmtree(PRIVATE, ignore_errors=True)


class Users(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.chmod(folder.name, 0o755)
        for path in FILES[:2]:
            shutil.copy(path, folder.name)
        shutil.copy(os.path.realpath(FILES[2]), f"{folder.name}/libshmem.so.1")
        self.oshrun, self.traffic = (f"{folder.name}/{os.path.basename(p)}" for p in FILES[:2])
        self.env = {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": folder.name, "SHMEM_SYMMETRIC_SIZE": "16M"}
        sweep()
        self.addCleanup(sweep)

    def start(self, *command, **pipes):
        job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.env,
                               user=USER, group=USER, extra_groups=[], cwd="/", **pipes)
        self.addCleanup(job.kill)
        return job

    def run_job(self, *args):
        job = self.start(self.oshrun, "--hosts", "2", *args, self.traffic, "1", stdin=subprocess.DEVNULL)
        return job, job.communicate(timeout=LIMIT)[1]

    def test_folder(self):
        """Each user has a folder of his own; what jobs make in it goes with them."""
        jobs = [self.start(self.oshrun, "--hosts", "2", "--telemetry", self.traffic, "5",
                           stdin=subprocess.PIPE) for _ in range(2)]
        for job in jobs:
            self.assertTrue(job.stdout.readline())  # it runs
        st = os.lstat(PRIVATE)
        self.assertEqual((st.st_uid, st.st_mode & 0o777), (USER, 0o700))
        self.assertEqual(len(os.listdir(PRIVATE + "/dpdk")), 4)
        job, err = self.run_job("--telemetry")
        self.assertEqual((job.returncode, err), (0, ""))
        self.assertEqual(len(os.listdir(PRIVATE + "/dpdk")), 4)
        jobs[0].kill()
        jobs[0].communicate(timeout=LIMIT)
        _, err = jobs[1].communicate(timeout=LIMIT)
        self.assertEqual((jobs[1].returncode, err), (0, ""))
        # the guard of the killed one may be late
        until("the jobs' folders to go", lambda: os.listdir(PRIVATE + "/dpdk") == [])

    def test_folder_of_another(self):
        """Who has made the folder first does not see the sockets; without telemetry nobody cares."""
        for owner in (OTHER, "a link"):
            if owner == OTHER:
                os.mkdir(PRIVATE, 0o700)
                os.chown(PRIVATE, OTHER, OTHER)
            else:
                os.symlink("/var/tmp", PRIVATE)
            job, err = self.run_job("--telemetry")
            self.assertEqual(job.returncode, 1, err)
            self.assertIn(f"{PRIVATE} is not a folder of this user alone", err)
            self.assertIn("XDG_RUNTIME_DIR", err)
            job, err = self.run_job()
            self.assertEqual((job.returncode, err), (0, ""))
            if owner == OTHER:
                self.assertEqual(os.listdir(PRIVATE), [])
            sweep()


if __name__ == "__main__":
    if os.getuid() != 0:
        print("only root can be several users")
        sys.exit(77)
    unittest.main(verbosity=2)
