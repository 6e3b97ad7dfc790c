#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""tools/check.sh: its last line counts the tests of this run, and its status says whether all passed.

Usage: test_check.py CHECK. A command of this test takes Meson's place and writes a given log.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

CHECK = sys.argv[1]


class Check(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="ringbell-check-")
        self.addCleanup(shutil.rmtree, self.dir)
        os.mkdir(f"{self.dir}/meson-logs")
        self.log = f"{self.dir}/meson-logs/testlog.json"

    def check(self, *results):
        lines = "".join(f'{{"name": "t{i}", "result": "{r}"}}\n' for i, r in enumerate(results))
        with open(f"{self.dir}/meson", "w", encoding="ascii") as f:
            f.write("#!/bin/sh\n")
            if results:
                f.write(f"cat >{self.log} <<'END'\n{lines}END\n")
        os.chmod(f"{self.dir}/meson", 0o755)
        r = subprocess.run([CHECK, self.dir], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, timeout=30, check=False,
                           env=dict(os.environ, PATH=f"{self.dir}:{os.environ['PATH']}"))
        return r.returncode, r.stdout.splitlines()[-1], r.stderr

    def test_all_pass(self):
        self.assertEqual(self.check("OK", "EXPECTEDFAIL", "SKIP"),
                         (0, "2 passed, 0 failed, 1 skipped", ""))

    def test_some_fail(self):
        for bad in ("FAIL", "ERROR", "TIMEOUT", "UNEXPECTEDPASS", "INTERRUPT"):
            self.assertEqual(self.check("OK", bad), (1, "1 passed, 1 failed, 0 skipped", ""))

    def test_none_fits(self):
        """Meson ends with 0 and writes no log; the one of an earlier run is not counted."""
        with open(self.log, "w", encoding="ascii") as f:
            f.write('{"name": "earlier", "result": "OK"}\n')
        status, last, said = self.check()
        self.assertEqual((status, last), (1, "0 passed, 0 failed, 0 skipped"))
        self.assertIn("no test ran", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
