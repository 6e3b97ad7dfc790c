#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The site and the man pages build without a warning, and a man page has the options of --help.

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

# man page -> program
PROGRAMS = {
    "oshrun.1": "apps/oshrun",
    "oshcc.1": "apps/oshcc",
    "shmem-perf.1": "apps/perf/shmem-perf",
    "shmem-litmus.1": "lab/litmus/shmem-litmus",
    "ringbell-sim.1": "lab/sim/ringbell-sim",
    "ringbell-top.1": "apps/top/ringbell-top",
    "ringbell-eeprom.1": "apps/eeprom/ringbell-eeprom",
}
# these have an option list for each command
COMMANDS = {"ringbell-port.1": ("apps/port/ringbell-port", ("test", "order", "speed", "relay", "dump"))}
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")


def sphinx(builder, out):
    return subprocess.run(["sphinx-build", "-q", "-W", "--keep-going", "-b", builder, DOC, out],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=300, check=False)


class Site(unittest.TestCase):
    def setUp(self):
        self.out = tempfile.mkdtemp(prefix="ringbell-site-")
        self.addCleanup(shutil.rmtree, self.out)

    def test_html(self):
        done = sphinx("html", self.out)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        for page in ("index", "tutorial", "hardware", "man/oshrun.1"):
            self.assertTrue(os.path.isfile(os.path.join(self.out, page + ".html")), page)

    def test_man(self):
        done = sphinx("man", self.out)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        with open(os.path.join(self.out, "ringbell.7"), encoding="utf-8") as f:
            page = f.read()
        for name in ("RINGBELL_CHUNK", "RINGBELL_JOB", "SHMEM_SPACES", "SMA_SYMMETRIC_SIZE"):
            self.assertIn(name, page)
        self.assertNotIn("_ENV@", page)


class Options(unittest.TestCase):
    """Long options at the beginning of a line of --help, and of an entry of the page."""

    def in_help(self, program, *command):
        text = subprocess.run([os.path.join(BUILD, program), *command, "--help"], text=True, timeout=60,
                              stdout=subprocess.PIPE, check=True).stdout
        heads = [line.strip().split("  ")[0] for line in text.splitlines()
                 if line.lstrip().startswith("-")]
        return {o for head in heads for o in OPTION.findall(head) if o.startswith("--")}

    def in_page(self, page):
        with open(os.path.join(DOC, "man", page + ".md"), encoding="utf-8") as f:
            lines = f.read().splitlines()
        heads = [line for line, after in zip(lines, lines[1:]) if after.startswith(":   ")]
        return {o for head in heads for o in OPTION.findall(head) if o.startswith("--")}

    def test_commands(self):
        for page, (program, commands) in COMMANDS.items():
            found = set().union(*(self.in_help(program, command) for command in commands))
            self.assertEqual(found, self.in_page(page))

    def test_same(self):
        for page, program in PROGRAMS.items():
            if not os.path.isfile(os.path.join(BUILD, program)):
                continue  # an optional one
            with self.subTest(page=page):
                self.assertEqual(self.in_help(program), self.in_page(page))


if __name__ == "__main__":
    if shutil.which("sphinx-build") is None:
        print("no sphinx-build here: Debian's packages python3-sphinx and python3-myst-parser")
        sys.exit(77)
    unittest.main(verbosity=2)
