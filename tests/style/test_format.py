#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""All C files are as clang-format leaves them.

Version 14 (Debian 12) decides. Those from 17 on know a pointer from a product in more places, so there
blanks beside *, & and ->, and those before a backslash are not compared. A version that disagrees all
the same decides nothing: then the test is skipped.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

import tree

SKIP = 77
DECIDES = 14
OLDEST = 14


def clang_format():
    """Command and version."""
    for name in (f"clang-format-{DECIDES}", "clang-format"):
        if shutil.which(name):
            out = subprocess.run([name, "--version"], stdout=subprocess.PIPE, text=True, check=True)
            version = re.search(r"version (\d+)\.", out.stdout)
            if version and int(version.group(1)) >= OLDEST:
                return name, int(version.group(1))
    return None, 0


def plain(text):
    return re.sub(r"[ \t]*(->|[*&])[ \t]*", r"\1", re.sub(r"[ \t]+\\$", r" \\", text, flags=re.M))


def differs(name, tool, version):
    with open(os.path.join(tree.TOP, name), encoding="utf-8") as f:
        now = f.read()
    then = subprocess.run([tool, name], cwd=tree.TOP, stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return now != then if version == DECIDES else plain(now) != plain(then)


def main():
    tool, version = clang_format()
    if tool is None:
        print(f"no clang-format {OLDEST} or later: skipped")
        return SKIP
    names = tree.files(".c", ".h")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bad = [name for name, wrong in
               zip(names, pool.map(lambda n: differs(n, tool, version), names)) if wrong]
    if bad and version != DECIDES:
        print(f"clang-format {version} would change {', '.join(bad)}; {DECIDES} decides: skipped")
        return SKIP
    return tree.verdict([f"{name}: run clang-format -i on it" for name in bad],
                        f"{len(names)} files, clang-format {version}")


sys.exit(main())
