#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-sim writes files that other programs can read, and names errors in its arguments.

Usage: test_sim.py RINGBELL-SIM
"""
import json
import subprocess
import sys
import unittest

SIM = sys.argv[1]
COLUMNS = ["scene", "wiring", "hosts", "hops", "size", "us", "mbs", "limit", "busiest", "relayed", "behind", "share",
           "requests"]


def run(*args):
    return subprocess.run([SIM, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=60)


class Sim(unittest.TestCase):
    def good(self, *args):
        result = run(*args)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")  # no progress line where there is no terminal
        return result.stdout

    def test_json(self):
        """All scenes on all kinds of graphs, where the number of hosts fits them."""
        words = ["ring", "double", "chain", "mesh", "torus=3x2", "0-1 1-2 2-3 3-0 3-1"]
        args = ["-n", "4,6", "-s", "8,64K", "-k", "1,2,3", "-m", "4", *(f"--wiring={w}" for w in words)]
        data = json.loads(self.good(*args, "--json", "-"))
        self.assertEqual(data["tool"], "ringbell-sim")
        names = {line.split()[0] for line in self.good("--list").splitlines()}
        self.assertEqual({row["scene"] for row in data["rows"]}, names)
        self.assertEqual({row["wiring"] for row in data["rows"]}, set(words))
        for row in data["rows"]:
            self.assertEqual(list(row), COLUMNS)
            self.assertGreater(row["us"], 0)
            self.assertGreater(row["limit"], 0)

    def test_deterministic(self):
        first, again, other = (json.loads(self.good("-n", "8", "-s", "32K", "uniform", "--json", "-", "--seed", seed))["rows"]
                               for seed in "117")
        self.assertEqual(first, again)
        self.assertNotEqual(first[0]["requests"], other[0]["requests"])

    def test_table(self):
        out = self.good("-n", "4", "-W", "torus=2x2", "barrier")
        self.assertIn("# Barrier", out)
        self.assertIn("torus", out)
        self.assertNotIn("\nring ", out)

    def test_hardware(self):
        """A figure that was published, and a source for each parameter."""
        links = "gen2x8", "gen3x8", "gen4x16", "10gbe", "100gbe"
        rows = [json.loads(self.good("--link", link, "-n", "4", "-k", "1", "-s", "1M", "put", "--json", "-"))["rows"][0]
                for link in links]
        uncached, speed, wide, ethernet, core = (row["mbs"] for row in rows)
        self.assertAlmostEqual(uncached, 150, delta=15)  # what P2 measured
        self.assertTrue(5000 < speed < wide)
        self.assertAlmostEqual(ethernet, 1250 * 8936 / 9038, delta=10)  # the wire, heads included
        self.assertTrue(3000 < core < 5000)  # that copies and checks
        shown = self.good("--link", "gen4x16", "--show-link")
        self.assertRegex(shown, r"(?m)^link_lanes +16 +lanes; .")
        self.assertGreater(len(shown.splitlines()), 20)

    def test_pool(self):
        """The CPU loads and adds there by itself, and waits for no service lcore."""
        (far_get, far), (get, fetches) = (
            [row["us"] for row in json.loads(self.good("--link", link, "-W", "mesh", "-n", "4", "-k", "1", "-s", "8", "get",
                                                       "fetches", "--json", "-"))["rows"]] for link in ("100gbe", "pool"))
        self.assertTrue(0.28 < get < 0.4 < far_get)
        self.assertLess(fetches, far / 5)

    def test_bad_input(self):
        for args in (["-n", "0"], ["-n", "5000"], ["-n", "4,"], ["-W", "star"], ["-n", "8", "-W", "torus=3x3"], ["-s", "0"],
                     ["-k", "x"], ["-b", "0"], ["-e", "3"],
                     ["-n", "65"], ["-m", "0"], ["--link", "gen9"], ["no_such_scene"],
                     ["--no-such-option"]):
            with self.subTest(args=args):
                result = run(*args)
                self.assertEqual(result.returncode, 2)
                self.assertEqual(result.stdout, "")
                self.assertIn(args[-1], result.stderr)
        result = run("-n", "2", "barrier", "--json", "/nowhere/a")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/nowhere/a", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
