#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""tools/check.sh: its last line counts the tests of this run, its status says whether all passed, and what a
failed test printed is shown.

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
        self.log = f"{self.dir}/meson-logs/some.json"

    def check(self, *results):
        lines = "".join(f'{{"name": "t{i}", "result": "{r}", "duration": 1, "stdout": "said {i}"}}\n'
                        for i, r in enumerate(results))
        with open(f"{self.dir}/meson", "w", encoding="ascii") as f:
            f.write("#!/bin/sh\n")
            if results:
                f.write(f"cat >{self.log} <<'END'\n{lines}END\n")
        os.chmod(f"{self.dir}/meson", 0o755)
        r = subprocess.run([CHECK, self.dir, "some"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, timeout=30, check=False,
                           env=dict(os.environ, PATH=f"{self.dir}:{os.environ['PATH']}"))
        self.said = r.stdout
        return r.returncode, r.stdout.splitlines()[-1], r.stderr

    def test_all_pass(self):
        self.assertEqual(self.check("OK", "EXPECTEDFAIL", "SKIP"),
                         (0, "2 passed, 0 failed, 1 skipped", ""))

    def test_some_fail(self):
        for bad in ("FAIL", "ERROR", "TIMEOUT", "UNEXPECTEDPASS", "INTERRUPT"):
            self.assertEqual(self.check("OK", bad), (1, "1 passed, 1 failed, 0 skipped", ""))
            self.assertIn("    said 1\nFAILED:  t1\n", self.said)

    def test_some_did_not_run(self):
        """CI counts the tests of the build folder."""
        self.check("OK")
        with open(f"{self.dir}/meson", "w", encoding="ascii") as f:
            f.write("#!/bin/sh\necho '[{}, {}]'\n")
        r = subprocess.run([f"{os.path.dirname(CHECK)}/test_summary.py", "--whole", self.dir, self.log], check=False,
                           stdout=subprocess.PIPE, text=True,
                           env=dict(os.environ, PATH=f"{self.dir}:{os.environ['PATH']}"))
        self.assertEqual((r.returncode, r.stdout), (1, "1 of 2 tests ran\n1 passed, 0 failed, 0 skipped\n"))

    def test_none_fits(self):
        """Meson ends with 0 and writes no log; the one of an earlier run is not counted."""
        with open(self.log, "w", encoding="ascii") as f:
            f.write('{"name": "earlier", "result": "OK"}\n')
        status, last, said = self.check()
        self.assertEqual((status, last), (1, "0 passed, 0 failed, 0 skipped"))
        self.assertIn("no test ran", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
