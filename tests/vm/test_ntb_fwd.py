#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""DPDK's own example for NTB, not a line of it changed, one in each of two guests."""
import base64
import os
import random
import re
import struct
import sys
import time

import rig

STDBUF = "/usr/libexec/coreutils/libstdbuf.so"
PATIENCE = 90
# fewer than --nb-desc: what finds no room is dropped, as the example has it
PACKETS = 100
# packets that txonly has to get across
ENOUGH = 500


class Forwarder:
    """One ntb_fwd in the background of its guest, which reads commands from a pipe."""

    def __init__(self, guest, port, mode, *eal):
        self.guest = guest
        self.mode = mode
        guest.must("rm -rf /tmp/fwd && mkdir /tmp/fwd && mkfifo /tmp/fwd/in")
        guest.must("{ LD_PRELOAD=/lib/libstdbuf.so _STDBUF_O=0 ntb_fwd --lcores 0@0,1@0 "
                   "--legacy-mem -m 64 --no-telemetry --log-level=4 "
                   f"-a {port} {' '.join(eal)} -- -i --fwd-mode={mode} --nb-desc=128 "
                   "<>/tmp/fwd/in >/tmp/fwd/out 2>&1; echo $? >/tmp/fwd/rc; } &")

    def said(self):
        return self.guest.must("cat /tmp/fwd/out")

    def wait(self, what, good):
        """@p good of what it said; the answer."""
        end = time.monotonic() + PATIENCE
        while True:
            said = self.said()
            answer = good(said)
            if answer:
                return answer
            if time.monotonic() > end or self.guest.run("test ! -e /tmp/fwd/rc")[0] != 0:
                raise rig.Failure(f"{self.guest.name}: ntb_fwd, {self.mode}: waited for {what}; "
                                  f"it said:\n{said}")
            time.sleep(0.2)

    def tell(self, command):
        """Returns when it asks for the next one."""
        prompts = self.said().count("ntb>")
        self.guest.must(f"echo {command} >/tmp/fwd/in")
        self.wait(f"the end of {command}", lambda said: said.count("ntb>") > prompts)

    def counters(self):
        self.tell("show port stats")
        text = self.said().rpartition("statistics for NTB port")[2]
        return {name: int(value) for name, value in re.findall(r"^ +([\w-]+): (\d+)", text, re.M)}

    def wait_counter(self, name, least):
        end = time.monotonic() + PATIENCE
        while True:
            found = self.counters()
            if found.get(name, 0) >= least or time.monotonic() > end:
                return found

    def quit(self):
        self.tell("stop")
        self.guest.must("echo quit >/tmp/fwd/in")
        end = time.monotonic() + PATIENCE
        while self.guest.run("test -e /tmp/fwd/rc")[0] != 0 and time.monotonic() < end:
            time.sleep(0.1)
        return self.guest.run("exit $(cat /tmp/fwd/rc)")[0]


def start(report, both):
    for one in both:
        one.wait("the link", lambda said: "ntb link up" in said and "ntb>" in said)
    for one in reversed(both):  # the receiver first
        one.tell("start")
    report.note(f"ntb_fwd {both[0].mode} to {both[1].mode}: link up, started")


def end(report, both):
    for one in both:
        rc = one.quit()
        report.check(f"ntb_fwd {one.mode} in {one.guest.name}: link up and an orderly end",
                     rc == 0, f"status {rc}, after\n{one.said()}")


def txonly(report, guests, ports):
    both = [Forwarder(guest, port, mode)
            for guest, port, mode in zip(guests, ports, ("txonly", "rxonly"))]
    start(report, both)
    got = both[1].wait_counter("Rx-packets", ENOUGH)
    sent = both[0].counters()
    report.note(f"{sent['Tx-packets']} packets sent, {got['Rx-packets']} received")
    report.check(f"txonly to rxonly: {ENOUGH} packets go from guest to guest",
                 got["Rx-packets"] >= ENOUGH, f"{sent} {got}")
    report.check("txonly to rxonly: none of them is an error",
                 sent["Tx-errors"] == 0 and got["Rx-bytes"] >= 60 * got["Rx-packets"],
                 f"{sent} {got}")
    end(report, both)


def capture(path, seed):
    """A file in the format of libpcap with packets of all lengths."""
    rng = random.Random(seed)
    packets = [rng.randbytes(rng.randint(60, 1500)) for _ in range(PACKETS)]
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for p in packets:
            f.write(struct.pack("<IIII", 0, 0, len(p), len(p)) + p)
    return packets


def captured(data):
    at, packets = 24, []
    while at + 16 <= len(data):
        length = struct.unpack_from("<I", data, at + 8)[0]
        packets.append(data[at + 16:at + 16 + length])
        at += 16 + length
    return packets


def iofwd(report, guests, ports, packets):
    """In each guest from an Ethernet device to the port and back: each packet, in order, whole."""
    both = [Forwarder(guest, port, "iofwd",
                      f"--vdev=net_pcap0,rx_pcap=/lib/{i}.pcap,tx_pcap=/tmp/out.pcap")
            for i, (guest, port) in enumerate(zip(guests, ports))]
    start(report, both)
    for one in both:
        found = one.wait_counter("TX-packets", PACKETS)
        report.note(f"{one.guest.name}: {found['Rx-packets']} packets came")
    end(report, both)
    for i, guest in enumerate(guests):
        got = captured(base64.b64decode(guest.must("base64 /tmp/out.pcap")))
        report.check(f"iofwd: {PACKETS} packets from guest {1 - i} leave {guest.name}'s Ethernet "
                     "device, in order, each byte", got == packets[1 - i],
                     f"{len(got)} packets, the first {min(map(len, got), default=0)}")


def test(report, kit, programs):
    if not os.path.exists(programs["ntb_fwd"]):
        rig.skip("no ntb_fwd.c of DPDK was there to be compiled (make setup fetches it)")
    if not os.path.exists(STDBUF):
        rig.skip(f"no {STDBUF}, by which its output can be waited for (package coreutils)")
    with rig.Rig(kit) as r:
        files = {f"lib/{i}.pcap": os.path.join(r.folder, f"{i}.pcap") for i in range(2)}
        packets = [capture(path, i) for i, path in enumerate(files.values())]
        r.pack(programs, files={"lib/libstdbuf.so": STDBUF, **files}, drivers=["net_pcap"])
        r.adapters(programs["ringbell-device"], "--hosts", "2", "--cables", "1", "--dma", "0")
        guests = [r.boot(0, [("right", 0)]), r.boot(1, [("left", 0)])]
        for guest in guests:
            guest.wait_boot()
        report.note("guests are up")
        ports = [r.ports(guest)[0] for guest in guests]
        txonly(report, guests, ports)
        iofwd(report, guests, ports, packets)


sys.exit(rig.main(test))
