#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""DPDK's own example for NTB, not a line of it changed, one in each of two guests."""
import os
import re
import sys

import rig

# the receiver listens longer than the sender sends
SECONDS = {"txonly": 15, "rxonly": 25}


def start(guest, mode, port):
    commands = (f"{{ sleep 3; echo start; sleep {SECONDS[mode]}; echo show port stats; "
                "echo stop; sleep 1; echo quit; }")
    guest.start(f"{commands} | ntb_fwd --lcores 0@0,1@0 --legacy-mem -m 64 --no-telemetry "
                f"--log-level=4 -a {port} -- -i --fwd-mode={mode} --nb-desc=64")


def test(report, kit, programs):
    if not os.path.exists(programs["ntb_fwd"]):
        rig.skip("no ntb_fwd.c of DPDK was there to be compiled (make setup fetches it)")
    with rig.Rig(kit, programs) as r:
        r.adapters(programs["ringbell-device"], "--hosts", "2", "--cables", "1", "--dma", "0")
        guests = [r.boot(0, [("right", 0)]), r.boot(1, [("left", 0)])]
        for guest in guests:
            guest.wait_boot()
        report.note("guests are up")
        for guest, mode in zip(guests, ("txonly", "rxonly")):
            start(guest, mode, r.ports(guest)[0])
        said = [guest.finish(200) for guest in guests]
        counted = [dict(re.findall(r"^ +([RT]x-\w+): (\d+)", out, re.M)) for _, out in said]
        for name, (rc, out) in zip(("txonly", "rxonly"), said):
            report.check(f"ntb_fwd {name}: link up and an orderly end",
                         rc == 0 and "ntb link up" in out, out)
        sent, got = int(counted[0].get("Tx-packets", 0)), int(counted[1].get("Rx-packets", 0))
        report.note(f"{sent} packets sent, {got} received")
        report.check("ntb_fwd: packets go from guest to guest", sent > 0 and got > 0,
                     said[0][1] + said[1][1])
        errors = int(counted[0].get("Tx-errors", 0))
        report.check("ntb_fwd: none of them is an error", errors == 0, f"{errors} errors")


sys.exit(rig.main(test))
