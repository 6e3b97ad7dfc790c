#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Random programs on random rings, and a random fault in each: what becomes of the job?

tests/calls makes the programs, in which each PE compares every byte and every value with a
reference. kinds.py has the faults. A round is right where the program ends with the right result,
and where the job ends in bounded time as the fault allows, with a reason. It is wrong where data
is wrong, where it hangs, where it ends in another way or too late, where it ends though it survives
the loss of a cable, and where a process, a file or a socket is left. A round whose program was over
before its fault does not count. README.md says how to call it.
"""
import argparse
import collections
import fnmatch
import os
import random
import re
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "calls"))

# pylint: disable=wrong-import-position
import job as calls
from kinds import HELLO_LIMIT, KINDS, MADE, cannot
from running import START_LIMIT, Job

INSIDE = "RINGBELL_FAULTS_INSIDE"
PLACES = ("/dev/shm", "/tmp", "/run/dpdk", "/dev/hugepages")
ON = "on {}".format # a row of the table
WINDOWS = {"memory": "", "bridge": "bridge"} # how they are emulated
SETTINGS = {
    "plain": {}, "tight": {"RINGBELL_CHUNK": "4K", "RINGBELL_SLOTS": "4"},
    "lcores": {"RINGBELL_LCORES": "2", "RINGBELL_CHANNELS": "4"},
    "doorbell": {"RINGBELL_NOTIFY": "doorbell"}, "sleep": {"RINGBELL_WAIT": "sleep"},
    "chips": {"RINGBELL_EMU": "chips=1"}, "narrow": {"RINGBELL_EMU": "bar2=1M"},
    "dma": {"RINGBELL_DMA": "dma_plx_emu0,dma_plx_emu1"},
}
RING_ONLY = ("chips", "narrow")
ENDED = ("lcores",) # by a cable, also with --survive
MOST_PES = 12 # of the reference
SECONDS = 0.5 # that a program runs, about, until one was seen
HELLO_MOST = 25 # seconds that PEs wait for a neighbour, however slow the machine is
GRACE = 3 # seconds that oshrun gives PEs, and that we are late
LAST_LINES = 40
TIMED_OUT = 124
RIGHT = re.compile(r"^seed \d+: \d+ epochs, \d+ calls, ok$", re.M)
WRONG = re.compile(r"PE \d+: (FAILED|HANGS) seed .*")
# some calls say so by what they return, as the standard has it
NO_MEMORY = re.compile(r"PE \d+: FAILED seed .*: (no memory for |cannot start a thread|context creation returns "
                       "|split(_2d)? returns )")
CHATTER = re.compile(r"shmem_init_thread: |Static data: |Copy methods: ") # of SHMEM_DEBUG
OUTCOMES = ("survived", "ended, named", "no fault", "wrong", "left")


def options():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("build", help="build folder")
    p.add_argument("--rounds", type=int, default=100, help="rounds with a fault (default 100)")
    for name, known in (("kinds", KINDS), ("windows", WINDOWS), ("settings", SETTINGS)):
        p.add_argument(f"--{name}", default="*", help=f"of {','.join(known)} (default: all)")
    p.add_argument("--survive", action="store_true", help="all jobs survive the loss of a cable, in settings that can (half of them)")
    p.add_argument("--early", type=float, default=0.2, help="share of faults while PEs start (0.2)")
    p.add_argument("--hosts", default="2,3,4,5,6,7,8", help="numbers of hosts (default 2 to 8)")
    p.add_argument("--epochs", type=int, default=5, help="of a program (default 5)")
    p.add_argument("--seed", type=int, help="default: drawn")
    p.add_argument("--first", type=int, default=0, help="number of the first round")
    p.add_argument("--hang", type=int, default=30, help="seconds after which an epoch hangs (30)")
    p.add_argument("--times", type=int, default=1, help="how much longer all may take")
    p.add_argument("--minutes", type=float, help="start no round after so many")
    p.add_argument("--program", help="in place of calls, with the same options")
    p.add_argument("--verbose", action="store_true", help="a line for each round")
    opt = p.parse_args()
    opt.build = os.path.abspath(opt.build)
    opt.program = opt.program or os.path.join(opt.build, "tests", "calls", "calls")
    opt.numbers = [int(word) for word in opt.hosts.split(",")]
    for name, known in (("kinds", KINDS), ("windows", WINDOWS), ("settings", SETTINGS)):
        chosen = [k for k in known if any(fnmatch.fnmatchcase(k, p) for p in getattr(opt, name).split(","))]
        if not chosen:
            p.error(f"no such {name}")
        setattr(opt, f"of_{name}", chosen)
    if opt.survive:
        opt.of_settings = [name for name in opt.of_settings if name not in ENDED]
    for kind in [k for k in opt.of_kinds if cannot(k)]:
        print(f"left out: {kind}: {cannot(kind)}")
        opt.of_kinds.remove(kind)
    if not opt.of_kinds:
        sys.exit(77)
    return opt


def enter_namespace(build):
    """Own folders for what jobs could leave, if the user may: others' files are not taken for theirs."""
    if os.geteuid() != 0 or INSIDE in os.environ:
        return
    os.makedirs("/run/dpdk", mode=0o755, exist_ok=True) # of the EAL
    mounts = ["/dev/shm", "/run/dpdk"]
    mounts += [] if build.startswith("/tmp/") or HERE.startswith("/tmp/") else ["/tmp"]
    script = " && ".join(f"mount -t tmpfs -o mode=1777 none {m}" for m in mounts) + ' && exec "$@"'
    command = ["unshare", "--mount", "sh", "-c", script, "sh"]
    if subprocess.run([*command, "true"], check=False).returncode == 0:
        os.environ[INSIDE] = "1"
        os.execvp(command[0], [*command, sys.executable, *sys.argv])


