#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""doc/extensions.md names every call of shmemx.h, what it follows and what others call it; each group
of calls in the headers says what it follows, in the same words.

Usage: test_extensions.py SOURCE
"""
import fnmatch
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../style"))

import abi  # noqa: E402

SECTION = "## What each follows"
# columns of its table, each with something in every row but the second
COLUMNS = ["here", "follows", "Sandia OpenSHMEM", "Cray OpenSHMEMX", "NVSHMEM", "rocSHMEM", "MPI"]


def read(*path):
    with open(os.path.join(sys.argv[1], *path), encoding="utf-8") as f:
        return f.read()


def rows(page):
    text = page[page.index(SECTION):]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def threads(text):
    """Kinds and numbers, as in "pull requests 567 and 90, issue 195"."""
    found = set()
    for kind, numbers in re.findall(r"(pull request|issue)s? ((?:\d+(?:, | and )?)+)", text):
        found |= {(kind, n) for n in re.findall(r"\d+", numbers)}
    return found


def check_table(table, names):
    problems = [] if table[0] == COLUMNS else [f"columns are {table[0]}"]
    patterns = []
    for row in table[2:]:
        own = re.findall(r"`([^`]+)`", row[0])
        patterns += own
        problems += [f"{p} names no call" for p in own if not fnmatch.filter(names, p)]
        problems += [f"{row[0]}: nothing about {column}" for column, cell in zip(COLUMNS, row)
                     if column != "follows" and not cell]
    problems += [f"no row has {n}" for n in names
                 if not any(fnmatch.fnmatchcase(n, p) for p in patterns)]
    return problems


def check_headers(table):
    problems, said = [], set()
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "shmem/include/shmemx*.h"))):
        text = re.sub(r"\n \* +", " ", read(path))
        for group in re.findall(r"@defgroup (\w+)(.*?)\*/", text, re.S):
            line = re.search(r"Follows ([^.]*)\.", group[1])
            if line is None:
                problems.append(f"{os.path.basename(path)}: group {group[0]} follows what?")
            else:
                said |= threads(line.group(1))
    in_page = set().union(*(threads(row[1]) for row in table[2:]))
    return problems + [f"{kind} {n} is in one of page and headers" for kind, n in said ^ in_page]


def main():
    path = os.path.join(sys.argv[1], "shmem/libshmem.abi")
    names = sorted(n for n in abi.names(path) if n.startswith("shmemx_"))
    table = rows(read("doc", "extensions.md"))
    problems = check_table(table, names) + check_headers(table)
    print("\n".join(problems[:40]) or f"{len(names)} calls in {len(table) - 2} rows")
    return 1 if problems else 0


sys.exit(main())
