#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Two guests, one cable: the driver's whole way through PCI, and the DMA engine."""
import sys

import rig


def test(report, kit, programs):
    with rig.Rig(kit, programs) as r:
        device = r.adapters(programs["ringbell-device"], "--hosts", "2", "--cables", "1")
        guests = [r.boot(0, [("right", 1)]), r.boot(1, [("left", 1)])]
        for role, guest in enumerate(guests):
            guest.wait_boot()
            report.note(f"{guest.name} is up")
            functions = r.ports(guest) + r.ports(guest, "10b5:87d0")
            report.check(f"{guest.name}: NT and DMA function found and bound", len(functions) == 2,
                         str(functions))
            allow = " ".join("-a " + f for f in functions)
            guest.start("vm-pair -l 0 --no-telemetry --legacy-mem --log-level=4 "
                        f"{allow} -- {role} 1")
        try:
            for mark, command in (("pull", "pull 0"), ("plug", "plug 0")):
                for guest in guests:
                    guest.wait_mark(mark, 180)
                report.note(command)
                device.command(command)
            for guest in guests:
                report.program(guest, *guest.finish(180))
        except rig.Failure:
            for guest in guests:
                report.lines(guest, guest.so_far())
            raise
        report.note("done")


sys.exit(rig.main(test))
