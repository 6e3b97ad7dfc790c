#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Jobs whose hosts are joined by Ethernet (raw_ntb_ether), each in a network namespace and started by an oshrun of its
own. Needs the rights to make namespaces.

Usage: test_ether.py OSHRUN PROGRAM RINGBELL-TOP
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

import jobs

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import namespaces  # noqa: E402

OSHRUN, PROGRAM, TOP = map(os.path.abspath, sys.argv[1:4])
del sys.argv[1:4]
BOX = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ether_box.py")
README = os.path.join(os.path.dirname(BOX), "..", "..", "README.md")
SKIP = 77
ENDS = ("right", "left")  # of two hosts


class Hosts(namespaces.Namespaces, jobs.Case):
    def wire(self, hosts):
        """Each host has a cable to the next one, from its interface "right" to the other's "left"."""
        self.add(*range(hosts))
        for k in range(hosts if hosts > 2 else 1):
            self.join(("right", k), ("left", (k + 1) % hosts))

    def host(self, k, *words, hosts, options="", cables=None):
        ends = [end for end in ("left", "right") if hosts > 2 or end == ENDS[k]]
        cables = cables or "+".join(f"net_af_packet,iface={end}{options}" for end in ends)
        return self.inside(k, *self.local(k, *words, hosts=hosts, cables=cables))

    @staticmethod
    def local(k, *words, hosts, cables):
        return (OSHRUN, "--hosts", str(hosts), "--host-id", str(k), "-n", str(2 * hosts), "--cpus", "1", "--cable", cables,
                PROGRAM, *words)

    def right(self, hosts, options="", cables=None, **env):
        said = self.run_all([(self.host(k, hosts=hosts, options=options, cables=cables), jobs.environment(**env))
                             for k in range(hosts)])
        self.assertEqual([status for status, *_ in said], [0] * hosts, said)
        last = 2 * hosts - 1
        self.assertIn(f"PE {last} of {2 * hosts} says {100 * last} and shares memory with 2\n", said[0][1])
        return said

    def kill_host(self, job):
        for pid in [*jobs.children(job.pid), job.pid]:
            os.kill(pid, signal.SIGKILL)

    def join_switch(self, hosts):
        self.add("box", *range(hosts))
        for k in range(hosts):
            self.join(("eth1", k), (f"port{k}", "box"))
        self.bridge("box", *(f"port{k}" for k in range(hosts)))


class Ether(Hosts):
    def test_ring(self):
        self.wire(3)
        self.right(3)

    def test_switch(self):
        """One interface each, and a port to each other host, also beside a job of two on the same switch."""
        self.join_switch(4)
        other = [self.start(*self.host(k, "wait", hosts=2, cables="net_af_packet,iface=eth1")) for k in range(2)]
        self.reads(other[0].stdout, "PE 3 of 4")
        said = self.right(4, cables="net_af_packet,iface=eth1", SHMEM_DEBUG="1")
        self.assertEqual("".join(err for _, _, err in said).count("Cables: to 3 of 3 other hosts"), 8)
        for job in other:
            job.kill()
            job.communicate(timeout=jobs.LIMIT)

    def test_readme(self):
        """The lines of README.md, between machines that are just joined."""
        with open(README, encoding="utf-8") as f:
            up, *starts = re.findall(r"^  ((?:ip link|oshrun) .*eth1.*)$", f.read(), re.M)
        self.assertEqual(len(starts), 2, starts)
        self.add(0, 1)
        namespaces.ip("link", "add", "eth1", "netns", self.name(0), "type", "veth", "peer", "name", "eth1",
                      "netns", self.name(1))
        said = self.run_all([(self.inside(k, "sh", "-c", f"{up}; " + line.replace("oshrun", OSHRUN, 1)
                                          .replace("./hello", PROGRAM)),
                              jobs.environment()) for k, line in enumerate(starts)])
        self.assertEqual([status for status, *_ in said], [0, 0], said)
        self.assertIn("PE 1 of 2 says 100 and shares memory with 1\n", said[0][1])

    def test_cut(self):
        """A cable that is pulled is named at both ends."""
        self.wire(2)
        pair = [self.start(*self.host(k, "wait", hosts=2), start_new_session=True) for k in range(2)]
        self.reads(pair[0].stdout, "PE 3 of 4")
        self.set(1, "left", "down")
        said = [job.communicate(timeout=jobs.LIMIT)[1] for job in pair]
        self.assertEqual([job.returncode for job in pair], [1, 1], said)
        self.assertIn("port 1 cable of host 0, to host 1: the link broke", said[0])
        self.assertIn("port 0 cable of host 1, to host 0: the link broke", said[1])


