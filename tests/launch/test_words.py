#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What is printed while a PE starts comes out, and the EAL prints nothing.

Usage: test_words.py OSHRUN PROGRAM
"""
import collections
import os
import re
import sys
import unittest

import jobs

OSHRUN, PROGRAM = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))


class Words(jobs.Case):
    def whole(self, text, *more):
        # a note of oshrun comes where this machine is so busy that a PE starts seconds after another
        lines = [s for s in text.splitlines() if not s.startswith("ringbell: static data: ")
                 and "in shmem_init for PE" not in s]
        counts = [tuple(map(int, m.groups())) for m in
                  (re.fullmatch(r"(\d+) of the thread, (\d+) of children", s) for s in lines) if m]
        self.assertEqual(len(counts), 2, text[-400:])
        want = collections.Counter({"thread": sum(c[0] for c in counts),
                                    "child": sum(c[1] for c in counts)})
        want.update(f"{c[0]} of the thread, {c[1]} of children" for c in counts)
        want.update(more)
        self.assertEqual(collections.Counter(lines), want)

    def test_of_threads_and_children(self):
        for more in ((), ("--eal", "--log-level=lib.eal:info"), ("--telemetry",),
                     ("--eal", "--log-level=1")):
            status, out, err = self.job(OSHRUN, "--hosts", "2", *more, PROGRAM)
            self.assertEqual(status, 0, err)
            self.whole(out, "before", "before")
            self.whole(err)


class WrongArguments(jobs.Case):
    """A line that gives the cause, and where DPDK prints its usage, also that."""

    def test_each_kind(self):
        for eal, word in (("--no-such-option", "no-such-option"), ("--proc-type=nonsense", "process type"),
                          ("--help", "--help"), ("-d /no/such/driver.so", "/no/such/driver.so")):
            self.check([OSHRUN, "--hosts", "2", "--eal", eal, PROGRAM], 1, "^",
                       rf"(?ms)(?=.*{word}).*^oshrun: PE [01]: shmem_init_thread: [^\n]*EAL.*: ")


if __name__ == "__main__":
    unittest.main()
