#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Cut a cable while random programs run, at random times. tests/calls makes the programs: each PE
compares every byte and every value with a reference.

A run is right where the job goes on by the other way, and says which cable is lost, and where it
ends with the cable named, within the limit. With --survive only the first is right. It is wrong
where it hangs, where data is wrong, where it ends without that reason, and where a process or file
is left. A run whose program was over before the cut does not count, and another is made.

With --plug the cable is plugged in again, and then one is cut once more, and so on: the same or
another one. The job may end only where another cable was cut before oshrun had said that the last
one is back.

A line for each run that is wrong has the command with which it is made again (as far as time is not
in it). The last line counts.
"""
import argparse
import collections
import json
import os
import random
import re
import sys
import time

import flaps

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = os.path.join(HERE, "..", "calls")

# frames are kept until they are taken
KEPT = {"RINGBELL_EMU": "bridge", "RINGBELL_SURVIVE": "yes"}
# name: environment; those of SURVIVE are to survive a cut
SETTINGS = {
    "plain": {},
    "tight": {"RINGBELL_CHUNK": "4K", "RINGBELL_SLOTS": "4"},
    "lcores": {"RINGBELL_LCORES": "2", "RINGBELL_CHANNELS": "4"},
    "doorbell": {"RINGBELL_NOTIFY": "doorbell"},
    "sleep": {"RINGBELL_WAIT": "sleep"},
    "chips": {"RINGBELL_EMU": "chips=1"},
    "narrow": {"RINGBELL_EMU": "bar2=1M"},
    "dma": {"RINGBELL_DMA": "dma_plx_emu0,dma_plx_emu1"},
    "kept": KEPT,
    "kept-tight": {**KEPT, "RINGBELL_CHUNK": "4K", "RINGBELL_SLOTS": "4"},
    "kept-lcores": {**KEPT, "RINGBELL_LCORES": "2", "RINGBELL_CHANNELS": "4"},
    "kept-doorbell": {**KEPT, "RINGBELL_NOTIFY": "doorbell"},
    "bridge": {"RINGBELL_EMU": "bridge"},
    "scratchpad": {"RINGBELL_NOTIFY": "scratchpad"},
    "token": {"RINGBELL_BARRIER": "token"},
}
SURVIVE = "plain,tight,lcores,doorbell,sleep,chips,narrow,dma,kept,kept-tight,kept-lcores,kept-doorbell"
MOST_PES = 12  # of the reference
SECONDS = 1.5  # that a program runs, about, until one was seen
EVENT = re.compile(r"^oshrun: (?:fault: )?the cable between host (\d+) and host (\d+) is "
                   r"(cut|lost|back)", re.M)
WRONG = re.compile(r"PE \d+: (FAILED|HANGS) seed .*")


def options():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("build", help="build folder")
    p.add_argument("--runs", type=int, default=100, help="runs with a cut (default 100)")
    p.add_argument("--hosts", default="3,4,5,8", help="numbers of hosts (default 3,4,5,8)")
    p.add_argument("--settings", default=SURVIVE, help=f"of {','.join(SETTINGS)} (default: those "
                   f"that survive a cut: {SURVIVE})")
    p.add_argument("--plug", action="store_true", help="plug the cable in, and cut again")
    p.add_argument("--survive", action="store_true", help="a job that ends is wrong")
    p.add_argument("--early", type=float, default=0, help="share of cuts while PEs start (0)")
    p.add_argument("--epochs", type=int, default=6, help="of a program (default 6)")
    p.add_argument("--seed", type=int, help="default: drawn")
    p.add_argument("--first", type=int, default=0, help="number of the first run")
    p.add_argument("--hang", type=int, default=30, help="seconds after which an epoch hangs (30)")
    p.add_argument("--times", type=int, default=1, help="how much longer all may take")
    p.add_argument("--limit", type=float, help="start no run after so many seconds")
    p.add_argument("--pause", action="store_true", help="measure instead: the longest round trip "
                   "of runs with a cut, and of as many without")
    p.add_argument("--journal", help="add a line of JSON for each run to this file")
    p.add_argument("--stop", action="store_true", help="end with the first run that is wrong")
    p.add_argument("--verbose", action="store_true", help="a line for each run")
    opt = p.parse_args()
    opt.build = os.path.abspath(opt.build)
    opt.hosts = [int(word) for word in opt.hosts.split(",")]
    opt.settings = opt.settings.split(",")
    for name in set(opt.settings) - set(SETTINGS):
        p.error(f"no setting {name}")
    return opt


def program(build, shape, env, seed, epochs, hang, faults):
    """(command, environment) of a random program on a ring with faults."""
    # pylint: disable=import-outside-toplevel,import-error # its folder has a layouts.py, too
    sys.path.append(CALLS)
    import job
    made = job.Program(os.path.join(build, "apps", "oshrun"),
                       os.path.join(build, "tests", "calls", "calls"), (shape, env), seed)
    command, env = made.launch(made.limit(epochs, hang), made.program,
                               *made.arguments(epochs, hang))
    return command[:1] + (["--fault", faults] if faults else []) + command[1:], env


class Cuts:
    def __init__(self, opt):
        self.opt = opt
        self.seed = random.randrange(1, 1 << 31) if opt.seed is None else opt.seed
        self.count = collections.Counter()
        self.lasts = {} # (hosts, setting): seconds from shmem_init to the end
        self.cuts = self.returns = 0 # that jobs survived

    def draw(self, number):
        """Shape, setting, seed of the program and the fault of run @p number."""
        draw = random.Random(f"{self.seed} {number}")
        hosts = draw.choice(self.opt.hosts)
        setting = draw.choice(self.opt.settings)
        pes = hosts * draw.choice([1, 1, 1, 2, 3])
        shape = ["--hosts", str(hosts)]
        if hosts < pes <= MOST_PES:
            shape += ["-n", str(pes)] + draw.choice([[], ["--map-by", "host"]])
        early = draw.random() < self.opt.early
        part = draw.random()
        at = part * (0.5 if early else self.lasts.get((hosts, setting), SECONDS))
        a = draw.randrange(hosts)
        fault = f"cut {a}-{(a + 1) % hosts} at {'start+' if early else ''}{at:.3f}s"
        seed = draw.randrange(1, 1 << 31)
        if self.opt.plug:
            fault = self.draw_plugs(draw, hosts, a, at)
        return hosts, setting, shape, seed, fault

    @staticmethod
    def draw_plugs(draw, hosts, a, at):
        """Up to four cuts; in between enough time to heal, or not."""
        faults, at = [], at / 4
        for _ in range(4):
            faults.append(f"cut {a}-{(a + 1) % hosts} at {at:.3f}s")
            at += draw.choice([0.002, 0.05, 0.2]) * draw.random()
            faults.append(f"plug {a}-{(a + 1) % hosts} at {at:.3f}s")
            at += draw.choice([0.01, 0.1, 0.5]) * draw.random()
            if draw.random() < 0.5:
                a = draw.randrange(hosts)
                at += 0.5 # most of them heal in that time
        return "; ".join(faults)

    def run(self, job, command):
        """@return exit status; the time of shmem_init is noted in the job"""
        limit = float(command[command.index("--timeout") + 1]) + 30
        end = time.monotonic() + limit
        while job.process.poll() is None and time.monotonic() < end:
            job.is_ready()
            time.sleep(0.01)
        return job.process.poll()

    def judge(self, job, status):
        """(what it counts as, why it is wrong or None)"""
        out = job.output()
        wrong = WRONG.search(out)
        if wrong and wrong.group(1) == "FAILED":
            return "wrong data", wrong.group(0)
        if wrong or status in (None, flaps.layouts.TIMED_OUT):
            return "hang", wrong.group(0) if wrong else "no end within the limit"
        left = job.left()
        if left:
            return "left", ", ".join(left)
        events = [(m.group(1), m.group(3)) for m in EVENT.finditer(out)]
        what = [how for _, how in events]
        if "cut" not in what:
            return "no cut", None if status == 0 else f"status {status}"
        if status == 0:
            self.cuts += what.count("lost")
            self.returns += what.count("back")
            return "survived" if "lost" in what else "over before it was seen", None
        if status == 1 and flaps.REASON.search(out):
            allowed = not self.opt.survive or (self.opt.plug and self.one_too_many(events))
            return "ended", None if allowed else "the job ended"
        return "no reason", f"status {status}"

    @staticmethod
    def one_too_many(events):
        """Was a second cable cut before the first one was back?"""
        away = None
        for cable, how in events:
            if how == "cut" and away not in (None, cable):
                return True
            away = {"cut": cable, "lost": cable, "back": None}[how]
        return False

    def one(self, number):
        hosts, setting, shape, seed, fault = self.draw(number)
        survive = {"RINGBELL_SURVIVE": "yes"} if self.opt.survive else {}
        command, env = program(self.opt.build, shape, {**SETTINGS[setting], **survive}, seed,
                               self.opt.epochs, self.opt.hang * self.opt.times, fault)
        job = flaps.Job(command, {**env, "SHMEM_DEBUG": "1"})
        try:
            status = self.run(job, command)
            now = time.monotonic()
            how, why = self.judge(job, status)
            self.note(hosts, setting, how, why, job)
            if status == 0 and job.ready is not None:
                self.lasts[hosts, setting] = now - job.ready
            if self.opt.verbose or why:
                print(f"run {number}: {setting}, {' '.join(shape)}, {fault}: {how}"
                      f"{': ' + why if why else ''}, {now - job.since:.1f} s", flush=True)
            if why:
                self.tell(number, command, env, job)
            return how if not why or how != "no cut" else "wrong without a cut", bool(why)
        finally:
            job.close()

    def note(self, hosts, setting, how, why, job):
        if self.opt.journal:
            with open(self.opt.journal, "a", encoding="ascii") as f:
                f.write(json.dumps({"hosts": hosts, "setting": setting,
                                    "outcome": f"wrong: {how}" if why else how,
                                    "took": round(time.monotonic() - job.since, 2),
                                    "lost": job.output().count(" is lost; the job goes on")}) + "\n")

    def tell(self, number, command, env, job):
        shell = " ".join([*(f"{k}={v}" for k, v in env.items()),
                          *(f"'{w}'" if " " in w else w for w in command)])
        print(f"  {number} of seed {self.seed}: {shell}")
        lines = [x for x in job.output().splitlines() if "SHMEM_DEBUG" not in x]
        print("".join(f"    {line}\n" for line in lines[-flaps.LAST_LINES:]), end="", flush=True)

    def all(self):
        end = time.monotonic() + self.opt.limit if self.opt.limit else float("inf")
        number, cut, bad = self.opt.first, 0, 0
        while time.monotonic() < end and cut < self.opt.runs and not (bad and self.opt.stop):
            how, wrong = self.one(number)
            self.count[how] += 1
            cut += how != "no cut"
            bad += wrong
            number += 1
        print(f"{cut} runs with a cut, {bad} wrong, seed {self.seed}: " +
              ", ".join(f"{n} {how}" for how, n in sorted(self.count.items())) +
              f"; {self.cuts} losses and {self.returns} returns of a cable survived")
        return bad != 0 or cut == 0


class Pauses(Cuts):
    """How long the longest round trip takes, where a cable is cut under way and where none is."""
    LASTS, LONGEST = 1.0, re.compile(r"^longest ([0-9.]+) s$", re.M)

    def measure(self, number, with_cut):
        hosts, setting, shape, _, fault = self.draw(number)
        command = [os.path.join(self.opt.build, "apps", "oshrun"), *shape, "--timeout",
                   str(60 * self.opt.times), *(["--fault", fault] if with_cut else []),
                   os.path.join(self.opt.build, "tests", "multi", "pause"), str(self.LASTS)]
        self.lasts[hosts, setting] = self.LASTS * 0.9
        job = flaps.Job(command, {"SHMEM_SYMMETRIC_SIZE": "16M", **SETTINGS[setting]})
        try:
            status = self.run(job, command)
            found = self.LONGEST.search(job.output())
            survived = not with_cut or " is lost; " in job.output()
            if status == 0 and found and survived:
                return float(found.group(1))
            self.tell(number, command, SETTINGS[setting], job)
            return None
        finally:
            job.close()

    def all(self):
        bad = 0
        for with_cut in False, True:
            took = [self.measure(n, with_cut) for n in range(self.opt.first,
                                                             self.opt.first + self.opt.runs)]
            good = sorted(t * 1e3 for t in took if t is not None)
            bad += len(took) - len(good)
            if good:
                print(f"{'a cut' if with_cut else 'no cut'}: longest round trip of {len(good)} "
                      f"runs: median {good[len(good) // 2]:.1f} ms, 95th percentile "
                      f"{good[min(len(good) - 1, len(good) * 95 // 100)]:.1f} ms, worst "
                      f"{good[-1]:.1f} ms, seed {self.seed}", flush=True)
        print(f"{bad} runs ended in another way")
        return bad != 0


if __name__ == "__main__":
    OPT = options()
    sys.exit((Pauses if OPT.pause else Cuts)(OPT).all())
