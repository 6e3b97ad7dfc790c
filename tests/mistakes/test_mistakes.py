#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The mistakes that people make: each function of mistakes.c makes one, on 2 PEs, and the checked mode says which, in
which call and where. "Says:" before it has what must be printed, divided by "|", and the lines marked "wrong" are
those that may be named.

Usage: test_mistakes.py OSHRUN LINES PROGRAM     (LINES: "lines" with libdw, else "none")
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mistakes.c")
MISTAKE = re.compile(r"^/\*[^\n]*\n((?: \*[^\n]*\n)*) \*/\nstatic void\n(\w+)\(void\)\n(.*?)^}", re.M | re.S)


def problems_of(oshrun, lines, program, text, found):
    head, name, code = found.groups()
    says = re.search(r"^ \* Says: (.+)$", head, re.M).group(1).split("|")
    mode = re.search(r"^ \* Mode: (.+)$", head, re.M)
    first = text.count("\n", 0, found.start(3)) + 1
    wrong = {f"mistakes.c:{first + i}" for i, line in enumerate(code.splitlines()) if "/* wrong */" in line}
    command = [oshrun, "-n", "2", "--timeout", "60", "-x", "SHMEM_CHECK=" + (mode.group(1) if mode else "1"),
               "-x", "SHMEM_CHECK_WAIT=0.5", "-x", "SHMEM_SYMMETRIC_SIZE=32M", program, name]
    out = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, timeout=120, check=False)
    problems = [f"lacks '{word}'" for word in says if word not in out.stdout]
    places = set(re.findall(r"\((\w+\.c:\d+)\)", out.stdout))
    if lines == "lines" and (not places or not places <= wrong):
        problems.append(f"names {sorted(places)}, not of {sorted(wrong)}")
    if out.returncode == 0:
        problems.append("passes")
    return [f"{name}: {problem}\n{out.stdout}" for problem in problems]


def main():
    oshrun, lines, program = sys.argv[1:]
    with open(SOURCE, encoding="utf-8") as f:
        text = f.read()
    found = list(MISTAKE.finditer(text))
    with ThreadPoolExecutor(4) as pool:
        problems = sum(pool.map(lambda one: problems_of(oshrun, lines, program, text, one), found), [])
    print("\n".join(problems))
    print(f"{len(problems)} problems in {len(found)} mistakes")
    return bool(problems) or len(found) < 20


sys.exit(main())
