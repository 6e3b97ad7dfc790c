#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Run random programs of OpenSHMEM calls on rings of many layouts, and shrink those that fail.

Usage: fuzz.py OSHRUN CALLS [options]

A program follows from its seed and the number of PEs. Without --seed the seeds are new ones, and
printed. The exit status is 1 if a program failed.
"""
import argparse
import os
import random
import signal
import sys
import time

import job
import shrink

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "multi"))
import layouts  # noqa: E402


def options():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("oshrun")
    p.add_argument("calls", help="the program, tests/calls/calls of the build folder")
    p.add_argument("--layout", action="append", default=[], metavar="WORDS",
                   help="a row of ../multi/layouts.py, or options of oshrun and variables; may be "
                        "given several times (default: all rows)")
    p.add_argument("--seed", type=int, action="append", default=[],
                   help="this one only; may be given several times")
    p.add_argument("--epochs", type=int, default=20, help="of a program (default: %(default)s)")
    p.add_argument("--minutes", type=float, default=0,
                   help="go on with new seeds for so long (default: one seed a layout)")
    p.add_argument("--hang", type=int, default=60,
                   help="seconds after which an epoch hangs (default: %(default)s)")
    p.add_argument("--shrink", type=float, default=0, metavar="MINUTES",
                   help="make a program that fails smaller, for so long at most")
    p.add_argument("--tries", type=int, default=2,
                   help="runs until a program counts as one that does not fail, while shrinking")
    p.add_argument("--stop", action="store_true", help="end with the first program that fails")
    p.add_argument("--log", help="append what is printed to this file")
    return p.parse_args()


class Fuzzer:
    def __init__(self, opt):
        self.opt = opt
        self.log = open(opt.log, "a", encoding="utf-8") if opt.log else None
        self.rows = {row.name: row for row in layouts.generated()[0]}
        self.rounds = {}
        self.failures = []

    def say(self, text):
        print(text, flush=True)
        if self.log:
            print(text, file=self.log, flush=True)

    def one(self, name, seed):
        """Run one program. @return whether it was all right"""
        row = self.rows.get(name) or layouts.Row(name, name.split(), [], "")
        program = job.Program(self.opt.oshrun, self.opt.calls, (row.args, row.env), seed)
        began = time.monotonic()
        status, output = program.run(self.opt.epochs, self.opt.hang)
        self.rounds[name] = self.rounds.get(name, 0) + 1
        if status == 0:
            return True
        self.failures.append((name, seed))
        self.say(f"not ok - {name}, seed {seed}, status {status}, "
                 f"{time.monotonic() - began:.0f} s")
        for line in output.splitlines()[:40]:
            self.say("#   " + line[:400])
        self.say("# again: " + program.text(self.opt.epochs, self.opt.hang))
        if self.opt.shrink:
            self.shrunk(program)
        return False

    def shrunk(self, program):
        began = time.monotonic()
        s = shrink.Shrinker(program, self.opt.epochs, self.opt.shrink * 60,
                            min(self.opt.hang, 20), self.opt.tries)
        if not s.shrink():
            self.say("# does not fail again")
            return
        left = s.left()
        self.say(f"# shrunk from {len(s.calls)} calls to {len(left)} in {s.runs} runs, "
                 f"{time.monotonic() - began:.0f} s:")
        for (epoch, number), text in left.items():
            self.say(f"#   [{epoch}.{number}] {text}")
        self.say("# it ends with:")
        for line in [x for x in s.output.splitlines() if "  [" not in x][:8]:
            self.say("#   " + line[:400])

    def tally(self, began):
        rounds = " ".join(f"{name} {n}" for name, n in self.rounds.items())
        self.say(f"{sum(self.rounds.values())} programs of {self.opt.epochs} epochs in "
                 f"{(time.monotonic() - began) / 60:.1f} minutes, {len(self.failures)} failed "
                 f"({rounds})")

    def seeds(self):
        if self.opt.seed:
            yield from self.opt.seed
            return
        end = time.monotonic() + self.opt.minutes * 60
        while True:
            yield random.SystemRandom().randrange(1 << 32)
            if time.monotonic() >= end:
                return

    def go(self):
        names = self.opt.layout or list(self.rows)
        began = time.monotonic()
        end = began + self.opt.minutes * 60
        for seed in self.seeds():
            for i, name in enumerate(names):
                if self.opt.minutes and time.monotonic() >= end:
                    break
                # unlike programs on the layouts of a round, alike where the seed was asked for
                if not self.one(name, seed if self.opt.seed else (seed + i) % (1 << 32)):
                    if self.opt.stop:
                        return
            if self.opt.minutes:
                self.tally(began)


def main():
    fuzzer = Fuzzer(options())
    began = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        fuzzer.go()
    except KeyboardInterrupt:
        fuzzer.say("ended by a signal")
    fuzzer.tally(began)
    return 1 if fuzzer.failures else 0


if __name__ == "__main__":
    sys.exit(main())
