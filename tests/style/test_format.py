#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""All C files are as clang-format 14 (Debian 12) leaves them; other versions disagree in details."""
import re
import shutil
import subprocess
import sys

import tree

SKIP = 77


def clang_format():
    for name in ("clang-format-14", "clang-format"):
        if shutil.which(name):
            out = subprocess.run([name, "--version"], stdout=subprocess.PIPE, text=True, check=True)
            if re.search(r"version 14\.", out.stdout):
                return name
    return None


def main():
    tool = clang_format()
    if tool is None:
        print("no clang-format 14: skipped")
        return SKIP
    names = tree.files(".c", ".h")
    out = subprocess.run([tool, "--dry-run", *names], cwd=tree.TOP, stderr=subprocess.PIPE,
                         text=True, check=False)
    bad = sorted({line.split(":")[0] for line in out.stderr.splitlines()
                  if "[-Wclang-format-violations]" in line})
    return tree.verdict([f"{name}: run clang-format -i on it" for name in bad],
                        f"{len(names)} files")


sys.exit(main())
