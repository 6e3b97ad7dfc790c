#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Replay of traces, with traces made here, of which the right answer is known.

Usage: test_replay.py RINGBELL-SIM
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

SIM = sys.argv[1]


def run(*args):
    return subprocess.run([SIM, *map(str, args)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=60)


class Program:
    """Spans of PEs; the first barrier is that of shmem_init()."""
    def __init__(self, pes):
        self.events = []
        self.now = [0.0] * pes
        self.all("barrier", 10)

    def compute(self, pe, us):
        self.now[pe] += us

    def span(self, pe, name, us, args=None):
        event = {"name": name, "ph": "X", "pid": pe, "tid": 16 * pe, "ts": self.now[pe], "dur": us}
        if args:
            event["args"] = args
        self.events.append(event)
        self.now[pe] += us

    def transfer(self, pe, name, us, to, size, count=1):
        self.span(pe, name, us, {"pe": to, "bytes": size, "count": count})

    def all(self, name, us):
        end = max(self.now) + us
        for pe, now in enumerate(self.now):
            self.span(pe, name, end - now)

    def write(self, path, **other):
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"traceEvents": self.events, "otherData": {"lost": 0, "wrong": 0, **other}}, f)
        return path


class Replay(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "trace.json")

    def replay(self, *args):
        result = run("--replay", self.file, *args, "-j", "-")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def ping(self, size=1 << 20):
        """PE 0 computes and puts, PE 1 waits for it, then both meet."""
        p = Program(2)
        p.compute(0, 1000)
        p.transfer(0, "put", 50, 1, size)
        p.span(1, "wait", 1051)
        p.all("barrier", 5)
        p.write(self.file)

    def test_dependency(self):
        """The waiting PE goes on when the data are there, and not before."""
        self.ping()
        found = self.replay("--link", "gen3x8")
        put = (1 << 20) / found["bandwidth"]
        self.assertEqual(found["pes"][0]["compute"], 1000)
        self.assertAlmostEqual(found["pes"][0]["put"], put, delta=0.05 * put)
        self.assertAlmostEqual(found["pes"][1]["wait"], 1000 + put, delta=0.05 * put)
        self.assertAlmostEqual(found["predicted_us"], 1000 + put, delta=0.05 * put)
        self.assertEqual(found["traced_us"], 1056)
        self.assertAlmostEqual(found["busiest"], put / found["predicted_us"], delta=0.01)

    def test_cpu_and_link(self):
        self.ping()
        slow, fast = self.replay("--link", "gen3x8"), self.replay("--link", "gen3x8", "--cpu", 2)
        self.assertEqual(fast["pes"][0]["compute"], 500)
        self.assertAlmostEqual(slow["predicted_us"] - fast["predicted_us"], 500, delta=1)
        wide = self.replay("--link", "gen4x16")["predicted_us"]
        self.assertLess(wide, slow["predicted_us"])

    def test_own_ring(self):
        """On the ring of the trace all takes what it took."""
        self.ping()
        found = self.replay("--link", "trace")
        self.assertAlmostEqual(found["predicted_us"], found["traced_us"], delta=10)
        self.assertAlmostEqual(found["bandwidth"], (1 << 20) / 50, delta=1)

    def test_kinds(self):
        """Gets, atomics, runs of puts, a wait for a PE's own operations, hosts without a PE."""
        p = Program(3)
        p.transfer(0, "put", 640, 1, 64 * 64, 64)  # 10 us each: computation is between them
        p.transfer(0, "put", 1, 1, 64)
        p.transfer(1, "get", 10, 2, 4096)
        p.transfer(2, "atomic", 31, 0, 160, 20)
        p.transfer(2, "atomic_nbi", 10, 0, 512, 64)
        p.span(2, "wait", 5)
        p.events[-1]["args"] = {"more": "than is known"}
        p.events.append({"name": "relay", "ph": "X", "pid": 1, "tid": 31, "ts": 1, "dur": 1})
        p.events.append({"name": "a mark", "ph": "i", "pid": 1, "tid": 16, "ts": 1})
        p.all("barrier", 5)
        p.write(self.file)
        found = self.replay("--link", "gen3x8")
        self.assertGreater(found["pes"][0]["compute"], 500)
        self.assertGreater(found["pes"][1]["get"], 1)
        trip = found["pes"][2]["atomic"] / 20
        self.assertGreater(trip, 2 * found["latency_ns"] / 1e3)
        self.assertLess(found["pes"][2]["atomic_nbi"], 5 * trip)  # 64 in a few frames
        self.assertEqual(found["pes"][2]["wait"], 0)
        self.assertEqual(self.replay("--link", "gen3x8", "-n", 6)["hosts"], 6)
        self.assertEqual(self.replay(), self.replay())

    def test_table(self):
        self.ping()
        result = run("--replay", self.file)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for text in ("traced", "predicted", "busiest link", "# Time of each PE"):
            self.assertIn(text, result.stdout)

    def test_bad_trace(self):
        def changed(**change):
            def make(p):
                p.events[-1].update(change)
            return make
        nan = changed(ts=float("nan"))
        for make, wrong, other in (
                (changed(ts=-1), "no sense", {}), (changed(ts=1e11), "no sense", {}),
                (changed(name="put", args={"pe": 0, "bytes": 2 ** 40, "count": 1}), "no sense", {}), (changed(dur="x"), "no sense", {}),
                (changed(tid=16 * 1024), "no sense", {}), (changed(ph=5), "without a phase", {}),
                (changed(tid=1), "several threads", {}), (nan, "", {}),
                (changed(name="put"), "no sense", {}),
                (changed(name="put", args={"pe": 0, "bytes": 1, "count": 0}), "no sense", {}),
                (changed(name="put", args={"pe": 9999, "bytes": 1, "count": 1}), "no sense", {}),
                (changed(name="put", args={"pe": 0, "bytes": -1, "count": 1}), "no sense", {}),
                (changed(name="wait"), "different numbers of barriers", {}),
                (lambda p: p.events.clear(), "no program", {}),
                (lambda p: None, "lacks its first records", {"lost": 3})):
            with self.subTest(wrong=wrong):
                p = Program(2)
                p.all("barrier", 5)
                make(p)
                p.write(self.file, **other)
                self.refused(["--replay", self.file], wrong)
        for text, wrong in (("", ""), ("[]", "not a trace"), ("{", ""), ("{}", "not a trace"),
                            ('{"traceEvents": [1]}', "without a phase")):
            with self.subTest(text=text):
                with open(self.file, "w", encoding="utf-8") as f:
                    f.write(text)
                self.refused(["--replay", self.file], wrong)
        self.refused(["--replay", "/nowhere/x"], "/nowhere/x")

    def refused(self, args, wrong, status=1):
        result = run(*args)
        self.assertEqual((result.returncode, result.stdout), (status, ""))
        self.assertIn(wrong, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1 + (status == 2), result.stderr)

    def test_bad_arguments(self):
        self.ping()
        self.refused(["--replay", self.file, "-n", 1], "one on each host")
        for args, wrong in ((["--replay", self.file, "-n", "2,3"], "one number of --hosts"),
                            (["--replay", self.file, "--cpu", "0"], "--cpu 0: must be"),
                            (["--replay", self.file, "--cpu", "0.001"], "--cpu 0.001: must be"),
                            (["--replay", self.file, "--cpu", "nan"], "--cpu nan: must be"),
                            (["--cpu", "2"], "--cpu goes with"),
                            (["--link", "trace"], "--link trace goes with"),
                            (["--replay", self.file, "put"], "takes no scene")):
            with self.subTest(args=args):
                result = run(*args)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(wrong, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
