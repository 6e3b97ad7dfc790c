#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-port order at both ends of a cable of the model, and with cables that go wrong.

Usage: test_order.py RINGBELL-PORT BROKEN-PORT

The broken program stores as the variable PORT_FAULT says. It stands at one end only, so that each
fault has a direction.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PORT, FAULTY = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
LIMIT = 100
ROUNDS = 500  # even, as faulty stores come in pairs
ORDER = {"flag", "doorbell", "flush", "threads", "stream", "descriptor"}


class Order(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ringbell-order-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.run_dir = os.path.join(self.folder, "run")  # of DPDK
        os.mkdir(self.run_dir)
        self.cable = os.path.join(self.folder, "cable")
        with open(self.cable, "w", encoding="ascii"):
            pass

    def start(self, end, *args, program=PORT, fault="", rounds=ROUNDS):
        env = dict(os.environ, PORT_FAULT=fault, TMPDIR=self.folder, RUNTIME_DIRECTORY=self.run_dir)
        process = subprocess.Popen(
            [program, "order", "--json", "-", "--rounds", str(rounds), "--timeout", "30", *args,
             f"raw_ntb_plx_emu0,cable={self.cable},end={end}"], env=env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for cleanup in (process.stdout.close, process.stderr.close, process.kill):
            self.addCleanup(cleanup)
        return process

    def end(self, process, status):
        """What it found."""
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, status, err)
        return json.loads(out)

    def pair(self, **away):
        """Both ends; what is said of the second end here."""
        both = [self.start(0), self.start(1, **away)]
        return [self.end(process, 1) for process in both]

    @staticmethod
    def wrong(found, direction):
        return {test["name"]: (test["violations"], test["lost"]) for test in found["tests"]
                if not test["control"] and test["direction"] == direction
                and test["violations"] + test["lost"]}

    def test_healthy(self):
        both = [self.start(0), self.start(1, rounds=ROUNDS * 7)]
        for found in [self.end(process, 0) for process in both]:
            self.assertEqual((found["ended"], found["stores"]), ("", ""))
            tests = found["tests"]
            self.assertEqual({t["name"] for t in tests if not t["control"]},
                             ORDER | {"places", "doorbells"})
            self.assertEqual({t["rounds"] for t in tests if t["name"] in ORDER}, {ROUNDS})
            for way in ("out", "in"):
                self.assertEqual(sum(t["direction"] == way for t in tests), len(tests) // 2)
            self.assertTrue(all(row["bytes_per_s"] > 0 for row in found["bandwidth"]))
            latency = found["latency"]
            self.assertGreater(latency["count"], 0)
            self.assertLessEqual(latency["median"], latency["p99"])
        self.assertEqual(os.listdir(self.run_dir), [])

    def test_stores_that_overtake(self):
        """Each rule sees them, in the direction that has them."""
        seen = set()
        for fault in ("late", "hoard"):
            here, away = self.pair(program=FAULTY, fault=fault)
            self.assertEqual(self.wrong(here, "out"), {})
            self.assertEqual(self.wrong(here, "in"), self.wrong(away, "out"))
            seen |= set(self.wrong(here, "in"))
        self.assertEqual(seen & ORDER, ORDER)

    def test_one_way(self):
        """Registers answer, and what one side stores does not arrive."""
        here, away = self.pair(program=FAULTY, fault="mute")
        self.assertIn("what the peer stores does not arrive here", here["stores"])
        self.assertIn("what this side stores does not arrive at the peer", away["stores"])

    def test_places(self):
        here, _ = self.pair(program=FAULTY, fault="folded")
        self.assertEqual((set(self.wrong(here, "in")), self.wrong(here, "out")), ({"places"}, {}))

    def test_doorbells(self):
        """The second end loses three that it rings."""
        here, away = self.pair(program=FAULTY, fault="bells-three")
        self.assertEqual((self.wrong(here, "in"), self.wrong(here, "out")), ({"doorbells": (0, 3)}, {}))
        self.assertEqual((self.wrong(away, "out"), self.wrong(away, "in")), ({"doorbells": (0, 3)}, {}))

    def test_nobody(self):
        found = self.end(self.start(0, "--timeout", "1"), 1)
        self.assertIn("no link within 1 s", found["ended"])

    def test_killed(self):
        """The peer ends in the middle: this side says so, and ends."""
        here, away = self.start(0, rounds=1 << 31), self.start(1, rounds=1 << 31)
        end = time.monotonic() + LIMIT
        while not self.busy(away):
            self.assertLess(time.monotonic(), end, "the two did not meet")
            time.sleep(0.05)
        away.kill()
        self.assertRegex(self.end(here, 1)["ended"], "the link broke|waited|gave up|dead")

    @staticmethod
    def busy(process):
        """Has it computed for a while? Then the tests of order go on."""
        with open(f"/proc/{process.pid}/stat", encoding="ascii") as f:
            return int(f.read().rsplit(")", 1)[1].split()[11]) > 50  # ticks

    def test_input(self):
        for args in ([], ["a", "b"], ["--rounds", "x", "a"], ["--note", "/nowhere", "a"], ["--json"],
                     ["--region", "1K", "a"], ["foo"], ["05:00"], ["1:2:3:4.5"]):
            done = subprocess.run([PORT, "order", *args], stdin=subprocess.DEVNULL, text=True,
                                  check=False, capture_output=True, timeout=LIMIT)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
