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
        for user in USERS[:2]:
            r = self.run_as(user, "--hosts", "2", "--telemetry")
            self.assertEqual((r.returncode, r.stderr), (0, ""))
            st = os.lstat(private(user))
            self.assertEqual((st.st_uid, st.st_mode & 0o777), (user, 0o700))
            self.assertEqual(os.listdir(f"{private(user)}/dpdk"), [])

    def test_folder_of_another(self):
        """Who was there first does not get to see the sockets."""
        os.mkdir(private(USERS[2]), 0o700)
        os.chown(private(USERS[2]), USERS[3], USERS[3])
        r = self.run_as(USERS[2], "--hosts", "2", "--telemetry")
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertIn(f"{private(USERS[2])} is no folder of this user alone", r.stderr)
        self.assertIn("XDG_RUNTIME_DIR", r.stderr)
        self.assertEqual(os.listdir(private(USERS[2])), [])

    def test_link_in_its_place(self):
        os.symlink("/var/tmp", private(USERS[2]))
        self.addCleanup(os.unlink, private(USERS[2]))
        r = self.run_as(USERS[2], "--hosts", "2", "--telemetry")
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertIn("is no folder of this user alone", r.stderr)


if __name__ == "__main__":
    if os.getuid() != 0:
        print("only root can be several users")
        sys.exit(77)
    unittest.main(verbosity=2)
