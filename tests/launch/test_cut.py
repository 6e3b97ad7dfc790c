#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A cable breaks while a job runs. With --survive the job goes on. Elsewhere it ends with a reason,
and no lost put counts as complete.

Usage: test_cut.py OSHRUN PROGRAM
"""
import os
import re
import subprocess
import sys
import unittest

OSHRUN = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
LIMIT = 60  # seconds for anything, on a busy machine
REASON = re.compile(r"PE \d+: the (left|right) cable of host (\d), to host (\d): (.*); what was "
                    r"under way is lost, so the job ends")


def run(windows, fault, operation, *shape, **settings):
    env = {k: v for k, v in os.environ.items() if not k.startswith("RINGBELL_")}
    env.update(SHMEM_SYMMETRIC_SIZE="16M", **settings)
    if windows != "memory":
        env["RINGBELL_EMU"] = windows
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

    def test_memory(self):
        for operation in "get", "add":
            self.ends("memory", "fault_cable", operation, "--hosts", "3")

    def goes_on(self, fault, operation, *shape, windows="memory", **settings):
        with self.subTest(f"{windows} {fault} {operation} {shape} {settings}"):
            r = run(windows, fault, operation, *shape, RINGBELL_SURVIVE="yes", **settings)
            self.assertEqual((r.returncode, r.stdout), (0, f"{operation} is complete\n"), r.stderr)
            last = int(shape[1]) - 1
            self.assertIn(f"oshrun: the cable between host {last} and host 0 is lost; the job goes "
                          "on the other way round\n", r.stderr)

    def test_other_way_round(self):
        for windows in "memory", "bridge":
            for operation in "quiet", "get", "add":
                for hosts in "2", "3", "5":
                    self.goes_on("fault_cable", operation, "--hosts", hosts, windows=windows)
            self.goes_on("fault_retrain", "add", "--hosts", "3", windows=windows)
            self.goes_on("fault_cable", "add", "--hosts", "3", "-n", "6", windows=windows)
            self.goes_on("fault_cable", "quiet", "--hosts", "4", windows=windows,
                         RINGBELL_NOTIFY="doorbell")
            self.goes_on("fault_cable", "get", "--hosts", "4", windows=windows, RINGBELL_CHANNELS="4")
        self.goes_on("fault_cable", "add", "--hosts", "4", RINGBELL_STATIC="copy")
        self.goes_on("fault_cable", "quiet", "--hosts", "4", windows="bridge,bar2=1M")
        # copies by a device are not to windows: nothing of it can be lost
        self.goes_on("fault_cable", "quiet", "--hosts", "3", RINGBELL_DMA="dma_plx_emu0")

    def test_survival_refused(self):
        for settings in {"RINGBELL_NOTIFY": "scratchpad"}, {"RINGBELL_BARRIER": "token"}, {"RINGBELL_LCORES": "2"}:
            r = run("bridge", "none", "add", "--hosts", "3", RINGBELL_SURVIVE="yes", **settings)
            self.assertIn("RINGBELL_SURVIVE=yes, but a lost cable ends this job", r.stderr)
            self.ends("bridge", "fault_cable", "add", "--hosts", "3", RINGBELL_SURVIVE="yes",
                      **settings)

    def test_out_at_the_start(self):
        for survive in "yes", "no":
            r = run("memory", "none", "add", "--hosts", "3", "--fault", "cut 1-2 at start+0s",
                    RINGBELL_HELLO_TIMEOUT="3", RINGBELL_SURVIVE=survive)
            self.assertEqual((r.returncode, r.stdout), (1, ""), r.stderr)
            self.assertRegex(r.stderr, r"link is down: no cable, or host [12] is not there")

    def test_nothing_breaks(self):
        for windows in "bridge", "memory":
            for operation in "quiet", "get":
                r = run(windows, "none", operation, "--hosts", "3")
                self.assertEqual((r.returncode, r.stdout), (0, f"{operation} is complete\n"),
                                 r.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
