#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Run programs on all rows of layouts.tsv, or on some. One line a row says how it went; a line for
each run that failed has its seed and the command that repeats it."""
import argparse
import fnmatch
import os
import random
import shlex
import subprocess
import sys
import time

import ports

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED, TIMED_OUT = 77, 124
LAST_LINES = 12


class Table:
    """layouts.tsv."""

    def __init__(self, path):
        self.programs, self.groups, self.rows = {}, {}, []
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                field = line.rstrip("\n").split("\t")
                if line.startswith("#"):
                    continue
                try:
                    self.take(*["" if x == "-" else x for x in field])
                except (KeyError, TypeError, AttributeError) as e:
                    sys.exit(f"{path}:{number}: {field[0]}: {e}")

    def take(self, kind, name, *rest):
        getattr(self, "take_" + kind)(name, *rest)

    def take_program(self, name, path, args, options):
        self.programs[name] = (path, args.split(), options == "mt")
        self.groups[name] = [name]

    def take_group(self, name, members):
        self.groups[name] = self.names(members)

    def take_row(self, name, args, env, _ci, programs, _why):
        self.rows.append((name, args.split(), env.replace("@DIR@", HERE).split(),
                          self.names(programs)))

    def names(self, words):
        return list(dict.fromkeys(n for word in words.split() for n in self.groups[word]))


class Journal:
    """What ran, in a file, so that a later call goes on where this one ended."""

    def __init__(self, path, resume):
        self.done = set()
        if resume and os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                lines = [line.split() for line in f]
            self.done = {(row, program) for row, program, how, *_ in lines if how != "failed"}
        self.file = open(path, "a" if resume else "w", encoding="utf-8")

    def note(self, row, program, how, seconds):
        print(row, program, how, f"{seconds:.1f}", file=self.file, flush=True)


def options():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("build", help="build folder")
    p.add_argument("--rows", default="*", help="names with commas, * and ? (default: all)")
    p.add_argument("--programs", default="*", help="names or groups likewise (default: all)")
    p.add_argument("--over", default="plx", metavar="PORTS",
                   help="plx (default); windows, which has nothing but those; or cables as those of "
                        "intel_ring.py, such as intel4 or intel4,plx,intel3")
    p.add_argument("--each", type=int, metavar="N",
                   help="N programs of each row, by turns, so that all have their turn")
    p.add_argument("--seed", type=int, help="of the programs that draw lots (default: drawn)")
    p.add_argument("--timeout", type=int, default=240, help="seconds of a run (default 240)")
    p.add_argument("--times", type=int, default=1,
                   help="how much longer all may take, where the machine has other work")
    p.add_argument("--limit", type=float, help="start no run after so many seconds")
    p.add_argument("--resume", action="store_true",
                   help="leave out what passed or was skipped in calls before this one")
    p.add_argument("--list", action="store_true", help="print the commands, run nothing")
    return p.parse_args()


def wanted(patterns, *names):
    return any(fnmatch.fnmatchcase(n, p) for p in patterns.split(",") for n in names)


def end_early(job):
    """What it has said. It ends what it has started, if it can."""
    job.terminate()
    try:
        return job.communicate(timeout=30)[0]
    except subprocess.TimeoutExpired:
        job.kill()
        return b""


def one(command, env, timeout):
    """How it went, the seconds, and the end of its output."""
    start = time.monotonic()
    with subprocess.Popen(command, env={**os.environ, **env}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as job:
        try:
            said = job.communicate(timeout=timeout + 30)[0]
            status = job.returncode
        except subprocess.TimeoutExpired:
            said, status = end_early(job), "none: oshrun does not end"
    out = said.decode(errors="replace").splitlines()
    how = {0: "passed", SKIPPED: "skipped"}.get(status, "failed")
    if status == TIMED_OUT:
        out.append(f"no end within {timeout} s")
    return how, time.monotonic() - start, [f"status {status}"] + out[-LAST_LINES:]


class Runs:
    """All runs of one call."""

    def __init__(self, opt, table):
        self.opt, self.table = opt, table
        self.count = {"passed": 0, "refused": 0, "skipped": 0, "failed": 0, "left out": 0}
        self.seed = random.randrange(1, 1 << 31) if opt.seed is None else opt.seed
        name = "layouts.journal" if opt.over == "plx" else f"layouts-{opt.over}.journal"
        self.journal = None if opt.list else Journal(os.path.join(opt.build, name), opt.resume)
        self.turn = 0
        self.end = time.monotonic() + opt.limit if opt.limit else float("inf")

    def command(self, row, program):
        _, args, env, _ = row
        path, own, harness = self.table.programs[program]
        if "intel" in self.opt.over:
            return {}, ports.command(self.opt.over, self.opt.build, row[0], program, self.seed,
                                     self.opt.timeout * self.opt.times)
        if self.opt.over == "windows":
            env = env + [f"{k}={v}" for k, v in ports.WINDOWS_ALONE.items()]
        return (dict(e.split("=", 1) for e in ["SHMEM_SYMMETRIC_SIZE=128M"] + env),
                [os.path.join(self.opt.build, "apps", "oshrun"), *args, "--timeout",
                 str(self.opt.timeout * self.opt.times), os.path.join(self.opt.build, path), *own,
                 *(["-s", str(self.seed), "-w", str(self.opt.times)] if harness else [])])

    def programs(self, row):
        """Those of a row that are asked for."""
        groups = self.table.groups
        asked = [p for p in row[3]
                 if wanted(self.opt.programs, p, *(g for g in groups if p in groups[g]))]
        if ports.refused(self.opt.over, row[1], row[2]):
            return asked[:1]  # they do not come to their first line
        if self.opt.each is None or not asked:
            return asked
        self.turn += self.opt.each
        return list(dict.fromkeys(asked[(self.turn + i) % len(asked)] for i in range(self.opt.each)))

    def judge(self, row, how, out):
        """The same of a row that is to be refused, where it runs."""
        words = ports.refused(self.opt.over, row[1], row[2])
        if not words or how == "skipped":
            return how
        said = any(w in line for w in words for line in out)
        return "refused" if how == "failed" and said else "failed"

    def row(self, row):
        name, why = row[0], ports.left_out(self.opt.over, row[1], row[2])
        if why is not None:
            print(f"{name:22} says nothing here: {why}")
            return
        here = dict.fromkeys(self.count, 0)
        start = time.monotonic()
        for program in self.programs(row):
            env, command = self.command(row, program)
            words = [f"{k}={shlex.quote(v)}" for k, v in env.items()] + [shlex.join(command)]
            if self.opt.list:
                print(" ".join(words))
                continue
            if (name, program) in self.journal.done or time.monotonic() > self.end:
                here["left out"] += 1
                continue
            how, seconds, out = one(command, env, self.opt.timeout * self.opt.times)
            how = self.judge(row, how, out)
            self.journal.note(name, program, how, seconds)
            here[how] += 1
            if how not in ("passed", "refused"):
                print(f"  {program} {how}: seed {self.seed}: {' '.join(words)}")
                print("".join(f"    {line}\n" for line in (out if how == "failed" else out[-1:])),
                      end="", flush=True)
        self.told(name, here, time.monotonic() - start)

    def told(self, name, here, seconds):
        for how, n in here.items():
            self.count[how] += n
        runs = sum(here.values()) - here["left out"]
        if runs or here["left out"]:
            print(f"{name:22} {runs:3} runs {seconds:6.0f} s: " +
                  ", ".join(f"{n} {how}" for how, n in here.items() if n), flush=True)


def main():
    opt = options()
    opt.build = os.path.abspath(opt.build)
    runs = Runs(opt, Table(os.path.join(HERE, "layouts.tsv")))
    rows = [row for row in runs.table.rows if wanted(opt.rows, row[0])]
    if not rows:
        sys.exit(f"no row of layouts.tsv is called {opt.rows}")
    for row in rows:
        runs.row(row)
    if opt.list:
        return 0
    n = runs.count
    ran = sum(n.values()) - n["left out"]
    print(f"{len(rows)} rows, {ran} runs, seed {runs.seed}: " +
          ", ".join(f"{count} {how}" for how, count in n.items()))
    if ran and n["skipped"] == ran:
        return SKIPPED
    return n["failed"] != 0 or n["passed"] == 0


if __name__ == "__main__":
    sys.exit(main())
