#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What is left when a PE, or oshrun, is killed amid transfers. Usage: test_kill.py OSHRUN FLOOD"""
import os
import select
import signal
import subprocess
import sys
import time
import unittest

from processes import children

OSHRUN = os.path.abspath(sys.argv.pop(1))
FLOOD = os.path.abspath(sys.argv.pop(1))
START_LIMIT = 60  # seconds until all PEs run, on a busy machine
END_LIMIT = 5     # what the launcher promises


def gone(pid):
    """Nothing but perhaps a zombie, which its new parent will collect."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as f:
            return f.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def leavings():
    """Files where a job might leave some."""
    found = set()
    for place in ("/dev/shm", "/run/dpdk", "/tmp/dpdk", os.environ.get("XDG_RUNTIME_DIR", ""),
                  "/dev/hugepages"):
        for folder, _, names in os.walk(place):
            found |= {os.path.join(folder, name) for name in names}
    return found


class Kill(unittest.TestCase):
    def setUp(self):
        self.before = leavings()

    @staticmethod
    def count(args):
        return int(args[1])

    def start(self, *args):
        job = subprocess.Popen([OSHRUN, *args, FLOOD], stdin=subprocess.DEVNULL, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.stderr.close)
        self.addCleanup(job.kill)
        end = time.monotonic() + START_LIMIT
        seen = 0
        while seen < self.count(args):
            ready, _, _ = select.select([job.stdout], [], [], max(0, end - time.monotonic()))
            self.assertTrue(ready, f"{seen} PEs run after {START_LIMIT} s")
            text = os.read(job.stdout.fileno(), 4096)
            self.assertTrue(text, "oshrun ended before all PEs ran")
            seen += text.count(b"running\n")
        pids = children(job.pid)
        self.assertEqual(len(pids), self.count(args))
        return job, pids

    def nothing_left(self, pids):
        end = time.monotonic() + END_LIMIT
        while not all(gone(pid) for pid in pids):
            self.assertLess(time.monotonic(), end, f"of {pids} a process is left")
            time.sleep(0.01)
        self.assertEqual(leavings() - self.before, set())

    def kill_pe(self, which, *args):
        job, pids = self.start(*args)
        os.kill(pids[which], signal.SIGKILL)
        _, err = job.communicate(timeout=END_LIMIT)
        self.assertEqual(job.returncode, 128 + signal.SIGKILL, err)
        self.assertIn(f"PE {which} (process {pids[which]}) was killed by signal 9", err)
        self.assertEqual(err.count("\n"), 1, err)
        self.nothing_left(pids)

    def test_each_pe(self):
        for which in range(3):
            self.kill_pe(which, "--hosts", "3")

    def test_pe_of_two_hosts(self):
        self.kill_pe(1, "--hosts", "2")

    def test_pe_on_a_shared_host(self):
        self.kill_pe(1, "-n", "3")

    def test_pe_on_a_shared_host_of_a_ring(self):
        for which in (0, 1):
            self.kill_pe(which, "-n", "4", "--hosts", "2")

    def test_oshrun(self):
        job, pids = self.start("--hosts", "4")
        job.kill()
        job.wait(END_LIMIT)
        self.nothing_left(pids)

    def test_interrupt(self):
        job, pids = self.start("--hosts", "3")
        job.send_signal(signal.SIGINT)
        job.communicate(timeout=END_LIMIT)
        self.assertEqual(job.returncode, 128 + signal.SIGINT)
        self.nothing_left(pids)

    def test_stopped_pe(self):
        """A stopped PE must not keep oshrun from ending the others."""
        job, pids = self.start("--hosts", "3")
        os.kill(pids[2], signal.SIGSTOP)
        os.kill(pids[0], signal.SIGKILL)
        job.communicate(timeout=END_LIMIT)
        self.assertEqual(job.returncode, 128 + signal.SIGKILL)
        self.nothing_left(pids)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
