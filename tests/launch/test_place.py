#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Where oshrun puts PEs. Usage: test_place.py OSHRUN LAUNCHED"""
import os
import re
import sys
import unittest

import jobs

OSHRUN, PROGRAM = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
LINE = re.compile(r"oshrun: host (\d+), PE (\d+): CPUs ([\d,-]+), node (\S+), heap on node (\w+)"
                  r"(?:, service on CPUs ([\d,-]+))?$")
ALL = os.sched_getaffinity(0)
MANY = str(2 * len(ALL) + 1)

# arguments that are refused, and words of the one line about them
REFUSED = [
    *((["--map-by", bad], f"--map-by {bad}: .*slot, host.*5,1,2")
      for bad in ("", "core", "slots", "2,x", ",2", "2,,1", "-1", "2 1", " 1", "0", "5,0,2", "1,257",
                  "1,1,99999999999999999999", "2,1,")),
    (["--map-by", ",".join(["1"] * 65)], "1 to 256 on each of up to 64 hosts"),
    (["--map-by", "256,256,256,256,1"], "1025 PEs: at most 1024"),
    (["--map-by", "5,1,2", "-n", "9"], "--map-by 5,1,2: 8 PEs, but -n 9"),
    (["--hosts", "2", "-n", "8", "--map-by", "5,1,2"], "--map-by 5,1,2: PEs of 3 hosts, but --hosts 2"),
    *((["--bind-to", bad], "--bind-to.*core, numa, none") for bad in ("", "slot", "cores", "0")),
    *((["--hosts", "3", "--host-id", bad], "--host-id") for bad in ("", "-1", "64", "x", "0.5")),
    (["--hosts", "3", "--host-id", "3"], "--host-id 3: .*--hosts 3"),
    (["--host-id", "0"], "needs --hosts"),
    (["--hosts", "1", "--host-id", "0"], "needs --hosts"),
    *((["--hello-timeout", bad], "--hello-timeout") for bad in ("", "0", "-1", "3601", "x")),
    *((["--cpus", bad], f"--cpus {bad}: must be a number from 1 to 65536")
      for bad in ("", "0", "-1", "65537", "x")),
    (["--report-bindings=1"], "takes no value"),
    (["-n", MANY, "--bind-to", "core"], f"--bind-to core: {MANY} PEs"),
]


def cpus(text):
    found = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


class Place(jobs.Case):
    def report(self, *args):
        """PE number: (host, CPUs, CPUs of the service or None)."""
        status, _, err = self.job(OSHRUN, "--report-bindings", *args, PROGRAM)
        self.assertEqual(status, 0, err)
        found = {}
        for line in err.splitlines():
            match = LINE.match(line)
            self.assertTrue(match, line)
            host, pe, on, _, _, service = match.groups()
            found[int(pe)] = (int(host), cpus(on), service and cpus(service))
        return found

    def test_bad_input(self):
        for args, words in REFUSED:
            # an empty value leaves no blank before the colon
            self.check([OSHRUN, *args, "true"], 2, "",
                       rf"\Aoshrun: .*{words}.*\n\Z".replace(" : ", ": "))

    def test_map(self):
        for args, hosts in ((("-n", "5", "--hosts", "2"), [0, 0, 0, 1, 1]),
                            (("-n", "5", "--hosts", "2", "--map-by", "host"), [0, 1, 0, 1, 0]),
                            (("--map-by", "1,3,1"), [0, 1, 1, 1, 2]),
                            (("--map-by", "2"), [0, 0])):
            self.assertEqual([place[0] for _, place in sorted(self.report(*args).items())], hosts)
        for host, counts, pes in ((1, "1,2", ("[12]", "[12]")),
                                  # the most hosts, PEs of a host, and PEs
                                  (63, ",".join(["1"] * 64), ["63"]),
                                  (4, "256,256,256,255,1", ["1023"])):
            self.check([OSHRUN, "--host-id", str(host), "--map-by", counts, "--tag-output", "echo"], 0,
                       r"\A%s\Z" % "".join(rf"\[PE {pe}\] \n" for pe in pes))

    def test_unbound(self):
        """Also where others run here too: PEs are told how many CPUs they have."""
        for args in (("-n", MANY), ("--hosts", "2", "--bind-to", "none"), ("--hosts", "2", "--cpus", "1")):
            for _, on, service in self.report(*args).values():
                self.assertEqual((on, service), (ALL, None))
        for more in (), ("--bind-to", "core"):
            self.check([OSHRUN, "--cpus", "3", *more, "sh", "-c", "echo $RINGBELL_CPUS"], 0, r"\A3\n\Z")

    def test_cores(self):
        """PEs that each can have a core do not share it, asked for or not. A service lcore runs where
        its lead does where there are not enough cores for both."""
        self.assertEqual(self.report("-n", "1")[0][1], ALL)
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
        places = self.report("-n", "2", "--bind-to", "core")
        self.assertFalse(places[0][1] & places[1][1])

    def test_numa(self):
        for _, on, service in self.report("--hosts", "2", "--bind-to", "numa").values():
            self.assertTrue(on <= ALL)
            self.assertTrue(service <= ALL)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
