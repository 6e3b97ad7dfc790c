#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Why does a seed fail? Finds the last switch that matters, fewer faults of those it has, and writes what each thread
did for ui.perfetto.dev.

Usage: explain.py [--trace FILE] RINGBELL_DST OPTION... PROGRAM [ARG]...   with --seed N, and the variables of the job
"""
import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

LINE = re.compile(r"^seed \d+: (.*?), (\d+) steps, .*$", re.M)
RECORD = struct.Struct("<QQQII")  # struct dst_record
KINDS = ["", "load", "store", "read and write", "fence", "access", "pause", "switch", "time", "start", "end", "lock",
         "clock"]
SWITCH, CALL = 7, 64


def attempt(command, *more):
    """(verdict, steps, line) of a run with other options, too."""
    out = subprocess.run([command[0], *more, *command[1:]], stdout=subprocess.PIPE, text=True, check=False).stdout
    found = LINE.search(out)
    if not found:
        sys.exit(f"no verdict:\n{out}")
    return found[1], int(found[2]), found[0]


def fails(command, *more):
    return attempt(command, *more)[0] != "right"


def last_switch(command, steps):
    """The first number of steps after which no switch matters."""
    low, high = 0, steps + 1  # fails with high
    if fails(command, "--until", "0"):
        return 0
    while high - low > 1:
        middle = (low + high) // 2
        if fails(command, "--until", str(middle)):
            high = middle
        else:
            low = middle
    return high


def name_of(kind, where):
    name = KINDS[kind] if kind < len(KINDS) else f"system call {kind - CALL}"
    return f"{name} {where >> 40}+{where & ((1 << 40) - 1):#x}" if where else name


def write_trace(log, path):
    """A track for each thread: when it ran, and its system calls and stores to shared words."""
    events, began, running = [], {}, None
    with open(log, "rb") as f:
        data = f.read()
    for ns, where, _, thread, kind in RECORD.iter_unpack(data):
        us = ns / 1000
        if kind == SWITCH:
            if running is not None and running != thread:
                events.append({"ph": "X", "name": "runs", "pid": 0, "tid": running, "ts": began[running],
                               "dur": max(us - began[running], 0.001)})
            if running != thread:
                running, began[thread] = thread, us
        elif kind >= CALL or (kind in (2, 3) and where):
            events.append({"ph": "i", "s": "t", "name": name_of(kind, where), "pid": 0, "tid": thread, "ts": us})
    with open(path, "w", encoding="ascii") as f:
        json.dump({"traceEvents": events, "displayTimeUnit": "ns"}, f)
    print(f"{path}: {len(events)} events of {len(data) // RECORD.size} points")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("--trace", metavar="FILE")
    p.add_argument("command", nargs=argparse.REMAINDER)
    opt = p.parse_args()
    verdict, steps, line = attempt(opt.command)
    print(line)
    more = []
    if verdict != "right":
        until = last_switch(opt.command, steps)
        more = ["--until", str(until)]
        print(f"no switch matters from step {until} on: " + " ".join([opt.command[0], *more, *opt.command[1:]]))
    if opt.trace:
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            print(attempt(opt.command, *more, "--log", log)[2])
            write_trace(log, opt.trace)


main()
