#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The site and the man pages build without a warning, and a man page gets the options of --help.

Usage: test_site.py DOC BUILD
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

DOC, BUILD = (os.path.abspath(arg) for arg in sys.argv[1:3])
del sys.argv[1:3]

# man page -> program whose options it takes from --help, or its commands of which it does
PROGRAMS = {
    "oshrun.1": ("apps/oshrun",),
    "shmem-perf.1": ("apps/perf/shmem-perf",),
    "shmem-litmus.1": ("lab/litmus/shmem-litmus",),
    "ringbell-sim.1": ("lab/sim/ringbell-sim",),
    "ringbell-top.1": ("apps/ringbell-top",),
    "ringbell-port.1": ("apps/port/ringbell-port", "test", "order", "speed"),
    "ringbell-eeprom.1": ("apps/ringbell-eeprom",),
    "ringbell-doctor.1": ("apps/ringbell-doctor",),
    "ringbell-report.1": ("apps/ringbell-report",),
}
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")


def sphinx(builder, out, parsed):
    return subprocess.run(["sphinx-build", "-q", "-W", "--keep-going", "-b", builder, "-d", parsed, DOC, out],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "RINGBELL_BUILD": BUILD}, timeout=300, check=False)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.parsed = tempfile.mkdtemp(prefix="ringbell-site-")  # by the first builder, for both
        cls.addClassCleanup(shutil.rmtree, cls.parsed)

    def setUp(self):
        self.out = tempfile.mkdtemp(prefix="ringbell-site-")
        self.addCleanup(shutil.rmtree, self.out)

    def test_html(self):
        done = sphinx("html", self.out, self.parsed)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        for page in ("index", "tutorial", "hardware", "man/oshrun.1"):
            self.assertTrue(os.path.isfile(os.path.join(self.out, page + ".html")), page)

    def test_man(self):
        done = sphinx("man", self.out, self.parsed)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        with open(os.path.join(self.out, "ringbell.7"), encoding="utf-8") as f:
            page = f.read()
        for name in ("RINGBELL_CHUNK", "RINGBELL_JOB", "SHMEM_SPACES", "SMA_SYMMETRIC_SIZE"):
            self.assertIn(name, page)
        self.assertNotIn("_ENV@", page)
        for page, program in PROGRAMS.items():
            if os.path.isfile(os.path.join(BUILD, program[0])): # some are optional
                with self.subTest(page=page):
                    self.has_options(page, *program)

    def has_options(self, page, program, *commands):
        with open(os.path.join(self.out, page), encoding="utf-8") as f:
            text = f.read().replace("\\-", "-")
        for command in commands or [None]:
            said = subprocess.run([os.path.join(BUILD, program), *filter(None, [command]), "--help"], text=True,
                                  timeout=60, stdout=subprocess.PIPE, check=True).stdout
            lines = [line.strip() for line in said.splitlines()]
            wanted = {o for line in lines if line.startswith("-") for o in OPTION.findall(line.split("  ")[0])}
            self.assertGreater(len(wanted), 2)
            self.assertEqual([], [option for option in wanted if option not in text])


if __name__ == "__main__":
    if shutil.which("sphinx-build") is None:
        print("no sphinx-build here: Debian's packages python3-sphinx and python3-myst-parser")
        sys.exit(77)
    unittest.main(verbosity=2)
