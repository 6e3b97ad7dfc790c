#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""oshrun --fault. Usage: test_fault.py OSHRUN PATIENT, a program that runs until its stdin ends"""
import os
import re
import select
import subprocess
import sys
import time
import unittest

OSHRUN = os.path.abspath(sys.argv.pop(1))
PATIENT = os.path.abspath(sys.argv.pop(1))
LIMIT = 60  # seconds for anything, on a busy machine
END_LIMIT = 5  # from a fault that ends the job to its end, as doc/reliability.md promises
KILLED, STATUS_USAGE = 137, 2
# what the PEs say of a cable that is lost
LOST = re.compile(r"the (left|right) cable of host (\d), to host (\d)|"
                  r"the cable between host (\d) and host (\d) is lost")


class Fault(unittest.TestCase):
    def start(self, faults, *shape, program=(PATIENT,), **more):
        env = {k: v for k, v in os.environ.items() if not k.startswith("RINGBELL_")}
        env.update(SHMEM_SYMMETRIC_SIZE="16M", **more)
        job = subprocess.Popen([OSHRUN, "--timeout", str(LIMIT), "--fault", faults, *shape,
                                *program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=env)
        for cleanup in (job.wait, job.kill, job.stdout.close, job.stderr.close, job.stdin.close):
            self.addCleanup(cleanup)
        return job

    def reads(self, job, *words):
        """Read stderr until all words came, in this order. @return what was read"""
        end = time.monotonic() + LIMIT
        text = ""
        pattern = re.compile(".*".join(words), re.S)
        while not pattern.search(text):
            ready, _, _ = select.select([job.stderr], [], [], max(0, end - time.monotonic()))
            self.assertTrue(ready, f"no '{words}' in {LIMIT} s, but: {text}")
            more = os.read(job.stderr.fileno(), 4096).decode()
            self.assertTrue(more, f"no '{words}' but: {text}")
            text += more
        return text

    def ends(self, job, status, out=None):
        said, err = job.communicate(timeout=LIMIT) # ends stdin
        self.assertEqual(job.returncode, status, err)
        if out is not None:
            self.assertEqual((said.decode(), err.decode()), out)

    def test_cables(self):
        """The one that is named is cut, of those in files of their own and of a ring of chips."""
        for chips in "2", "1":
            for hosts, word, a, b in ((3, "1-2", 1, 2), (3, "2-1", 1, 2), (3, "0-2", 2, 0),
                                      (2, "0-1", 0, 1), (2, "1-0", 1, 0)):
                with self.subTest(chips=chips, hosts=hosts, cable=word):
                    job = self.start(f"cut {word} at 10ms", "--hosts", str(hosts),
                                     RINGBELL_EMU="chips=" + chips)
                    said = self.reads(job, f"oshrun: fault: the cable between host {a} and host "
                                      f"{b} is cut\n", LOST.pattern)
                    port, host, to, one, other = LOST.search(said).groups()
                    ends = {("right", a, b), ("left", b, a)} if one is None else {(a, b), (b, a)}
                    found = (port, int(host), int(to)) if one is None else (int(one), int(other))
                    self.assertIn(found, ends, said)

    def test_order(self):
        """That of their times, and that in which they were given where these are equal."""
        job = self.start("flap 1-2 at 90s; stop pe 2 at 30ms for 30ms; stop pe 1 at 10ms for 40ms",
                         "--hosts", "3", "--fault", "stop host 0 at 20ms for 20ms; kill pe 1 at 60ms")
        self.reads(job, "PE 1 is stopped\n", "host 0 is stopped\n", "PE 2 is stopped\n",
                   "host 0 goes on\n", "PE 1 goes on\n", "PE 2 goes on\n", "PE 1 is killed\n")

    def test_cut_for_a_time(self):
        job = self.start("cut 0-1 at 10ms for 0ms", "--hosts", "3")
        self.reads(job, "between host 0 and host 1 is cut\n",
                   "between host 0 and host 1 is plugged in again\n")

    def test_flap(self):
        job = self.start("flap 2-0 at 10ms", "--hosts", "3")
        self.reads(job, "between host 2 and host 0 loses its link and finds it again\n",
                   LOST.pattern)

    def test_while_it_starts(self):
        """Before the first PE has made the cable, too."""
        job = self.start("cut 0-1 at start+0s for 20ms; stop pe 1 at start+5ms for 50ms",
                         "--hosts", "2", RINGBELL_HELLO_TIMEOUT="20")
        self.reads(job, "fault: ")
        self.reads(job, "fault: ")

    def test_second_cable(self):
        """The first one is survived, the second one ends the job, and both are named."""
        job = self.start("cut 0-1 at 10ms; cut 2-3 at 300ms", "--survive", "--hosts", "4")
        said = self.reads(job, "between host 0 and host 1 is lost; the job goes on",
                          "between host 2 and host 3 is cut\n")
        since = time.monotonic()
        ends = r"PE [23]: the (right|left) cable of host [23], to host [23]: .*the job ends"
        before, _, after = said.partition("between host 2 and host 3")
        self.assertNotIn("what was under way", before)
        # one read may have brought both lines
        if not re.search(ends, after):
            self.reads(job, ends)
        self.ends(job, 1)
        self.assertLess(time.monotonic() - since, END_LIMIT)

    def test_lost_host(self):
        """Of a ring, and of what is left of one."""
        for faults in "kill host 2 at 10ms", "cut 0-1 at 10ms; kill host 2 at 300ms":
            job = self.start(faults, "--survive", "--hosts", "4", "-n", "8")
            self.reads(job, "fault: host 2 is killed\n")
            since = time.monotonic()
            self.ends(job, KILLED)
            self.assertLess(time.monotonic() - since, END_LIMIT)

    def test_kill_host(self):
        job = self.start("kill host 1 at 10ms", "--hosts", "3", "-n", "6")
        self.reads(job, "oshrun: fault: host 1 is killed\n", r"PE [23] \(process \d+\) was killed")
        self.ends(job, KILLED)

    def test_kill_pe(self):
        job = self.start("kill pe 3 at 10ms", "-n", "4")
        self.reads(job, "oshrun: fault: PE 3 is killed\n", r"PE 3 \(process \d+\) was killed")
        self.ends(job, KILLED)

    def test_stop(self):
        """The program goes on afterwards, and all is right."""
        job = self.start("stop host 1 at 10ms for 100ms", "--hosts", "2", "-n", "4")
        self.reads(job, "fault: host 1 is stopped\n", "fault: host 1 goes on\n")
        self.ends(job, 0, ("all rounds are right\n", ""))

    def test_stop_for_good(self):
        """No fault keeps the job from its end."""
        job = self.start("stop host 1 at 0s; kill pe 0 at 50ms", "--hosts", "2")
        self.reads(job, "fault: host 1 is stopped\n", "fault: PE 0 is killed\n")
        self.ends(job, KILLED)

    def test_over_before(self):
        job = self.start("cut 0-1 at 100s for 1s; kill pe 0 at 2000s", "--hosts", "2")
        self.ends(job, 0, ("all rounds are right\n", "oshrun: fault: the job was over before: cut "
                           "0-1 at 100s for 1s\noshrun: fault: the job was over before: kill pe 0 "
                           "at 2000s\n"))

    def refused(self, faults, words, *shape):
        with self.subTest(faults):
            job = self.start(faults, *shape, program=("echo", "started"))
            out, err = job.communicate(timeout=LIMIT)
            self.assertEqual((job.returncode, out), (STATUS_USAGE, b""))
            self.assertRegex(err.decode(), rf"^oshrun: --fault:? .*{words}.*\n$")

    def test_refused(self):
        ring = ("--hosts", "4", "-n", "8")
        for faults in ("cut", "cut 1 at 1s", "cut 1-2", "cut 1-2 at", "cut 1-2 at 1", "cut 1-2 1s",
                       "cut 1-2 at 1s 2s", "cut 1-2 at 1s for", "cut 1-2 at nans", "stop 1 at 1s",
                       "cut 1-2 at 0x1s", "cut 1-2 at -1s", "cut 1-2 at 1e99s", "flood 1-2 at 1s",
                       "cut 1-2 at 1.2.3s", "flap 1-2 at 1s for 2s", "kill host 1 at 1s for 2s",
                       "kill host at 1s", "kill hosts 1 at 1s", "kill host 1-2 at 1s", "cut -2 at 1s",
                       "cut 1-2 at 1s, plug 1-2 at 2s", "cut 1-2 at 1s for 1s for 1s for 1s"):
            self.refused(faults, "must be cut, plug or flap A-B", *ring)
            self.refused("kill pe 0 at 1s; " + faults, "must be cut, plug or flap A-B", *ring)
        for faults in ("", " ; ;"):
            self.refused(faults, "must name a fault", *ring)
        for cable in ("0-2", "1-1", "3-4", "4-0", "4-5"):
            self.refused(f"cut {cable} at 1s", "no cable joins these hosts", *ring)
        self.refused("kill host 4 at 1s", "has hosts 0 to 3", *ring)
        self.refused("stop pe 8 at 1s", "has PEs 0 to 7", *ring)
        self.refused("cut 0-1 at 1s", "one host has no cables", "-n", "2")
        self.refused("kill host 0 at 1s", "without --host-id", "--hosts", "2", "--host-id", "0")
        self.refused("; ".join(["kill pe 0 at 1s"] * 200), "more than 128 faults", *ring)


if __name__ == "__main__":
    unittest.main(verbosity=2)
