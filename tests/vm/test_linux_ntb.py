#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Linux's own drivers on the model of Intel's NTB, in both of two guests: ntb_hw_intel, and on it ntb_tool,
ntb_pingpong and ntb_perf. What they see is what the registers say.

RINGBELL_VM_NTB says which generation. Of generation 3 the state of the link is in the configuration space
behind its first 256 bytes, which QEMU's proxies have not: the driver reads ones, and has the link up always.
So ntb_pingpong and ntb_perf, which make their handshake once, as soon as the link is up, may find no peer.
"""
import os
import re
import sys

import rig

GEN = os.environ.get("RINGBELL_VM_NTB", "intel4")
LINK = GEN == "intel4"
IDS = {"intel3": "8086:201c", "intel4": "8086:347e"}
WINDOW = 1 << 20  # Linux gets no larger aligned memory than 4 MiB
TOOL = "cd /sys/kernel/debug/ntb_tool/0*"
PERF = "cd /sys/kernel/debug/ntb_perf/0*"
# the last doorbell of generation 3 shares a vector with the link
DOORBELLS = 0xffffffff if LINK else 0x7fffffff
VECTORS = 33
ROUNDS = 30
SIDES = "right", "left"


def load(guests, module, words=""):
    for guest in guests:
        guest.must(f"insmod /lib/modules/{module}.ko {words}")


def unload(guests, *modules):
    for module in modules:
        for guest in guests:
            guest.must(f"rmmod {module}")


def both(guests, command, seconds=60):
    """The same command in both at once."""
    for guest in guests:
        guest.start(command)
    answers = [guest.finish(seconds) for guest in guests]
    for guest, (rc, out) in zip(guests, answers):
        if rc != 0:
            raise rig.Failure(f"{guest.name}: {command}: status {rc}\n{out}")
    return [out for _, out in answers]


def check_probe(report, guests):
    for guest, side in zip(guests, ("USD", "DSD")):
        guest.must("mount -t debugfs none /sys/kernel/debug")
        bound = guest.must("ls -d /sys/bus/pci/drivers/ntb_hw_intel/0*").strip()
        info = guest.must("cat /sys/kernel/debug/ntb_hw_intel/0*/info")
        lines = guest.must("grep ndev_ /proc/interrupts").splitlines()
        report.check(f"{guest.name}: ntb_hw_intel has the device {IDS[GEN]}, back to back, {side}, with {VECTORS} vectors",
                     f"NTB_TOPO_B2B_{side}" in info and len(lines) == VECTORS, f"{bound}\n{info}\n{lines}")


def check_link(report, guests, device):
    up = both(guests, TOOL + "; cat peer0/link")
    if LINK:
        report.check("ntb_tool: the link is down before it is enabled", up == ["N", "N"], str(up))
    guests[0].must(TOOL + "; echo Y > link")
    if LINK:
        up = both(guests, TOOL + "; cat peer0/link")
        report.check("ntb_tool: one side alone does not make a link", up == ["N", "N"], str(up))
    guests[1].must(TOOL + "; echo Y > link")
    if not LINK:
        return
    both(guests, TOOL + "; echo Y > peer0/link_event")
    report.check("ntb_tool: the link comes up once both sides enable it", True)
    # the driver looks at the link in its interrupt handler alone
    for command, state in (("pull 0", "N"), ("plug 0", "Y")):
        for guest in guests:
            guest.start(f"{TOOL}; echo {state} > peer0/link_event")
        device.command(command)
        ends = [guest.finish()[0] for guest in guests]
        report.check(f"ntb_tool: {command}: both are told by an interrupt", ends == [0, 0], str(ends))


def check_scratchpads(report, guests):
    for here, there in (guests, guests[::-1]):
        here.must(TOOL + "; for i in $(seq 0 15); do echo $((0x1000 + i)) > peer0/spad$i; done")
        read = there.must(TOOL + "; for i in $(seq 0 15); do cat spad$i; done").split()
        back = here.must(TOOL + "; for i in $(seq 0 15); do cat peer0/spad$i; done").split()
        want = [hex(0x1000 + i) for i in range(16)]
        report.check(f"ntb_tool: 16 scratchpads from {here.name} to the other one",
                     read == want and back == want, f"{read} {back}")
        here.must(TOOL + "; for i in $(seq 0 15); do echo 0 > peer0/spad$i; done")


def check_doorbells(report, guests):
    for here, there in (guests, guests[::-1]):
        here.must(f"{TOOL}; echo s {DOORBELLS:#x} > peer_db")
        rung = there.must(TOOL + "; cat db")
        there.must(f"{TOOL}; echo c {DOORBELLS:#x} > db")
        left = there.must(TOOL + "; cat db")
        report.check(f"ntb_tool: doorbells from {here.name} to the other one",
                     (rung, left) == (hex(DOORBELLS), "0x0"), f"{rung} {left}")
        there.must(TOOL + "; echo c 0x40000021 > db_mask")
        there.start(TOOL + "; echo 0x40000021 > db_event")
        for bit in 0x1, 0x20, 0x40000000:
            here.must(f"{TOOL}; echo s {bit:#x} > peer_db")
        rc, out = there.finish()
        report.check("ntb_tool: whoever waits for doorbells is woken by their interrupts", rc == 0, out)
        there.must(TOOL + "; echo c 0x40000021 > db; echo s 0x40000021 > db_mask")


def check_windows(report, guests):
    for window in 0, 1:
        for guest in guests:
            # Linux 7.2 reads decimal numbers alone in peer_mw_trans
            guest.must(f"{TOOL}; echo {WINDOW:#x} > peer0/mw_trans{window}; "
                       f"echo 0:{WINDOW} > peer0/peer_mw_trans{window}")
        for number, (here, there) in enumerate((guests, guests[::-1])):
            words = f"window {window} of {here.name}"
            here.must(f"{TOOL}; echo {words} > peer0/peer_mw{window}")
            read = there.must(f"{TOOL}; head -n 1 peer0/mw{window}")
            back = here.must(f"{TOOL}; head -c {len(words)} peer0/peer_mw{window}")
            report.check(f"ntb_tool: window {window} of guest {number} shows memory of the other one",
                         (read, back) == (words, words), f"{read!r} {back!r}")
        for guest in guests:  # ntb_tool is not able to go with a window
            guest.must(f"{TOOL}; echo 0 > peer0/mw_trans{window}; echo 0:0 > peer0/peer_mw_trans{window}")


def check_pingpong(report, guests):
    load(guests, "ntb_pingpong", "delay_ms=10")
    counts = both(guests, "cd /sys/kernel/debug/ntb_pingpong/0*; for i in $(seq 600); do "
                          f"[ $(cat count) -lt {ROUNDS} ] || break; usleep 100000; done; cat count", 150)
    report.check(f"ntb_pingpong: {ROUNDS} rounds by doorbells and scratchpads",
                 min(map(int, counts)) >= ROUNDS, str(counts))
    unload(guests, "ntb_pingpong")


def check_perf(report, guests):
    load(guests, "ntb_perf", "total_order=14 chunk_order=12")
    info = both(guests, f"{PERF}; for i in $(seq 600); do "
                        "grep -q 'Out buffer xlat 0x0*[1-9a-f]' info && grep -q 'Link status: up' info && "
                        "break; usleep 100000; done; cat info", 150)
    report.check("ntb_perf: both have a window of 1 MiB, its translation and the link", all(
        "Link status: up" in i and f"Out buffer size {WINDOW:#018x}" in i and
        re.search(r"Out buffer xlat 0x0*[1-9a-f]", i) for i in info), "\n".join(info))
    for guest in guests:
        out = guest.must(f"{PERF}; echo 0 > run; cat run", 150)
        report.check(f"ntb_perf: {guest.name} copies 16 KiB", "copied 16384 bytes" in out, out)
    both_ways = both(guests, f"{PERF}; echo 0 > run; cat run", 150)
    report.check("ntb_perf: both at once", all("copied 16384 bytes" in o for o in both_ways),
                 str(both_ways))
    unload(guests, "ntb_perf")


def test(report, kit, programs):
    with rig.Rig(kit) as r:
        r.pack({}, modules=("ntb_hw_intel",),
               spare=("ntb_tool", "ntb_pingpong", "ntb_perf"))
        device = r.adapters(programs["ringbell-device"], "--hosts", "2", "--cables", "1", "--ntb", GEN,
                            "--window", str(WINDOW >> 20))
        guests = [r.boot(host, [(side, rig.INTEL)]) for host, side in enumerate(SIDES)]
        for guest in guests:
            guest.wait_boot()
        report.note("guests are up")
        check_probe(report, guests)
        load(guests, "ntb_tool")
        check_link(report, guests, device)
        check_scratchpads(report, guests)
        check_doorbells(report, guests)
        check_windows(report, guests)
        for guest in guests:
            guest.must(TOOL + "; echo N > link")
        unload(guests, "ntb_tool")
        report.note("ntb_tool")
        if LINK:
            check_pingpong(report, guests)
            report.note("ntb_pingpong")
            check_perf(report, guests)
            report.note("ntb_perf")


sys.exit(rig.main(test))
