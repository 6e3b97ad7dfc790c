#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""shmem-perf and ringbell-port speed run all benchmarks and write files that other programs can read.
No time is checked.

Usage: test_perf.py OSHRUN SHMEM-PERF RINGBELL-PORT
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

OSHRUN, SHMEM_PERF, PORT = sys.argv[1:4]
SPEED = (PORT, "speed")
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


class Measuring(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.json = os.path.join(self.folder.name, "json")
        self.files = ["--json", self.json]

    def good(self, result):
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def rows(self, *listing):
        """Of the file; with the command that lists them, all benchmarks are there."""
        with open(self.json, encoding="utf-8") as f:
            rows = json.load(f)["rows"]
        for row in rows:
            self.assertEqual(set(row), KEYS)
            self.assertGreater(row["value"], 0, row)
            self.assertGreater(row["ops"], 0, row)
            self.assertLessEqual(row["min"], row["value"], row)
            self.assertLessEqual(row["value"], row["max"], row)
        if listing:
            self.assertEqual({row["bench"] for row in rows},
                             {line.split()[0] for line in run(*listing).stdout.splitlines()})
        return rows


class Perf(Measuring):
    def test_one_host(self):
        """Every benchmark, heap and static data, PEs that share memory."""
        self.good(shmem_perf(["-n", "2"], *QUICK, *SIZES, "--buffers", "heap,static", *self.files))
        put = [row for row in self.rows(OSHRUN, SHMEM_PERF, "--list") if row["bench"] == "put_lat"]
        self.assertEqual([(row["buffer"], row["size"]) for row in put],
                         [("heap", 8), ("heap", 4096), ("static", 8), ("static", 4096)])
        self.assertEqual({row["hops"] for row in put}, {0})

    def test_ring(self):
        """One target at each distance; the bare rows are there where a window is."""
        self.good(shmem_perf(["--hosts", "4"], *QUICK, "--sizes", "8", "--hops", "all", *self.files,
                             "put_lat", "copy", "barrier"))
        found = {(row["bench"], row["hops"]) for row in self.rows()}
        self.assertEqual(found, {("put_lat", 1), ("put_lat", 2), ("copy", 1), ("barrier", -1)})

    def test_bad_input(self):
        for args in (["--json", "/nowhere/a.json"], ["--sizes", "8,"], ["--samples", "0"], ["--target", "2"], ["--hops", "3"],
                     ["no_such_bench"], ["--no-such-option"]):
            with self.subTest(args=args):
                result = shmem_perf(["-n", "2"], *args)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn("shmem-perf: ", result.stderr)


class Speed(Measuring):
    def eal(self, ports):
        """Options of the EAL for so many ports, each two with a cable."""
        words = ["-l 0,1 --no-huge --no-shconf --no-pci -m 64 --log-level=4"]
        for i in range(ports):
            cable = os.path.join(self.folder.name, f"cable{i // 2}")
            with open(cable, "ab"):
                pass
            words.append(f"--vdev=raw_ntb_plx_emu{i},cable={cable},end={i % 2},bar2=1M")
        return ["--eal", " ".join(words)]

    def test_all(self):
        out = self.good(run(*SPEED, *QUICK, *SIZES, *self.files))
        self.assertIn("# Descriptor Ring", out)
        rows = self.rows(*SPEED, "--list")
        # a list has as many elements as it says: none of 32 in 8 bytes
        self.assertEqual([row["size"] for row in rows if row["bench"] == "dma_sg32"], [4096])
        self.assertEqual({(row["bench"], row["hops"]) for row in rows if row["bench"][:3] == "hop"},
                         {(f"hop{n}", n) for n in (1, 2)})

    def test_ports(self):
        """Ports that the command line gives, JSON as the only output, and no folder of DPDK's left."""
        command = [*SPEED, *self.eal(2), *QUICK, "--json", "-", "write", "--sizes"]
        for words in ([*command, "512"], [*SPEED, *QUICK, "--json", "-", "--sizes", "512", "write"]):
            place = tempfile.mkdtemp(dir=self.folder.name)
            out = self.good(run(*words, RUNTIME_DIRECTORY=place))
            self.assertEqual([row["size"] for row in json.loads(out)["rows"]], [512])
            self.assertEqual([names for _, folders, names in os.walk(os.path.join(place, "dpdk"))
                              if folders or names], [])
        result = run(*command, "2M")
        self.assertEqual(result.returncode, 1)
        self.assertIn("window", result.stderr)

    def test_which_ports(self):
        """Two, and at the two ends of one cable."""
        words = self.eal(4)[1].split(" --vdev=")
        for chosen, wrong in ((words, "more than two NT ports"), (words[:1] + words[1:4:2], "no link between"),
                              (words[:2], "two are needed")):
            result = run(*SPEED, "--eal", " --vdev=".join(chosen), *QUICK, "write")
            self.assertEqual(result.returncode, 1)
            self.assertIn(wrong, result.stderr)

    def test_one_port(self):
        """The driver's own test of a port, and its registers."""
        cable = os.path.join(self.folder.name, "cable")
        with open(cable, "wb"):
            pass
        port = f"raw_ntb_plx_emu0,cable={cable},end=0"
        self.assertIn(": ok", self.good(run(PORT, "selftest", port)))
        self.assertIn("link", self.good(run(PORT, "dump", port)))

    def test_bad_input(self):
        for args in ([], ["no-such-command"], ["dump"], ["selftest", "--frob", "05:00.0"],
                     ["speed", "no_such_bench"], ["speed", "--sizes", "x"], ["speed", "--time", "0"]):
            with self.subTest(args=args):
                result = run(PORT, *args)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertTrue(result.stderr)
        result = run(*SPEED, *QUICK, "--dma", "dma_nobody", "dma")
        self.assertEqual(result.returncode, 1)
        self.assertIn("dma_nobody", result.stderr)
        # a device that is not there: nothing is measured in its place
        result = run(*SPEED, "--eal", "-a 0000:7f:1f.7 --no-huge --no-shconf -m 64", *QUICK, "write")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("no NT port among the devices", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
