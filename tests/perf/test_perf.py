#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Both measuring programs run all benchmarks and write files that other programs can read. No time
is checked.

Usage: test_perf.py OSHRUN SHMEM-PERF RINGBELL-PERF
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest

OSHRUN, SHMEM_PERF, RINGBELL_PERF = sys.argv[1:4]
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
    command = [OSHRUN, program] if program == SHMEM_PERF else [program]
    return {line.split()[0] for line in run(*command, "--list").stdout.splitlines()}


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

    def test_tune(self):
        """The library reads the file that --tune writes, and names errors in it."""
        file = os.path.join(self.folder.name, "tune")
        self.good(shmem_perf(["--hosts", "2"], "--sizes", "8,64K", f"--tune={file}"))
        with open(file, encoding="utf-8") as f:
            lines = f.read().splitlines()
        self.assertEqual(lines[0], "ringbell-tune 1")
        self.assertEqual(sum(line[4:10] == "window" for line in lines), 8)
        job = ["--hosts", "2", "-x", "SHMEM_INFO=1", "-x", f"RINGBELL_TUNE={file}"]
        self.assertIn(f"Copy methods: {file}", self.good(shmem_perf(job, "--list")))
        with open(file, "a", encoding="utf-8") as f:
            f.write("put window heap warm steam 4K\n")
        result = shmem_perf(job, "--list")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(f"{file}:{len(lines) + 1}: 'steam'", result.stderr)

    def test_bad_input(self):
        with open(self.json, "w", encoding="utf-8") as f:
            f.write('{"rows": [\n{"bench": 7}]}')
        result = shmem_perf(["-n", "2"], "--against", self.json, "barrier")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(f"{self.json}:2:", result.stderr)
        for args in (["--against", self.json + "-none", "barrier"], ["--json", "/nowhere/a.json"],
                     ["--sizes", "8,"], ["--samples", "0"], ["--target", "2"], ["--hops", "3"],
                     ["no_such_bench"], ["--no-such-option"]):
            with self.subTest(args=args):
                result = shmem_perf(["-n", "2"], *args)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn("shmem-perf: ", result.stderr)
        for args in (["no_such_bench"], ["--sizes", "x"], ["--time", "0"], ["--no-such-option"]):
            with self.subTest(args=args):
                result = run(RINGBELL_PERF, *args)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(args[-1], result.stderr)
        result = run(RINGBELL_PERF, *QUICK, "--dma", "dma_nobody", "dma")
        self.assertEqual(result.returncode, 1)
        self.assertIn("dma_nobody", result.stderr)

    def test_bare_ports(self):
        """What needs doorbells or scratchpads is named, and the rest is measured."""
        cable = os.path.join(self.folder.name, "cable")
        with open(cable, "wb"):
            pass
        ports = [f"--vdev=raw_ntb_plx_emu{end},cable={cable},end={end},bar2=1M,"
                 "mask=doorbells+scratchpads+flush" for end in (0, 1)]
        result = run(RINGBELL_PERF, "-l", "0,1", "--no-huge", "--no-shconf", "--no-telemetry",
                     "--no-pci", "-m", "64", "--file-prefix=perf-bare", *ports, "--", *QUICK, "--sizes",
                     "64", "write", "flush", "db_ring", "peer_spad_read", "--json", self.json)
        self.good(result)
        self.assertIn("db_ring needs ports with doorbells", result.stderr)
        self.assertIn("peer_spad_read needs ports with scratchpads", result.stderr)
        self.assertEqual({row["bench"] for row in self.rows()}, {"write", "flush"})

    def test_driver(self):
        out = self.good(run(RINGBELL_PERF, *QUICK, *SIZES, "--json", self.json, "--csv", self.csv))
        self.assertIn("# Descriptor Ring", out)
        self.assertIn("# Window Write by DMA", out)
        rows = self.rows()
        self.assertEqual({row["bench"] for row in rows}, names(RINGBELL_PERF))
        with open(self.csv, encoding="utf-8", newline="") as f:
            columns = list(csv.DictReader(f))
        self.assertEqual([(row["bench"], row["size"], row["unit"]) for row in columns],
                         [(row["bench"], str(row["size"]), row["unit"]) for row in rows])
        self.nothing_left(RINGBELL_PERF, *QUICK, "--sizes", "8", "write")
        # a list has as many elements as it says: none of 32 in 8 bytes
        self.assertEqual([row["size"] for row in rows if row["bench"] == "dma_sg32"], [4096])

    def test_driver_ports(self):
        """Ports that the command line gives, and JSON as the only output."""
        cable = os.path.join(self.folder.name, "cable")
        eal = ["--no-huge", "--no-shconf", "--no-pci", "-m", "64", "--log-level=4"]
        for end in (0, 1):
            eal += ["--vdev", f"raw_ntb_plx_emu{end},cable={cable},end={end},bar2=1M"]
        with open(cable, "w", encoding="utf-8"):
            pass
        command = [RINGBELL_PERF, *eal, "--", *QUICK, "--json", "-"]
        self.nothing_left(*command, "--sizes", "512", "write")
        out = self.good(run(*command, "--sizes", "512", "write"))
        self.assertEqual([row["size"] for row in json.loads(out)["rows"]], [512])
        result = run(*command, "--sizes", "2M", "write")
        self.assertEqual(result.returncode, 1)
        self.assertIn("window", result.stderr)
        # one more cable: all of them at once
        more = os.path.join(self.folder.name, "more")
        for end in (0, 1):
            eal += ["--vdev", f"raw_ntb_plx_emu{end + 2},cable={more},end={end},bar2=1M"]
        with open(more, "w", encoding="utf-8"):
            pass
        out = self.good(run(RINGBELL_PERF, *eal, "--", *QUICK, "--json", "-", "--sizes", "512",
                            "links"))
        self.assertEqual([row["buffer"] for row in json.loads(out)["rows"]],
                         ["link0>", "link0<", "link1>", "link1<", "sum"])

    def nothing_left(self, *command):
        """No folder of DPDK's."""
        place = os.path.join(self.folder.name, "run")
        os.mkdir(place)
        self.good(run(*command, RUNTIME_DIRECTORY=place))
        self.assertEqual([names for _, folders, names in os.walk(os.path.join(place, "dpdk"))
                          if folders or names], [])

    def test_driver_links(self):
        """Rings of one's own: each direction of each cable, and the sum."""
        for hosts in (2, 5):
            self.good(run(RINGBELL_PERF, *QUICK, "--hosts", str(hosts), "--sizes", "8,64K",
                          "--json", self.json, "links"))
            rows = self.rows()
            self.assertEqual(len(rows), 2 * (2 * hosts + 1))
            lanes = [row for row in rows if row["target"] >= 0]
            self.assertEqual({row["buffer"] for row in lanes},
                             {f"link{i}{way}" for i in range(hosts) for way in "<>"})
            # the sum is of what all moved until the last was through
            self.assertEqual({row["ops"] for row in rows if row["buffer"] == "sum"},
                             {2 * hosts * ops for ops in
                              (row["ops"] for row in lanes[:2])})
        for hosts in ("1", "17", "x"):
            self.assertEqual(run(RINGBELL_PERF, "--hosts", hosts, "links").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
