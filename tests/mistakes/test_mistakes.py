#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The mistakes that people make: each program of this folder makes one, on 2 PEs, and the checked mode says which, in
which call and where. "Says:" at the head of a program has what must be printed, divided by "|", and the lines marked
"wrong" are those that may be named.

Usage: test_mistakes.py OSHRUN LINES PROGRAM SOURCE [PROGRAM SOURCE]...     (LINES: "lines" with libdw, else "none")
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def problems_of(oshrun, lines, program, source):
    with open(source, encoding="utf-8") as f:
        text = f.read()
    says = re.search(r"^ \* Says: (.+)$", text, re.M).group(1).split("|")
    mode = re.search(r"^ \* Mode: (.+)$", text, re.M)
    name = os.path.basename(source)
    wrong = {f"{name}:{i + 1}" for i, line in enumerate(text.splitlines()) if "/* wrong */" in line}
    command = [oshrun, "-n", "2", "--timeout", "60", "-x", "SHMEM_CHECK=" + (mode.group(1) if mode else "1"),
               "-x", "SHMEM_CHECK_WAIT=0.5", "-x", "SHMEM_SYMMETRIC_SIZE=32M", program]
    out = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, timeout=120, check=False)
    found = [f"lacks '{word}'" for word in says if word not in out.stdout]
    places = set(re.findall(r"\((\w+\.c:\d+)\)", out.stdout))
    if lines == "lines" and (not places or not places <= wrong):
        found.append(f"names {sorted(places)}, not of {sorted(wrong)}")
    if out.returncode == 0:
        found.append("passes")
    return [f"{name}: {problem}\n{out.stdout}" for problem in found]


def main():
    oshrun, lines, *files = sys.argv[1:]
    pairs = list(zip(files[::2], files[1::2]))
    with ThreadPoolExecutor(4) as pool:
        problems = sum(pool.map(lambda pair: problems_of(oshrun, lines, *pair), pairs), [])
    print("\n".join(problems))
    print(f"{len(problems)} problems in {len(pairs)} programs")
    return bool(problems) or len(pairs) < 20


sys.exit(main())
