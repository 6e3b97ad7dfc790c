#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""One guest with two adapters that are cabled to each other: the EEPROM of one, the driver's own test
programs, which also run over emulated ports, and the measuring program."""
import os
import re
import sys

import interpreter
import rig

# what is measured: all but what needs two CPUs to be of any use
BENCHES = ("write read db_ring db_read spad_read peer_spad_read flush link_poll line doorbell "
           "spad desc")

RING = "/etc/ring.bin"  # the image that is written


def drivers_tests(report, guest, programs, ports):
    for name in sorted(n for n in programs if n.startswith("test-")):
        rc, out = guest.run(f"{name} bus {' '.join(ports)}", 120)
        for title, result in re.findall(r"^ +Test: (.+?) \.\.\.(?:.*?\n?)*?(passed|FAILED)$", out,
                                        re.M):
            report.check(f"{name}: {title}", result == "passed", "see the program's own lines")
        report.check(f"{name} over true PCI functions", rc == 0, out)


def perf(report, guest, ports):
    allow = " ".join("-a " + p for p in ports)
    rc, out = guest.run(f"{{ ringbell-port speed --eal '--lcores 0@0,1@0 --legacy-mem -m 64 "
                        f"--log-level=4 {allow}' -s 8,64,1024 -r 3 -T 2 {BENCHES} "
                        "2>/tmp/err; } || { cat /tmp/err; false; }", 180)
    report.check("ringbell-port speed measures two ports of a PCI bus", rc == 0, out)
    for line in out.splitlines():
        print("# " + line)


def eeprom(report, guest, port):
    """The EEPROM of an adapter by its BAR0, as the kernel maps it: saved, written, read back."""
    def run(words, rc=0):
        got, out = guest.run(f"cd /tmp && {interpreter.PYTHON} -I /bin/ringbell-eeprom {words}", 60)
        report.check(f"ringbell-eeprom {words}", got == rc, f"status {got}: {out}")
        return out

    def equal(one, other):
        rc, out = guest.run(f"cd /tmp && cmp {one} {other}")
        report.check(f"{one} is {other}", rc == 0, out)
    old = run(f"read {port} -o old.bin")
    report.check("an image of no records", "saved 8 bytes" in old, old)
    tried = run(f"write {port} {RING} --save try.bin")
    report.check("the difference is printed", "NT1: - -> on, port 16" in tried, tried)
    run(f"write {port} {RING} --save before.bin --write")
    # a write that is only tried changes nothing
    equal("try.bin", "before.bin")
    run(f"read {port} -o now.bin")
    equal(RING, "now.bin")
    # what the chip has is of its power-on
    run(f"loaded {port} {RING}", 1)


def test(report, kit, programs):
    image = programs.pop("ringbell-eeprom")
    with rig.Rig(kit) as r:
        made = os.path.join(r.folder, "ring.bin")
        words = ["make", "-o", made, "--chip", "8749", "nt0=8", "nt1=16"]
        needs = interpreter.files(image, *words)  # which runs it
        r.pack(programs, files={"bin/ringbell-eeprom": image, RING: made, **needs})
        r.adapters(programs["ringbell-device"], "--hosts", "1", "--window", "16")
        guest = r.boot(0, [("left", 1), ("right", 1)])
        guest.wait_boot()
        ports = r.ports(guest)
        report.note("the guest is up")
        report.check("two NT functions found and bound", len(ports) == 2, str(ports))
        eeprom(report, guest, ports[0])
        report.note("EEPROM done")
        drivers_tests(report, guest, programs, ports)
        report.note("driver tests done")
        perf(report, guest, ports)
        report.note("done")


sys.exit(rig.main(test))
