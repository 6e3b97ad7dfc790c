#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Where oshrun puts PEs, and what it says about other machines. Usage: test_place.py OSHRUN PROGRAM"""
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from processes import children, running

OSHRUN = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
LIMIT = 60
LINE = re.compile(r"oshrun: host (\d+), PE (\d+): CPUs ([\d,-]+), node (\S+), heap on node (\w+)"
                  r"(?:, service on CPUs ([\d,-]+))?$")


def run(*args, **env):
    return subprocess.run([OSHRUN, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=LIMIT, text=True, check=False,
                          env=dict(os.environ, SHMEM_SYMMETRIC_SIZE="16M", **env))


def cpus(text):
    found = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


ALL = os.sched_getaffinity(0)


class Place(unittest.TestCase):
    def refused(self, words, *args):
        r = run(*args)
        self.assertEqual(r.returncode, 2, r.stderr)
        self.assertEqual(r.stdout, "")
        self.assertEqual(r.stderr.count("\n"), 1, r.stderr)
        for word in words:
            # an empty value leaves no blank before the colon
            self.assertIn(word.replace(" : ", ": "), r.stderr)

    def report(self, *args):
        """PE number: (host, CPUs, CPUs of the service or None)."""
        r = run("--report-bindings", *args, PROGRAM)
        self.assertEqual(r.returncode, 0, r.stderr)
        found = {}
        for line in r.stderr.splitlines():
            match = LINE.match(line)
            self.assertTrue(match, line)
            host, pe, on, _, _, service = match.groups()
            found[int(pe)] = (int(host), cpus(on), service and cpus(service))
        return found

    def test_bad_input(self):
        for bad in ("", "core", "slots", "2,x", ",2", "2,,1", "-1", "+2", "2 1"):
            self.refused([f"--map-by {bad}: ", "slot, host", "5,1,2"], "--map-by", bad, "true")
        for bad in ("", "slot", "cores", "0"):
            self.refused(["--bind-to", "core, numa, none"], "--bind-to", bad, "true")
        for bad in ("", "-1", "64", "x", "0.5"):
            self.refused(["--host-id"], "--hosts", "3", "--host-id", bad, "true")
        for bad in ("", "0", "-1", "3601", "x"):
            self.refused(["--hello-timeout"], "--hello-timeout", bad, "true")
        self.refused(["--host-id 3", "--hosts 3"], "--hosts", "3", "--host-id", "3", "true")
        self.refused(["needs --hosts"], "--host-id", "0", "true")
        self.refused(["needs --hosts"], "--hosts", "1", "--host-id", "0", "true")
        for bad in ("", "0", "-1", "65537", "x"):
            self.refused([f"--cpus {bad}: must be a number from 1 to 65536"], "--cpus", bad, "true")
        self.refused(["takes no value"], "--report-bindings=1", "true")
        cores = str(2 * len(ALL) + 1)
        self.refused(["--bind-to core", cores], "-n", cores, "--bind-to", "core", "true")

    def test_bad_counts(self):
        for bad, host in (("0", 0), ("5,0,2", 1), ("1,257", 1), ("1,1,99999999999999999999", 2)):
            self.refused([f"--map-by {bad}: host {host}: 1 to 256 PEs are possible"], "--map-by", bad, "true")
        self.refused(["--map-by 2,1,: ", "last comma"], "--map-by", "2,1,", "true")
        self.refused(["more than 64 hosts"], "--map-by", ",".join(["1"] * 65), "true")
        self.refused(["1025 PEs: at most 1024"], "--map-by", "256,256,256,256,1", "true")
        self.refused(["--map-by 5,1,2: 8 PEs, but -n 9"], "--map-by", "5,1,2", "-n", "9", "true")
        self.refused(["--map-by 5,1,2: PEs of 3 hosts, but --hosts 2"],
                     "--hosts", "2", "-n", "8", "--map-by", "5,1,2", "true")

    def test_map(self):
        def hosts(*args):
            return [place[0] for _, place in sorted(self.report(*args).items())]
        self.assertEqual(hosts("-n", "5", "--hosts", "2"), [0, 0, 0, 1, 1])
        self.assertEqual(hosts("-n", "5", "--hosts", "2", "--map-by", "slot"), [0, 0, 0, 1, 1])
        self.assertEqual(hosts("-n", "5", "--hosts", "2", "--map-by", "host"), [0, 1, 0, 1, 0])
        self.assertEqual(hosts("--map-by", "1,3,1"), [0, 1, 1, 1, 2])
        self.assertEqual(hosts("-n", "5", "--hosts", "2", "--map-by", "1,4"), [0, 1, 1, 1, 1])
        self.assertEqual(hosts("--map-by", "2"), [0, 0])
        r = run("--host-id", "1", "--map-by", "1,2", "--dry-run", "true")
        self.assertEqual((r.returncode, [line[:4] for line in r.stdout.splitlines()]),
                         (0, ["PE 1", "PE 2"]), r.stderr)

    def test_unbound(self):
        for args in (("-n", "2", "--bind-to", "none"), ("-n", str(2 * len(ALL) + 1)),
                     ("--hosts", "2", "--bind-to", "none")):
            for _, on, service in self.report(*args).values():
                self.assertEqual(on, ALL)
                self.assertIsNone(service)

    def test_core(self):
        if len(ALL) < 2:
            self.skipTest("one CPU")
        places = self.report("-n", "1", "--bind-to", "core")
        self.assertLess(len(places[0][1]), len(ALL) + 1)
        one = self.report("-n", "2", "--bind-to", "none")
        self.assertEqual(len(one), 2)
        r = run("-n", "2", "--bind-to", "core", "true")
        if r.returncode == 2:
            self.skipTest("one core")
        places = self.report("-n", "2", "--bind-to", "core")
        self.assertFalse(places[0][1] & places[1][1])

    def test_equal_shares(self):
        """Without --bind-to, PEs that each can have a core do not share it."""
        places = self.report("-n", "2")
        if places[0][1] != ALL:
            self.assertFalse(places[0][1] & places[1][1])
        self.assertEqual(self.report("-n", "1")[0][1], ALL)

    def test_share_of_machine(self):
        """Where others run here too, PEs are told how many CPUs they have, and are not bound."""
        for args in (("-n", "1"), ("--hosts", "2")):
            for _, on, service in self.report(*args, "--cpus", "1").values():
                self.assertEqual((on, service), (ALL, None))
        told = ["sh", "-c", "echo $RINGBELL_CPUS"]
        self.assertEqual(run("--cpus", "3", *told).stdout, "3\n")
        self.assertEqual(run("--cpus", "3", "--bind-to", "core", *told).stdout, "3\n")

    def test_service_shares(self):
        """A service lcore runs where its lead does where there are not enough cores for both."""
        places = self.report("--hosts", "2")
        (_, first, service), (_, second, other) = places[0], places[1]
        if first == ALL:
            self.skipTest("one core")
        self.assertFalse(first & second)
        if first & service:
            self.assertTrue(first <= service and second <= other)
            self.assertFalse(second & service or first & other)
        else:
            self.assertFalse((first | second) & (service | other) or service & other)

    def test_numa(self):
        for _, on, service in self.report("--hosts", "2", "--bind-to", "numa").values():
            self.assertTrue(on <= ALL)
            self.assertTrue(service <= ALL)

    def test_hostfile(self):
        self.refused(["mpirun --hostfile hosts", "srun --mpi=pmix"], "--hostfile", "hosts", "true")

    def pes_under(self, *command):
        job = subprocess.Popen([OSHRUN, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ, SHMEM_SYMMETRIC_SIZE="16M"))
        for cleanup in (job.stdout.close, job.stderr.close, job.kill):
            self.addCleanup(cleanup)
        self.assertIn("PE 0 of", job.stdout.readline())
        return job, running(PROGRAM)

    def all_gone(self):
        end = time.monotonic() + 5
        while running(PROGRAM):
            self.assertLess(time.monotonic(), end, "a PE outlived its job")
            time.sleep(0.02)

    WRAPPED = ("-n", "2", "sh", "-c", f"sh -c '{PROGRAM} wait; true'; true")

    def test_killed_wrapper(self):
        job, pes = self.pes_under(*self.WRAPPED)
        self.assertEqual(len(pes), 2)
        os.kill(children(job.pid)[0], signal.SIGKILL)
        job.communicate(timeout=5)
        self.assertEqual(job.returncode, 137)
        self.all_gone()

    def test_killed_oshrun_of_wrappers(self):
        job, pes = self.pes_under(*self.WRAPPED)
        self.assertEqual(len(pes), 2)
        job.kill()
        self.all_gone()


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
