#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Why does a seed fail? Leaves out faults, hosts, PEs and calls as long as it still fails, finds the last switch that
matters, and writes what each thread did for ui.perfetto.dev.

Usage: explain.py [--trace FILE] RINGBELL_DST OPTION... PROGRAM [ARG]...   with --seed N, and the variables of the job
"""
import argparse
import json
import os
import re
import shlex
import struct
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "calls"))
import shrink  # noqa: E402

LINE = re.compile(r"^seed (\d+): (.*?), (\d+) steps, .*$", re.M)
RECORD = struct.Struct("<QQQII")  # struct dst_record
KINDS = ["", "load", "store", "read and write", "fence", "access", "pause", "switch", "time", "start", "end", "lock",
         "clock"]
SWITCH, CALL = 7, 64
SEEDS = 20  # of another ring: its schedules are others
MINUTES = 5  # for calls


class Failing:
    """A command of ringbell-dst, as it prints it itself."""

    def __init__(self, words):
        at = words.index("--")
        self.options, self.program = words[:at], words[at + 1:]

    def words(self, *more):
        return [*self.options, *more, "--", *self.program]

    def value(self, *names):
        """The last one counts."""
        return next((b for a, b in reversed(list(zip(self.options, self.options[1:]))) if a in names), None)

    def run(self, *more):
        """(verdict, steps, line) of the first that fails, else of the last."""
        done = subprocess.run(self.words(*more), stdout=subprocess.PIPE, text=True, errors="replace", check=False)
        rows = list(LINE.finditer(done.stdout)) or sys.exit(f"no verdict:\n{done.stdout}")
        row = next((r for r in rows if r[2] != "right"), rows[-1])
        return row[2], int(row[3]), row[0], row[1], done.stdout

    def keep_if(self, *more):
        """Does it fail so? Then it is the command from here on."""
        found = self.run(*more)
        if found[0] != "right":
            now = dict(zip(more[::2], more[1::2])) | {"--seeds": "1", "--seed": found[3]}
            for name, value in now.items():
                while name in self.options:
                    at = self.options.index(name)
                    del self.options[at:at + 2]
                self.options += [name, value]
        return found[0] != "right"

    def fewer_faults(self):
        faults = [f.strip() for f in (self.value("--fault", "-F") or "").split(";") if f.strip()]
        for one in list(faults):
            rest = [f for f in faults if f is not one]
            if self.keep_if("--fault", "; ".join(rest)):
                faults = rest

    def smaller_ring(self):
        hosts, pes = int(self.value("--hosts", "-H") or 1), int(self.value("--pes", "-n") or 2)
        for h, n in ((h, n) for h in range(1, hosts + 1) for n in range(max(h, 2), pes + 1) if (h, n) != (hosts, pes)):
            if self.keep_if("--hosts", str(h), "-n", str(n), "--seeds", str(SEEDS)):
                break

    def fewer_calls(self):
        """Of a program of the call fuzzer: what the shrinker of its jobs needs."""
        if os.path.basename(self.program[0]) != "calls":
            return
        epochs = int(self.program[self.program.index("-e") + 1])
        job = argparse.Namespace(run=lambda _, __, more: self.calls(more))
        s = shrink.Shrinker(job, epochs, 60 * MINUTES, 0, 1)
        if s.shrink() and s.keep:
            print(f"{len(s.keep)} of {len(s.calls)} calls are left:")
            print("".join(f"    [{e}.{n}] {text}\n" for (e, n), text in s.left().items()), end="")
            print("option -k FILE, with these lines: " + "; ".join(s.selection(s.keep, s.lengths).split("\n")[:-1]))

    def calls(self, more):
        self.program += more
        found = self.run("--seeds", str(SEEDS // 5))
        del self.program[-len(more):]
        return int(found[0] != "right"), found[4]

    def last_switch(self, steps):
        """The first number of steps after which no switch matters."""
        low, high = 0, steps + 1  # fails with high
        if self.run("--until", "0")[0] != "right":
            return 0
        while high - low > 1:
            middle = (low + high) // 2
            if self.run("--until", str(middle))[0] != "right":
                high = middle
            else:
                low = middle
        return high


def name_of(kind, where):
    name = KINDS[kind] if kind < len(KINDS) else f"system call {kind - CALL}"
    return f"{name} {where >> 40}+{where & ((1 << 40) - 1):#x}" if where else name


def write_trace(log, path, until):
    """A track for each thread: when it ran, its system calls and stores to shared words; and the last switch."""
    events, began, running, steps, mattered = [], {0: 0}, 0, 0, None
    with open(log, "rb") as f:
        data = f.read()
    for ns, where, _, thread, kind in RECORD.iter_unpack(data):
        us = ns / 1000
        steps += kind != SWITCH
        if kind == SWITCH and running != thread:
            events.append({"ph": "X", "name": "runs", "pid": 0, "tid": running, "ts": began[running],
                           "dur": max(us - began[running], 0.001)})
            if steps < until:
                mattered = {"ph": "i", "s": "g", "pid": 0, "tid": thread, "ts": us,
                            "name": f"what mattered: thread {thread} goes on in place of {running}, at step {steps}"}
            running, began[thread] = thread, us
        elif kind >= CALL or (kind in (2, 3) and where):
            events.append({"ph": "i", "s": "t", "name": name_of(kind, where), "pid": 0, "tid": thread, "ts": us})
    events += [mattered] if mattered else []
    with open(path, "w", encoding="ascii") as f:
        json.dump({"traceEvents": events, "displayTimeUnit": "ns"}, f)
    print(f"{path}: {len(events)} events of {len(data) // RECORD.size} points" +
          (f"; {mattered['name']}" if mattered else ""))


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("--trace", metavar="FILE")
    p.add_argument("command", nargs=argparse.REMAINDER)
    opt = p.parse_args()
    done = subprocess.run(opt.command, stdout=subprocess.PIPE, text=True, errors="replace", check=False).stdout
    again = re.search(r"^  again: (.*)$", done, re.M) or sys.exit(f"does not fail:\n{done}")
    words = shlex.split(again[1])
    while re.match(r"\w+=", words[0]):
        os.environ.update([words.pop(0).split("=", 1)])
    one = Failing(words)
    one.keep_if()
    one.fewer_faults()
    one.smaller_ring()
    one.fewer_calls()
    _, steps, line, *_ = one.run()
    until = one.last_switch(steps)
    print(f"{line}\nno switch matters from step {until} on: {shlex.join(one.words('--until', str(until)))}")
    if opt.trace:
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            one.run("--until", str(until), "--log", log)
            write_trace(log, opt.trace, until)


main()
