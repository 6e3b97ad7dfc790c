#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A mistake ends the program or the job with a line that names the call, argument and value, and the place where
the checked mode is on.

Usage: test_misuse.py OSHRUN LINES MISUSE INLINE     (misuse.def has the mistakes, and what is expected of each;
LINES: "lines" with libdw, else "none"; INLINE: the same with calls compiled in)
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SETTINGS = {"SHMEM_CHECK": "0", "SHMEM_CHECK_WAIT": "0.5", "SHMEM_SYMMETRIC_SIZE": "32M"}
HIGHEST = "3"  # thread level: SHMEM_THREAD_MULTIPLE
HERE = os.path.dirname(os.path.abspath(__file__))
IN_HEADERS = "freed"  # a mistake in a call that INLINE compiles in


def places():
    """@return where each mistake is made, and the lines that all may name"""
    with open(os.path.join(HERE, "misuse.def"), encoding="utf-8") as f:
        rows = {m.group(1): f"misuse.def:{i}" for i, line in enumerate(f, 1) if (m := re.match(r"MISTAKE\((\w+)", line))}
    with open(os.path.join(HERE, "misuse.c"), encoding="utf-8") as f:
        return rows, {f"misuse.c:{i}" for i, line in enumerate(f, 1) if "/* wrong */" in line}


ROWS, WRONG = places()


def words_of(how, output):
    """What the table says of a run: options of oshrun (None: alone), variables, level, status
    (None: any but 0)."""
    named = dict(word.split("=", 1) for word in how.split() if "=" in word)
    options = [word for word in how.split() if "=" not in word]
    alone = options == ["alone"]
    level = named.pop("level", "0" if alone else HIGHEST)
    status = named.pop("exit", "0" if not output else "1" if alone else None)
    return None if alone else options, named, level, status


def run(oshrun, lines, program, name, how, output):
    """@return problems"""
    options, variables, level, status = words_of(how, output)
    command = [program, name, level]
    env = {**os.environ, **variables}
    if options is not None:
        command = [oshrun, *options, "--timeout", "90", *command]
        env = {**os.environ, **SETTINGS, **variables}
    out = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    problems = [f"output lacks '{w}'" for w in output.split("|") if w not in out.stdout]
    if out.returncode == 0 if status is None else str(out.returncode) != status:
        problems.append(f"exit status {out.returncode}")
    named = set(re.findall(r"[( ](misuse\.\w+:\d+)", out.stdout))
    if lines == "lines" and output and variables.get("SHMEM_CHECK") == "1" and not named:
        problems.append("no place")
    if not named <= {ROWS[name]} | WRONG:
        problems.append(f"names {named}, not {ROWS[name]}")
    if options is None and out.returncode == 1 and out.stdout.count("\n") != 1:
        problems.append("not one line")
    return [f"{name} with {how}: {p}\n{out.stdout}" for p in problems]


def main():
    oshrun, lines, program, inline = sys.argv[1:]
    rows = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout
    runs = [(program, *row.split("\t")) for row in rows.splitlines()]
    runs += [(inline, *row) for _, *row in runs if row[0] == IN_HEADERS]
    with ThreadPoolExecutor(4) as pool:
        problems = sum(pool.map(lambda row: run(oshrun, lines, *row), runs), [])
    print("\n".join(problems))
    print(f"{len(problems)} problems in {len(runs)} cases")
    return bool(problems)


sys.exit(main())
