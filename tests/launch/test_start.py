#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""How long PEs wait for one another at the start. Usage: test_start.py OSHRUN PROGRAM SLOW_START"""
import os
import signal
import subprocess
import sys
import unittest

OSHRUN, PROGRAM, SLOW_START = map(os.path.abspath, sys.argv[1:4])
del sys.argv[1:4]
ENV = dict(os.environ, SHMEM_SYMMETRIC_SIZE="16M")


def run(*args, **env):
    return subprocess.run([OSHRUN, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=100, text=True, check=False,
                          env=dict(ENV, **env))


class Start(unittest.TestCase):
    def test_limit_counts_from_the_last_start(self):
        """Host 0 waits 7.5 s for its left neighbour; 5 s are allowed after the last start."""
        r = run("--hosts", "4", "--hello-timeout", "5", PROGRAM, LD_PRELOAD=SLOW_START,
                SLOW_FORK_MS="2500")
        self.assertEqual((r.returncode, r.stderr), (0, ""))

    def test_limit_that_is_given_is_kept(self):
        script = f"[ $RINGBELL_PE = 1 ] && sleep 60; exec {PROGRAM}"
        r = run("--hosts", "2", "--hello-timeout", "2", "sh", "-c", script)
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertIn("link is down: no cable, or host 1 is not there (waited 2 s, "
                      "RINGBELL_HELLO_TIMEOUT)", r.stderr)

    def test_late_lead_names_the_cause(self):
        """PE 1 must not end the job before PE 0, which starts late, has had its time to say what is
        missing."""
        script = (f"case $RINGBELL_PE in 0) sleep 7;; [23]) sleep 60;; esac; exec {PROGRAM}")
        r = run("--hosts", "2", "-n", "4", "--hello-timeout", "3", "sh", "-c", script)
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertIn("link is down: no cable, or host 1 is not there", r.stderr)
        self.assertNotIn("did not come up", r.stderr)


class Stuck(unittest.TestCase):
    """A PE that does not come to run its program: oshrun says so, and can be ended."""

    env = dict(ENV, LD_PRELOAD=SLOW_START, STUCK_PE="1")

    def test_timeout(self):
        r = run("--hosts", "3", "--timeout", "1", PROGRAM, **self.env)
        self.assertEqual(r.returncode, 124, r.stderr)
        self.assertEqual(r.stderr, "oshrun: the job did not end within 1 s: PE 1 does not come to run "
                                   f"{PROGRAM}\n")

    def test_signal(self):
        with subprocess.Popen([OSHRUN, "--hosts", "3", "sleep", "100"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=self.env) as p:
            line = p.stderr.readline()
            p.send_signal(signal.SIGINT)
            p.communicate(timeout=100)
        self.assertRegex(line, r"^oshrun: PE 1 \(process \d+\) does not come to run \S*sleep: does its "
                               r"file system answer\?$")
        self.assertEqual(p.returncode, 130)


class Size(unittest.TestCase):
    """Of the symmetric heap: once, by the PE's number, with the variable that was set."""

    def said(self, words, **env):
        e = {k: v for k, v in ENV.items() if k not in ("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE")}
        r = subprocess.run([OSHRUN, "-n", "2", PROGRAM], stdin=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, timeout=100,
                           text=True, check=False, env=dict(e, **env))
        self.assertNotEqual(r.returncode, 0)
        self.assertEqual(r.stderr.count("\n"), 1, r.stderr)
        self.assertRegex(r.stderr, r"^oshrun: PE [01]: shmem_init: ")
        self.assertIn(words, r.stderr)

    def test_nonsense(self):
        for text in ("nonsense", "", "-1", "1.5.2", "12Q", "99999999T"):
            self.said(f"SHMEM_SYMMETRIC_SIZE={text} is not a size below 64P",
                      SHMEM_SYMMETRIC_SIZE=text)
        self.said("SMA_SYMMETRIC_SIZE=x is not a size below 64P", SMA_SYMMETRIC_SIZE="x")

    def test_larger_than_the_machine(self):
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.said(f"(the machine has {memory} bytes)", SHMEM_SYMMETRIC_SIZE="900T")
        self.said("=900T", SHMEM_SYMMETRIC_SIZE="900T")


if __name__ == "__main__":
    unittest.main(verbosity=2)
