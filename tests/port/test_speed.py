#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-port speed and relay run all benchmarks and write files that other programs can read. No
time is checked.

Usage: test_speed.py RINGBELL-PORT
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest

PORT = sys.argv[1]
SPEED, RELAY = (PORT, "speed"), (PORT, "relay")
LIMIT = 100
QUICK = ["--samples", "2", "--time", "1"]
SIZES = ["--sizes", "8,4K"]
KEYS = {"bench", "buffer", "target", "hops", "size", "value", "min", "max", "unit", "ops_per_s",
        "samples", "ops"}


def run(*command, **more):
    return subprocess.run(command, env={**os.environ, **more}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          timeout=LIMIT)


def names(command):
    """What --list shows."""
    return {line.split()[0] for line in run(*command, "--list").stdout.splitlines()}


class Speed(unittest.TestCase):
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

    def test_bad_input(self):
        for args in (["no_such_bench"], ["--sizes", "x"], ["--time", "0"], ["--no-such-option"]):
            with self.subTest(args=args):
                result = run(*SPEED, *args)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(args[-1], result.stderr)
        result = run(*SPEED, *QUICK, "--dma", "dma_nobody", "dma")
        self.assertEqual(result.returncode, 1)
        self.assertIn("dma_nobody", result.stderr)

    def test_bare_ports(self):
        """What needs doorbells or scratchpads is named, and the rest is measured."""
        cable = os.path.join(self.folder.name, "cable")
        with open(cable, "wb"):
            pass
        ports = [f"--vdev=raw_ntb_plx_emu{end},cable={cable},end={end},bar2=1M,"
                 "mask=doorbells+scratchpads+flush" for end in (0, 1)]
        eal = " ".join(["-l 0,1 --no-huge --no-shconf --no-pci -m 64 --file-prefix=perf-bare", *ports])
        result = run(*SPEED, "--eal", eal, *QUICK, "--sizes", "64", "write", "flush", "db_ring", "peer_spad_read", "--json", self.json)
        self.good(result)
        self.assertIn("db_ring needs ports with doorbells", result.stderr)
        self.assertIn("peer_spad_read needs ports with scratchpads", result.stderr)
        self.assertEqual({row["bench"] for row in self.rows()}, {"write", "flush"})

    def test_driver(self):
        out = self.good(run(*SPEED, *QUICK, *SIZES, "--json", self.json, "--csv", self.csv))
        self.assertIn("# Descriptor Ring", out)
        self.assertIn("# Window Write by DMA", out)
        rows = self.rows()
        self.assertEqual({row["bench"] for row in rows}, names(SPEED))
        with open(self.csv, encoding="utf-8", newline="") as f:
            columns = list(csv.DictReader(f))
        self.assertEqual([(row["bench"], row["size"], row["unit"]) for row in columns],
                         [(row["bench"], str(row["size"]), row["unit"]) for row in rows])
        self.nothing_left(*SPEED, *QUICK, "--sizes", "8", "write")
        # a list has as many elements as it says: none of 32 in 8 bytes
        self.assertEqual([row["size"] for row in rows if row["bench"] == "dma_sg32"], [4096])

    def test_relay(self):
        self.good(run(*RELAY, *QUICK, *SIZES, "--json", self.json))
        self.assertEqual({(row["bench"], row["hops"]) for row in self.rows()},
                         {(f"hop{n}", n) for n in range(1, 5)})

    def test_driver_ports(self):
        """Ports that the command line gives, and JSON as the only output."""
        cable = os.path.join(self.folder.name, "cable")
        eal = ["--no-huge", "--no-shconf", "--no-pci", "-m", "64", "--log-level=4"]
        for end in (0, 1):
            eal += ["--vdev", f"raw_ntb_plx_emu{end},cable={cable},end={end},bar2=1M"]
        with open(cable, "w", encoding="utf-8"):
            pass
        command = [*SPEED, "--eal", " ".join(eal), *QUICK, "--json", "-"]
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
        out = self.good(run(*SPEED, "--eal", " ".join(eal), *QUICK, "--json", "-", "--sizes",
                            "512", "links"))
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
            self.good(run(*SPEED, *QUICK, "--hosts", str(hosts), "--sizes", "8,64K",
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
            self.assertEqual(run(*SPEED, "--hosts", hosts, "links").returncode, 2)

    def test_one_port(self):
        """The driver's own test of a port, and its registers."""
        cable = os.path.join(self.folder.name, "cable")
        with open(cable, "wb"):
            pass
        port = f"raw_ntb_plx_emu0,cable={cable},end=0"
        self.assertIn(": ok", self.good(run(PORT, "selftest", port)))
        self.assertIn("link", self.good(run(PORT, "dump", port)))
        for args in ([], ["no-such-command"], ["dump"], ["selftest", "--frob", port]):
            result = run(PORT, *args)
            self.assertEqual((result.returncode, result.stdout), (2, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
