#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Hosts that are started one by one, each by an oshrun of its own, and find out how they are wired. The cables are files.

Usage: test_ring.py OSHRUN LAUNCHED
"""
import functools
import os
import shutil
import signal
import sys
import tempfile
import time
import unittest

import jobs

OSHRUN, PROGRAM = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
LEFT, RIGHT = 1, 0  # ends of a cable: the left port of the host behind it, the right port before it


class Ring(jobs.Case):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="ringbell-ring-")
        self.addCleanup(shutil.rmtree, self.dir)

    def eal(self, *ports):
        """Arguments for ports, each (cable, end) or None; in place of the end also devargs."""
        words = []
        for i, port in enumerate(ports):
            if port:
                path = os.path.join(self.dir, f"cable{port[0]}")
                open(path, "a", encoding="ascii").close()
                end = port[1] if isinstance(port[1], str) else f"end={port[1]}"
                words.append(f"--vdev=raw_ntb_plx_emu{i},cable={path},{end},bar2=256M")
        return " ".join(words)

    def host(self, k, hosts, *args, ports=None, program=(PROGRAM,)):
        """Start host k, cabled as it should be unless the ports are given."""
        return self.start(OSHRUN, "--host-id", str(k), "--hosts", str(hosts), *args, "--eal",
                          self.eal(*(ports or (((k - 1) % hosts, LEFT), (k, RIGHT)))), *program)

    def ring(self, hosts, *args, **more):
        return [self.host(k, hosts, *args, **more) for k in range(hosts)]

    def ends(self, ring, status, limit=jobs.LIMIT):
        """(stdout, stderr) of each, all of which end with the status, or with some failure (None)."""
        end = time.monotonic() + limit
        said = [job.communicate(timeout=max(0.1, end - time.monotonic())) for job in ring]
        for job, (_, err) in zip(ring, said):
            if status is None:
                self.assertNotEqual(job.returncode, 0, err)
            else:
                self.assertEqual(job.returncode, status, err)
        self.wait_until("no process is left", lambda: not jobs.running(PROGRAM))
        return said

    @functools.cache  # pylint: disable=method-cache-max-size-none
    def reference(self, *args):
        return self.job(OSHRUN, *args, PROGRAM)[1]

    def test_hosts(self):
        ours = self.reference("--hosts", "3")
        for _ in range(2):  # again on cables that keep what the first run left in them
            self.assertEqual(self.ends(self.ring(3), 0), [(ours, ""), ("", ""), ("", "")])

    def test_several_pes(self):
        for more in (("-n", "4", "--map-by", "host"), ("--map-by", "1,4")):
            ours = self.reference("--hosts", "2", *more)
            self.assertEqual(self.ends(self.ring(2, *more), 0)[0][0], ours)

    @staticmethod
    def one_chip(hosts, k):
        """Both ports of host k as those of one chip, NT0 the left one."""
        return [("ring", f"hosts={hosts},host={k},nt={nt}") for nt in (0, 1)]

    def test_chips_with_two_ports(self):
        for hosts in (2, 3):
            ours = self.reference("--hosts", str(hosts))
            ring = [self.host(k, hosts, ports=self.one_chip(hosts, k)) for k in range(hosts)]
            self.assertEqual(self.ends(ring, 0)[0][0], ours)
            os.remove(os.path.join(self.dir, "cablering"))  # it has the size of its ring

    def test_late_start(self):
        """Beside it a ring with a host that never comes: the one whose time is over ends those that still have time."""
        early = [self.host(1, 4), self.host(0, 4), self.host(2, 4)]
        cables = {k: ((4 + (k - 1) % 4, LEFT), (4 + k, RIGHT)) for k in range(4)}
        others = [self.host(k, 4, ports=cables[k]) for k in (1, 2)]
        self.reads(early[1].stderr, "host 0: waiting for host 3 on the port 0 cable\n")
        self.reads(early[2].stderr, "host 2: waiting for host 3 on the port 1 cable\n")
        self.reads(early[0].stderr, "host 1: its cables are up, waiting for host 3\n")
        self.reads(others[0].stderr, "host 1: waiting for host 0 or 3 on the port 0 cable\n")
        self.reads(others[1].stderr, "host 2: waiting for host 0 or 3 on the port 1 cable\n")
        late = self.host(3, 4)
        others.insert(0, self.host(0, 4, "--hello-timeout", "3", ports=cables[0]))
        for job in (late, *early):
            self.assertEqual(job.wait(jobs.LIMIT), 0)
        said = self.ends(others, None)
        self.assertIn("waited 3 s", said[0][1])
        for _, errors in said[1:]:
            self.assertIn("ended the job", errors)

    def test_several_end_the_job(self):
        """Each oshrun exits with one of the statuses, and nothing that was printed is lost."""
        ring = self.ring(3, "-n", "6", program=(PROGRAM, "end-all"))
        for job, (out, err) in zip(ring, [job.communicate(timeout=jobs.LIMIT) for job in ring]):
            self.assertIn(job.returncode, range(10, 16), err)
            self.assertEqual(out.count("words of PE "), 2, out)
            self.assertEqual(out.count("handler of PE "), 2, out)
        self.ends([], 0)

    def refused(self, words, *ring):
        said = "".join(err for _, err in self.ends(ring, None))
        for word in words:
            self.assertRegex(said, word)

    def test_settings_differ(self):
        """Each oshrun hands on its own environment."""
        for change, other, words in (("SHMEM_CHECK=1", 0, "SHMEM_CHECK is set for PE 0 and not"),
                                     ("SHMEM_SYMMETRIC_SIZE=9M", 1, "same SHMEM_SYMMETRIC_SIZE")):
            self.refused([words], *(self.host(k, 3, program=("env", change, PROGRAM) if k == other else
                                              (PROGRAM,)) for k in range(3)))

    def test_arguments_differ(self):
        """PEs and places; hello_test.c has hosts, ids and wiring."""
        for words, here, there in (
                ("PEs, here", (0, 2, "-n", "3"), (1, 2, "-n", "4")),
                ("PEs on other hosts: give all the same --map-by",
                 (0, 2, "-n", "4"), (1, 2, "-n", "4", "--map-by", "1,3"))):
            self.refused([words], self.host(*here), self.host(*there))

    def test_hidden_registers(self):
        """Chips that show no register that only this driver uses over the cable."""
        for hosts, chips in (3, 2), (3, 1):
            self.check([OSHRUN, "--hosts", str(hosts), PROGRAM], 0, f"PE 0 of {hosts} says",
                       "host 1: the port 0 cable is up; stores to the peer are not seen there",
                       RINGBELL_EMU=f"hide=1,chips={chips}")

    WIRINGS = {  # cables, by host; None: a port without one
        "swapped": (((3, LEFT), (0, RIGHT)), ((1, RIGHT), (0, LEFT)), ((1, LEFT), (2, RIGHT)), ((2, LEFT), (3, RIGHT))),
        "star": (((0, LEFT),), ((0, RIGHT), (1, RIGHT), (2, RIGHT)), ((1, LEFT),), ((2, LEFT),)),
        "uneven": (((0, LEFT), (4, RIGHT)), ((0, RIGHT), (1, RIGHT), (2, RIGHT), (5, RIGHT)),
                   ((1, LEFT), (3, RIGHT), (5, LEFT)), ((3, LEFT), (2, LEFT), (4, LEFT))),
        "chain": (((0, RIGHT), (7, RIGHT)), ((1, RIGHT), (0, LEFT)), ((1, LEFT), (2, RIGHT)), ((2, LEFT),)),
    }

    def test_wirings(self):
        """Hosts with any numbers of ports, in any order, of which nothing is said; one with two PEs on each."""
        for name, hosts in self.WIRINGS.items():
            with self.subTest(name):
                more = ("-n", "8") if name == "uneven" else ()
                ours = self.reference("--hosts", "4", *more)
                said = self.ends([self.host(k, 4, *more, ports=ports) for k, ports in enumerate(hosts)], 0)
                self.assertEqual([out for out, _ in said], [ours, "", "", ""])
                self.assertRegex("".join(err for _, err in said), {
                    "chain": "host 0: port 1 has no cable and is left out\n$"}.get(name, r"\A\Z"))

    def test_wrong_ports(self):
        self.refused(["port [01] link: the peer has this host's id 0 too: ids must differ, and no cable"],
                     self.host(0, 2, "--hello-timeout", "600", ports=self.one_chip(1, 0)))
        for end in ("end=7", "end=0,cabel=x"):
            self.refused([r"\A(?!.*bind).*see those of RINGBELL_EAL: NTB_PORT: raw_ntb_plx_emu0: devarg"],
                         self.host(0, 2, ports=((0, end), None)))
        # without huge pages, DPDK has a line of its own before that
        self.refused([r"(?m)^oshrun: PE 0: shmem_init: .*(the EAL did not start|NT ports found)"],
                     self.host(0, 2, ports=(None, None)))

    def started(self, hosts, *args):
        ring = self.ring(hosts, *args, program=(PROGRAM, "wait"))
        self.reads(ring[0].stdout, f"PE {hosts - 1} of")
        time.sleep(0.2)  # until some wait in the barrier and some outside of it; either will do
        return ring

    def test_killed_pe(self):
        for which, more in (0, ()), (1, ("-n", "6")):
            ring = self.started(3, *more)
            # the watchdog is another child of oshrun, the PEs came first, and the second one has no ports
            os.kill(sorted(jobs.children(ring[which].pid))[which], signal.SIGKILL)
            said = self.ends(ring, 137, jobs.END_LIMIT)
            for k in range(3):
                self.assertIn("killed by signal 9" if k == which else f"host {which} ended the job",
                              said[k][1])

    def test_oshrun_that_ends(self):
        for sig in signal.SIGKILL, signal.SIGINT:
            ring = self.started(3)
            ring[1].send_signal(sig)
            self.ends(ring, None, jobs.END_LIMIT)

    def test_status(self):
        """Also where a program waits for its children, of which the watchdog is none, and where a child
        exits: that is not the end of its parent, nor does it silence the watchdog."""
        for status, *program in ((7, "exit", "7"), (7, "global", "7"), (0, "wait-child")):
            self.ends(self.ring(3, program=(PROGRAM, *program)), status)
        self.ends(self.ring(3, "-n", "4", program=(PROGRAM, "child-exits")), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
