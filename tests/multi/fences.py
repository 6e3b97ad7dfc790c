#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Leave out one fence of the data path after the other: does a program notice?

Usage: fences.py [--times N] BUILD [WORD]   BUILD has -Dweak_window=true; only the fences that WORD
                                            is in; all may take N times as long
       fences.py --check                    only: is fences.tsv complete?

Each program runs twice on windows that are used as an adapter's: with all fences, when it has to
pass, and without the one, when it has to fail, or not to end. Prints a line for each fence.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
LIMIT, HANG = 120, 20  # seconds with all fences, and without one: at least, and
SLOWER = 4             # so many times as long as with all
DRAWS = 4              # runs until something is noticed: threads draw lots
GRACE = 30             # seconds in which oshrun has to end after its own limit
NO_END = "oshrun does not end"
CALL = re.compile(r"^\t.*\b(?:rb_win_(order|wmb|rmb)|rb_cable_(flush)|(flush)_direct)\(", re.M)
FUNCTION = re.compile(r"^(\w+)\([^;]*?\)\n\{", re.M)


def fences():
    with open(os.path.join(HERE, "fences.tsv"), encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def calls():
    """(kind, function) of each fence in the sources."""
    found = set()
    for folder, _, names in os.walk(os.path.join(TOP, "runtime")):
        for name in names:
            if not name.endswith((".c", ".h")):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                text = f.read()
            for call in CALL.finditer(text):
                before = [m.group(1) for m in FUNCTION.finditer(text, 0, call.start())]
                found.add(f"{call.group(call.lastindex)} {before[-1]}")
    return found


def check():
    listed = {name for name, *_ in fences() if not name.startswith("port")}
    there = calls()
    for name in sorted(there - listed):
        print(f"fence \"{name}\" has no line in tests/multi/fences.tsv: what is wrong without it?")
    for name in sorted(listed - there):
        print(f"tests/multi/fences.tsv: there is no fence \"{name}\" in runtime/")
    return listed != there


def run(build, launch, program, variables, skip, limit):
    env = dict(os.environ, RINGBELL_EMU="bridge", RINGBELL_WEAK_SKIP=skip)
    env.setdefault("SHMEM_SYMMETRIC_SIZE", "64M")
    env.update(v.split("=", 1) for v in variables.split() if v != "-")
    words = program.split()
    try:
        done = subprocess.run([os.path.join(build, "apps/oshrun"), "--timeout", str(limit),
                               *shlex.split(launch), os.path.join(build, "tests/multi", words[0]),
                               *words[1:]], env=env, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=limit + GRACE)
    except subprocess.TimeoutExpired:
        return NO_END # killed by then, and its PEs end with it
    return done.returncode


def judge(status, without):
    """(how it went, is it wrong?) of the run with all fences, and of that without the one."""
    if NO_END in (status, without): # whatever the library does, that is a fault of the launcher
        return NO_END.upper(), True
    if status != 0:
        return f"FAILS WITH ALL FENCES: status {status}", True
    if without == 0:
        return "NOT NOTICED", True
    return "hangs" if without == 124 else f"status {without}", False


def options():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("build", nargs="?", help="build folder, with -Dweak_window=true")
    p.add_argument("word", nargs="?", default="", help="only the fences that it is in")
    p.add_argument("--times", type=int, default=1, help="how much longer all may take")
    p.add_argument("--check", action="store_true", help="only: is fences.tsv complete?")
    opt = p.parse_args()
    if opt.check == (opt.build is not None):
        p.error("a build folder is needed, or --check alone")
    return opt


def main():
    opt = options()
    if opt.check:
        return check()
    bad = 0
    for fence, program, launch, variables, why in fences():
        if opt.word not in fence:
            continue
        began = time.monotonic()
        status = run(opt.build, launch, program, variables, "", LIMIT * opt.times)
        limit = max(HANG * opt.times, int((time.monotonic() - began) * SLOWER))
        without = None
        for _ in range(DRAWS if status == 0 else 0):
            without = run(opt.build, launch, program, variables, fence, limit)
            if without != 0:
                break
        how, wrong = judge(status, without)
        bad += wrong
        print(f"{fence:24} {program:28} {how}: {why}", flush=True)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
