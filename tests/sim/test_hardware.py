#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The simulator on the hardware of the papers: the published figures come out within their limits,
the page has the tables that the script makes, and files of parameters are checked.

Usage: test_hardware.py RINGBELL-SIM SOURCE-FOLDER
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SIM, TOP = sys.argv[1:3]
sys.path.insert(0, os.path.join(TOP, "bench"))
import hardware  # noqa: E402

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def run(*args):
    return subprocess.run([SIM, *map(str, args)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=60)


class Published(unittest.TestCase):
    def test_within_limits(self):
        found = list(hardware.calibration(SIM, draws=0))
        for row, value, _, off in found:
            with self.subTest(figure=row["figure"]):
                self.assertTrue(hardware.is_met(row, off), f"{value:.3f}, {off:+.1f} %")
        # what is fitted to a paper is checked by another figure of the same paper
        for paper in {row["paper"] for row, *_ in found}:
            uses = [row["use"] for row, *_ in found if row["paper"] == paper]
            self.assertIn("check", uses)
            self.assertTrue(all(u == "check" or u.startswith("fitted: ") for u in uses))

    def test_limits_can_fail(self):
        row = {"low": 80.0, "high": 85.0, "limit": 15.0}
        for value, met in ((82, True), (69, True), (67, False), (97, True), (98, False)):
            off = hardware.distance(value, row["low"], row["high"])
            self.assertEqual(hardware.is_met(row, off), met, value)

    def test_tables(self):
        """What the site shows: a row for each published figure, and for each operation compared."""
        papers = hardware.table_of_papers(hardware.calibration(SIM, draws=2)).splitlines()
        with open(os.path.join(TOP, "bench", "published.tsv"), encoding="utf-8") as f:
            self.assertEqual(len(papers) - 2, sum(1 for line in f if not line.startswith("#")) - 1)
        systems = hardware.table_of_systems(hardware.comparison(SIM, draws=2)).splitlines()
        for line in (*papers[2:], *systems[2:]):
            self.assertGreaterEqual(len(NUMBER.findall(line)), 2, line)


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
        speeds = [self.mbs(link) for link in ("gen2x8", "gen3x8", "gen4x16")]
        self.assertEqual(speeds, sorted(speeds))
        self.assertLess(speeds[0], 160)  # no write combining
        self.assertGreater(speeds[1], 5000)

    def test_file(self):
        """What --show-link prints is a file of --link, with the same figures."""
        shown = run("--show-link").stdout
        self.assertEqual(self.show(shown).stdout, shown)
        self.assertAlmostEqual(self.mbs(self.file), self.mbs("gen3x8"))
        self.show("base gen3x8\n\n# two packets under way\nheader_credits 2 1..4\n")
        self.assertLess(self.mbs(self.file), 500)
        self.show("base gen4x16\ncombining 0\n")
        self.assertLess(self.mbs(self.file), 160)

    def test_draws(self):
        """The same seed gives the same parameters, 0 the values themselves."""
        def rows(*args):
            result = run(*args)
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(result.stdout)["rows"]
        self.assertEqual(rows("--papers", "--draw", 7), rows("--papers", "--draw", 7))
        self.assertNotEqual(rows("--papers", "--draw", 7), rows("--papers", "--draw", 8))
        self.assertEqual(rows("--papers"), rows("--papers", "--draw", 0))
        self.show("wake_ns 13000\n")
        self.assertEqual(rows("--compare"), rows("--link", self.file, "--compare"))

    def test_bad_file(self):
        for text, line, wrong in (
                ("mps\n", 1, "a number is missing"), ("mps x\n", 1, "a number is missing"),
                ("mps 128 64\n", 1, "not a range"), ("mps 128 64..x\n", 1, "not a range"),
                ("mps 128 64..256 9\n", 1, "not a range"),
                ("mps 128 256..512\n", 1, "not within its range"),
                ("mps 0\n", 1, "no hardware has"), ("mps -1\n", 1, "no hardware has"),
                ("mps nan\n", 1, "no hardware has"), ("dma_reads 0.5\n", 1, "no hardware has"),
                ("wake_ns 0.0001\n", 1, "no hardware has"), ("mps 1e300\n", 1, "no hardware has"),
                ("dllp_share 0.6\n", 1, "no hardware has"),
                ("link_coding 1.1\n", 1, "no hardware has"),
                ("base gen9\n", 1, "no such base"), ("mps 128\nbase gen3x8\n", 2, "must come first"),
                ("base gen3x8\nbase gen3x8\n", 2, "must come first"),
                ("\nmps 128\nmps 128\n", 3, "twice"), ("speed 9\n", 1, "no such parameter"),
                ("mps " + "1" * 300 + "\n", 1, "too long"), ("", None, "an empty file")):
            with self.subTest(text=text[:40]):
                result = self.show(text)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(wrong, result.stderr)
                self.assertIn(self.file + (f":{line}" if line else ""), result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1)

    def test_bad_arguments(self):
        for args, wrong in ((["--link", "/nowhere/x"], "/nowhere/x"),
                            (["--draw", "1"], "--draw goes with"),
                            (["--papers", "--link", "gen3x8"], "a link for each paper"),
                            (["--papers", "--compare"], "only one of --papers"),
                            (["--papers", "put"], "a scene goes with none of"),
                            (["--papers", "--draw", "x"], "--draw x: must be")):
            with self.subTest(args=args):
                result = run(*args)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(wrong, result.stderr)
        result = run("--papers", "--json", "/nowhere/a")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/nowhere/a", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
