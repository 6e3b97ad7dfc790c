#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A cable breaks while a job runs. Where the ring has two ways round, and windows are memory or
frames are kept (RINGBELL_SURVIVE=yes), the job goes on. Elsewhere it ends with a reason, and no
lost put counts as complete.

Usage: test_cut.py OSHRUN PROGRAM
"""
import os
import re
import subprocess
import sys
import unittest

OSHRUN = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
ENGINES = {"RINGBELL_DMA": "dma_plx_emu0,dma_plx_emu1", "RINGBELL_TUNE": os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "multi", "dma.tune")}
LIMIT = 60  # seconds for anything, on a busy machine
REASON = re.compile(r"PE \d+: the (left|right) cable of host (\d), to host (\d): (.*); what was "
                    r"under way is lost, so the job ends")


def run(windows, fault, operation, *shape, **settings):
    env = {k: v for k, v in os.environ.items() if not k.startswith("RINGBELL_")}
    env.update(SHMEM_SYMMETRIC_SIZE="16M", RINGBELL_WINDOWS=windows, **settings)
    return subprocess.run([OSHRUN, "--timeout", str(LIMIT), *shape, PROGRAM, fault, operation],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=2 * LIMIT, check=False,
                          env=env)


class Cut(unittest.TestCase):
    def ends(self, windows, fault, operation, *shape, **settings):
        with self.subTest(f"{windows} {fault} {operation} {shape}"):
            r = run(windows, fault, operation, *shape, **settings)
            self.assertEqual(r.returncode, 1, r.stderr)
            reason = REASON.search(r.stderr)
            self.assertIsNotNone(reason, r.stderr)
            # port 0 is the left one of host 0
            ends = {("left", "0"), ("right", str(int(shape[1]) - 1))}
            self.assertIn(reason.group(1, 2), ends, r.stderr)
            if windows == "bridge" and operation != "barrier":
                self.assertEqual(r.stdout, "", r.stderr)

    def test_break_of_a_microsecond(self):
        for operation in "quiet", "get", "add", "barrier":
            self.ends("bridge", "fault_retrain", operation, "--hosts", "3")

    def test_pulled_cable(self):
        for operation in "quiet", "get", "barrier":
            self.ends("bridge", "fault_cable", operation, "--hosts", "3")

    def test_several_pes_a_host(self):
        self.ends("bridge", "fault_cable", "barrier", "--hosts", "2", "-n", "4")

    def goes_on(self, fault, operation, *shape, windows="memory", **settings):
        with self.subTest(f"{windows} {fault} {operation} {shape} {settings}"):
            r = run(windows, fault, operation, *shape, **settings)
            self.assertEqual((r.returncode, r.stdout), (0, f"{operation} is complete\n"), r.stderr)
            last = int(shape[1]) - 1
            self.assertIn(f"oshrun: the cable between host {last} and host 0 is lost; the job goes "
                          "on the other way round\n", r.stderr)

    def test_other_way_round(self):
        for operation in "quiet", "get", "add":
            for hosts in "2", "3", "5":
                self.goes_on("fault_cable", operation, "--hosts", hosts)
        self.goes_on("fault_retrain", "add", "--hosts", "3")
        self.goes_on("fault_cable", "add", "--hosts", "3", "-n", "6")
        self.goes_on("fault_cable", "quiet", "--hosts", "4", RINGBELL_NOTIFY="doorbell")
        self.goes_on("fault_cable", "get", "--hosts", "4", RINGBELL_LCORES="2",
                     RINGBELL_CHANNELS="4")
        self.goes_on("fault_cable", "add", "--hosts", "4", RINGBELL_STATIC="copy")

    def test_device(self):
        """What a DMA engine copies through a window that is lost, the CPU copies again."""
        for operation in "quiet", "get", "add":
            self.goes_on("fault_cable", operation, "--hosts", "3", **ENGINES)
        self.goes_on("fault_cable", "quiet", "--hosts", "3", "-n", "6", **ENGINES)

    def kept(self, fault, operation, *shape, **settings):
        self.goes_on(fault, operation, *shape, windows="bridge", RINGBELL_SURVIVE="yes",
                     **settings)

    def test_kept_frames(self):
        for operation in "quiet", "get", "add":
            for hosts in "2", "3", "5":
                self.kept("fault_cable", operation, "--hosts", hosts)
        for operation in "quiet", "add":
            self.kept("fault_retrain", operation, "--hosts", "3")
        self.kept("fault_cable", "quiet", "--hosts", "3", "-n", "6")
        self.kept("fault_cable", "quiet", "--hosts", "4", RINGBELL_NOTIFY="doorbell")
        self.kept("fault_cable", "get", "--hosts", "4", RINGBELL_LCORES="2", RINGBELL_CHANNELS="4")
        self.kept("fault_cable", "quiet", "--hosts", "4", RINGBELL_BAR2="1M")
        # the windows' copies are not the device's: nothing of it can be lost
        self.kept("fault_cable", "quiet", "--hosts", "3", RINGBELL_DMA="dma_plx_emu0")

    def test_survival_refused(self):
        self.ends("memory", "fault_cable", "add", "--hosts", "3", RINGBELL_SURVIVE="no")
        for settings in {"RINGBELL_NOTIFY": "scratchpad"}, {"RINGBELL_BARRIER": "token"}:
            r = run("bridge", "none", "add", "--hosts", "3", RINGBELL_SURVIVE="yes", **settings)
            self.assertIn("RINGBELL_SURVIVE=yes, but a lost cable ends this job", r.stderr)
            self.ends("bridge", "fault_cable", "add", "--hosts", "3", RINGBELL_SURVIVE="yes",
                      **settings)

    def test_one_way_only(self):
        for settings in {"RINGBELL_NOTIFY": "scratchpad"}, {"RINGBELL_BARRIER": "token"}:
            self.ends("memory", "fault_cable", "add", "--hosts", "3", **settings)

    START = "cut {}-{} at start+0s"

    def starts(self, a, b, *shape, operation="add", **settings):
        with self.subTest(f"{a}-{b} {shape} {settings}"):
            windows = settings.pop("windows", "memory")
            r = run(windows, "none", operation, *shape, "--fault", self.START.format(a, b),
                    **settings)
            self.assertEqual((r.returncode, r.stdout), (0, f"{operation} is complete\n"), r.stderr)
            lost = (f"oshrun: the cable between host {a} and host {b} is lost; the job goes on the "
                    "other way round\n")
            self.assertEqual(r.stderr.count(lost), 1, r.stderr)

    def test_out_from_the_start(self):
        for hosts, a, b in ((2, 0, 1), (2, 1, 0), (3, 0, 1), (3, 2, 0), (5, 2, 3), (8, 7, 0)):
            self.starts(a, b, "--hosts", str(hosts))
        self.starts(0, 1, "--hosts", "3", "-n", "6", operation="quiet")
        self.starts(1, 2, "--hosts", "4", RINGBELL_NOTIFY="doorbell")
        self.starts(1, 2, "--hosts", "4", RINGBELL_CHIPS="1", RINGBELL_LINE_TIME="0")
        self.starts(1, 2, "--hosts", "4", RINGBELL_LCORES="2", RINGBELL_CHANNELS="4")
        self.starts(2, 0, "--hosts", "3", RINGBELL_STATIC="copy", RINGBELL_HUGE="never")

    def test_out_from_the_start_kept(self):
        for operation in "quiet", "get", "add":
            self.starts(2, 0, "--hosts", "3", operation=operation, windows="bridge",
                        RINGBELL_SURVIVE="yes")

    def ends_at_start(self, faults, words, *shape, **settings):
        with self.subTest(f"{faults} {settings}"):
            r = run("memory", "none", "add", *shape, "--fault", faults, RINGBELL_HELLO_TIMEOUT="3",
                    **settings)
            self.assertEqual((r.returncode, r.stdout), (1, ""), r.stderr)
            self.assertRegex(r.stderr, words)
            self.assertNotIn("bad address", r.stderr)

    def test_start_that_fails(self):
        one = self.START.format(1, 2)
        out = r"the cable between host 1 and host 2 is out, and this job does not start without it"
        for settings in {"RINGBELL_SURVIVE": "no"}, {"RINGBELL_NOTIFY": "scratchpad"}:
            self.ends_at_start(one, out, "--hosts", "3", **settings)
        missing = r"link is down: no cable, or host [0-3] is not there"
        for second in (0, 1), (3, 0):
            self.ends_at_start(one + "; " + self.START.format(*second), missing, "--hosts", "4")
        self.ends_at_start("stop pe 1 at start+0s", missing, "--hosts", "3")

    def test_nothing_breaks(self):
        for windows in "bridge", "memory":
            for operation in "quiet", "get":
                r = run(windows, "none", operation, "--hosts", "3")
                self.assertEqual((r.returncode, r.stdout), (0, f"{operation} is complete\n"),
                                 r.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
