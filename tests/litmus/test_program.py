#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What shmem-litmus prints and returns: a forbidden outcome is found, counted and placed, a test that
does not end is named, wrong arguments are refused.

Usage: test_program.py OSHRUN SHMEM-LITMUS
"""
import os
import re
import subprocess
import sys
import unittest

OSHRUN, LITMUS = sys.argv[1:3]
LIMIT = 100


def run(job, *args):
    env = {**os.environ, "SHMEM_SYMMETRIC_SIZE": "32M"}
    return subprocess.run([OSHRUN, *job, "--timeout", str(LIMIT - 10), LITMUS, *args], text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, timeout=LIMIT, env=env)


def tests_of(out):
    """What --verbose prints: {test: (seen, instances, {outcome: times})}"""
    found = {}
    for line in out.splitlines():
        test = re.fullmatch(r"  (\S+) +(\d+) of (\d+)", line)
        outcome = re.fullmatch(r"    (.*?) +(\d+)(?:  \*)?", line)
        if test:
            found[test[1]] = int(test[2]), int(test[3]), {}
        elif outcome:
            found[list(found)[-1]][2][outcome[1]] = int(outcome[2])
    return found


class Program(unittest.TestCase):
    def good(self, result, status=0):
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout

    def test_forbidden_is_found(self):
        """A writer that sets the flag first: every instance in which it can be seen is counted."""
        done = run(["--hosts", "3"], "--rounds", "20", "--verbose", "wrong-way")
        out = self.good(done, 1)
        self.assertIn("FORBIDDEN", out)
        self.assertIn("shmem-litmus: forbidden: wrong-way: a=0 in instance", done.stderr)
        seen, instances, outcomes = tests_of(out)["wrong-way"]
        self.assertGreater(seen, 0)
        self.assertEqual(seen, outcomes["a=0"])
        self.assertIn(f": {seen} forbidden outcomes", out)
        self.assertEqual(sum(outcomes.values()), instances)

    def test_not_by_itself(self):
        """The wrong test runs only where it is named."""
        self.assertNotIn("wrong-way", self.good(run(["-n", "2"], "--list")))

    def test_all_rounds(self):
        """--rounds runs every test that the job has PEs for."""
        out = self.good(run(["-n", "4"], "--rounds", "1", "--verbose", "CoR*", "IRIW*", "2+2W*"))
        tests = tests_of(out)
        self.assertGreater(len(tests), 50)
        self.assertTrue(all(instances > 0 for _, instances, _ in tests.values()))
        self.assertNotIn("a value that nobody wrote", out)
        listed = self.good(run(["-n", "4"], "--list", "CoR*", "IRIW*", "2+2W*"))
        self.assertEqual(len(listed.splitlines()), len(tests))

    def test_too_few(self):
        """What needs four PEs does not run on two, and that is said; nothing at all is an error."""
        out = self.good(run(["-n", "2"], "--rounds", "1", "IRIW", "CoRR+own"))
        self.assertRegex(out, r"\d+ tests need more PEs than 2")
        done = run(["-n", "2"], "--rounds", "1", "IRIW")
        self.good(done, 2)
        self.assertIn("none of these tests can run", done.stderr)

    def test_no_end(self):
        """A PE that is stopped: the test that waits for it is named."""
        done = run(["--hosts", "2"], "--limit", "1", "--time", "60", "no-end")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        # the other one waits for it, and may come to its limit first
        self.assertRegex(done.stderr, "PE [01]: no end of no-end, role [01]")

    def test_wrong_arguments(self):
        for args, words in ((["--time", "soon"], "--time soon: must be a number from 0 to 1000000"),
                            (["no-such-test"], "no test of that name")):
            done = run(["-n", "2"], *args)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count(words), 1, done.stderr)
        done = run(["-n", "1"], "--time", "1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("needs 2 to 256 PEs, and has 1", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