class More(Hosts):
    def test_faults(self):
        """What is lost, doubled, changed or late on the way is made good: 5 of 100 packets each."""
        self.add(0, 1, "box")
        self.join(("right", 0), ("near", "box"))
        self.join(("far", "box"), ("left", 1))
        box = self.start(*self.inside("box", sys.executable, BOX, "1", "5", "near", "far"),
                         stdin=subprocess.PIPE)
        self.reads(box.stdout, "ready")
        self.right(2)
        for k in range(2):
            namespaces.ip("-n", self.name(k), "addr", "add", f"10.0.0.{k + 1}/24", "dev", ENDS[k])
        self.right(2, options=",udp=7001")
        counts, _ = box.communicate(timeout=jobs.LIMIT)
        self.assertRegex(counts, r"lost=[1-9].*doubled=[1-9].*changed=[1-9].*late=[1-9]")

    def test_udp(self):
        """Without CAP_NET_RAW, by a broadcast and by the other end's address; each host of a switch."""
        self.join_switch(3)
        for k in range(3):
            namespaces.ip("-n", self.name(k), "addr", "add", f"10.0.0.{k + 1}/24", "dev", "eth1")
        for hosts, options in ((2, ("", "")), (2, (",peer=10.0.0.2", ",peer=10.0.0.1")), (3, ("", "", ""))):
            said = self.run_all([(self.inside(k, "setpriv", "--bounding-set=-net_raw", *self.host(
                k, hosts=hosts, cables=f"net_af_packet,iface=eth1,udp=7001{options[k]}")[4:]), jobs.environment())
                for k in range(hosts)])
            self.assertEqual([status for status, *_ in said], [0] * hosts, said)
            self.assertIn(f"PE {2 * hosts - 1} of {2 * hosts} says", said[0][1])

    def test_switch_killed(self):
        """A host that is killed is named by the others."""
        self.join_switch(3)
        ring = [self.start(*self.host(k, "wait", hosts=3, cables="net_af_packet,iface=eth1"), start_new_session=True)
                for k in range(3)]
        self.reads(ring[0].stdout, "PE 5 of 6")
        self.kill_host(ring[1])
        said = [job.communicate(timeout=jobs.LIMIT)[1] for job in ring[::2]]
        self.assertEqual([job.returncode for job in ring[::2]], [1, 1], said)
        self.assertRegex("".join(said), "cable of host [02], to host 1: the link broke")

    def test_in_vain(self):
        """What those say who wait for a host that does not come, by packets and by UDP, and jobs of different keys, which do
        not hear each other. They wait at the same time."""
        self.join_switch(3)
        namespaces.ip("-n", self.name(0), "addr", "add", "10.0.0.1/24", "dev", "eth1")
        rows = ((0, 3, ""), (1, 3, ""), (0, 3, ",udp=7001"), (0, 2, ",key=job0"), (1, 2, ",key=job1"))
        said = self.run_all([(self.host(k, hosts=hosts, cables="net_af_packet,iface=eth1" + options),
                              jobs.environment(RINGBELL_HELLO_TIMEOUT="8")) for k, hosts, options in rows])
        self.assertNotIn(0, [status for status, *_ in said])
        none = "no packet of host {} of this job came in by {}, and {} of others"
        self.assertRegex(said[0][2] + said[1][2], none.format("2 of 3", "net_af_packet_eth1", r"\d+"))
        self.assertRegex(said[2][2], none.format("[12] of 3", "UDP of eth1", "0") + ".* or a firewall")
        self.assertRegex(said[3][2], "no packet of this job came in by net_af_packet_eth1, and [1-9]")

    def test_mixed(self):
        """Hosts 0 and 1 share a file, and Ethernet joins them to host 2."""
        self.wire(3)
        with tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
            file.truncate(256 << 20)
            ether, shared = "net_af_packet,iface=", f"raw_ntb_shared,path={file.name},host="
            cables = (f"{ether}left+{shared}0", f"{shared}1+{ether}right", None)
            said = self.run_all([(self.host(k, hosts=3, cables=cables[k]), jobs.environment()) for k in range(3)])
        self.assertEqual([status for status, *_ in said], [0] * 3, said)
        self.assertIn("PE 5 of 6 says 500 and shares memory with 2\n", said[0][1])

    def test_uneven(self):
        """Hosts 0 to 2 share a file; Ethernet joins host 0 to host 3, and host 3 to host 4: 3, 2, 2, 2 and 1 ports."""
        self.add(0, 3, 4)
        self.join(("far", 0), ("left", 3))
        self.join(("right", 3), ("left", 4))
        with tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
            file.truncate(384 << 20)  # in windows much smaller than Ethernet's the chunk would differ
            shared = [f"raw_ntb_shared,path={file.name},host={k},hosts=3" for k in range(3)]
            cables = {0: f"{shared[0]}+net_af_packet,iface=far", 3: "net_af_packet,iface=left+net_af_packet,iface=right",
                      4: "net_af_packet,iface=left,hosts=0"}
            said = self.run_all([(self.host(k, hosts=5, cables=cables[k]) if k in cables else
                                  self.local(k, hosts=5, cables=shared[k]), jobs.environment()) for k in range(5)])
        self.assertEqual([status for status, *_ in said], [0] * 5, said)
        self.assertIn("PE 9 of 10 says 900 and shares memory with 2\n", said[0][1])

    def test_refused(self):
        """What is no list of cables; a machine that is host of no ring."""
        self.add(0)
        for cables, why in (("net_af_packet,iface=a b", 'RINGBELL_CABLES: want .* not "net_af_packet,iface=a b"'),
                            ("net_af_packet,iface=eth1,peer=10.0.1.2", 'devargs "iface=eth1,peer=10.0.1.2": want iface'),
                            ("net_af_packet,iface=none", "1 NT ports came up, see those of RINGBELL_CABLES|"
                                                         "cannot open interface none")):
            status, _, errors = self.run_all([(self.host(0, hosts=2, cables=cables), jobs.environment())])[0]
            self.assertEqual(status, 1, errors)
            self.assertRegex(errors, why)
        self.check((OSHRUN, "--cable", "net_af_packet,iface=eth1", PROGRAM), 2, "", "needs --host-id")

    def test_large(self):
        """Packets of 9000 bytes."""
        self.wire(2)
        for k in range(2):
            self.set(k, ENDS[k], "mtu", "9000")
        self.right(2)

    def test_seen(self):
        """What a host's telemetry says of its cable."""
        self.wire(2)
        pair = [self.start(*self.host(k, "wait", hosts=2), env=jobs.environment(RINGBELL_TELEMETRY="1")) for k in range(2)]
        self.reads(pair[0].stdout, "PE 3 of 4")
        self.check((TOP, "--once"), 0, r"Ethernet: host [01] sent \d+ packets again, \d+ credits\n")


if not namespaces.are_allowed():
    print(namespaces.REFUSED)
    sys.exit(SKIP)
unittest.main(verbosity=2)
