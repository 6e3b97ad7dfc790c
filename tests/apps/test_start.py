#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""How long PEs wait for one another at the start. Usage: test_start.py OSHRUN PROGRAM SLOW_FORK"""
import os
import subprocess
import sys
import unittest

OSHRUN, PROGRAM, SLOW_FORK = map(os.path.abspath, sys.argv[1:4])
del sys.argv[1:4]
ENV = dict(os.environ, SHMEM_SYMMETRIC_SIZE="16M")


def run(*args, **env):
    return subprocess.run([OSHRUN, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=100, text=True, check=False,
                          env=dict(ENV, **env))


class Start(unittest.TestCase):
    def test_limit_counts_from_the_last_start(self):
        """Host 0 waits for 7.5 s for its left neighbour, of which 5 are allowed after the last."""
        r = run("--hosts", "4", "--hello-timeout", "5", PROGRAM, LD_PRELOAD=SLOW_FORK,
                SLOW_FORK_MS="2500")
        self.assertEqual((r.returncode, r.stderr), (0, ""))

    def test_limit_that_is_given_is_kept(self):
        script = f"[ $RINGBELL_PE = 1 ] && sleep 60; exec {PROGRAM}"
        r = run("--hosts", "2", "--hello-timeout", "2", "sh", "-c", script)
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertIn("link is down: no cable, or host 1 is not there (waited 2 s, "
                      "RINGBELL_HELLO_TIMEOUT)", r.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
