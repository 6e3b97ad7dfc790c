#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""SHMEM_CHECK=races names the race of each program of races.def that has one, and its place, and is silent with the
others.

Usage: test_races.py OSHRUN LINES RACES OPTION...     (options of oshrun; LINES: "lines" with libdw, else "none")
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

MODE = ["--timeout", "60", "-x", "SHMEM_CHECK=races", "-x", "SHMEM_SYMMETRIC_SIZE=32M"]


def run(command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120, check=False)


def problems_of(oshrun, place, program, options, name, words):
    out = run([oshrun, *options, *MODE, program, name])
    problems = [f"lacks '{word}'" for word in words.split("|") if word not in out.stdout]
    if place and set(re.findall(r"races\.\w+:\d+", out.stdout)) != {place}:
        problems.append(f"names not {place}")
    if out.returncode == 0:
        problems.append("passes")
    return [f"{name}: {problem}\n{out.stdout}" for problem in problems]


def main():
    oshrun, lines, program, *options = sys.argv[1:]
    with open(os.path.join(os.path.dirname(__file__), "races.def"), encoding="utf-8") as f:
        places = {m[1]: lines == "lines" and f"races.def:{i}" for i, line in enumerate(f, 1)
                  if (m := re.match(r"RACE\((\w+)", line))}
    rows = [line.split("\t") for line in run([program]).stdout.splitlines()]
    races = [row for row in rows if row[0] != "fine"]
    with ThreadPoolExecutor(4) as pool:
        problems = sum(pool.map(lambda row: problems_of(oshrun, places[row[0]], program, options, *row), races), [])
    out = run([oshrun, *options, *MODE, program, "fine"])
    if out.returncode != 0 or "oshrun:" in out.stdout:
        problems.append("without a race:\n" + out.stdout)
    print("\n".join(problems))
    print(f"{len(problems)} problems, {len(races)} races, {len(rows) - len(races)} programs without one")
    return bool(problems) or len(races) < 30 or len(rows) < 60


sys.exit(main())
