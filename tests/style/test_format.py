#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""All C files are as clang-format leaves them.

Version 14 (Debian 12) decides. Those from 17 on know a pointer from a product in more places, so there
blanks beside *, & and ->, and those before a backslash are not compared. A version that disagrees all
the same decides nothing: then the test is skipped.
"""
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


def changed(names, tool):
    """Those that the tool would change, all judged by one process."""
    out = subprocess.run([tool, "--dry-run", *names], cwd=tree.TOP, stderr=subprocess.PIPE, text=True,
                         check=True).stderr
    said = set(re.findall(r"^([^:\n]+):\d+:\d+: warning:", out, re.M))
    return [name for name in names if name in said]


def differs(name, tool):
    then = subprocess.run([tool, name], cwd=tree.TOP, stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return plain(tree.read(name)) != plain(then)


def main():
    tool, version = clang_format()
    if tool is None:
        print(f"no clang-format {OLDEST} or later: skipped")
        return SKIP
    names = tree.files(".c", ".h")
    bad = changed(names, tool)
    if version != DECIDES:
        bad = [name for name in bad if differs(name, tool)]
    if bad and version != DECIDES:
        print(f"clang-format {version} would change {', '.join(bad)}; {DECIDES} decides: skipped")
        return SKIP
    return tree.verdict([f"{name}: run clang-format -i on it" for name in bad],
                        f"{len(names)} files, clang-format {version}")


sys.exit(main())
