#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""OpenSHMEM programs whose PEs are guests: nothing is shared but what the adapters carry.

The names of the programs are those of tests/multi; the number of guests comes from the environment.
"""
import os
import sys

import rig

HOSTS = int(os.environ.get("RINGBELL_VM_HOSTS", "2"))
# how long a program may take where each store through a window is a message to the model
SECONDS = 150


def adapters(host):
    """Two hosts are joined by one cable, more by a ring."""
    if HOSTS == 2:
        return [("right" if host == 0 else "left", 0)]
    return [("left", 0), ("right", 0)]


def run(report, guests, ports, program, job):
    for host, guest in enumerate(guests):
        allow = " ".join("-a " + p for p in ports[host])
        guest.start(f"RINGBELL_HOSTS={HOSTS} RINGBELL_HOST_ID={host} RINGBELL_JOB={job:016x} "
                    "RINGBELL_HELLO_TIMEOUT=60 SHMEM_SYMMETRIC_SIZE=32M RINGBELL_CHUNK=16K "
                    f"RINGBELL_EAL='{allow}' {program}")
    for host, guest in enumerate(guests):
        rc, out = guest.finish(SECONDS)
        report.check(f"{program} as PE {host} of {HOSTS}", rc == 0, out)


def test(report, kit, programs):
    names = [name for name in programs if name != "ringbell-device"]
    with rig.Rig(kit, programs) as r:
        r.adapters(programs["ringbell-device"], "--hosts", str(HOSTS),
                   "--cables", str(1 if HOSTS == 2 else HOSTS), "--dma", "0")
        guests = [r.boot(host, adapters(host)) for host in range(HOSTS)]
        for guest in guests:
            guest.wait_boot()
        report.note("guests are up")
        ports = [r.ports(guest) for guest in guests]
        for number, name in enumerate(names):
            run(report, guests, ports, name, number + 1)
            report.note(name)


sys.exit(rig.main(test))
