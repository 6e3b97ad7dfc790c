#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Traces of real programs can be replayed: all their operations are there, and on the ring where
they ran they take about what they took.

Usage: test_replay.py OSHRUN RINGBELL-SIM PROGRAM...
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

OSHRUN, SIM, *PROGRAMS = [os.path.abspath(name) for name in sys.argv[1:]]
LIMIT = 100
# the bar is 25 %, which bench/replay.py measures; here the machine may be in the middle of anything
AWAY = 2


def run(*args):
    return subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=LIMIT)


class Replay(unittest.TestCase):
    def test_programs(self):
        for hosts in 2, 3:
            for program in PROGRAMS:
                with self.subTest(program=os.path.basename(program), hosts=hosts), \
                        tempfile.TemporaryDirectory() as folder:
                    self.check(program, hosts, os.path.join(folder, "trace.json"))

    def check(self, program, hosts, trace):
        result = run(OSHRUN, "--hosts", str(hosts), "--trace", trace, program)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        found = {}
        for link in "trace", "gen3x8":
            result = run(SIM, "--replay", trace, "--link", link, "--json", "-")
            self.assertEqual(result.returncode, 0, result.stderr)
            found[link] = json.loads(result.stdout)
        here = found["trace"]
        self.assertEqual(len(here["pes"]), hosts)
        self.assertLess(here["predicted_us"], AWAY * here["traced_us"])
        self.assertGreater(here["predicted_us"], here["traced_us"] / AWAY)
        # no PE can be faster than its computation
        least = max(pe["compute"] for pe in found["gen3x8"]["pes"])
        self.assertGreaterEqual(found["gen3x8"]["predicted_us"], 0.999 * least)
        self.assertGreater(sum(link["left"] + link["right"] for link in here["links"]), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
