#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""How long PEs wait for one another at the start. Usage: test_start.py OSHRUN LAUNCHED SLOW_START"""
import os
import signal
import sys
import unittest

import jobs

OSHRUN, PROGRAM, SLOW_START = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))


class Start(jobs.Case):
    def test_limits(self):
        """These jobs wait most of the time, so they do it together."""
        said = self.run_all([((OSHRUN, *command), jobs.environment(**env)) for command, env in (
            (("--hosts", "2", "--hello-timeout", "2", "sh", "-c",
              f"[ $RINGBELL_PE = 1 ] && sleep 60; exec {PROGRAM}"), {}),
            # PE 1 must not end the job before PE 0, which starts late, has had its time to say what
            # is missing
            (("--hosts", "2", "-n", "4", "--hello-timeout", "2", "sh", "-c",
              f"case $RINGBELL_PE in 0) sleep 3;; [23]) sleep 60;; esac; exec {PROGRAM}"), {}),
            (("--hosts", "3", "--timeout", "3", PROGRAM), {"LD_PRELOAD": SLOW_START, "STUCK_PE": "1"}))])
        missing, late, stuck = said
        self.assertEqual((missing[0], late[0], stuck[0]), (1, 1, 124), said)
        self.assertRegex(missing[2], r"waited 2 s \(RINGBELL_HELLO_TIMEOUT\): .* link is down: no cable, or host 1 is "
                         r"not there; no training: .*\(register 0x3e078 reads 0x[0-9a-f]+\)")
        self.assertIn("link is down: no cable, or host 1 is not there", late[2])
        self.assertNotIn("did not come up", late[2])
        self.assertRegex(stuck[2], r"\Aoshrun: the job did not end within 3 s\noshrun: PE 1 \(process \d+\) "
                         rf"did not come to run {PROGRAM}: does its file system answer\?\n\Z")

    def test_signal_to_a_stuck_start(self):
        job = self.start(OSHRUN, "--hosts", "3", "sleep", "100", env=jobs.environment(
            LD_PRELOAD=SLOW_START, STUCK_PE="1"))
        self.wait_until("PE 1 is there", lambda: len(jobs.children(job.pid)) == 2, jobs.LIMIT)
        job.send_signal(signal.SIGINT)
        job.communicate(timeout=jobs.LIMIT)
        self.assertEqual(job.returncode, 130)


class Slow(jobs.Case):
    def test_after_the_last_start(self):
        """Host 0 waits longer than the limit, which begins with the last start. The limit is as long as a busy
        machine may need for one start, so this takes a while."""
        self.check([OSHRUN, "--hosts", "3", "--hello-timeout", "10", PROGRAM], 0, out=".", LD_PRELOAD=SLOW_START,
                   SLOW_FORK_MS="6000")


if __name__ == "__main__":
    unittest.main(verbosity=2)
