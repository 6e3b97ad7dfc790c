#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-top shows which call each PE is blocked in, while the job goes on.
Usage: test_blocked_top.py OSHRUN BLOCKED RINGBELL_TOP"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

OSHRUN, BLOCKED, TOP = map(os.path.abspath, sys.argv[1:4])
del sys.argv[1:4]
LIMIT = 60


class Top(unittest.TestCase):
    def shows(self, *shape):
        with tempfile.TemporaryDirectory() as folder:
            env = dict(os.environ, SHMEM_SYMMETRIC_SIZE="16M", RUNTIME_DIRECTORY=folder)
            with subprocess.Popen([OSHRUN, *shape, "--telemetry", "--timeout", "200", BLOCKED,
                                   "shmem_barrier_all"], env=env, stdin=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as job:
                try:
                    self.look(env, int(shape[1]))
                finally:
                    job.send_signal(signal.SIGTERM)
                    job.wait(LIMIT)

    def ask(self, env, *args):
        return subprocess.run([TOP, "--interval", "0.2", *args], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=LIMIT, check=False)

    def look(self, env, n):
        end = time.monotonic() + LIMIT
        while True:
            r = self.ask(env, "--json")
            pes = json.loads(r.stdout)["pes"] if r.returncode == 0 else []
            blocked = {p["pe"] for p in pes if p["blocked_in"] == "shmem_barrier_all"
                       and p["blocked_for"] in ("PE 1", "host 1") and p["blocked_s"] > 1}
            if blocked == set(range(n)) - {1} and len(pes) == n:
                break
            if time.monotonic() > end:
                self.fail(f"waited {LIMIT} s for all PEs but 1 in the barrier: {r}")
            time.sleep(0.1)
        self.assertEqual([p["blocked_in"] for p in pes if p["pe"] == 1], [""])
        self.assertRegex(self.ask(env, "--once").stdout,
                         r"\n +in shmem_barrier_all for \d+ s, for (PE|host) 1\n")

    def test_one_host(self):
        self.shows("-n", "3")

    def test_ring(self):
        self.shows("--hosts", "3")


if __name__ == "__main__":
    unittest.main(verbosity=2)
