#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Jobs whose hosts are joined by Ethernet (raw_ntb_ether), each in a network namespace and started by an oshrun of its
own. Needs the rights to make namespaces.

Usage: test_ether.py OSHRUN PROGRAM
"""
import os
import signal
import subprocess
import sys
import unittest

import jobs

OSHRUN, PROGRAM = map(os.path.abspath, sys.argv[1:3])
del sys.argv[1:]
BOX = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ether_box.py")
SKIP = 77
ENDS = ("right", "left")  # of two hosts


def ip(*words):
    subprocess.run(("ip", *words), check=True, stdin=subprocess.DEVNULL)


class Ether(jobs.Case):
    def name(self, k):
        return f"rb{os.getpid()}-{k}"

    def add(self, *names):
        for name in names:
            ip("netns", "add", self.name(name))
            self.addCleanup(ip, "netns", "del", self.name(name))

    def join(self, *ends):
        (a, near), (b, far) = [(end, self.name(k)) for end, k in ends]
        ip("link", "add", a, "netns", near, "type", "veth", "peer", "name", b, "netns", far)
        for end, k in ends:
            ip("-n", self.name(k), "link", "set", "dev", end, "up")

    def wire(self, hosts):
        """Each host has a cable to the next one, from its interface "right" to the other's "left"."""
        self.add(*range(hosts))
        for k in range(hosts if hosts > 2 else 1):
            self.join(("right", k), ("left", (k + 1) % hosts))

    def host(self, k, *words, hosts, options="", npes=None):
        cables = [end for end in ("left", "right") if hosts > 2 or end == ENDS[k]]
        eal = " ".join(f"--vdev=raw_ntb_ether{n},iface={end}{options}" for n, end in enumerate(cables))
        return ("ip", "netns", "exec", self.name(k), OSHRUN, "--hosts", str(hosts), "--host-id", str(k), "-n",
                str(npes or 2 * hosts), "--cpus", "1", "--eal", eal, PROGRAM, *words)

    def right(self, hosts, **more):
        said = self.run_all([(self.host(k, hosts=hosts, **more), jobs.environment()) for k in range(hosts)])
        self.assertEqual([status for status, *_ in said], [0] * hosts, said)
        last = 2 * hosts - 1
        self.assertIn(f"PE {last} of {2 * hosts} says {100 * last} and shares memory with 2\n", said[0][1])

    def test_two(self):
        self.wire(2)
        self.right(2)

    def test_faults(self):
        """What is lost, doubled, changed or late on the way is made good: 5 of 100 packets each."""
        self.add(0, 1, "box")
        self.join(("right", 0), ("near", "box"))
        self.join(("far", "box"), ("left", 1))
        box = self.start("ip", "netns", "exec", self.name("box"), sys.executable, BOX, "1", "5", "near", "far",
                         stdin=subprocess.PIPE)
        self.reads(box.stdout, "ready")
        self.right(2)
        counts, _ = box.communicate(timeout=jobs.LIMIT)
        self.assertRegex(counts, r"lost=[1-9].*doubled=[1-9].*changed=[1-9].*late=[1-9]")

    def test_ring(self):
        self.wire(3)
        self.right(3)

    def test_large(self):
        """Packets of 9000 bytes; ends that differ say so."""
        self.wire(2)
        for k in range(2):
            ip("-n", self.name(k), "link", "set", "dev", ENDS[k], "mtu", "9000")
        self.right(2)
        ip("-n", self.name(0), "link", "set", "dev", "right", "mtu", "1500")
        said = self.run_all([(self.host(k, hosts=2), jobs.environment(RINGBELL_HELLO_TIMEOUT="8"))
                             for k in range(2)])
        self.assertNotIn(0, [status for status, *_ in said])
        self.assertIn("MTU of net_af_packet_right is 1500, the other end has 9000", said[0][2], said[1])

    def test_cut(self):
        """A cable that is pulled is named at both ends."""
        self.wire(2)
        pair = [self.start(*self.host(k, "wait", hosts=2), start_new_session=True) for k in range(2)]
        self.reads(pair[0].stdout, "PE 3 of 4")
        ip("-n", self.name(1), "link", "set", "dev", "left", "down")
        said = [job.communicate(timeout=jobs.LIMIT)[1] for job in pair]
        self.assertEqual([job.returncode for job in pair], [1, 1], said)
        self.assertIn("right cable of host 0, to host 1: the link broke", said[0])
        self.assertIn("left cable of host 1, to host 0: the link broke", said[1])

    def test_killed(self):
        """A host that is killed says nothing, and its cable is named."""
        self.wire(2)
        pair = [self.start(*self.host(k, "wait", hosts=2), start_new_session=True) for k in range(2)]
        self.reads(pair[0].stdout, "PE 3 of 4")
        lost = pair[1].pid
        for pid in [*jobs.children(lost), lost]:
            os.kill(pid, signal.SIGKILL)
        said = pair[0].communicate(timeout=jobs.LIMIT)[1]
        self.assertEqual(pair[0].returncode, 1, said)
        self.assertIn("right cable of host 0, to host 1: the link broke", said)

    def test_key(self):
        """Jobs with different keys do not hear each other."""
        self.wire(2)
        said = self.run_all([(self.host(k, hosts=2, options=f",key=job{k}"),
                              jobs.environment(RINGBELL_HELLO_TIMEOUT="8")) for k in range(2)])
        self.assertNotIn(0, [status for status, *_ in said])
        self.assertRegex(said[0][2], "no packet of this job came in by net_af_packet_right, and [1-9]")


if subprocess.run(["unshare", "-n", "ip", "link"], check=False, capture_output=True).returncode != 0:
    print("this user may make no network namespaces")
    sys.exit(SKIP)
unittest.main(verbosity=2)
