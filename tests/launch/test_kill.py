#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What is left when a PE, or oshrun, is killed amid transfers. Usage: test_kill.py OSHRUN LAUNCHED"""
import os
import signal
import subprocess
import sys
import unittest

import jobs

OSHRUN, LAUNCHED = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))


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


class Kill(jobs.Case):
    def killed(self, status, act, *shape, err="", program=(LAUNCHED, "rounds")):
        """act(job, pids of its PEs) ends a job amid transfers; a pattern of what oshrun says of it."""
        with self.subTest(shape=shape, status=status):
            before = leavings()
            job = self.start(OSHRUN, *shape, *program, stdin=subprocess.PIPE)
            self.reads(job.stdout, *["running\n"] * int(shape[1]))
            _, job.stdin = job.stdin, None  # it stays open: the job must not end by itself
            pids = jobs.children(job.pid)
            self.assertEqual(len(pids), int(shape[1]))
            act(job, pids)
            _, said = job.communicate(timeout=jobs.END_LIMIT)
            self.assertEqual(job.returncode, status, said)
            self.assertRegex(said, err or r"\A\Z")
            self.wait_until(f"all of {pids} are gone", lambda: all(gone(pid) for pid in pids))
            self.assertEqual(leavings() - before, set())

    def test_each_pe(self):
        """Also one without ports, and one that is not alone on a host."""
        for which, *shape in ((0, "--hosts", "3"), (1, "--hosts", "3"), (1, "--hosts", "2"), (1, "-n", "3"),
                              (0, "-n", "4", "--hosts", "2"), (1, "-n", "4", "--hosts", "2")):
            self.killed(137, lambda job, pids, k=which: os.kill(pids[k], signal.SIGKILL), *shape,
                        err=rf"\Aoshrun: PE {which} \(process \d+\) was killed by signal 9 .*\n\Z")

    def test_oshrun(self):
        self.killed(-9, lambda job, pids: job.kill(), "--hosts", "4")

    def test_interrupt(self):
        self.killed(130, lambda job, pids: job.send_signal(signal.SIGINT), "--hosts", "3", err="^")

    def test_stopped_pe(self):
        """It must not keep oshrun from ending the others."""
        def act(job, pids):
            os.kill(pids[2], signal.SIGSTOP)
            os.kill(pids[0], signal.SIGKILL)
        self.killed(137, act, "--hosts", "3", err="PE 0 ")

    def test_wrapper(self):
        """What a killed script leaves running, or scripts of a killed oshrun."""
        script = f"sh -c '{LAUNCHED} rounds; true'; true"
        for status, act in ((137, lambda job, pids: os.kill(pids[0], signal.SIGKILL)),
                            (-9, lambda job, pids: job.kill())):
            self.killed(status, act, "-n", "2", program=("sh", "-c", script), err="^")
            self.wait_until("the PEs are gone", lambda: not jobs.running(LAUNCHED))


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
