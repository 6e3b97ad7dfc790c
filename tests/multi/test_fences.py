#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What fences.py says of runs that pass, fail, hang, and of a launcher that does not end."""
import contextlib
import io
import os
import tempfile
import unittest
import unittest.mock

import fences


class Judge(unittest.TestCase):
    def said(self, oshrun, *more):
        """Of one fence, with this script in the place of oshrun: (failed?, the line)."""
        out = io.StringIO()
        with tempfile.TemporaryDirectory() as build:
            os.mkdir(os.path.join(build, "apps"))
            path = os.path.join(build, "apps", "oshrun")
            with open(path, "w", encoding="ascii") as f:
                f.write("#!/bin/sh\n" + oshrun)
            os.chmod(path, 0o755)
            fences.sys.argv = ["fences.py", build, "prove_stores", *more]
            with contextlib.redirect_stdout(out):
                failed = fences.main()
        self.assertEqual(out.getvalue().count("\n"), 1, out.getvalue())
        return failed, out.getvalue()

    def test_noticed(self):
        failed, line = self.said('[ -z "$RINGBELL_WEAK_SKIP" ] || exit 3\n')
        self.assertFalse(failed, line)
        self.assertIn("status 3", line)

    def test_hangs(self):
        failed, line = self.said('[ -z "$RINGBELL_WEAK_SKIP" ] || exit 124\n')
        self.assertFalse(failed, line)
        self.assertIn("hangs", line)

    def test_not_noticed(self):
        failed, line = self.said("exit 0\n")
        self.assertTrue(failed)
        self.assertIn("NOT NOTICED", line)

    def test_fails(self):
        failed, line = self.said("exit 1\n")
        self.assertTrue(failed)
        self.assertIn("FAILS WITH ALL FENCES: status 1", line)

    @unittest.mock.patch.multiple(fences, LIMIT=0, HANG=0, GRACE=0.3)
    def test_no_end(self):
        for oshrun in ("exec sleep 60\n", '[ -z "$RINGBELL_WEAK_SKIP" ] || exec sleep 60\n'):
            failed, line = self.said(oshrun)
            self.assertTrue(failed)
            self.assertIn("OSHRUN DOES NOT END", line)

    def test_times(self):
        """The status says whether oshrun got three times the limit."""
        limit = f'[ "$2" = {3 * fences.LIMIT} ] || [ "$2" = {3 * fences.HANG} ]'
        for more, status in ((), 9), (("--times", "3"), 7):
            failed, line = self.said(f"{limit} || exit 9\nexit 7\n", *more)
            self.assertTrue(failed)
            self.assertIn(f"FAILS WITH ALL FENCES: status {status}", line)
            failed, line = self.said(f'[ -n "$RINGBELL_WEAK_SKIP" ] || exit 0\n{limit} || exit 9\nexit 7\n',
                                     *more)
            self.assertFalse(failed)
            self.assertIn(f"status {status}", line)


if __name__ == "__main__":
    unittest.main(verbosity=2)
