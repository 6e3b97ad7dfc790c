#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What oshrun --trace writes, and that it can be replayed.
Usage: test_trace.py OSHRUN TRAFFIC RINGBELL-SIM EXAMPLE..."""
import collections
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

from job import LIMIT, Job

OSHRUN, TRAFFIC, SIM, *EXAMPLES = map(os.path.abspath, sys.argv[1:])
NEAR, FAR, TIMES = 4096, 20000, 5  # of traffic.c
# the bar is 25 %, which bench/replay.py measures; here the machine may be in the middle of anything
AWAY = 2
KINDS = {"put", "get", "atomic", "atomic_nbi", "relay", "serve", "wait", "barrier"}


def run(*args):
    return subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=LIMIT)


class Trace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
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
        for e in trace["traceEvents"]:
            if e["ph"] == "M":
                if e["name"] == "thread_name":
                    names[e["tid"]] = e["args"]["name"]
            else:
                self.assertEqual(e["ph"], "X")
                self.assertIn(e["name"], KINDS)
                self.assertGreaterEqual(min(e["ts"], e["dur"]), 0)
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
            self.assertGreaterEqual(kinds["atomic_nbi"], rounds, track)
            self.assertGreaterEqual(kinds["barrier"], 2 * rounds, track)
            put_bytes = sum(e["args"]["bytes"] for e in events if e["name"] == "put")
            self.assertGreaterEqual(put_bytes, rounds * TIMES * (NEAR + FAR))
        relayed = sum(e["args"]["bytes"] for events in tracks.values() for e in events
                      if e["name"] == "relay")
        self.assertGreaterEqual(relayed, rounds * TIMES * FAR)

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
        """Nothing is lost with it; a host without a ring has its PEs alone."""
        job = self.start("-n", "3", TRAFFIC, "3")
        job.go()
        job.wait_for("done")
        os.kill(job.pids()[1], signal.SIGKILL)
        status, err = job.end()
        self.assertEqual(status, 128 + signal.SIGKILL, err)
        tracks, _ = self.load()
        self.assertEqual(set(tracks), {"PE 0", "PE 1", "PE 2"})

    def test_program_that_uses_no_library(self):
        self.assertEqual(run(OSHRUN, "--trace", self.file, "/bin/true").stderr, "")
        self.assertEqual(self.load(), ({}, 0))

    def test_file_that_cannot_be(self):
        done = run(OSHRUN, "--trace", self.file + "/x", TRAFFIC)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("No such file", done.stderr)

    def test_replay(self):
        """All operations are there, and on the ring where they ran they take about what they took."""
        for program, hosts in zip(EXAMPLES, itertools.cycle("23")):
            with self.subTest(program=os.path.basename(program), hosts=hosts):
                done = run(OSHRUN, "--hosts", hosts, "--trace", self.file, program)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                found = {}
                for link in "trace", "gen3x8":
                    done = run(SIM, "--replay", self.file, "--link", link, "--json", "-")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    found[link] = json.loads(done.stdout)
                here = found["trace"]
                self.assertEqual(len(here["pes"]), int(hosts))
                self.assertLess(here["predicted_us"], AWAY * here["traced_us"])
                self.assertGreater(here["predicted_us"], here["traced_us"] / AWAY)
                # no PE can be faster than its computation
                least = max(pe["compute"] for pe in found["gen3x8"]["pes"])
                self.assertGreaterEqual(found["gen3x8"]["predicted_us"], 0.999 * least)
                self.assertGreater(here["busiest"], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
