#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Does the campaign see what is wrong? Usage: test_judge.py BUILD CALLS-FAULTY"""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
FAULTS = os.path.join(HERE, "faults.py")
BUILD, FAULTY = (os.path.abspath(a) for a in (sys.argv.pop(1), sys.argv.pop(1)))


class Judge(unittest.TestCase):
    def campaign(self, program, kind="stop", *more, **variables):
        done = subprocess.run([sys.executable, FAULTS, BUILD, "--rounds", "1", "--seed", "5", "--kinds", kind,
                               "--settings", "plain", "--hosts", "2", "--times", "4", "--windows", "memory",
                               "--program", program, *more], stdout=subprocess.PIPE, text=True, check=False,
                              env={**os.environ, **variables}, stderr=subprocess.STDOUT, timeout=200)
        return done.returncode, done.stdout

    def script(self, text):
        """A program in the place of calls. Not in /tmp, of which the campaign has its own."""
        f = tempfile.NamedTemporaryFile("w", dir=BUILD, suffix=".sh", delete=False)
        self.addCleanup(os.remove, f.name)
        with f:
            f.write("#!/bin/sh\n" + text)
        os.chmod(f.name, 0o755)
        return f.name

    def is_wrong(self, words, program, *more, **variables):
        status, said = self.campaign(program, *more, **variables)
        self.assertEqual(status, 1, said)
        self.assertIn(words, said)
        self.assertIn("--first ", said)

    def test_wrong_data(self):
        self.is_wrong("wrong: PE ", FAULTY, CALLS_FAULT="put")

    def test_right(self):
        status, said = self.campaign(FAULTY)
        self.assertEqual(status, 0, said)

    def test_no_result(self):
        self.is_wrong("status 0 without a result", self.script("exit 0\n"))

    def test_other_status(self):
        self.is_wrong("status 3, or no reason", self.script("exit 3\n"))
        self.is_wrong("status 139, or no reason", self.script("kill -SEGV $$\n"))

    def test_file_left(self):
        self.is_wrong("left: /dev/shm/ringbell-test-judge", self.script(
            '[ "$RINGBELL_PE" = 0 ] || exit 0\ntouch /dev/shm/ringbell-test-judge\n'
            "echo 'seed 1: 5 epochs, 9 calls, ok'\n"))

    def test_process_left(self):
        self.is_wrong("left: process ", self.script(
            '[ "$RINGBELL_PE" = 0 ] || exit 0\nsleep 30 &\nkill -9 $PPID\n'), "stop", "--times", "1")

    def test_survives(self):
        """A job that does not go on without a cable, and says so, is wrong where it was to go on."""
        ends = self.script(f'RINGBELL_SURVIVE=no exec {BUILD}/tests/calls/calls "$@"\n')
        self.is_wrong("ended, and was to survive", ends, "cut", "--survive", "--early", "0", "--epochs", "400")


if __name__ == "__main__":
    unittest.main(verbosity=2)
