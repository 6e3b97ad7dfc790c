#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Hardware that the simulator has built in or reads from a file: figures that were published, and files that are
refused.

Usage: test_hardware.py RINGBELL-SIM
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

SIM = sys.argv[1]

def run(*args):
    return subprocess.run([SIM, *map(str, args)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=60)


class Link(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "link")

    def show(self, text):
        with open(self.file, "w", encoding="utf-8") as f:
            f.write(text)
        return run("--link", self.file, "--show-link")

    def mbs(self, link, size="1M"):
        result = run("--link", link, "-n", 4, "-k", 1, "-s", size, "put", "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)["rows"][0]["mbs"]

    def test_built_in(self):
        uncached, speed, wide = [self.mbs(link) for link in ("gen2x8", "gen3x8", "gen4x16")]
        self.assertAlmostEqual(uncached, 150, delta=15)  # what P2 measured
        self.assertTrue(5000 < speed < wide)

    def test_file(self):
        """What --show-link prints is a file of --link, with the same figures."""
        shown = run("--show-link").stdout
        self.assertEqual(self.show(shown).stdout, shown)
        self.assertAlmostEqual(self.mbs(self.file), self.mbs("gen3x8"))
        self.show("base gen3x8\n\n# two packets under way\nheader_credits 2\n")
        self.assertLess(self.mbs(self.file), 500)
        self.show("base gen4x16\ncombining 0\n")
        self.assertLess(self.mbs(self.file), 160)

    def test_bad_file(self):
        for text, line, wrong in (
                ("cable_m\n", 1, "a number is missing"), ("cable_m x\n", 1, "a number is missing"),
                ("cable_m 3 1..5\n", 1, "a number is missing"),
                ("link_lanes 0\n", 1, "no hardware has"), ("cable_m -1\n", 1, "no hardware has"),
                ("cable_m nan\n", 1, "no hardware has"), ("data_credits 0.5\n", 1, "no hardware has"),
                ("credit_ns 0.0001\n", 1, "no hardware has"), ("cable_m 1e300\n", 1, "no hardware has"),
                ("dllp_share 0.6\n", 1, "no hardware has"),
                ("link_coding 1.1\n", 1, "no hardware has"), ("combining 2\n", 1, "no hardware has"),
                ("base gen9\n", 1, "no such base"), ("cable_m 3\nbase gen3x8\n", 2, "must come first"),
                ("base gen3x8\nbase gen3x8\n", 2, "must come first"),
                ("\ncable_m 3\ncable_m 3\n", 3, "twice"), ("speed 9\n", 1, "no such parameter"),
                ("cable_m " + "1" * 300 + "\n", 1, "too long"), ("", None, "an empty file")):
            with self.subTest(text=text[:40]):
                result = self.show(text)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(wrong, result.stderr)
                self.assertIn(self.file + (f":{line}" if line else ""), result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1)

    def test_bad_arguments(self):
        for args, wrong in ((["--link", "/nowhere/x"], "/nowhere/x"),
                            (["--show-link", "put"], "a scene goes with none of"),
                            (["--show-link", "--replay", "x"], "only one of")):
            with self.subTest(args=args):
                result = run(*args)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(wrong, result.stderr)
        result = run("--show-link", "--json", "/nowhere/a")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/nowhere/a", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
