#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What oshrun --trace writes. Usage: test_trace.py OSHRUN TRAFFIC"""
import collections
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

from job import LIMIT, Job, until

OSHRUN = os.path.abspath(sys.argv.pop(1))
TRAFFIC = os.path.abspath(sys.argv.pop(1))
NEAR, FAR, TIMES = 4096, 20000, 5  # of traffic.c
EVENTS = {"cable lost", "cable back"}
KINDS = {"put", "get", "atomic", "relay", "serve", "wait", "barrier"}


class Trace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.events = []
        self.file = os.path.join(folder.name, "trace.json")

    def start(self, *args):
        job = Job(OSHRUN, "--trace", self.file, *args)
        self.addCleanup(job.kill)
        return job

    def load(self):
        with open(self.file, encoding="ascii") as f:
            trace = json.load(f)
        tracks = collections.defaultdict(list)
        names = {}
        self.events = []
        for e in trace["traceEvents"]:
            if e["ph"] == "M":
                if e["name"] == "thread_name":
                    names[e["tid"]] = e["args"]["name"]
                continue
            if e["ph"] == "i":
                self.assertIn(e["name"], EVENTS)
                self.assertEqual(e["s"], "p")
                self.events.append((e["pid"], e["name"], e["args"]["hosts"]))
                continue
            self.assertEqual(e["ph"], "X")
            self.assertIn(e["name"], KINDS)
            self.assertGreaterEqual(e["ts"], 0)
            self.assertGreaterEqual(e["dur"], 0)
            tracks[names[e["tid"]]].append(e)
        self.assertEqual(trace["otherData"]["wrong"], 0)
        return tracks, trace["otherData"]["lost"]

    def check_nesting(self, events):
        """Spans of a thread lie in each other or beside each other."""
        stack = []
        for e in sorted(events, key=lambda e: (e["ts"], -e["dur"])):
            end = e["ts"] + e["dur"]
            while stack and stack[-1] <= e["ts"] + 0.002:  # times are written to 1 ns
                stack.pop()
            if stack:
                self.assertLessEqual(end, stack[-1] + 0.002, e)
            stack.append(end)

    def test_ring(self):
        rounds = 20
        job = self.start("--hosts", "4", "-n", "5", TRAFFIC, str(rounds), "outside")
        job.go()
        job.wait_for("done")
        status, err = job.end()
        self.assertEqual((status, err), (0, ""))
        tracks, lost = self.load()
        self.assertEqual(lost, 0)
        self.assertLessEqual({f"PE {i}" for i in range(5)}, set(tracks))
        # of the host of PE 4, which is outside of the library for a while
        self.assertIn("service lcore of host 3", tracks)
        for track, events in tracks.items():
            self.check_nesting(events)
            if not track.startswith("PE"):
                self.assertLessEqual({e["name"] for e in events}, {"relay", "serve", "wait"})
                continue
            kinds = collections.Counter()
            for e in events:
                kinds[e["name"]] += e.get("args", {}).get("count", 1)
            self.assertGreaterEqual(kinds["put"], rounds * 2 * TIMES, track)
            self.assertGreaterEqual(kinds["get"], rounds, track)
            self.assertGreaterEqual(kinds["atomic"], rounds, track)
            self.assertGreaterEqual(kinds["barrier"], 2 * rounds, track)
            put_bytes = sum(e["args"]["bytes"] for e in events if e["name"] == "put")
            self.assertGreaterEqual(put_bytes, rounds * TIMES * (NEAR + FAR))
        relayed = sum(e["args"]["bytes"] for events in tracks.values() for e in events
                      if e["name"] == "relay")
        self.assertGreaterEqual(relayed, rounds * TIMES * FAR)

    def test_lost_cable(self):
        """An event on each host."""
        job = self.start("--survive", "--hosts", "3", "-n", "6", "--fault", "cut 2-0 at 0.1s", TRAFFIC, "0")
        job.go()
        line = job.job.stderr.readline()
        while b"is lost" not in line:
            self.assertTrue(line, "oshrun has not told of the loss")
            line = job.job.stderr.readline()
        self.assertEqual(job.end()[0], 0)
        tracks, _ = self.load()
        self.assertEqual(sorted(self.events),
                         [(host, "cable lost", "2-0") for host in range(3)])
        for events in tracks.values():
            self.check_nesting(events)

    def test_one_host(self):
        job = self.start("-n", "2", TRAFFIC, "3")
        job.go()
        job.wait_for("done")
        self.assertEqual(job.end(), (0, ""))
        tracks, _ = self.load()
        self.assertEqual(set(tracks), {"PE 0", "PE 1"})

    def test_full_rings_keep_the_last(self):
        job = self.start("--hosts", "2", TRAFFIC, "6000")
        job.go()
        job.wait_for("done")
        status, err = job.end()
        self.assertEqual(status, 0, err)
        tracks, lost = self.load()
        self.assertGreater(lost, 0)
        self.assertIn(f"lacks the first {lost} records", err)
        for events in tracks.values():
            self.check_nesting(events)

    def test_killed_pe(self):
        job = self.start("--hosts", "3", TRAFFIC, "0")
        job.go()
        victim = job.pids()[1]

        def worked():
            with open(f"/proc/{victim}/stat", encoding="ascii") as f:
                return int(f.read().rsplit(")", 1)[1].split()[11]) > 0

        until("PE 1 to do something", worked)
        os.kill(victim, signal.SIGKILL)
        status, err = job.end()
        self.assertEqual(status, 128 + signal.SIGKILL, err)
        tracks, _ = self.load()
        self.assertIn("PE 1", tracks)

    def test_program_that_uses_no_library(self):
        done = subprocess.run([OSHRUN, "--trace", self.file, "/bin/true"], timeout=LIMIT,
                              check=True, stderr=subprocess.PIPE)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(self.load(), ({}, 0))

    def test_file_that_cannot_be(self):
        done = subprocess.run([OSHRUN, "--trace", self.file + "/x", TRAFFIC], timeout=LIMIT,
                              check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"No such file", done.stderr)
        self.assertEqual(done.stdout, b"")


if __name__ == "__main__":
    unittest.main(verbosity=2)
