#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""shmem-perf runs all benchmarks and writes files that other programs can read. No time
is checked.

Usage: test_perf.py OSHRUN SHMEM-PERF
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest

OSHRUN, SHMEM_PERF = sys.argv[1:3]
LIMIT = 100
QUICK = ["--samples", "2", "--time", "1"]
SIZES = ["--sizes", "8,4K"]
KEYS = {"bench", "buffer", "target", "hops", "size", "value", "min", "max", "unit", "ops_per_s",
        "samples", "ops"}


def run(*command, **more):
    return subprocess.run(command, env={**os.environ, **more}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          timeout=LIMIT)


def shmem_perf(job, *args):
    return run(OSHRUN, *job, "--timeout", str(LIMIT - 10), SHMEM_PERF, *args)


def names(program):
    """What --list shows."""
    return {line.split()[0] for line in run(OSHRUN, program, "--list").stdout.splitlines()}


class Perf(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.json = os.path.join(self.folder.name, "a.json")
        self.csv = os.path.join(self.folder.name, "a.csv")

    def tearDown(self):
        self.folder.cleanup()

    def good(self, result, status=0):
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout

    def rows(self):
        with open(self.json, encoding="utf-8") as f:
            rows = json.load(f)["rows"]
        for row in rows:
            self.assertEqual(set(row), KEYS)
            self.assertGreater(row["value"], 0, row)
            self.assertGreater(row["ops"], 0, row)
            self.assertLessEqual(row["min"], row["value"], row)
            self.assertLessEqual(row["value"], row["max"], row)
        return rows

    def test_one_host(self):
        """Every benchmark, heap and static data, PEs that share memory."""
        self.good(shmem_perf(["-n", "2"], *QUICK, *SIZES, "--buffers", "heap,static", "--json",
                             self.json, "--csv", self.csv))
        rows = self.rows()
        self.assertEqual({row["bench"] for row in rows}, names(SHMEM_PERF))
        put = [row for row in rows if row["bench"] == "put_lat"]
        self.assertEqual([(row["buffer"], row["size"]) for row in put],
                         [("heap", 8), ("heap", 4096), ("static", 8), ("static", 4096)])
        self.assertEqual({row["hops"] for row in put}, {0})
        with open(self.csv, encoding="utf-8", newline="") as f:
            self.assertEqual(len(list(csv.DictReader(f))), len(rows))

    def test_ring(self):
        """One target at each distance; the bare rows are there where a window is."""
        self.good(shmem_perf(["--hosts", "4"], *QUICK, "--sizes", "8", "--hops", "all", "--json",
                             self.json, "put_lat", "copy", "barrier"))
        found = {(row["bench"], row["hops"]) for row in self.rows()}
        self.assertEqual(found, {("put_lat", 1), ("put_lat", 2), ("copy", 1), ("barrier", -1)})

    def test_against(self):
        """Ratios to a file whose figures are known."""
        row = {"bench": "put_lat", "buffer": "heap", "target": 1, "size": 8, "unit": "us"}
        for value, says in ((1e9, True), (None, False)):
            if value:
                row["value"] = value
            else:
                row["size"] = 9
            with open(self.json, "w", encoding="utf-8") as f:
                json.dump({"extra": [1, {"a": None}], "rows": [row]}, f, indent=2)
            out = self.good(shmem_perf(["-n", "2"], *QUICK, "--sizes", "8", "--against", self.json,
                                       "put_lat"))
            last = out.splitlines()[-1].split()
            self.assertEqual(last[0], "8")
            self.assertEqual(last[-1].endswith("x"), says, out)

    def test_bad_input(self):
        with open(self.json, "w", encoding="utf-8") as f:
            f.write('{"rows": [\n{"bench": 7}]}')
        result = shmem_perf(["-n", "2"], "--against", self.json, "barrier")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(f"{self.json}: this is not what --json writes", result.stderr)
        for args in (["--against", self.json + "-none", "barrier"], ["--json", "/nowhere/a.json"],
                     ["--sizes", "8,"], ["--samples", "0"], ["--target", "2"], ["--hops", "3"],
                     ["no_such_bench"], ["--no-such-option"]):
            with self.subTest(args=args):
                result = shmem_perf(["-n", "2"], *args)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn("shmem-perf: ", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
