#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A cable breaks while a job runs. Elsewhere the job ends with a reason, and no lost put counts as
complete. With --survive it goes on.

Usage: test_cut.py OSHRUN CUT
"""
import os
import sys
import unittest

import jobs

OSHRUN, CUT = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
# of the cable at port 0 of host 0, by either host
REASON = (r"PE \d+: the (port 0 cable of host 0, to host {last}|port 1 cable of host {last}, to host 0): .*; "
          "what was under way is lost, so the job ends")
SURVIVE = {"RINGBELL_SURVIVE": "yes"}
BRIDGE = {"RINGBELL_EMU": "bridge"}
DOORBELL = {"RINGBELL_NOTIFY": "doorbell"}
CHANNELS = {"RINGBELL_CHANNELS": "4"}
SMALL = {"RINGBELL_CHUNK": "4K", "RINGBELL_SLOTS": "4"}
SLEEP = {"RINGBELL_WAIT": "sleep"}


class Ends(jobs.Case):
    def ends(self, fault, operation, hosts, err="", **settings):
        self.check([OSHRUN, "--hosts", str(hosts), CUT, fault, operation], 1, "",
                   # the launcher's line may come before what the PE has printed
                   f"(?s)(?=.*{err}).*" + REASON.format(last=hosts - 1), **settings)

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
        self.ends("fault_cable", "add", 3, err="RINGBELL_SURVIVE=yes, but a lost cable ends this job",
                  RINGBELL_LCORES="2", **SURVIVE, **BRIDGE)

    def test_no_cable(self):
        """A chain of hosts that have a port more, whose link stays down, and hosts that are joined no longer."""
        job = [OSHRUN, "--hosts", "3", "--hello-timeout", "6", "--fault"]
        note = r"(?=.*host {}: port {} has no cable and is left out\n)"
        rows = [([*job, "cut 0-2 at start+0s", "--wiring", wiring, CUT, "none", "add"], survive, 0, "^add is complete\n$",
                 "(?s)" + note.format(0, ends[0]) + note.format(2, ends[1]))
                for wiring, survive, ends in (("mesh", "no", (1, 0)), ("ring", "yes", (0, 1)))]
        rows.append(([*job, "cut 0-2 at start+0s; cut 1-2 at start+0s", CUT, "none", "add"], "no", 1, r"\A\Z",
                     r"port [01] link is down: no cable, or host \d( or \d)? is not there"))
        # at once, since they wait for hosts that do not come
        done = self.run_all([(command, jobs.environment(RINGBELL_SURVIVE=survive)) for command, survive, *_ in rows])
        for (_, _, status, out, err), said in zip(rows, done):
            self.assertEqual(said[0], status, said)
            self.assertRegex(said[1], out)
            self.assertRegex(said[2], err)

    def test_falls_apart(self):
        """The second cable of a host of a mesh is its last one, also where nobody has missed the first one yet."""
        self.check([OSHRUN, "--hosts", "3", "--wiring", "mesh", "--fault", "cut 0-2 at 0.1s; cut 1-2 at 0.2s", CUT, "none",
                    "stay"], 1, "^", r"PE \d+: the port \d cable of host \d, to host \d: the link broke, and without the cables "
                   r"(2-0 1-2|1-2 2-0) no way is left", **SURVIVE)


class GoesOn(jobs.Case):
    def test_other_way_round(self):
        for fault, operation, hosts, more, settings in (
                ("cable", "get", 5, (), {}),
                ("cable", "add", 2, (), {}),
                ("cable", "get", 4, (), CHANNELS),
                # copies by a device are not to windows: nothing of it can be lost
                ("cable", "quiet", 3, (), {"RINGBELL_DMA": "dma_plx_emu0"}),
                ("cable", "quiet", 2, (), BRIDGE),
                ("cable", "add", 3, ("-n", "6"), BRIDGE),
                ("retrain", "add", 5, (), BRIDGE),
                ("cable", "quiet", 4, (), {**BRIDGE, **DOORBELL}),
                ("cable", "add", 3, (), SLEEP),
                ("cable", "get", 4, (), {**SMALL, **BRIDGE}),
                ("cable", "quiet", 3, (), {"RINGBELL_EMU": "bridge,chips=1"}),
                ("cable", "quiet", 4, (), {"RINGBELL_EMU": "bridge,bar2=1M"})):
            self.check([OSHRUN, "--hosts", str(hosts), *more, CUT, "fault_" + fault, operation], 0,
                       f"^{operation} is complete\n$",
                       f"oshrun: the cable between host {hosts - 1} and host 0 is lost; the job goes on "
                       "without it\n", **settings, **SURVIVE)


if __name__ == "__main__":
    unittest.main(verbosity=2)
