#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""One guest stays while the other one ends in all ways and comes back; at last the adapters go."""
import sys

import rig

SIDES = ("right", "left")


def program(guest, *words):
    allow = " ".join("-a " + f for f in guest.functions)
    return f"vm-pair -l 0 --no-telemetry --legacy-mem --log-level=4 {allow} -- {' '.join(words)}"


def find(r, guest):
    guest.functions = r.ports(guest) + r.ports(guest, "10b5:87d0")


def visit(report, stays, guest, epoch):
    """In the background, so that the guest hears what is to become of it."""
    guest.must(f"{program(guest, '1', str(epoch), 'visit')} >/tmp/out 2>&1 & echo $! >/tmp/pid")
    stays.wait_mark("met", 200)
    report.note(f"met {epoch}")


def visitor_said(report, guest, lines):
    """The visitor's last line says that it has connected; only then may it be ended."""
    for _ in range(600):
        out = guest.must("cat /tmp/out")
        if out.count("\n") + 1 >= lines or "not ok" in out:
            break
    report.lines(guest, out)


def test(report, kit, programs):
    with rig.Rig(kit, programs) as r:
        device = r.adapters(programs["ringbell-device"], "--hosts", "2", "--cables", "1")
        stays, guest = (r.boot(host, [(SIDES[host], 1)]) for host in range(2))
        for one in stays, guest:
            one.wait_boot()
            find(r, one)
        stays.start(program(stays, "0", "1", "down", "down", "dark", "gone"))
        try:
            visit(report, stays, guest, 1)
            guest.kill()
            stays.wait_mark("down", 180)
            report.note("mains pulled: seen")
            guest = r.boot(1, [(SIDES[1], 1)])
            guest.wait_boot()
            find(r, guest)
            visit(report, stays, guest, 2)
            visitor_said(report, guest, 5)
            guest.reboot()
            stays.wait_mark("down", 180)
            report.note("reboot: seen")
            report.note(f"again up after {guest.wait_boot():.1f} s")
            find(r, guest)
            visit(report, stays, guest, 3)
            visitor_said(report, guest, 5)
            guest.must("kill -9 $(cat /tmp/pid)")
            stays.wait_mark("dark", 180)
            report.note("program killed: seen")
            visit(report, stays, guest, 4)
            device.kill()
            stays.wait_mark("gone", 180)
            report.note("device killed: seen")
            report.program(stays, *stays.finish(180))
            visitor_said(report, guest, 6)
        except rig.Failure:
            report.lines(stays, stays.so_far())
            raise
        report.note("done")


sys.exit(rig.main(test))
