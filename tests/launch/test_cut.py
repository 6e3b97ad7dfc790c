#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A cable breaks while a job runs. Elsewhere the job ends with a reason, and no lost put counts as
complete. With --survive it goes on, and uses a cable that comes back again, in order, and survives
the next loss. Until then no other cable may be lost.

Usage: test_cut.py OSHRUN CUT HEAL
"""
import os
import sys
import unittest

import jobs

OSHRUN, CUT, HEAL = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
# of the left cable of host 0, by the host at its other end, which has it on its right
REASON = (r"PE \d+: the (left cable of host 0, to host {last}|right cable of host {last}, to host 0): .*; "
          "what was under way is lost, so the job ends")
SURVIVE = {"RINGBELL_SURVIVE": "yes"}
BRIDGE = {"RINGBELL_EMU": "bridge"}
DOORBELL = {"RINGBELL_NOTIFY": "doorbell"}
CHANNELS = {"RINGBELL_CHANNELS": "4"}
SMALL = {"RINGBELL_CHUNK": "4K", "RINGBELL_SLOTS": "4"}


class Ends(jobs.Case):
    def ends(self, fault, operation, hosts, err="", **settings):
        self.check([OSHRUN, "--hosts", str(hosts), CUT, fault, operation], 1, "",
                   f"(?s){err}.*" + REASON.format(last=hosts - 1), **settings)

    def test_bridges(self):
        """A break of a microsecond, and a pulled cable."""
        for fault, operation in (("retrain", "quiet"), ("retrain", "get"), ("retrain", "add"),
                                 ("cable", "quiet"), ("cable", "get")):
            self.ends("fault_" + fault, operation, 3, **BRIDGE)
        # PE 0 may have left the barrier before
        self.check([OSHRUN, "--hosts", "2", "-n", "4", CUT, "fault_cable", "barrier"], 1, "^",
                   REASON.format(last=1), **BRIDGE)

    def test_memory(self):
        self.check([OSHRUN, "--hosts", "3", CUT, "fault_cable", "add"], 1, "^", REASON.format(last=2))

    def test_survival_refused(self):
        for settings in {"RINGBELL_NOTIFY": "scratchpad"}, {"RINGBELL_BARRIER": "token"}, {"RINGBELL_LCORES": "2"}:
            self.ends("fault_cable", "add", 3, err="RINGBELL_SURVIVE=yes, but a lost cable ends this job",
                      **settings, **SURVIVE, **BRIDGE)

    def test_out_at_the_start(self):
        for survive in "yes", "no":
            self.check([OSHRUN, "--hosts", "3", "--hello-timeout", "2", "--fault", "cut 1-2 at start+0s",
                        CUT, "none", "add"], 1, "", "link is down: no cable, or host [12] is not there",
                       RINGBELL_SURVIVE=survive)


class GoesOn(jobs.Case):
    def test_other_way_round(self):
        for fault, operation, hosts, more, settings in (
                ("cable", "quiet", 3, (), {}),
                ("cable", "get", 5, (), {}),
                ("cable", "add", 2, (), {}),
                ("cable", "get", 4, (), CHANNELS),
                ("cable", "add", 4, (), {"RINGBELL_STATIC": "copy"}),
                # copies by a device are not to windows: nothing of it can be lost
                ("cable", "quiet", 3, (), {"RINGBELL_DMA": "dma_plx_emu0"}),
                ("cable", "quiet", 2, (), BRIDGE),
                ("cable", "get", 3, (), BRIDGE),
                ("cable", "add", 3, ("-n", "6"), BRIDGE),
                ("retrain", "add", 5, (), BRIDGE),
                ("cable", "quiet", 4, (), {**BRIDGE, **DOORBELL}),
                ("cable", "quiet", 4, (), {"RINGBELL_EMU": "bridge,bar2=1M"})):
            self.check([OSHRUN, "--hosts", str(hosts), *more, CUT, "fault_" + fault, operation], 0,
                       f"^{operation} is complete\n$",
                       f"oshrun: the cable between host {hosts - 1} and host 0 is lost; the job goes on "
                       "the other way round\n", **settings, **SURVIVE)


class Heals(jobs.Case):
    def heals(self, rounds, which, hosts, *more, **settings):
        command = [OSHRUN, "--hosts", str(hosts), *more, HEAL, str(rounds), which]
        with self.subTest(" ".join(command[1:]) + str(settings)):
            status, out, err = self.job(*command, **settings, **SURVIVE)
            self.assertEqual((status, out), (0, "all numbers arrived\n"), err)
            # port 0 is the left one of host 0
            cables = [f"host {hosts - 1} and host 0", "host 0 and host 1"]
            lines = [x for x in err.splitlines() if x.startswith("oshrun: ")]
            times = [rounds // 2, rounds // 2] if which == "both" else [rounds, 0]
            for cable, n in zip(cables, times):
                expected = [f"oshrun: the cable between {cable} is lost; the job goes on the "
                            "other way round",
                            f"oshrun: the cable between {cable} is back; the job uses it again"] * n
                # Another host may say that the other cable is lost before this one is said to be
                # back. The job may be over before the last line is due.
                self.assertIn([x for x in lines if cable in x], (expected, expected[:-1]))
            self.assertIn(len(lines), (2 * rounds, 2 * rounds - 1))

    def test_memory(self):
        self.heals(3, "same", 2)
        self.heals(4, "both", 5)
        self.heals(2, "both", 3, "-n", "6")
        self.heals(2, "both", 4, **CHANNELS)
        self.heals(2, "both", 3, RINGBELL_WAIT="sleep")
        self.heals(2, "both", 3, RINGBELL_EMU="bar2=1M")

    def test_bridges(self):
        self.heals(3, "same", 5, **BRIDGE)
        self.heals(4, "both", 2, **BRIDGE)
        self.heals(2, "both", 4, **DOORBELL, **BRIDGE)
        self.heals(2, "both", 4, **SMALL, **BRIDGE)
        self.heals(2, "both", 3, RINGBELL_EMU="bridge,chips=1")

    def test_second_cable_too_early(self):
        status, out, err = self.job(OSHRUN, "--hosts", "3", HEAL, "second", **SURVIVE)
        self.assertEqual((status, out), (1, ""), err)
        self.assertIn("the link broke, after another one of the ring; what was under way is lost, "
                      "so the job ends", err)
        self.assertNotIn("is back", err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
