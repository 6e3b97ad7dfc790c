#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-doctor --with-peer over a cable of the model, and over cables that go wrong.

Usage: test_peer.py RINGBELL-DOCTOR RINGBELL-PORT BROKEN-PORT

The broken program stores as the variable PORT_FAULT says.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

DOCTOR, PORT, FAULTY = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
LIMIT = 100
ORDER = {"flag", "doorbell", "scratchpad", "flush", "threads", "stream", "descriptor"}
# as another host has it

sys.path.insert(0, DOCTOR)
import findings  # noqa: E402  of the archive
import rules_peer  # noqa: E402


class Peers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ringbell-peer-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.cable = os.path.join(self.folder, "cable")
        with open(self.cable, "w", encoding="ascii"):
            pass

    def place(self, program):
        """A doctor, beside a ringbell-port whose agents are this program."""
        shutil.copy(DOCTOR, self.folder)
        path = os.path.join(self.folder, "ringbell-port")
        with open(path, "w", encoding="ascii") as f:
            f.write(f"#!/bin/sh\nshift\nexec {PORT} order --program {program} \"$@\"\n")
        os.chmod(path, 0o755)
        return os.path.join(self.folder, os.path.basename(DOCTOR))

    def run_doctor(self, *args, program=PORT, fault=""):
        return subprocess.run(
            [self.place(program), "--rounds", "2000", *args, "--with-peer",
             *(f"raw_ntb_plx_emu{end},cable={self.cable},end={end}" for end in (0, 1))],
            env=dict(os.environ, PORT_FAULT=fault), stdin=subprocess.DEVNULL, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT)

    def report(self, **how):
        done = self.run_doctor("--json", **how)
        self.assertTrue(done.stdout, done.stderr)
        report = json.loads(done.stdout)
        return report, [f for f in report["findings"] if f["severity"] != "ok"], done.returncode

    def test_healthy(self):
        report, bad, status = self.report()
        self.assertEqual((bad, status), ([], 0))
        lines = report["peer"]["checks"]
        self.assertEqual({line["check"] for line in lines},
                         {f"order-{name}" for name in ORDER} |
                         {"up", "places", "doorbells", "bandwidth", "latency"})
        self.assertEqual({line["outcome"] for line in lines}, {"ok"})
        self.assertTrue(all(row["bytes_per_s"] > 0 for row in report["peer"]["bandwidth"]))
        self.assertEqual({row["from"] for row in report["peer"]["bandwidth"]}, {"near", "away"})
        latency = report["peer"]["latency"]
        self.assertLessEqual(latency["min"], latency["median"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["cable", "ringbell-doctor", "ringbell-port"])

    def test_fault(self):
        _, bad, status = self.report(program=FAULTY, fault="bells-lost")
        self.assertEqual((status, {f["check"] for f in bad}), (1, {"peer"}), bad)
        self.assertEqual({f["what"].split(",")[0] for f in bad}, {"doorbells", "order-doorbell"}, bad)

    def test_no_link(self):
        """Nothing else is tried then."""
        report, bad, status = self.report(program=FAULTY, fault="breaks-more")
        self.assertEqual(status, 1)
        self.assertEqual(len(report["peer"]["checks"]), 1, report["peer"]["checks"])
        self.assertEqual([f["what"].split(",")[0] for f in bad], ["up"])
        self.assertRegex(self.run_doctor(program=FAULTY, fault="breaks-more").stdout,
                         r"\n  FAIL +up +both +breaks of the link.*\nerror .*: up, both: breaks")

    def test_shared(self):
        """A cable that no adapter has is checked as such, too."""
        with tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
            file.truncate(64 << 20)
            done = subprocess.run([DOCTOR, "--rounds", "100", "--with-peer", *(
                f"raw_ntb_shared,path={file.name},host={k}" for k in (0, 1))], text=True, check=False, timeout=LIMIT,
                env={**os.environ, "PATH": f"{os.path.dirname(PORT)}:{os.environ['PATH']}"}, stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, "64 MiB, 2 hosts\n.*\n  ok +up(.*\n)*warn .*30 MiB for each")

    def test_no_port(self):
        _, bad, status = self.report(program="/bin/false")
        self.assertEqual((status, [f["check"] for f in bad]), (1, ["peer"]))

    def test_bad_input(self):
        emulated = [f"raw_ntb_plx_emu{end},cable={self.cable},end={end}" for end in (0, 1)]
        for args in (["--with-peer", "05:00.0"], ["--with-peer", "05:00.0", "hostb/06:00.0"],
                     ["--with-peer", *emulated, "--rounds", "0"],
                     ["--with-peer", *emulated, "--region", "big"]):
            done = subprocess.run([self.place(PORT), *args], stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT,
                                  check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


class Rules(unittest.TestCase):
    """Over results that no model gives."""

    def found(self, risen=(), emulated=0, combining=1, words=4e9, fenced=4e8):
        rows = [{"method": method, "size": 4096, "from": "near", "bytes_per_s": rate}
                for method, rate in (("words", words), ("fenced-words", fenced))]
        peer = {"ports": [{"emulated": emulated, "messages": 0, "combining": combining}] * 2, "checks": [],
                "bandwidth": rows}
        facts = type("Facts", (), {"port": "0000:03:00.0", "peer": peer, "risen": list(risen)})
        bad = [f for f in findings.run(rules_peer.CHECKS, facts) if f.severity != "ok"]
        self.assertTrue(all((f.what + f.fix).isprintable() for f in bad), bad)
        return [(f.check, f.severity) for f in bad]

    def test_combining(self):
        self.assertEqual(self.found(), [])
        self.assertEqual(self.found(words=4e8), [("combines", "warn")])
        self.assertEqual(self.found(words=4e8, combining=0), [])
        self.assertEqual(self.found(combining=0), [("combines", "note")])
        self.assertEqual(self.found(words=4e8, emulated=1), [])

    def test_new_errors(self):
        self.assertEqual(self.found(risen=[("0000:03:00.0", "correctable", 1, 4)]),
                         [("new-errors", "warn")])


if __name__ == "__main__":
    unittest.main(verbosity=2)
