#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""DPDK's raw_ntb under a job in one guest, Linux's ntb_hw_intel in the other, as far as both meet: the link,
scratchpads, doorbells with their interrupts, the window. The handshake of raw_ntb is made by hand on Linux's
side, with ntb_tool; doc/ntb-families.md says what else differs.
"""
import sys
import time

import rig

TOOL = "cd /sys/kernel/debug/ntb_tool/0*"
WINDOW, BAR4 = 4 << 20, 1 << 20  # Linux has aligned memory for windows of 4 MiB at most
# scratchpads of raw_ntb's handshake: windows, queues, windows used, and the sizes of both windows in halves
NUM_MWS, NUM_QPS, USED_MWS, MW0_HIGH, MW0_LOW, MW1_HIGH, MW1_LOW = 1, 2, 4, 5, 6, 7, 8
USER = 14  # the one it leaves to users
MARK = 0xb7  # what a port of ours puts there, above a number of its own
MAGIC = "31 4c 42 52"  # of our hello, in the first page of the region
# in the background, until the test ends
JOB = ("{{ oshrun --host-id 0 --hosts 2 -n 2 --eal '-a {}' -x RINGBELL_HELLO_TIMEOUT=600 "
       "-x SHMEM_SYMMETRIC_SIZE=4M rotput >/tmp/out 2>&1; echo $? >/tmp/rc; }} &")
SECONDS = 150


def spads(guest):
    return [int(word, 16) for word in
            guest.must(TOOL + "; for i in $(seq 0 15); do cat spad$i; done").split()]


def is_marked(word):
    return word >> 24 == MARK and word >> 12 & 0xfff != 0


def wait_marked(guest, number):
    end = time.monotonic() + SECONDS
    while not is_marked(spads(guest)[number]) and time.monotonic() < end:
        time.sleep(0.1)
    return spads(guest)


def meet(report, linux):
    """From a trained link to raw_ntb's own word that it is up."""
    rc, out = linux.run(TOOL + "; echo Y > link; echo Y > peer0/link_event", SECONDS)
    report.check("the link comes up: raw_ntb here, ntb_hw_intel there", rc == 0, out)
    words = {NUM_MWS: 2, NUM_QPS: 0, USED_MWS: 0, MW0_HIGH: 0, MW0_LOW: WINDOW, MW1_HIGH: 0, MW1_LOW: BAR4}
    linux.must("; ".join([TOOL, "echo c 0x7 > db_mask"] +
                         [f"echo {v:#x} > peer0/spad{n}" for n, v in words.items()]))
    # our port may not have been configured yet; raw_ntb answers a bell once it has
    linux.start(f"{TOOL}; echo s 1 > peer_db; echo 1 > db_event")
    rc, out = linux.finish(SECONDS)
    report.check("doorbell 0 of Linux is an interrupt of raw_ntb, and its answer one of Linux", rc == 0, out)
    found = spads(linux)
    report.check("raw_ntb's scratchpads are at Linux: two windows of these sizes, no queues",
                 [found[n] for n in words] == list(words.values()), str(found))
    found = wait_marked(linux, USER)
    report.check("so is the word of our port: its region is configured", is_marked(found[USER]), str(found))


def check_window(report, linux):
    # Linux 7.2 reads decimal numbers alone there
    linux.must(f"{TOOL}; echo 0:4096 > peer0/peer_mw_trans0")
    rc, page = linux.run(f"{TOOL}; for i in $(seq 300); do head -c 4096 peer0/peer_mw0 | "
                         f"hexdump -v -e '4/1 \"%02x \" \"\\n\"' | grep -m 1 '{MAGIC}' && break; "
                         "usleep 100000; done", SECONDS)
    report.check("Linux reads our hello through its window", rc == 0 and MAGIC in page, page)


def check_killed(report, dpdk, linux):
    """The registers of a program that was killed lead to memory that is somebody else's."""
    dpdk.must("killall -9 rotput")
    rc, page = linux.run(f"{TOOL}; for i in $(seq 300); do head -c 16 peer0/peer_mw0 | "
                         f"hexdump -v -e '16/1 \"%02x\"' | grep {32 * 'f'} && break; usleep 100000; done", SECONDS)
    report.check("once it is killed, the window shows Linux nothing", rc == 0 and 32 * "f" in page, page)


def test(report, kit, programs):
    with rig.Rig(kit) as r:
        r.pack(programs, drivers=["raw_ntb"], modules=(), spare=("igb_uio", "ntb_hw_intel", "ntb_tool"))
        r.adapters(programs["ringbell-device"], "--hosts", "2", "--cables", "1", "--ntb", "intel4",
                   "--window", str(WINDOW >> 20))
        dpdk, linux = r.boot(0, [("right", rig.INTEL)]), r.boot(1, [("left", rig.INTEL)])
        for guest in dpdk, linux:
            guest.wait_boot()
        report.note("guests are up")
        dpdk.must("insmod /lib/modules/uio.ko; insmod /lib/modules/igb_uio.ko")
        port = r.ports(dpdk, "8086:347e", "igb_uio")[0]
        linux.must("mount -t debugfs none /sys/kernel/debug; for m in ntb ntb_hw_intel ntb_tool; do "
                   "insmod /lib/modules/$m.ko; done")
        dpdk.must(JOB.format(port))
        meet(report, linux)
        check_window(report, linux)
        report.check("the job still waits for its neighbour", dpdk.run("test ! -e /tmp/rc")[0] == 0,
                     dpdk.run("cat /tmp/out")[1])
        check_killed(report, dpdk, linux)


sys.exit(rig.main(test))
