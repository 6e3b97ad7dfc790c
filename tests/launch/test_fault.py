#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""oshrun --fault. Usage: test_fault.py OSHRUN LAUNCHED"""
import os
import re
import subprocess
import sys
import time
import unittest

import jobs

OSHRUN, LAUNCHED = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
KILLED, STATUS_USAGE = 137, 2
RIGHT = "all rounds are right\n"
# what the PEs say of a cable that is lost
LOST = (r"the (?:port 0 cable of host {b}, to host {a}|port 1 cable of host {a}, to host {b})|"
        "the cable between host {a} and host {b} is lost")


class Fault(jobs.Case):
    def begin(self, faults, *shape, **env):
        """A job that runs until its stdin ends."""
        return self.start(OSHRUN, "--timeout", str(jobs.LIMIT), "--fault", faults, *shape, LAUNCHED,
                          "rounds", stdin=subprocess.PIPE, env=jobs.environment(**env))

    def ends(self, job, status):
        out, err = job.communicate(timeout=jobs.LIMIT) # ends stdin
        self.assertEqual(job.returncode, status, err)
        return out, err

    def test_cables(self):
        """The one that is named is cut, of those in files of their own and of a ring of chips."""
        for chips, hosts, word, a, b in (("2", 3, "1-2", 1, 2), ("2", 3, "0-2", 2, 0),
                                         ("2", 2, "0-1", 0, 1), ("2", 2, "1-0", 1, 0),
                                         ("1", 3, "2-1", 1, 2), ("1", 2, "1-0", 1, 0)):
            with self.subTest(chips=chips, hosts=hosts, cable=word):
                job = self.begin(f"cut {word} at 10ms", "--hosts", str(hosts), RINGBELL_EMU=f"chips={chips}")
                self.reads(job.stderr, f"oshrun: fault: the cable between host {a} and host {b} is cut\n",
                           LOST.format(a=a, b=b))
                self.ends(job, 1)

    def test_order(self):
        """That of their times, and that in which they were given where these are equal. The program
        goes on after what stands still, and all is right."""
        job = self.begin("flap 1-2 at 90s; stop pe 2 at 30ms; continue pe 2 at 60ms; stop pe 1 at 10ms; "
                         "continue pe 1 at 50ms", "--hosts", "3",
                         "--fault", "stop host 0 at 20ms; continue host 0 at 40ms; kill pe 1 at 90ms")
        self.reads(job.stderr, "PE 1 is stopped\n", "host 0 is stopped\n", "PE 2 is stopped\n",
                   "host 0 goes on\n", "PE 1 goes on\n", "PE 2 goes on\n", "PE 1 is killed\n")
        self.ends(job, KILLED)
        job = self.begin("stop host 1 at 10ms; continue host 1 at 110ms", "--hosts", "2", "-n", "4")
        self.reads(job.stderr, "fault: host 1 is stopped\n", "fault: host 1 goes on\n")
        out, err = self.ends(job, 0)
        self.assertEqual((out[-len(RIGHT):], err), (RIGHT, ""))

    def test_plug_and_flap(self):
        job = self.begin("cut 0-1 at 10ms; plug 0-1 at 10ms", "--hosts", "3")
        self.reads(job.stderr, "between host 0 and host 1 is cut\n",
                   "between host 0 and host 1 is plugged in again\n")
        job = self.begin("flap 2-0 at 10ms", "--hosts", "3")
        self.reads(job.stderr, "between host 2 and host 0 loses its link and finds it again\n",
                   LOST.format(a=2, b=0))

    def test_while_it_starts(self):
        """Before the first PE has made the cable, too."""
        job = self.begin("cut 0-1 at start+0s; plug 0-1 at start+20ms; stop pe 1 at start+5ms; "
                         "continue pe 1 at start+55ms", "--hosts", "2", RINGBELL_HELLO_TIMEOUT="20")
        self.reads(job.stderr, *["fault: "] * 4)

    def test_second_cable(self):
        """The first one is survived, and stays lost where it comes back; the second one ends the job, and
        both are named."""
        job = self.begin("cut 0-1 at 10ms; plug 0-1 at 20ms; cut 2-3 at 900ms", "--survive", "--hosts", "4")
        # the program goes on until then: with its input it would end, and might be right in all
        said = self.reads(job.stderr, "between host 0 and host 1 is lost; the job goes on",
                          "between host 2 and host 3 is cut\n", "the job ends")
        since = time.monotonic()
        said += self.ends(job, 1)[1]
        self.assertLess(time.monotonic() - since, jobs.END_LIMIT)
        before, _, after = said.partition("between host 2 and host 3")
        self.assertNotIn("what was under way", before)
        self.assertRegex(after, r"PE \d: the port [01] cable of host \d, to host \d: the link broke, and without the "
                         r"cables 0-1 2-3 no way is left to all hosts; .*the job ends")

    def test_parallel_cables(self):
        """Cut both, and the hosts that they joined are apart."""
        job = self.begin("cut 0-1 at 10ms; cut 0-1#2 at 500ms", "--survive", "--hosts", "3", "--wiring=0-1 0-1 1-2")
        self.reads(job.stderr, "between host 0 and host 1 is lost; the job goes on",
                   "between host 0 and host 1 is cut\n", "the job ends")
        self.ends(job, 1)

    def test_kill(self):
        """A host of a ring and of what is left of one, and one PE; though another stands still."""
        for faults, shape, said in (
                ("kill host 1 at 10ms", ("--hosts", "3", "-n", "6"), r"PE [23] \(process \d+\) was killed"),
                ("cut 0-1 at 10ms; kill host 2 at 300ms", ("--survive", "--hosts", "4", "-n", "8"), "was killed"),
                ("stop pe 1 at 0s; kill pe 3 at 50ms", ("-n", "4"), r"PE 3 \(process \d+\) was killed")):
            job = self.begin(faults, *shape)
            who = re.search(r"kill (\w+) (\d)", faults).groups()
            self.reads(job.stderr, f"(?i)oshrun: fault: {who[0]} {who[1]} is killed\n", said)
            since = time.monotonic()
            self.ends(job, KILLED)
            self.assertLess(time.monotonic() - since, jobs.END_LIMIT)

    def test_kill_behind_a_shell(self):
        """The PE is killed, not the shell alone: it says nothing any more."""
        status, out, err = self.job(OSHRUN, "--hosts", "2", "--fault", "kill host 1 at 100ms", "sh", "-c",
                                    f"{LAUNCHED} speak -1; exit $?")
        self.assertEqual(status, KILLED, err)
        self.assertEqual(re.findall("handler of PE .", out), ["handler of PE 0"])

    def test_over_before(self):
        job = self.begin("cut 0-1 at 100s; kill pe 0 at 2000s", "--hosts", "2")
        self.reads(job.stdout, "running\n")
        self.assertEqual(self.ends(job, 0)[1], "oshrun: fault: the job was over before: cut 0-1 at 100s\n"
                         "oshrun: fault: the job was over before: kill pe 0 at 2000s\n")

    def refused(self, faults, words, *shape):
        self.check([OSHRUN, "--fault", faults, *shape, "echo", "started"], STATUS_USAGE, "",
                   rf"\Aoshrun: --fault:? .*{words}.*\n\Z")

    def test_refused(self):
        ring = ("--hosts", "4", "-n", "8")
        for faults in ("cut", "cut 1 at 1s", "cut 1-2", "cut 1-2 at", "cut 1-2 at 1", "cut 1-2 1s",
                       "cut 1-2 at 1s 2s", "cut 1-2 at nans", "stop 1 at 1s", "cut 1-2 at -1s",
                       "cut 1-2 at 1e99s", "flood 1-2 at 1s", "cut 1-2 at 1.2.3s", "kill host at 1s",
                       "kill hosts 1 at 1s", "kill host 1-2 at 1s", "cut pe 2 at 1s",
                       "cut 1-2 at 1s, plug 1-2 at 2s", "cut 1-2 at 1s" + 99 * " "):
            self.refused("kill pe 0 at 1s; " + faults, "must be cut, plug or flap A-B", *ring)
        for faults, words in (("", "must name a fault"), (" ; ;", "must name a fault"),
                              *((f"cut {cable} at 1s", "no such cable joins these hosts")
                                for cable in ("0-2", "1-1", "3-4", "4-5", "-1-0", "0-1#2", "0-1#0")),
                              ("kill host 4 at 1s", "has hosts 0 to 3"),
                              ("stop pe 8 at 1s", "has PEs 0 to 7"),
                              ("stop pe -1 at 1s", "has PEs 0 to 7"),
                              ("; ".join(["kill pe 0 at 1s"] * 200), "more than 128 faults")):
            self.refused(faults, words, *ring)
        self.refused("cut 0-1 at 1s", "one host has no cables", "-n", "2")
        self.refused("kill host 0 at 1s", "without --host-id", "--hosts", "2", "--host-id", "0")


if __name__ == "__main__":
    unittest.main(verbosity=2)
