#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What shmem-litmus prints and returns: a forbidden outcome is found, counted and placed, a test that
does not end is named, wrong arguments are refused.

Usage: test_program.py OSHRUN SHMEM-LITMUS
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

OSHRUN, LITMUS = sys.argv[1:3]
LIMIT = 100


def run(job, *args):
    env = {**os.environ, "SHMEM_SYMMETRIC_SIZE": "32M"}
    return subprocess.run([OSHRUN, *job, "--timeout", str(LIMIT - 10), LITMUS, *args], text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, timeout=LIMIT, env=env)


def tests_of(path):
    with open(path, encoding="utf-8") as f:
        whole = json.load(f)
    return whole, {test["test"]: test for test in whole["tests"]}


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.json = os.path.join(self.folder.name, "out.json")

    def tearDown(self):
        self.folder.cleanup()

    def good(self, result, status=0):
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout

    def test_forbidden_is_found(self):
        """A writer that sets the flag first: every instance in which it can be seen is counted."""
        done = run(["--hosts", "3"], "--rounds", "20", "--json", self.json, "wrong-way")
        out = self.good(done, 1)
        self.assertIn("FORBIDDEN", out)
        self.assertIn("shmem-litmus: forbidden: wrong-way: a=0 in instance", done.stderr)
        whole, tests = tests_of(self.json)
        row = tests["wrong-way"]
        self.assertGreater(row["seen"], 0)
        self.assertEqual(row["seen"], row["outcomes"]["a=0"])
        self.assertEqual(row["seen"], whole["forbidden"])
        self.assertEqual(sum(row["outcomes"].values()), row["instances"])
        self.assertEqual([sum(n) for n in zip(*row["hops"])], [row["instances"], row["seen"]])

    def test_not_by_itself(self):
        """The wrong test runs only where it is named."""
        self.assertNotIn("wrong-way", self.good(run(["-n", "2"], "--list")))

    def test_all_rounds(self):
        """--rounds runs every test that the job has PEs for."""
        self.good(run(["-n", "4"], "--rounds", "1", "--json", self.json, "CoR*", "IRIW*", "2+2W*"))
        _, tests = tests_of(self.json)
        self.assertGreater(len(tests), 50)
        for name, row in tests.items():
            self.assertGreater(row["instances"], 0, name)
            self.assertEqual(row["torn"], 0, name)
        listed = self.good(run(["-n", "4"], "--list", "CoR*", "IRIW*", "2+2W*"))
        self.assertEqual(len(listed.splitlines()), len(tests))

    def test_too_few(self):
        """What needs four PEs does not run on two, and that is said; nothing at all is an error."""
        out = self.good(run(["-n", "2"], "--rounds", "1", "IRIW", "CoRR+own"))
        self.assertRegex(out, r"\d+ tests need more PEs than 2")
        done = run(["-n", "2"], "--rounds", "1", "IRIW")
        self.good(done, 2)
        self.assertIn("none of these tests can run", done.stderr)

    def test_one_layout(self):
        done = run(["--hosts", "2"], "--rounds", "20", "--layouts", "pages", "wrong-way")
        self.good(done, 1)
        self.assertIn("layout pages", done.stderr)
        self.assertNotIn("layout line", done.stderr)

    def test_no_end(self):
        """A PE that is stopped: the test that waits for it is named."""
        done = run(["--hosts", "2"], "--limit", "1", "--time", "60", "no-end")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        # the other one waits for it, and may come to its limit first
        self.assertRegex(done.stderr, "PE [01]: no end of no-end, role [01]")

    def test_wrong_arguments(self):
        for args, words in ((["--time", "soon"], "--time soon: must be a number from 0 to 1000000"),
                            (["--layouts", "line,row"], "--layouts line,row: line, lines, pages, static, heap"),
                            (["no-such-test"], "no test of that name")):
            done = run(["-n", "2"], *args)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count(words), 1, done.stderr)
        done = run(["-n", "1"], "--time", "1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("needs 2 to 256 PEs, and has 1", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
