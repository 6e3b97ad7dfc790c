#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The version stands in meson.build; the two changelogs begin with it, what is built says it, and no
other source has it. Usage: test_release.py BUILD-FOLDER [PROGRAM]..."""
import os
import re
import subprocess
import sys

import tree


def main():
    version = re.search(r"^    version: '([^']+)'", tree.read("meson.build"), re.M).group(1)
    problems = []
    for name, form in (("CHANGELOG.md", r"^## (\S+)"), ("debian/changelog", r"^ringbell \(([^)]+)\)")):
        found = re.search(form, tree.read(name), re.M)
        first = found.group(1) if found else "nothing"
        if first != version:
            problems.append(f"{name}: begins with {first}; meson.build has {version}")
    for name in tree.files(".c", ".h", ".def", ".py", ".sh", "meson.build", "Makefile", ".in"):
        if name != "meson.build" and re.search(rf"(?<![\d.]){re.escape(version)}(?![\d.])",
                                               tree.read(name)):
            problems.append(f"{name}: has the version {version}; it is to come from meson.build")
    build, *programs = sys.argv[1:]
    with open(os.path.join(build, "meson-private", "ringbell.pc"), encoding="utf-8") as f:
        if f"Version: {version}\n" not in f.read():
            problems.append(f"ringbell.pc: not {version}")
    for program in programs:
        out = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True)
        if out.stdout.split()[-1] != version:
            problems.append(f"{program} --version: {out.stdout.strip()}, not {version}")
    return tree.verdict(problems, version)


sys.exit(main())