def files():
    """What a job could have left, without the folders of this program."""
    return {os.path.join(folder, name) for place in PLACES for folder, _, names in os.walk(place)
            for name in names if (INSIDE in os.environ or "ringbell" in name)
            and "/ringbell-faults-" not in folder}


class Round:
    """What a round has but for its fault. Windows take turns, and each kind of fault has each of them."""

    def __init__(self, draw, opt, number, lasts):
        self.build, self.program, self.number = opt.build, opt.program, number
        self.hosts = draw.choice(opt.numbers)
        self.setting = draw.choice(opt.of_settings)
        self.window = opt.of_windows[sum(divmod(number, len(opt.of_kinds))) % len(opt.of_windows)]
        self.survive = draw.random() < 0.5 or opt.survive
        # the more PEs, the longer a round
        self.a_host = draw.choice([1, 1, 1, 2, 3, 4])
        self.map = draw.choice(["slot", "host"])
        self.stand(self.hosts, [])
        self.seed = draw.randrange(1, 1 << 31)
        # of the same setting if there was one, else of as many PEs, else a guess
        like = sorted(t for (pes, _), t in lasts.items() if pes == self.pes)
        self.lasts = lasts.get((self.pes, self.setting), like[len(like) // 2] if like else SECONDS)
        self.early = draw.random() < opt.early
        self.at = draw.random() * (0.8 if self.early else self.lasts)

    def stand(self, hosts, wiring):
        """So many hosts, joined in this way."""
        self.hosts = hosts
        self.pes = max(hosts, min(hosts * self.a_host, MOST_PES))
        self.shape = ["--hosts", str(hosts), "-n", str(self.pes), "--map-by", self.map, *wiring]
        if wiring and self.setting in RING_ONLY:
            self.setting = "plain"

    def when(self, later=0):
        return f"{'start+' if self.early else ''}{self.at + later:.3f}s"

    def wait(self, job):
        return job.wait(self.early, self.at)

    def cable(self, draw):
        a = draw.randrange(self.hosts)
        return f"{a}-{(a + 1) % self.hosts}"

    def helper(self, name):
        return os.path.join(self.build, "tests", "faults", name)

    def command(self, fault, opt):
        """(words, environment, seconds)"""
        env = {**SETTINGS[self.setting], "SHMEM_DEBUG": "1", **fault.env,
               "RINGBELL_SURVIVE": "yes" if self.survive else "no",
               "RINGBELL_HELLO_TIMEOUT": str(min(HELLO_LIMIT * opt.times, HELLO_MOST))}
        env["RINGBELL_EMU"] = ",".join(filter(None, [env.get("RINGBELL_EMU"), WINDOWS[self.window]]))
        made = calls.Program(os.path.join(self.build, "apps", "oshrun"), self.program, (self.shape, env),
                             self.seed)
        hang = opt.hang * opt.times
        limit = made.limit(opt.epochs, hang)
        words, env = made.launch(limit, self.program, *made.arguments(opt.epochs, hang))
        return [*fault.before, words[0], *fault.options, *words[1:]], env, limit + 30

    def must_survive(self):
        """Is it a running job that goes on without a cable?"""
        return self.survive and not self.early and self.setting not in ENDED # while PEs start, it may end


class Campaign:
    def __init__(self, opt):
        self.opt = opt
        self.seed = random.randrange(1, 1 << 31) if opt.seed is None else opt.seed
        self.kinds = random.Random(self.seed).sample(opt.of_kinds, len(opt.of_kinds)) # in turns
        self.table = {name: collections.Counter() for name in [*opt.of_kinds, *map(ON, opt.of_windows)]}
        self.longest = collections.Counter()
        self.lasts = {}
        self.before = set()

    @staticmethod
    def watch(job, fault, limit):
        """Until the end. @return (status, when that was, when the fault was made or None)"""
        made = []
        actor = threading.Thread(target=lambda: made.append(fault.act and fault.act(job)), daemon=True)
        actor.start()
        end, seen = time.monotonic() + limit, None
        while job.runs() and time.monotonic() < end:
            job.is_ready()
            if seen is None and MADE.search(job.output()):
                seen = time.monotonic()
            time.sleep(0.01)
        now = time.monotonic()
        actor.join(START_LIMIT)
        if seen is None and MADE.search(job.output()):
            seen = now
        return job.process.poll(), now, seen if seen is not None else made[0] if made else None

    def judge(self, job, r, fault, status, late):
        """(outcome, why it is wrong or None); @p late: seconds since the fault, None: there was none"""
        out = job.output()
        wrong = WRONG.search(out)
        if wrong and not (fault.without and NO_MEMORY.search(out)):
            return "wrong", wrong.group(0)
        if status in (None, TIMED_OUT):
            return "wrong", "no end within the limit"
        left = job.left(GRACE * self.opt.times) + sorted(files() - self.before)
        if left:
            return "left", "left: " + ", ".join(left[:4])
        if status == 0 and RIGHT.search(out):
            return ("survived" if late is not None or fault.before else "no fault"), None
        if status == 0:
            return "wrong", "status 0 without a result"
        if status not in fault.allowed[0] or not re.search(fault.allowed[1], out):
            return "wrong", f"status {status}, or no reason for it"
        if fault.cuts and r.must_survive():
            return "wrong", "ended, and was to survive"
        if late is not None and late > (fault.bound + GRACE) * self.opt.times:
            return "wrong", f"ended {late:.1f} s after the fault"
        return "ended, named", None

    def one(self, number):
        draw = random.Random(f"{self.seed} {number}")
        name = self.kinds[number % len(self.kinds)]
        r = Round(draw, self.opt, number, self.lasts)
        fault = KINDS[name](draw, r)
        if fault is None:
            return
        command, env, limit = r.command(fault, self.opt)
        self.before = files()
        job = Job(command, env)
        try:
            status, now, when = self.watch(job, fault, limit)
            late = now - when if when is not None else None
            how, why = self.judge(job, r, fault, status, late)
            self.table[name][how] += 1
            self.table[ON(r.window)][how] += 1
            if status == 0 and job.ready is not None and "stop" not in name:
                self.lasts[r.pes, r.setting] = now - job.ready
            if how == "ended, named" and late is not None:
                self.longest[name] = max(self.longest[name], late)
            if why or self.opt.verbose:
                print(f"round {number}: {name}, {r.setting}, {r.window}, {' '.join(r.shape)}: {fault.text}: {how}"
                      f"{': ' + why if why else ''}, {now - job.since:.1f} s", flush=True)
            if why:
                self.tell(number, command, env, job)
        finally:
            job.close()

    def tell(self, number, command, env, job):
        """How to make the round again, as far as time is not in it, and what was said."""
        o = self.opt
        words = " ".join([*(f"{k}={v}" for k, v in env.items()),
                          *(f"'{w}'" if re.search(r"[ ;$]", w) else w for w in command)])
        print(f"  again: {os.path.relpath(__file__)} {o.build} --seed {self.seed} --first {number} --rounds 1 "
              f"--kinds '{o.kinds}' --windows '{o.windows}' --settings '{o.settings}' --hosts {o.hosts} "
              f"--early {o.early} --epochs {o.epochs}{' --survive' if o.survive else ''}\n  {words}")
        lines = [x for x in job.output().splitlines() if not CHATTER.match(x)]
        print("\n".join(f"    {line}" for line in lines[-LAST_LINES:]), flush=True)

    def count(self):
        return sum((self.table[ON(window)] for window in self.opt.of_windows), collections.Counter())

    def all(self):
        end = time.monotonic() + self.opt.minutes * 60 if self.opt.minutes else float("inf")
        number = self.opt.first
        while time.monotonic() < end and self.count().total() - self.count()["no fault"] < self.opt.rounds:
            self.one(number)
            number += 1
        print(f"{'':<14}" + "".join(f"{how:>14}" for how in OUTCOMES) + f"{'longest, s':>14}")
        for name, row in self.table.items():
            print(f"{name:<14}" + "".join(f"{row[how]:>14}" for how in OUTCOMES) +
                  (f"{self.longest[name]:>14.1f}" if name in self.longest else f"{'-':>14}"))
        n = self.count()
        done = n.total() - n["no fault"]
        print(f"{done} rounds with a fault: " + ", ".join(f"{n[how]} {how}" for how in OUTCOMES if how != "no fault") +
              f"; seed {self.seed}, rounds {self.opt.first} to {number - 1}")
        return n["wrong"] + n["left"] != 0 or done == 0


if __name__ == "__main__":
    OPT = options()
    enter_namespace(OPT.build)
    sys.exit(Campaign(OPT).all())
