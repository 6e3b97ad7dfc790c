#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What PEs do before a loss ends the job. Usage: test_saves.py OSHRUN SAVES"""
import os
import re
import sys
import unittest

import jobs

OSHRUN, PROGRAM = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
SAVES = re.compile(r"^PE (\d+) of (\d+) saves: all, PE (\d+) of host (\d+) is (dead|cut off), "
                   r"status (\d+), (.*)$", re.M)
KILLED = 137


class Saves(jobs.Case):
    def saved(self, status, who, pes, dead, *command):
        """@return what the PEs of @p who have said, and oshrun's lines"""
        code, out, err = self.job(OSHRUN, *command)
        said = [m.groups() for m in SAVES.finditer(out)]
        self.assertEqual(code, status, err)
        self.assertEqual(sorted(int(s[0]) for s in said), sorted(who), out + err)
        self.assertEqual(len(out.splitlines()), len(said))
        for s in said:
            self.assertEqual((int(s[1]), s[4], int(s[5])), (pes, dead, status))
        return said, err

    def test_all_others_save(self):
        """Whether the PE that dies has the ports of its host or not, or the job is one host."""
        for options, pes, hosts, killed, how in ((["--hosts", "3"], 3, 3, 1, ""),
                                                 (["--hosts", "2", "-n", "6"], 6, 2, 3, "exit"),
                                                 (["--hosts", "3", "-n", "6"], 6, 3, 5, ""),
                                                 (["-n", "3"], 3, 1, 0, "exit")):
            with self.subTest(options=options, killed=killed, how=how):
                said, err = self.saved(KILLED, set(range(pes)) - {killed}, pes, "dead", *options,
                                       PROGRAM, str(killed), how)
                for s in said:
                    self.assertEqual((int(s[2]), int(s[3])), (killed, killed // (pes // hosts)))
                    self.assertRegex(s[6], rf"^PE {killed} .* was killed by signal 9")
                self.assertRegex(err, rf"\A.*PE {killed} .* was killed by signal 9.*\n\Z")

    def test_second_cable(self):
        said, _ = self.saved(1, range(4), 4, "cut off", "--fault", "cut 0-1 at 0.2s; cut 2-3 at 0.6s",
                             "--survive", "--hosts", "4", PROGRAM, "-1")
        for s in said:
            self.assertIn(" cable ", s[6])

    def test_who_computes(self):
        """A PE without a call is not waited for longer than it said."""
        self.saved(KILLED, {1}, 3, "dead", "--hosts", "3", PROGRAM, "2", "compute")

    def test_none(self):
        """Neither without a function, nor where the program ends the job, nor with seconds out of range."""
        self.saved(KILLED, (), 3, "", "--hosts", "3", PROGRAM, "1", "none")
        self.saved(7, (), 3, "", "--hosts", "3", PROGRAM, "-1", "global")
        self.check([OSHRUN, "-n", "1", PROGRAM, "-1", "wrong"], 0, r"\A-1 -1 0\n\Z")
        self.check([PROGRAM, "-1", "wrong"], 0, r"\A-1 -1 0\n\Z", "^")


if __name__ == "__main__":
    unittest.main(verbosity=2)
