#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Random programs on random rings, and a random fault in each: what becomes of the job?

tests/calls makes the programs, in which each PE compares every byte and every value with a
reference. kinds.py has the faults. A round is right where the program ends with the right result,
and where the job ends in bounded time as the fault allows, with a reason. It is wrong where data
is wrong, where it hangs, where it ends in another way or too late, and where a process, a file or a
socket is left. A round whose program was over before its fault does not count.

Run as root, it has its own /dev/shm and /tmp, so that files of other programs are not taken for
those of a job. A line for each wrong round has the command that makes it again, as far as time is
not in it. The last lines are a table of faults and outcomes.
"""
import argparse
import collections
import fnmatch
import json
import os
import random
import re
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "multi"))

# pylint: disable=wrong-import-position
import cuts
import flaps
from hostile import HOSTILE
from kinds import KINDS as OTHERS, MADE

INSIDE = "RINGBELL_FAULTS_INSIDE"
PLACES = ("/dev/shm", "/tmp", "/run/dpdk", "/dev/hugepages")
KINDS = {**OTHERS, **HOSTILE}
SETTINGS = ("plain", "tight", "lcores", "doorbell", "sleep", "chips", "bridge", "scratchpad", "token",
            "kept", "kept-tight", "kept-lcores", "kept-doorbell")
MOST_PES = 12
SECONDS = 0.5 # that a program runs, about, until one was seen
HELLO_MOST = 25 # seconds that PEs wait for a neighbour, however slow the machine is
GRACE = 3 # seconds that oshrun gives PEs, and that we are late
RIGHT = re.compile(r"^seed \d+: \d+ epochs, \d+ calls, ok$", re.M)
WRONG = re.compile(r"PE \d+: (FAILED|HANGS) seed .*")
NO_MEMORY = re.compile(r"PE \d+: FAILED seed .*: (no memory for |cannot start a thread)")
CHATTER = re.compile(r"shmem_init_thread: |Static data: |Copy methods: ") # of SHMEM_DEBUG
OUTCOMES = ("right result", "clear end", "by program", "no fault", "wrong")


def options():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("build", help="build folder")
    p.add_argument("--rounds", type=int, default=100, help="rounds with a fault (default 100)")
    p.add_argument("--kinds", default="*", help=f"of {','.join(KINDS)} (default: all)")
    p.add_argument("--settings", default="*", help=f"of {','.join(SETTINGS)} (default: all)")
    p.add_argument("--hosts", default="2,3,4,5,6,7,8", help="numbers of hosts (default 2 to 8)")
    p.add_argument("--epochs", type=int, default=5, help="of a program (default 5)")
    p.add_argument("--seed", type=int, help="default: drawn")
    p.add_argument("--first", type=int, default=0, help="number of the first round")
    p.add_argument("--hang", type=int, default=30, help="seconds after which an epoch hangs (30)")
    p.add_argument("--times", type=int, default=1, help="how much longer all may take")
    p.add_argument("--minutes", type=float, help="start no round after so many")
    p.add_argument("--journal", help="add a line of JSON for each round to this file")
    p.add_argument("--program", help="in place of calls, with the same options")
    p.add_argument("--verbose", action="store_true", help="a line for each round")
    opt = p.parse_args()
    opt.build = os.path.abspath(opt.build)
    opt.hosts = [int(word) for word in opt.hosts.split(",")]
    opt.kinds = [k for k in KINDS if any(fnmatch.fnmatchcase(k, p) for p in opt.kinds.split(","))]
    opt.settings = [s for s in SETTINGS
                    if any(fnmatch.fnmatchcase(s, p) for p in opt.settings.split(","))]
    if not opt.kinds or not opt.settings:
        p.error("no such fault or setting")
    for kind in list(opt.kinds):
        why = KINDS[kind].cannot()
        if why:
            print(f"left out: {kind}: {why}")
            opt.kinds.remove(kind)
    if not opt.kinds:
        print("none of these faults can be made here")
        sys.exit(77)
    return opt


def enter_namespace(build):
    """Own folders for what jobs could leave. Returns in a process that has them, if it may."""
    if os.geteuid() != 0 or INSIDE in os.environ:
        return
    mounts = ["/dev/shm"] + ([] if build.startswith("/tmp/") or HERE.startswith("/tmp/") else ["/tmp"])
    # of the EAL; jobs of others have files there
    os.makedirs("/run/dpdk", mode=0o755, exist_ok=True)
    mounts.append("/run/dpdk")
    script = " && ".join(f"mount -t tmpfs -o mode=1777 none {m}" for m in mounts) + ' && exec "$@"'
    command = ["unshare", "--mount", "sh", "-c", script, "sh"]
    if flaps.subprocess.run([*command, "true"], check=False).returncode == 0:
        os.environ[INSIDE] = "1"
        os.execvp(command[0], [*command, sys.executable, *sys.argv])


def files():
    """What a job could have left, without the folders of this program."""
    return {os.path.join(folder, name) for place in PLACES for folder, _, names in os.walk(place)
            for name in names if (INSIDE in os.environ or "ringbell" in name)
            and "/ringbell-flap-" not in folder}


class Ring:
    """What a round has but for its fault."""

    def __init__(self, draw, opt, lasts):
        self.hosts = draw.choice(opt.hosts)
        self.setting = draw.choice(opt.settings)
        # the more PEs, the longer a round
        self.pes = min(self.hosts * draw.choice([1, 1, 1, 2, 3, 4]), MOST_PES)
        self.shape = ["--hosts", str(self.hosts), "-n", str(self.pes),
                      "--map-by", draw.choice(["slot", "host"])]
        self.seed = draw.randrange(1, 1 << 31)
        # of the same setting if there was one, else of as many PEs, else a guess
        same = [t for (pes, setting), t in lasts.items() if pes == self.pes and setting == self.setting]
        like = sorted(t for (pes, _), t in lasts.items() if pes == self.pes)
        self.lasts = same[0] if same else like[len(like) // 2] if like else SECONDS
        self.helper = os.path.join(opt.build, "tests", "multi", "flap")
        faults = os.path.join(opt.build, "tests", "faults")
        self.refuse = os.path.join(faults, "librefuse.so")
        self.engine = os.path.join(faults, "libengine.so")
        self.forge = os.path.join(faults, "forge")


class Campaign:
    def __init__(self, opt):
        self.opt = opt
        self.seed = random.randrange(1, 1 << 31) if opt.seed is None else opt.seed
        self.table = {kind: collections.Counter() for kind in opt.kinds}
        self.longest = collections.Counter()
        self.lasts = {}

    def watch(self, job, kind, limit):
        """Until the end. @return (status, when the fault was made or None)"""
        made = []
        actor = threading.Thread(target=lambda: made.append(kind.act(job)), daemon=True)
        actor.start()
        end = time.monotonic() + limit
        seen = None
        while job.process.poll() is None and time.monotonic() < end:
            job.is_ready()
            if seen is None and MADE.search(job.output()):
                seen = time.monotonic()
            time.sleep(0.01)
        now = time.monotonic()
        actor.join(flaps.START_LIMIT)
        if seen is None and MADE.search(job.output()):
            seen = now
        return job.process.poll(), now, seen if seen is not None else made[0] if made else None

    def judge(self, job, kind, status, now, when):
        """(outcome, why it is wrong or None)"""
        out = job.output()
        wrong = WRONG.search(out)
        if wrong and not kind.forges and not (kind.without and NO_MEMORY.search(out)):
            return "wrong", wrong.group(0)
        if status in (None, flaps.layouts.TIMED_OUT):
            return "wrong", "no end within the limit"
        left = job.left() + sorted(files() - self.before)
        if left:
            return "wrong", "left: " + ", ".join(left[:4])
        if status == 0 and RIGHT.search(out):
            return ("right result" if when is not None or kind.before else "no fault"), None
        if status == 0:
            return "wrong", "status 0 without a result"
        if status not in kind.allowed[0] or not re.search(kind.allowed[1], out):
            return "wrong", f"status {status}, or no reason for it"
        late = now - when if when is not None else 0
        if late > (kind.bound + GRACE) * self.opt.times:
            return "wrong", f"ended {late:.1f} s after the fault"
        return "by program" if wrong and kind.forges else "clear end", None

    def command(self, ring, kind):
        command, env = cuts.program(self.opt.build, ring.shape, cuts.SETTINGS[ring.setting], ring.seed,
                                    self.opt.epochs, kind.hang or self.opt.hang * self.opt.times, None)
        if self.opt.program:
            command[command.index("-s") - 1] = self.opt.program
        env = {**env, **kind.env, "SHMEM_DEBUG": "1",
               "RINGBELL_HELLO_TIMEOUT": str(min(flaps.HELLO_LIMIT * self.opt.times, HELLO_MOST))}
        return kind.before + command[:1] + kind.options + command[1:], env

    def one(self, number):
        draw = random.Random(f"{self.seed} {number}")
        name = draw.choice(self.opt.kinds)
        ring = Ring(draw, self.opt, self.lasts)
        kind = KINDS[name](draw, ring)
        if not getattr(kind, "applies", True):
            return
        command, env = self.command(ring, kind)
        self.before = files()
        job = flaps.Job(command, env)
        job.notes = [] # of what was done, for a round that is wrong
        try:
            limit = float(command[command.index("--timeout") + 1]) + 30
            status, now, when = self.watch(job, kind, limit)
            how, why = self.judge(job, kind, status, now, when)
            self.table[name][how] += 1
            self.note(name, ring, how, now - job.since, now - when if when is not None else None)
            if status == 0 and job.ready is not None and name != "stop":
                self.lasts[ring.pes, ring.setting] = now - job.ready
            if how == "clear end" and when is not None:
                self.longest[name] = max(self.longest[name], now - when)
            if why or self.opt.verbose:
                print(f"round {number}: {name}, {ring.setting}, {' '.join(ring.shape)}: {kind.text}: {how}"
                      f"{': ' + why if why else ''}, {now - job.since:.1f} s", flush=True)
            if why:
                self.tell(number, name, command, env, job)
        finally:
            job.close()

    def note(self, name, ring, how, took, late):
        if self.opt.journal:
            with open(self.opt.journal, "a", encoding="ascii") as f:
                f.write(json.dumps({"fault": name, "setting": ring.setting, "hosts": ring.hosts,
                                    "pes": ring.pes, "outcome": how, "took": round(took, 2),
                                    "late": None if late is None else round(late, 2)}) + "\n")

    def tell(self, number, name, command, env, job):
        words = " ".join([*(f"{k}={v}" for k, v in env.items()),
                          *(f"'{w}'" if re.search(r"[ ;$]", w) else w for w in command)])
        print(f"  again: {os.path.relpath(__file__)} {self.opt.build} --seed {self.seed} --first {number} "
              f"--rounds 1 --kinds '{name if self.opt.kinds == [name] else ','.join(self.opt.kinds)}' "
              f"--settings {','.join(self.opt.settings)} --hosts {','.join(map(str, self.opt.hosts))} "
              f"--epochs {self.opt.epochs}\n  {words}")
        lines = job.notes + [x for x in job.output().splitlines() if not CHATTER.match(x)]
        print("".join(f"    {line}\n" for line in lines[-flaps.LAST_LINES:]), end="", flush=True)

    def done(self):
        return sum(n for row in self.table.values() for how, n in row.items() if how != "no fault")

    def all(self):
        end = time.monotonic() + self.opt.minutes * 60 if self.opt.minutes else float("inf")
        number = self.opt.first
        while time.monotonic() < end and self.done() < self.opt.rounds:
            self.one(number)
            number += 1
        print(f"{'fault':<14}" + "".join(f"{how:>14}" for how in OUTCOMES) + f"{'longest, s':>14}")
        for name, row in self.table.items():
            print(f"{name:<14}" + "".join(f"{row[how]:>14}" for how in OUTCOMES) +
                  (f"{self.longest[name]:>14.1f}" if name in self.longest else f"{'-':>14}"))
        wrong = sum(row["wrong"] for row in self.table.values())
        print(f"{self.done()} rounds with a fault, {wrong} wrong, seed {self.seed}, rounds "
              f"{self.opt.first} to {number - 1}")
        return wrong != 0 or self.done() == 0


if __name__ == "__main__":
    OPT = options()
    enter_namespace(OPT.build)
    sys.exit(Campaign(OPT).all())
