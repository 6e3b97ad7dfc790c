#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A cable that was lost comes back while the job runs: the job uses it again, in order, and survives
the next loss. Until then no other cable may be lost.

Usage: test_heal.py OSHRUN PROGRAM
"""
import os
import subprocess
import sys
import unittest

OSHRUN = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
LIMIT = 100  # seconds for anything, on a busy machine
BRIDGE = {"RINGBELL_EMU": "bridge"}


def run(arguments, *shape, **settings):
    env = {k: v for k, v in os.environ.items() if not k.startswith("RINGBELL_")}
    env.update({"SHMEM_SYMMETRIC_SIZE": "16M", "RINGBELL_SURVIVE": "yes", **settings})
    return subprocess.run([OSHRUN, "--timeout", str(LIMIT), *shape, PROGRAM, *arguments],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=2 * LIMIT, check=False,
                          env=env)


class Heal(unittest.TestCase):
    def heals(self, rounds, which, *shape, **settings):
        with self.subTest(f"{rounds} {which} {shape} {settings}"):
            r = run([str(rounds), which], *shape, **settings)
            self.assertEqual((r.returncode, r.stdout), (0, "all numbers arrived\n"), r.stderr)
            # port 0 is the left one of host 0
            last = int(shape[1]) - 1
            cables = [f"host {last} and host 0", "host 0 and host 1"]
            lines = [x for x in r.stderr.splitlines() if x.startswith("oshrun: ")]
            times = [rounds // 2, rounds // 2] if which == "both" else [rounds, 0]
            for cable, n in zip(cables, times):
                expected = [f"oshrun: the cable between {cable} is lost; the job goes on the "
                            "other way round",
                            f"oshrun: the cable between {cable} is back; the job uses it again"] * n
                # Another host may say that the other cable is lost before this one is said to be
                # back. The job may be over before the last line is due.
                self.assertIn([x for x in lines if cable in x], (expected, expected[:-1]))
            self.assertIn(len(lines), (2 * rounds, 2 * rounds - 1))

    def test_same_cable(self):
        for hosts in "2", "3", "5":
            self.heals(3, "same", "--hosts", hosts)

    def test_both_cables(self):
        for hosts in "2", "4":
            self.heals(4, "both", "--hosts", hosts)

    def test_settings(self):
        self.heals(2, "both", "--hosts", "3", "-n", "6")
        self.heals(2, "both", "--hosts", "4", RINGBELL_NOTIFY="doorbell")
        self.heals(2, "both", "--hosts", "4", RINGBELL_CHANNELS="4")
        self.heals(2, "both", "--hosts", "4", RINGBELL_CHUNK="4K", RINGBELL_SLOTS="4")
        self.heals(2, "both", "--hosts", "3", RINGBELL_WAIT="sleep")
        self.heals(2, "both", "--hosts", "3", RINGBELL_EMU="bar2=1M")

    def test_bridges(self):
        for hosts in "2", "3", "5":
            self.heals(3, "same", "--hosts", hosts, **BRIDGE)
            self.heals(4, "both", "--hosts", hosts, **BRIDGE)
        self.heals(2, "both", "--hosts", "3", "-n", "6", **BRIDGE)
        self.heals(2, "both", "--hosts", "4", RINGBELL_NOTIFY="doorbell", **BRIDGE)
        self.heals(2, "both", "--hosts", "4", RINGBELL_CHANNELS="4", **BRIDGE)
        self.heals(2, "both", "--hosts", "4", RINGBELL_CHUNK="4K", RINGBELL_SLOTS="4", **BRIDGE)
        self.heals(2, "both", "--hosts", "3", **{**BRIDGE, "RINGBELL_EMU": "bridge,chips=1"})

    def test_second_cable_too_early(self):
        r = run(["second"], "--hosts", "3")
        self.assertEqual((r.returncode, r.stdout), (1, ""), r.stderr)
        self.assertIn("the link broke, after another one of the ring; what was under way is lost, "
                      "so the job ends", r.stderr)
        self.assertNotIn("is back", r.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
