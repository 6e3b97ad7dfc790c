#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-doctor --with-peer at both ends of a cable of the model, and with cables that go wrong.

Usage: test_peer.py RINGBELL-DOCTOR RINGBELL-PORT BROKEN-PORT

The broken program stores as the variable PORT_FAULT says. It stands at one end only, so that each finding
has a direction.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

DOCTOR, PORT, FAULTY = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
LIMIT = 100
ROUNDS = 500  # even, as faulty stores come in pairs
ORDER = {"flag", "doorbell", "flush", "threads", "stream", "descriptor"}

sys.path.insert(0, DOCTOR)
import findings  # noqa: E402  of the archive
import rules_peer  # noqa: E402


class Peers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ringbell-peer-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.run_dir = os.path.join(self.folder, "run")  # of DPDK
        os.mkdir(self.run_dir)
        self.cable = os.path.join(self.folder, "cable")
        with open(self.cable, "w", encoding="ascii"):
            pass

    def place(self, end, program, more):
        """A doctor with this program beside it, which gets more options at last."""
        folder = os.path.join(self.folder, f"end{end}")
        os.mkdir(folder)
        shutil.copy(DOCTOR, folder)
        path = os.path.join(folder, "ringbell-port")
        with open(path, "w", encoding="ascii") as f:
            f.write(f"#!/bin/sh\nset -- \"$@\" {more}\nexec {program} \"$@\"\n")
        os.chmod(path, 0o755)
        return os.path.join(folder, os.path.basename(DOCTOR))

    def start(self, end, *args, program=PORT, more="", fault="", rounds=ROUNDS):
        env = dict(os.environ, PORT_FAULT=fault, TMPDIR=self.folder,
                   RUNTIME_DIRECTORY=self.run_dir)
        return subprocess.Popen(
            [self.place(end, program, more), "--json", "--rounds", str(rounds), "--timeout", "30",
             "--with-peer", f"raw_ntb_plx_emu0,cable={self.cable},end={end}", *args], env=env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True)

    def end(self, process):
        """What it found, and its status."""
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            self.fail(f"not done in {LIMIT} s")
        self.assertTrue(out, err)
        report = json.loads(out)
        report["bad"] = [f for f in report["findings"] if f["severity"] != "ok"]
        return report, process.returncode

    def pair(self, **away):
        """Both ends; what is said of the second end here."""
        both = [self.start(0), self.start(1, **away)]
        return [self.end(process) for process in both]

    def wrong(self, report, direction):
        return {test["name"] for test in report["peer"]["tests"] if not test["control"] and
                test["direction"] == direction and test["violations"] + test["lost"]}

    def test_healthy(self):
        here, away = self.start(0), self.start(1, rounds=ROUNDS * 7)
        for report, status in (self.end(here), self.end(away)):
            self.assertEqual((report["bad"], status), ([], 0))
            tests = report["peer"]["tests"]
            self.assertEqual({t["name"] for t in tests if not t["control"]},
                             ORDER | {"places", "doorbells"})
            self.assertEqual({t["rounds"] for t in tests if t["name"] in ORDER}, {ROUNDS})
            for way in ("out", "in"):
                self.assertEqual(sum(t["direction"] == way for t in tests), len(tests) // 2)
            self.assertTrue(all(row["bytes_per_s"] > 0 for row in report["peer"]["bandwidth"]))
            latency = report["peer"]["latency"]
            self.assertGreater(latency["count"], 0)
            self.assertLessEqual(latency["min"], latency["median"])
        self.assertEqual(os.listdir(self.run_dir), [])
        self.assertEqual(sorted(os.listdir(self.folder)), ["cable", "end0", "end1", "run"])

    def test_order(self):
        """Stores that overtake others are seen by each rule, in the direction that has them."""
        seen = set()
        for fault in ("late", "hoard"):
            with self.subTest(fault):
                (report, status), (far, far_status) = self.pair(program=FAULTY, fault=fault)
                self.assertEqual((status, far_status), (1, 1))
                self.assertEqual(self.wrong(report, "out"), set())
                self.assertEqual(self.wrong(report, "in"), self.wrong(far, "out"))
                self.assertIn("order", {f["check"] for f in report["bad"]}, report["bad"])
                self.assertTrue(any("from the peer to here" in f["what"] for f in report["bad"]))
                seen |= self.wrong(report, "in")
                shutil.rmtree(os.path.join(self.folder, "end0"))
                shutil.rmtree(os.path.join(self.folder, "end1"))
        self.assertEqual(seen & ORDER, ORDER)

    def test_one_way(self):
        """Registers answer, and what one side stores does not arrive."""
        (report, status), (far, far_status) = self.pair(program=FAULTY, fault="mute")
        self.assertEqual((status, far_status), (1, 1))
        for found, words in ((report, "what the peer stores does not arrive here"),
                             (far, "what this side stores does not arrive at the peer")):
            self.assertEqual([f["check"] for f in found["bad"]], ["stores"])
            self.assertIn(words, found["bad"][0]["what"])

    def test_places(self):
        (report, status), _ = self.pair(program=FAULTY, fault="folded")
        self.assertEqual(status, 1)
        self.assertEqual([f["check"] for f in report["bad"]], ["places"])
        self.assertIn("from the peer to here", report["bad"][0]["what"])

    def test_doorbells(self):
        (report, status), (far, far_status) = self.pair(program=FAULTY, fault="bells-three")
        self.assertEqual((status, far_status), (1, 1))
        for found, way in ((report, "from the peer to here"), (far, "from here to the peer")):
            self.assertEqual([f["check"] for f in found["bad"]], ["doorbells"])
            self.assertIn("of 16 doorbells 3 did not arrive and 0 came wrong, " + way,
                          found["bad"][0]["what"])

    def test_note(self):
        """What the peer says of itself is data of an unknown writer."""
        note = os.path.join(self.folder, "note")
        for text in (b"\xff\xfe\x00{", b'{"registers": [7], "bars": {"bar": []}}', b"[" * 8000):
            with open(note, "wb") as f:
                f.write(text)
            for end in ("end0", "end1"):
                shutil.rmtree(os.path.join(self.folder, end), ignore_errors=True)
            for report, status in self.pair(more=f"--note {note}", rounds=2):
                self.assertEqual((report["bad"], status), ([], 0))

    def test_nobody(self):
        report, status = self.end(self.start(0, "--timeout", "1"))
        self.assertEqual(status, 1)
        self.assertEqual([f["check"] for f in report["bad"]], ["session"])
        self.assertIn("no link within 1 s", report["bad"][0]["what"])

    def test_killed(self):
        """The peer ends in the middle: this side says so, and ends."""
        here, away = self.start(0, rounds=1 << 31), self.start(1, rounds=1 << 31)
        end = time.monotonic() + LIMIT
        while not self.busy(away):
            self.assertLess(time.monotonic(), end, "the two did not meet")
            time.sleep(0.05)
        os.killpg(away.pid, signal.SIGKILL)
        away.communicate()
        report, status = self.end(here)
        self.assertEqual(status, 1)
        self.assertEqual([f["check"] for f in report["bad"]], ["session"])
        self.assertRegex(report["bad"][0]["what"], "the link broke|waited|gave up|dead")

    def busy(self, process):
        """Has its program computed for a while? Then the tests of order go on."""
        try:
            with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as f:
                child = f.read().split()[0]
            with open(f"/proc/{child}/stat", encoding="ascii") as f:
                return int(f.read().rsplit(")", 1)[1].split()[11]) > 50  # ticks
        except (OSError, IndexError):
            return False

    def test_bad_input(self):
        for args in (["--with-peer", "05:00.0"], ["--with-peer", ""], ["--rounds", "0"],
                     ["--rounds", "many"], ["--timeout", "-1"],
                     ["--with-peer", "raw_ntb_plx_emu0", "--region", "big"]):
            done = subprocess.run([DOCTOR, *args], stdin=subprocess.DEVNULL, text=True, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_order_input(self):
        for args in ([], ["a", "b"], ["--rounds", "x", "a"], ["--note", "/nowhere", "a"], ["--json"],
                     ["--region", "1K", "a"], ["foo"], ["05:00"], ["1:2:3:4.5"]):
            done = subprocess.run([PORT, "order", *args], stdin=subprocess.DEVNULL, text=True, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


class Rules(unittest.TestCase):
    """Over results that no model gives."""

    def found(self, risen=(), **changes):
        rows = [{"method": method, "size": 4096, "bytes_per_s": rate}
                for method, rate in (("words", 4e9), ("fenced words", 4e8))]
        peer = {"port": "0000:03:00.0", "ended": "", "stores": "", "tests": [], "emulated": False,
                "combining": True, "bandwidth": rows, "settings": {}, "peer_settings": {}}
        facts = type("Facts", (), {"peer": {**peer, **changes}, "risen": list(risen)})
        bad = [f for f in findings.run(rules_peer.CHECKS, facts) if f.severity != "ok"]
        self.assertTrue(all((f.what + f.fix).isprintable() for f in bad), bad)
        return [(f.check, f.severity) for f in bad]

    def test_combining(self):
        slow = [{"method": method, "size": 4096, "bytes_per_s": 4e8}
                for method in ("words", "fenced words")]
        self.assertEqual(self.found(), [])
        self.assertEqual(self.found(bandwidth=slow), [("combines", "warn")])
        self.assertEqual(self.found(bandwidth=slow, combining=False), [])
        self.assertEqual(self.found(combining=False), [("combines", "note")])
        self.assertEqual(self.found(bandwidth=slow, emulated=True), [])

    def test_settings(self):
        here = {"payload": 256, "bars": [{"bar": 2, "size": 1 << 30}],
                "registers": {"setup": {"0xe8": "0xc000000c"}}}
        self.assertEqual(self.found(settings=here, peer_settings=here), [])
        for there in ({**here, "payload": 128}, {**here, "bars": [{"bar": 2, "size": 1 << 28}]},
                      {**here, "bars": "\x1b" * 4000},
                      {**here, "bars": [{"bar": 2, "size": 1 << 28}, "\x1b\n\u009b"]}):
            self.assertEqual(self.found(settings=here, peer_settings=there), [("settings", "warn")])
        for there in ({"payload": []}, {"registers": None}, {"registers": {"setup": 7}}, {"bars": 3},
                      {"registers": {"setup": {"\x1b": "\n"}}, "bars": here["bars"]}):
            self.found(settings=here, peer_settings=there)
        there = {**here, "registers": {"setup": {"0xe8": "0xc0000004"}}}
        self.assertEqual(self.found(settings=here, peer_settings=there), [("settings", "note")])

    def test_new_errors(self):
        self.assertEqual(self.found(risen=[("0000:03:00.0", "correctable", 1, 4)]),
                         [("new-errors", "warn")])


if __name__ == "__main__":
    unittest.main(verbosity=2)
