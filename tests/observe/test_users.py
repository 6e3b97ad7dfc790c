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
import time
import unittest

FILES = [os.path.abspath(path) for path in sys.argv[1:4]]
del sys.argv[1:4]
USERS = [654000 + i for i in range(4)]  # that no machine has
LIMIT = 100


def private(user):
    return f"/tmp/ringbell-{user}"


def sweep():
    for user in USERS:
        shutil.rmtree(private(user), ignore_errors=True)


class Users(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        os.chmod(self.folder.name, 0o755)
        for path in FILES:
            shutil.copy(path, self.folder.name)
        lib = os.path.basename(os.path.realpath(FILES[2]))
        shutil.copy(os.path.realpath(FILES[2]), f"{self.folder.name}/libshmem.so.1")
        self.env = {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": self.folder.name,
                    "SHMEM_SYMMETRIC_SIZE": "16M"}
        self.assertTrue(lib.startswith("libshmem"))
        sweep()
        self.addCleanup(sweep)
        self.addCleanup(self.folder.cleanup)

    def run_as(self, user, *args):
        oshrun, program = (f"{self.folder.name}/{os.path.basename(p)}" for p in FILES[:2])
        return subprocess.run([oshrun, *args, program, "0.2"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT,
                              text=True, check=False, env=self.env, user=user, group=user,
                              extra_groups=[], cwd="/")

    def test_one_after_the_other(self):
        """Each has a folder of its own, which goes with his last job."""
        for user in USERS[:2]:
            oshrun, program = (f"{self.folder.name}/{os.path.basename(p)}" for p in FILES[:2])
            jobs = [subprocess.Popen([oshrun, "--hosts", "2", "--telemetry", program, "5"],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True, env=self.env, user=user,
                                     group=user, extra_groups=[], cwd="/") for _ in range(2)]
            for job in jobs:
                self.addCleanup(job.kill)
                self.assertTrue(job.stdout.readline())  # it runs
            st = os.lstat(private(user))
            self.assertEqual((st.st_uid, st.st_mode & 0o777), (user, 0o700))
            self.assertEqual(len(os.listdir(f"{private(user)}/dpdk")), 4)
            r = self.run_as(user, "--hosts", "2", "--telemetry")
            self.assertEqual((r.returncode, r.stderr), (0, ""))
            self.assertEqual(len(os.listdir(f"{private(user)}/dpdk")), 4)
            jobs[0].kill()
            jobs[0].communicate(timeout=LIMIT)
            _, err = jobs[1].communicate(timeout=LIMIT)
            self.assertEqual((jobs[1].returncode, err), (0, ""))
            end = time.monotonic() + LIMIT
            while os.path.lexists(private(user)):  # the guard of the killed one may be late
                self.assertLess(time.monotonic(), end, os.listdir(private(user)))
                time.sleep(0.02)

    def test_many_at_once(self):
        """None of them takes the folder away while another starts."""
        oshrun, program = (f"{self.folder.name}/{os.path.basename(p)}" for p in FILES[:2])
        script = f"for i in 1 2 3 4 5 6; do {oshrun} -n 1 --telemetry {program} 0 || exit 1; done"
        jobs = [subprocess.Popen(["sh", "-c", script], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                 env=self.env, user=USERS[0], group=USERS[0], extra_groups=[],
                                 cwd="/") for _ in range(4)]
        for job in jobs:
            self.addCleanup(job.kill)
        for job in jobs:
            _, err = job.communicate(timeout=LIMIT)
            self.assertEqual((job.returncode, err), (0, ""))
        self.assertFalse(os.path.lexists(private(USERS[0])))

    def test_without_telemetry(self):
        """No folder at all."""
        os.mkdir(private(USERS[2]), 0o700)  # of root
        r = self.run_as(USERS[2], "--hosts", "2")
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        self.assertEqual(os.listdir(private(USERS[2])), [])

    def test_folder_of_another(self):
        """A user who has made the folder first does not see the sockets."""
        os.mkdir(private(USERS[2]), 0o700)
        os.chown(private(USERS[2]), USERS[3], USERS[3])
        r = self.run_as(USERS[2], "--hosts", "2", "--telemetry")
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertIn(f"{private(USERS[2])} is not a folder of this user alone", r.stderr)
        self.assertIn("XDG_RUNTIME_DIR", r.stderr)
        self.assertEqual(os.listdir(private(USERS[2])), [])

    def test_link_in_its_place(self):
        os.symlink("/var/tmp", private(USERS[2]))
        self.addCleanup(os.unlink, private(USERS[2]))
        r = self.run_as(USERS[2], "--hosts", "2", "--telemetry")
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertIn("is not a folder of this user alone", r.stderr)


if __name__ == "__main__":
    if os.getuid() != 0:
        print("only root can be several users")
        sys.exit(77)
    unittest.main(verbosity=2)
