#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""OpenSHMEM programs whose PEs are guests: nothing is shared but what the adapters carry."""
import sys

import rig

# how long a program may take where each store through a window is a message to the model
SECONDS = 120


def run(report, guests, ports, program, job):
    for host, guest in enumerate(guests):
        allow = " ".join("-a " + p for p in ports[host])
        guest.start(f"RINGBELL_HOSTS={len(guests)} RINGBELL_HOST_ID={host} RINGBELL_JOB={job:016x} "
                    f"RINGBELL_HELLO_TIMEOUT=60 SHMEM_SYMMETRIC_SIZE=32M RINGBELL_CHUNK=16K "
                    f"RINGBELL_EAL='{allow}' {program}")
    for host, guest in enumerate(guests):
        rc, out = guest.finish(SECONDS)
        report.check(f"{program} as PE {host} of {len(guests)}", rc == 0, out)


def test(report, kit, programs):
    names = [name for name in programs if name != "ringbell-device"]
    with rig.Rig(kit, programs) as r:
        r.adapters(programs["ringbell-device"], "--hosts", "2", "--cables", "1", "--dma", "0")
        guests = [r.boot(0, [("right", 0)]), r.boot(1, [("left", 0)])]
        for guest in guests:
            guest.wait_boot()
        report.note("guests are up")
        ports = [r.ports(guest) for guest in guests]
        for number, name in enumerate(names):
            run(report, guests, ports, name, number + 1)
            report.note(name)


sys.exit(rig.main(test))
