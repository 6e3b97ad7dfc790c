#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Rows of settings, and the programs that run on each. The rows are generated, so that each pair of
settings occurs that may be, and each program meets each setting; some more are listed. README.md."""
import argparse
import collections
import fnmatch
import os
import random
import shlex
import subprocess
import sys
import time

import cover

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED, TIMED_OUT = 77, 124
LAST_LINES = 12
SEED, CANDIDATES, PROGRAMS_A_ROW = 11, 40, 4 # programs at least
IN_ALL = 2 # of them, of make check-all
# not of make check-all where PEs are more than five: 10 s and more, as against 2; listed rows have them on up to nine hosts
DEAR = ("order", "sizes")

# name of a setting: {level: words}, options of oshrun and variables; the first level is the default.
# Words "emu ..." are what is emulated.
FACTORS = {
    "hosts": {n: [] for n in ("1", "2", "3", "4", "5", "8")},
    "place": {n: [] for n in ("one", "slot", "cyclic", "listed")},
    "notify": {"memory": [], "doorbell": ["RINGBELL_NOTIFY=doorbell"]},
    "wait": {"auto": [], "spin": ["RINGBELL_WAIT=spin"], "yield": ["RINGBELL_WAIT=yield"],
             "sleep": ["RINGBELL_WAIT=sleep"]},
    "windows": {"memory": [], "bridge": ["emu bridge"], "late": ["emu bridge,late"]},
    "bar2": {"whole": [], "1M": ["emu bar2=1M"], "8M": ["emu bar2=8M"]},
    "port": {"all": [], "no bells": ["emu mask=doorbells+scratchpads"],
             "bare": ["emu mask=doorbells+scratchpads+flush+files"]},
    "chips": {"2": [], "1": ["emu chips=1"]},
    "channels": {"2": [], "1": ["RINGBELL_CHANNELS=1"], "12": ["RINGBELL_CHANNELS=12"]},
    "lcores": {"1": [], "2": ["RINGBELL_LCORES=2"], "3": ["RINGBELL_LCORES=3"]},
    "chunk": {"128K": [], "4K": ["RINGBELL_CHUNK=4K"], "1M": ["RINGBELL_CHUNK=1M"]},
    "slots": {"16": [], "4": ["RINGBELL_SLOTS=4"], "256": ["RINGBELL_SLOTS=256"]},
    "dma": {"none": [], "skeleton": ["--dma", "dma_skeleton0,dma_skeleton1"],
            "chip": ["--dma", "dma_plx_emu0,dma_plx_emu1"]},
    "survive": {"auto": [], "yes": ["RINGBELL_SURVIVE=yes"]},
    "check": {"no": [], "yes": ["SHMEM_CHECK=1"]},
    "huge": {"auto": [], "never": ["RINGBELL_HUGE=never"]},
    "telemetry": {"no": [], "yes": ["--telemetry"]},
}
# of more hosts than one
OF_CABLES = ("notify", "windows", "bar2", "port", "chips", "channels", "lcores", "chunk",
             "slots", "dma", "survive")

# reason: settings that are not together
FORBIDDEN = [("one host has no cables", {"hosts": ["1"], name: list(FACTORS[name])[1:]})
             for name in OF_CABLES] + [
    ("one host has nothing to deal out", {"hosts": ["1"], "place": ["cyclic", "listed"]}),
    ("refused: needs doorbells", {"notify": ["doorbell"], "port": ["no bells", "bare"]}),
    ("takes minutes on two CPUs", {"windows": ["late"], "hosts": ["8"]}),
    ("a bell that nobody pushes is late", {"windows": ["late"], "notify": ["doorbell"]}),
    ("takes minutes on two CPUs", {"hosts": ["8"], "place": ["slot", "cyclic", "listed"]}),
    # who spins takes the CPU from who would serve
    ("takes minutes on two CPUs", {"wait": ["spin"], "hosts": ["4", "5"], "place": ["slot", "cyclic", "listed"]}),
    ("takes minutes on two CPUs", {"hosts": ["8"], "lcores": ["2", "3"]}),
    # 10 lcores and more that nap by time, as nobody can wake them
    ("takes minutes on two CPUs", {"hosts": ["5"], "lcores": ["2", "3"], "port": ["no bells", "bare"]}),
    ("refused: late writes need a port's flush", {"port": ["bare"], "windows": ["late"]}),
    ("windows that other processes cannot map are not memory",
     {"port": ["bare"], "windows": ["memory"]}),
    ("refused: an lcore without a channel", {"lcores": ["2", "3"], "channels": ["1"]}),
    ("refused: the window does not hold the channels", {"bar2": ["1M", "8M"], "chunk": ["1M"]}),
    ("refused: the window does not hold the channels", {"bar2": ["1M", "8M"], "slots": ["256"]}),
    ("refused: the window does not hold the channels", {"bar2": ["1M"], "channels": ["12"]}),
    ("refused: the window does not hold the channels", {"bar2": ["1M"], "lcores": ["3"]}),
]

# PEs a host, where they are listed
LISTED = {"2": "1,4", "3": "4,1,2", "4": "1,3,1,2", "5": "2,1,3,1,1"}

# name: executable in the build folder, arguments, does it have the options of the harness (multi.h)
PROGRAMS = {name: ("tests/multi/multi-" + name, [], True) for name in (
    "amo", "barrier", "coll", "ctx", "fork", "heap", "lock", "nbi", "order", "posted", "posted-single",
    "signal", "sizes", "team", "thread", "wait", "order-inline")}
PROGRAMS |= {name: (f"tests/shmem/ring_{name}_test", [], True) for name in (
    "strided_nbi", "space")}
PROGRAMS |= {"calls": ("tests/calls/calls", ["-e", "6"], False),
             "calls-inline": ("tests/multi/calls-inline", ["-e", "6"], False),
             "setup": ("tests/multi/multi-setup", [], False)}
EXAMPLES = ["alltoall", "dip", "heat", "matmul", "overlap", "put_bw", "randput", "rotget", "rotput",
            "swap"]
PROGRAMS |= {"example-" + name: ("examples/" + name, [], False) for name in EXAMPLES}

# of generated rows: one that all have, and those that take turns
EACH = "calls"
IN_TURNS = [name for name in PROGRAMS if name != EACH and not name.startswith("example-")
            and not name.endswith("-inline")]

# where hosts are wired otherwise than in a ring; the seeds of tests/dst draw any of them in any wiring
WIRED = ["amo", "nbi", "order", "barrier", "coll", EACH]
ALSO_WIRED = ["order", "barrier", "coll", EACH]

# name, options of oshrun and variables, programs, suite, and why
LISTED_ROWS = [
    ("plain", "--hosts 3", ["sizes"] + ["example-" + name for name in EXAMPLES], "check",
     "programs that verify themselves, and both sides of each threshold"),
    ("bridge", "--hosts 2 RINGBELL_EMU=bridge", ["sizes"], "all", "both sides of those of windows that are no memory"),
    ("inline", "--hosts 2 -n 4", [name for name in PROGRAMS if name.endswith("-inline")], "check",
     "code compiled into the program, for PEs of this host and of another"),
    ("16 hosts", "--hosts 16 -n 24 --map-by host SHMEM_SYMMETRIC_SIZE=48M",
     ["barrier"], "all", "many hops"),
    ("64 hosts", "--hosts 64 SHMEM_SYMMETRIC_SIZE=48M", ["barrier", "coll"], "hand",
     "as many hosts as there may be"),
    ("24 PEs", "--map-by 1,22,1 SHMEM_SYMMETRIC_SIZE=64M", ["coll", "lock"],
     "all", "more PEs of a host than there are lines in a step"),
    ("92 PEs", "--hosts 2 -n 92 SHMEM_SYMMETRIC_SIZE=20M", ["coll"], "all",
     "an element of each block is more than a bundle"),
    ("46 PEs", "--map-by 46,1 SHMEM_SYMMETRIC_SIZE=20M", ["coll", "barrier"], "hand",
     "the same on one host only"),
    ("108 PEs", "--hosts 4 -n 108 SHMEM_SYMMETRIC_SIZE=20M", ["coll"], "hand",
     "the same from 27 PEs a host on"),
    ("128 PEs", "--hosts 2 -n 128 SHMEM_SYMMETRIC_SIZE=48M", ["barrier", "coll"], "hand",
     "64 PEs a host"),
    ("torus", "--hosts 9 --wiring torus=3x3 SHMEM_SYMMETRIC_SIZE=48M", WIRED, "check",
     "rings in two directions, and a barrier that spreads"),
    ("random", "--hosts 7 -n 9 --wiring 0-1,1-2,2-3,3-0,3-4,4-5,5-6,6-1,2-5 SHMEM_SYMMETRIC_SIZE=48M", WIRED,
     "check", "frames that go up and down"),
    ("chain", "--hosts 4 --wiring chain", ALSO_WIRED, "all", "one way between any two hosts"),
    ("double", "--hosts 3 -n 6 --wiring double RINGBELL_LCORES=2", ALSO_WIRED, "all", "cables side by side"),
    ("mesh", "--hosts 4 --wiring mesh 'RINGBELL_EMU=bridge'", ALSO_WIRED, "all", "a window to every host"),
    ("knot", "--hosts 7 --wiring 0-6,6-2,2-4,4-0,2-1,1-5,5-3,4-3,0-6 RINGBELL_SLOTS=4", ALSO_WIRED, "all",
     "the same as random, and two cables side by side"),
    ("torus, kept", "--hosts 9 --wiring torus=3x3 --survive SHMEM_SYMMETRIC_SIZE=48M", ALSO_WIRED, "all",
     "frames alone, and the barrier over all cables"),
    ("sleep", "--hosts 5 RINGBELL_WAIT=sleep RINGBELL_NOTIFY=doorbell", ["wait"], "check",
     "a bell that is lost is a hang"),
]


class Row:
    """name, options of oshrun, variables, programs, suite."""

    def __init__(self, name, words, programs, suite):
        self.name, self.programs, self.suite = name, programs, suite
        self.env = {"SHMEM_SYMMETRIC_SIZE": "128M"}
        self.args, emulated = [], []
        for word in words:
            if word.startswith("emu "):
                emulated.append(word[len("emu "):])
            elif "=" in word and word.split("=")[0].isupper():
                self.env.update([word.split("=", 1)])
            else:
                self.args.append(word)
        if emulated:
            self.env["RINGBELL_EMU"] = ",".join(emulated)

    def command(self, build, name, seed, times, timeout):
        path, own, harness = PROGRAMS[name]
        if harness:
            own = own + ["-s", str(seed), "-w", str(times)]
        elif name == EACH:
            own = own + ["-s", str(seed)]
        return [os.path.join(build, "apps", "oshrun"), *self.args, "--timeout", str(timeout * times),
                os.path.join(build, path), *own]


def placed(hosts, place):
    """Options of oshrun."""
    if place == "one":
        return ["--hosts", hosts]
    if hosts == "1":
        return ["-n", "3"]
    if place == "listed":
        return ["--map-by", LISTED[hosts]]
    # uneven by one
    pes = str(2 * int(hosts) + 1 if int(hosts) < 5 else int(hosts) + 3)
    return ["--hosts", hosts, "-n", pes] + (["--map-by", "host"] if place == "cyclic" else [])


def words_of(settings):
    words = placed(settings["hosts"], settings["place"])
    return words + [word for name, level in settings.items() for word in FACTORS[name][level]]


# what other ports have, and rows over them are made of: names of settings and their levels
OTHER_PORTS = {
    "windows": {"hosts": ["2", "3", "4", "5", "8"], "notify": ["memory"], "windows": ["bridge"],
                "port": ["bare"]},
    # their window is of 256 MiB; engines and chips are emulated
    "intel": {"hosts": ["2", "3", "4"], "notify": ["memory"], "windows": ["bridge"],
              "port": ["all"], "slots": ["16", "4"],
              "chunk": ["128K", "4K"], "dma": ["none"], "chips": ["2"], "telemetry": ["no"]},
}
OTHER_PORTS["shared"] = {**OTHER_PORTS["intel"], "hosts": ["2", "3", "4", "5"], "windows": ["memory"], "port": ["no bells"],
                         "bar2": ["whole"], "survive": ["auto"]}
OTHER_PORTS["ether"] = {**OTHER_PORTS["shared"], "windows": ["bridge"], "survive": ["auto", "yes"]}
OTHER_PORTS["switch"] = OTHER_PORTS["tap"] = OTHER_PORTS["ether"]


def space(over="plx"):
    given = OTHER_PORTS.get("intel" if "intel" in over else over, {})
    return cover.Space({name: given.get(name, levels) for name, levels in FACTORS.items()}, FORBIDDEN)


def meetings(made):
    """(program, setting, level) that are possible on these rows."""
    return {(p, *s) for row in made for p in IN_TURNS for s in row.items()}


def with_programs(made):
    """For each row the programs: so many of those that have met fewest of its settings, until each has
    met all that there are."""
    missing = meetings(made)

    def gain(name, row):
        return sum((name, *s) in missing for s in row.items())

    chosen = []
    for row in made:
        names = sorted(IN_TURNS, key=lambda p: -gain(p, row))
        names = names[:PROGRAMS_A_ROW - 1]
        missing -= {(p, *s) for p in names for s in row.items()}
        chosen.append(names)
    for name, factor, level in sorted(missing):
        if (name, factor, level) in missing:
            best = max((row for row in made if row[factor] == level), key=lambda r: gain(name, r))
            chosen[made.index(best)].append(name)
            missing -= {(name, *s) for s in best.items()}
    return chosen


def generated(strength=2, over="plx"):
    """@return rows, their settings, and the combinations that these have"""
    made, wanted = cover.rows(space(over), strength, SEED, CANDIDATES if strength == 2 else 3)
    chosen = with_programs(made)
    named = [Row(f"r{i + 1:02}", words_of(settings), [EACH] + chosen[i], "check")
             for i, settings in enumerate(made)]
    return named, made, wanted


def listed():
    return [Row(name, shlex.split(words), programs, suite)
            for name, words, programs, suite, _ in LISTED_ROWS]


def check():
    """Do the rows have what they have to?"""
    named, made, wanted = generated()
    had = {c for row in made for c in cover.having(row, 2, FACTORS)}
    met = {(p, *s) for row, settings in zip(named, made) for p in row.programs
           for s in settings.items()}
    all_meetings = meetings(made)
    print(f"{len(made)} rows, {sum(len(row.programs) for row in named)} runs: {len(wanted & had)} of "
          f"{len(wanted)} pairs of settings; {len(met & all_meetings)} of {len(all_meetings)} "
          "meetings of a program with a setting")
    return had != wanted or not all_meetings <= met


def is_small(settings):
    """Five PEs at most."""
    return settings["hosts"] in ("1", "2") or settings["place"] == "one" and settings["hosts"] != "8"


def for_meson():
    """Lines for meson.build: suite, row, program, options and arguments, variables. make check has one program of each
    row, in turns the random one and the one that it has least; make check-all has of each generated row the random one
    and IN_ALL others, those that it has least, of large rows without DEAR. All of them: make check-layouts."""
    (made, settings, _), had = generated(), collections.Counter()
    used = collections.Counter(order=1, sizes=1, wait=1) # on listed rows
    for number, row in enumerate(made + listed()):
        least = min(row.programs, key=lambda p: (p == EACH, used[p]))
        short = EACH if number % 2 else least
        used[short] += 1
        names = sorted(row.programs, key=lambda p: (p not in (short, EACH), had[p]))
        if number < len(made):
            dear = () if is_small(settings[number]) else DEAR
            names = [name for name in names if name in (short, EACH) or name not in dear][:1 + IN_ALL]
        had.update(names)
        for name in names:
            path, own, _ = PROGRAMS[name]
            own = own + (["-s", str(row.programs.index(name) + 1)] if name == EACH else [])
            suite = row.suite if number >= len(made) or name == short else "all"
            if suite != "hand":
                print("\t".join([suite, row.name, name, " ".join(row.args), path, " ".join(own),
                                 " ".join(f"{k}={v}" for k, v in row.env.items())]))


def options():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("build", nargs="?", help="build folder")
    p.add_argument("--check", action="store_true", help="only: do rows cover all pairs?")
    p.add_argument("--meson", action="store_true", help="only: print what meson.build reads")
    p.add_argument("--strength", type=int, default=2, help="so many settings in all combinations (2)")
    p.add_argument("--rows", default="*", help="names with commas, * and ? (default: all)")
    p.add_argument("--programs", help="names likewise (default: those of the row)")
    p.add_argument("--over", default="plx", metavar="PORTS",
                   help="plx (default); windows, which has nothing but those; or cables as those of "
                        "intel_ring.py, such as shared, ether, switch, tap, intel4 or intel4,plx,intel3")
    p.add_argument("--seed", type=int, help="of the programs that draw lots (default: drawn)")
    p.add_argument("--timeout", type=int, default=240, help="seconds of a run (default 240)")
    p.add_argument("--times", type=int, default=1,
                   help="how much longer all may take, where the machine has other work")
    p.add_argument("--limit", type=float, help="start no run after so many seconds")
    p.add_argument("--list", action="store_true", help="print the commands, run nothing")
    return p.parse_args()


def wanted(patterns, name):
    return any(fnmatch.fnmatchcase(name, p) for p in patterns.split(","))


def one(command, env, timeout):
    """How it went, and the end of its output."""
    with subprocess.Popen(command, env={**os.environ, **env}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as job:
        try:
            said = job.communicate(timeout=timeout + 30)[0]
            status = job.returncode
        except subprocess.TimeoutExpired:
            job.terminate()
            time.sleep(5)  # it ends what it has started, if it can
            job.kill()
            said, status = job.communicate()[0], "none: oshrun does not end"
    out = said.decode(errors="replace").splitlines()
    how = {0: "passed", SKIPPED: "skipped"}.get(status, "failed")
    if status == TIMED_OUT:
        out.append(f"no end within {timeout} s")
    return how, [f"status {status}"] + out[-LAST_LINES:]


class Runs:
    """All runs of one call."""

    def __init__(self, opt):
        self.opt = opt
        self.count = {"passed": 0, "skipped": 0, "failed": 0, "left out": 0}
        self.seed = random.randrange(1, 1 << 31) if opt.seed is None else opt.seed
        self.end = time.monotonic() + opt.limit if opt.limit else float("inf")

    def command(self, row, name):
        command = row.command(self.opt.build, name, self.seed, self.opt.times, self.opt.timeout)
        if "intel" not in self.opt.over and self.opt.over not in ("shared", "ether", "switch", "tap"):
            return row.env, command
        return row.env, [sys.executable, os.path.join(HERE, "intel_ring.py"), "--cables",
                         self.opt.over, "--limit", str(self.opt.timeout * self.opt.times), "--job",
                         shlex.join(row.args), self.opt.build, *command[command.index("--timeout") + 2:]]

    def row(self, row):
        here = dict.fromkeys(self.count, 0)
        took = {}
        for name in PROGRAMS if self.opt.programs else row.programs:
            if not wanted(self.opt.programs or "*", name):
                continue
            env, command = self.command(row, name)
            words = [f"{k}={shlex.quote(v)}" for k, v in env.items()] + [shlex.join(command)]
            if self.opt.list:
                print(" ".join(words))
                continue
            if time.monotonic() > self.end:
                here["left out"] += 1
                continue
            start = time.monotonic()
            how, out = one(command, env, self.opt.timeout * self.opt.times)
            took[name] = time.monotonic() - start
            here[how] += 1
            if how != "passed":
                print(f"  {name} {how}: seed {self.seed}: {' '.join(words)}")
                print("".join(f"    {line}\n" for line in (out if how == "failed" else out[-1:])),
                      end="", flush=True)
        for how, n in here.items():
            self.count[how] += n
        if took:
            slowest = max(took, key=took.get)
            print(f"{row.name:22} {len(took):3} runs {sum(took.values()):6.0f} s, {took[slowest]:.0f} of them "
                  f"{slowest}: " + ", ".join(f"{n} {how}" for how, n in here.items() if n), flush=True)


def main():
    opt = options()
    if opt.check:
        return check()
    if opt.meson:
        return for_meson()
    opt.build = os.path.abspath(opt.build)
    runs = Runs(opt)
    rows = generated(opt.strength, opt.over)[0] + (listed() if opt.over == "plx" else [])
    for row in rows:
        if wanted(opt.rows, row.name):
            runs.row(row)
    if opt.list:
        return 0
    n = runs.count
    ran = sum(n.values()) - n["left out"]
    print(f"{ran} runs, seed {runs.seed}: " + ", ".join(f"{count} {how}" for how, count in n.items()))
    if ran and n["skipped"] == ran:
        return SKIPPED
    return n["failed"] != 0 or n["passed"] == 0


if __name__ == "__main__":
    sys.exit(main())
