#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A ring whose hosts are started one by one, each by an oshrun of its own. The cables are files.

Usage: test_ring.py OSHRUN PROGRAM
"""
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from processes import children, running

OSHRUN = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
LIMIT = 60     # seconds for anything, on a busy machine
END_LIMIT = 5  # seconds until all hosts know that one has ended
LEFT, RIGHT = 1, 0  # ends of a cable: the left port of the host behind it, the right port before it


class Ring(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="ringbell-ring-")
        self.addCleanup(shutil.rmtree, self.dir)
        self.env = dict(os.environ, SHMEM_SYMMETRIC_SIZE="16M")
        for name in list(self.env):
            if name.startswith("RINGBELL_"):
                del self.env[name]

    def eal(self, left, right):
        """Arguments for two ports, each (cable, end) or None; in place of the end also devargs."""
        words = []
        for i, port in enumerate((left, right)):
            if port:
                path = os.path.join(self.dir, f"cable{port[0]}")
                open(path, "a", encoding="ascii").close()
                end = port[1] if isinstance(port[1], str) else f"end={port[1]}"
                words.append(f"--vdev=raw_ntb_plx_emu{i},cable={path},{end},bar2=256M")
        return " ".join(words)

    def host(self, k, hosts, *args, ports=None, program=(PROGRAM,)):
        """Start host k, cabled as it should be unless the ports are given."""
        left, right = ports or (((k - 1) % hosts, LEFT), (k, RIGHT))
        job = subprocess.Popen([OSHRUN, "--host-id", str(k), "--hosts", str(hosts), *args,
                                "--eal", self.eal(left, right), *program], env=self.env,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        for cleanup in (job.stdout.close, job.stderr.close, job.kill):
            self.addCleanup(cleanup)
        return job

    def ends(self, jobs, status, limit=LIMIT):
        """(stdout, stderr) of each, all of which end with the status, or with some failure (None)."""
        end = time.monotonic() + limit
        said = [job.communicate(timeout=max(0.1, end - time.monotonic())) for job in jobs]
        for job, (_, err) in zip(jobs, said):
            if status is None:
                self.assertNotEqual(job.returncode, 0, err)
            else:
                self.assertEqual(job.returncode, status, err)
        end = time.monotonic() + END_LIMIT
        while running(PROGRAM):
            self.assertLess(time.monotonic(), end, f"processes are left: {running(PROGRAM)}")
            time.sleep(0.02)
        return said

    def reads(self, stream, words):
        """Read lines until one has the words."""
        end = time.monotonic() + LIMIT
        text = ""
        while words not in text:
            ready, _, _ = select.select([stream], [], [], max(0, end - time.monotonic()))
            self.assertTrue(ready, f"no '{words}' in {LIMIT} s, but: {text}")
            more = os.read(stream.fileno(), 4096).decode()
            self.assertTrue(more, f"no '{words}' but: {text}")
            text += more
        return text

    def reference(self, *args):
        return subprocess.run([OSHRUN, *args, PROGRAM], stdout=subprocess.PIPE, env=self.env,
                              timeout=LIMIT, check=True, text=True).stdout

    def test_hosts(self):
        for hosts in (2, 3):
            ours = self.reference("--hosts", str(hosts))
            for _ in range(2):  # again on cables that keep what the first run left in them
                said = self.ends([self.host(k, hosts) for k in range(hosts)], 0)
                self.assertEqual(said[0][0], ours)
                self.assertEqual([err for _, err in said], [""] * hosts)

    def test_several_pes(self):
        for more in (("-n", "5"), ("-n", "4", "--map-by", "host"), ("--map-by", "1,4")):
            ours = self.reference("--hosts", "2", *more)
            said = self.ends([self.host(k, 2, *more) for k in range(2)], 0)
            self.assertEqual(said[0][0], ours)

    def test_one_cable_between_two(self):
        jobs = [self.host(0, 2, ports=((0, RIGHT), None)), self.host(1, 2, ports=((0, LEFT), None))]
        self.ends(jobs, 0)

    @staticmethod
    def one_chip(hosts, k):
        """Both ports of host k as those of one chip, NT0 the left one."""
        return [("ring", f"hosts={hosts},host={k},nt={nt}") for nt in (0, 1)]

    def test_chips_with_two_ports(self):
        for hosts in (2, 3):
            ours = self.reference("--hosts", str(hosts))
            jobs = [self.host(k, hosts, ports=self.one_chip(hosts, k)) for k in range(hosts)]
            self.assertEqual(self.ends(jobs, 0)[0][0], ours)
            os.remove(os.path.join(self.dir, "cablering"))  # it has the size of its ring

    def test_cable_to_own_chip(self):
        job = self.host(0, 2, "--hello-timeout", "600", ports=self.one_chip(1, 0))
        (_, err), = self.ends([job], None)
        self.assertIn("left link: the cable leads back to this host's own adapter", err)

    def test_wrong_devargs(self):
        for end in ("end=7", "end=0,cabel=x"):
            job = self.host(0, 2, ports=((0, end), None))
            (_, err), = self.ends([job], None)
            self.assertIn("see those of RINGBELL_EAL: PLX_NTB: raw_ntb_plx_emu0: ", err)
            self.assertIn("devarg", err)
            self.assertNotIn("bind", err)

    def test_late_start(self):
        early = [self.host(1, 4), self.host(0, 4), self.host(2, 4)]
        self.reads(early[1].stderr, "host 0: waiting for host 3 on the left cable\n")
        self.reads(early[2].stderr, "host 2: waiting for host 3 on the right cable\n")
        self.reads(early[0].stderr, "host 1: both cables are up, waiting for host")
        self.ends([self.host(3, 4), *early], 0)

    def test_missing_host(self):
        said = self.ends([self.host(k, 4, "--hello-timeout", "5") for k in range(3)], None)
        self.assertIn("waiting for host 3 on the left cable", said[0][1])
        self.assertIn("waiting for host 3 on the right cable", said[2][1])
        self.assertIn("waited 5 s", said[0][1] + said[2][1])
        self.assertIn("ended the job", said[1][1])

    def test_several_end_the_job(self):
        """Each oshrun exits with one of the statuses, and nothing that was printed is lost."""
        for _ in range(3):
            jobs = [self.host(k, 3, "-n", "6", program=(PROGRAM, "end-all")) for k in range(3)]
            for job, (out, err) in zip(jobs, [job.communicate(timeout=LIMIT) for job in jobs]):
                self.assertIn(job.returncode, range(10, 16), err)
                self.assertEqual(out.count("words of PE "), 2, out)
                self.assertEqual(out.count("handler of PE "), 2, out)
            self.ends([], 0)

    def refused(self, words, *jobs):
        said = "".join(err for _, err in self.ends(jobs, None))
        for word in words:
            self.assertRegex(said, word)

    def test_settings_differ(self):
        """Each oshrun hands on its own environment."""
        for change, other, words in (("SHMEM_CHECK=1", 0, "SHMEM_CHECK is set for PE 0 and not"),
                                     ("SHMEM_CHECK=1", 2, "SHMEM_CHECK is set for PE 2 and not"),
                                     ("SHMEM_SYMMETRIC_SIZE=9M", 1, "same SHMEM_SYMMETRIC_SIZE"),
                                     ("RINGBELL_STATIC=copy", 1, "RINGBELL_STATIC=")):
            jobs = [self.host(k, 3, program=("env", change, PROGRAM) if k == other else
                              (PROGRAM,)) for k in range(3)]
            self.refused([words], *jobs)

    def test_wrong_number_of_hosts(self):
        self.refused(["ring of 3 hosts", "one of 2"],
                     self.host(0, 2, ports=((1, LEFT), (0, RIGHT))),
                     self.host(1, 3, ports=((0, LEFT), (1, RIGHT))))

    def test_wrong_number_of_pes(self):
        self.refused(["PEs, here"], self.host(0, 2, "-n", "3"),
                     self.host(1, 2, "-n", "4"))

    def test_other_places(self):
        for here, there in ((("--map-by", "1,3"), ("--map-by", "3,1")),
                            (("-n", "4"), ("-n", "4", "--map-by", "1,3")),
                            (("-n", "4"), ("-n", "4", "--map-by", "host"))):
            with self.subTest(here=here, there=there):
                self.refused(["PEs on other hosts: give all the same --map-by"],
                             self.host(0, 2, *here), self.host(1, 2, *there))

    def test_same_id(self):
        self.refused(["ids must differ"], self.host(1, 2, ports=((1, LEFT), (0, RIGHT))),
                     self.host(1, 2))

    def test_wrong_wiring(self):
        ports = ((1, RIGHT), (0, LEFT))  # the two cables of host 1, swapped
        # both cables of host 3 are right: it is up when the others end the job, or not yet
        self.refused(["wrong wiring: the cable ends at", "has given up|ended the job with status 1"],
                     self.host(0, 4), self.host(1, 4, ports=ports), self.host(2, 4),
                     self.host(3, 4))

    def test_no_port(self):
        job = self.host(0, 2, ports=(None, None))
        _, err = job.communicate(timeout=LIMIT)
        self.assertNotEqual(job.returncode, 0)
        # without huge pages, DPDK has a line of its own before that
        self.assertRegex(err, r"(?m)^oshrun: PE 0: shmem_init: .*(the EAL did not start|NT ports found)")

    def start_and_wait(self, hosts, *args):
        jobs = [self.host(k, hosts, *args, program=(PROGRAM, "wait")) for k in range(hosts)]
        self.reads(jobs[0].stdout, f"PE {hosts - 1} of")
        time.sleep(0.2)  # until some wait in the barrier and some outside of it; either will do
        return jobs

    def test_killed_pe(self):
        for which in (0, 1):
            jobs = self.start_and_wait(3)
            # the watchdog is another child of oshrun, the PE came first
            os.kill(min(children(jobs[which].pid)), signal.SIGKILL)
            said = self.ends(jobs, 137, END_LIMIT)
            for k in range(3):
                self.assertIn("killed by signal 9" if k == which else f"host {which} ended the job",
                              said[k][1])

    def test_killed_pe_of_several(self):
        jobs = self.start_and_wait(2, "-n", "4")
        os.kill(sorted(children(jobs[1].pid))[1], signal.SIGKILL)
        self.ends(jobs, None, END_LIMIT)

    def test_killed_oshrun(self):
        jobs = self.start_and_wait(3)
        jobs[1].kill()
        self.ends(jobs, None, END_LIMIT)

    def test_interrupt(self):
        jobs = self.start_and_wait(3)
        jobs[2].send_signal(signal.SIGINT)
        self.ends(jobs, None, END_LIMIT)

    def test_status(self):
        for how in ("exit", "global"):
            jobs = [self.host(k, 3, program=(PROGRAM, how, "7")) for k in range(3)]
            self.ends(jobs, 7)

    def test_children_of_the_program(self):
        """The watchdog is not a child that a program could wait for."""
        jobs = [self.host(k, 2, program=(PROGRAM, "wait-child")) for k in range(2)]
        self.ends(jobs, 0)

    def test_child_that_exits(self):
        """Its end is not that of its parent, nor does it silence the watchdog."""
        jobs = [self.host(k, 3, "-n", "4", program=(PROGRAM, "child-exits")) for k in range(3)]
        self.ends(jobs, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
