#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A static function has two words in its name, or a word of its file's name: backtraces, perf and
ftrace show nothing else of it."""
import os
import re
import sys

import tree

FOLDERS = ("shmem/", "apps/", "lab/", "runtime/", "drivers/", "compat/")
# after a line that begins with static, or with a macro that does
FUNCTION = re.compile(r"^(?:static|SHORT_WAY)\b[^\n;={}]*\n(\w+)\([^;{}]*?\)\n\{", re.M)


def main():
    problems = []
    count = 0
    for name in tree.files(".c", ".h"):
        if not name.startswith(FOLDERS):
            continue
        own = re.split(r"[_.]", os.path.basename(name))
        for function in FUNCTION.findall(tree.read(name)):
            count += 1
            if "_" not in function and function not in own:
                problems.append(f"{name}: {function}() has one word, which is not the file's")
    return tree.verdict(problems, f"{count} static functions")


sys.exit(main())
