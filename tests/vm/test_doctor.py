#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Two guests, one cable: ringbell-doctor in both, as a user runs it, over their PCI ports and what a
real kernel's /sys and /proc say; and a doctor over a copy of one guest's files. (test_port.py tests the
cable.)

Guests have no Python of their own: they get this machine's interpreter, with the modules that the
doctor loads here.
"""
import base64
import json
import os
import subprocess
import sys

import interpreter
import rig

SECONDS = 60
# one cable, a window of 64 MiB, a BAR4 that is prefetchable, as small machines have them
LACKS = {("ports", "warn"), ("window", "warn"), ("peer-window", "warn"), ("pages", "warn"),
         ("cores", "warn")}
WALK = r"""
cd /
for f in proc/sys/kernel/hostname proc/sys/kernel/osrelease proc/cmdline proc/mounts \
	proc/self/status proc/mtrr sys/kernel/security/lockdown sys/devices/system/node/node*/cpulist \
	sys/kernel/mm/hugepages/*/*_hugepages sys/devices/system/node/node*/hugepages/*/*_hugepages \
	sys/bus/pci/devices/*/vendor sys/bus/pci/devices/*/device sys/bus/pci/devices/*/class \
	sys/bus/pci/devices/*/subsystem_device sys/bus/pci/devices/*/numa_node \
	sys/bus/pci/devices/*/power_state sys/bus/pci/devices/*/resource \
	sys/bus/pci/devices/*/config sys/bus/pci/devices/*/resource2_wc; do
	[ -f "$f" ] || continue
	case $f in */resource2_wc) data= ;; *) data=$(base64 "$f" | tr -d '\n') ;; esac
	case $f in proc/*) at=$f ;; *) at=$(realpath "$f" | cut -c2-) ;; esac
	echo "file $at $data"
done
for d in sys/bus/pci/devices/*; do
	echo "link $d $(readlink "$d")"
	[ ! -e "$d/driver" ] || echo "link $(realpath "$d" | cut -c2-)/driver $(readlink "$d/driver")"
	for u in "$d"/uio/*; do
		[ ! -d "$u" ] || echo "folder $(realpath "$d" | cut -c2-)/uio/${u##*/}"
	done
done
"""


def copy_out(guest, top):
    """The guest's files below @p top."""
    out = guest.must("sh /walk", 120)
    for line in out.splitlines():
        kind, name, *rest = line.split()
        path = os.path.join(top, name)
        if kind == "folder":
            os.makedirs(path, exist_ok=True)
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if kind == "link":
            os.symlink(rest[0], path)
        else:
            with open(path, "wb") as f:
                f.write(base64.b64decode(rest[0] if rest else ""))


def examine(report, r, guest, doctor):
    """The doctor over a copy of this guest: what it knows of the adapter."""
    top = os.path.join(r.folder, guest.name.replace(" ", ""))
    copy_out(guest, top)
    done = subprocess.run([doctor, "--json", "--root", top], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, timeout=60)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        raise rig.Failure(f"ringbell-doctor: status {done.returncode}, "
                          f"{done.stderr.decode()}") from None
    report.check(f"{guest.name}: one adapter with one port",
                 [len(a["ports"]) for a in found["adapters"]] == [1], str(found["adapters"]))
    port = found["adapters"][0]["ports"][0]
    report.check(f"{guest.name}: it is NT0, bound, below three bridges, with three BARs",
                 (port["nt"], port["driver"], len(port["path"])) == (0, "uio_pci_generic", 4) and
                 [bar["bar"] for bar in port["bars"]] == [0, 2, 4] and port["combining"], str(port))
    told = {(f["check"], f["severity"]) for f in found["findings"] if f["severity"] != "ok"}
    report.check(f"{guest.name}: what a guest lacks is found, and nothing else", told == LACKS,
                 "\n".join(map(str, found["findings"])))


def judge(report, guest, out):
    """What the doctor found there."""
    try:
        found = json.loads(out[out.index("{"):])
        told = {(f["check"], f["severity"]) for f in found["findings"] if f["severity"] != "ok"}
    except (ValueError, KeyError, TypeError):
        raise rig.Failure(f"{guest.name}: ringbell-doctor said {out[-2000:]}") from None
    report.check(f"{guest.name}: its doctor finds what it lacks, and nothing else", told == LACKS, str(told))


def test(report, kit, programs):
    doctor = programs.pop("ringbell-doctor")
    with rig.Rig(kit) as r:
        walk = os.path.join(r.folder, "walk")
        with open(walk, "w", encoding="ascii") as f:
            f.write(WALK)
        r.pack(programs, files={"walk": walk, "bin/ringbell-doctor": doctor,
                                **interpreter.files(doctor, "--json")})
        r.adapters(programs["ringbell-device"], "--hosts", "2", "--cables", "1")
        guests = [r.boot(0, [("right", 0)]), r.boot(1, [("left", 0)])]
        for guest in guests:
            guest.wait_boot()
        report.note("guests are up")
        for guest in guests:
            r.ports(guest)  # bound
        examine(report, r, guests[0], doctor)
        report.note("the doctor has seen one")
        for guest in guests:
            guest.start(f"{interpreter.PYTHON} -I /bin/ringbell-doctor --json")
            rc, out = guest.finish(SECONDS)
            judge(report, guest, out)
            report.check(f"{guest.name}: ringbell-doctor ends with status 0", rc == 0,
                         f"status {rc}, after\n{out}")


sys.exit(rig.main(test))
