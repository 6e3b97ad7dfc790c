#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Let cables flap while programs run, at random times: from the start of the PEs to their end.

A run is right where all PEs end within the limit, with what they verified right: the program ended
as without a flap, on the other way round where windows are memory, or the job ended with a message
that names cable or neighbour. It is wrong where it hangs (also in a case of the harness, which has a
limit of its own), where a PE took wrong data for right, where a job goes on or ends without a reason
after a loss, and where a process or file is left. A run whose job was over before the flap does not
count, and another is made.

A line for each run that is wrong has the command with which it is seen again (as far as time is not
in it). The last line counts.
"""
import argparse
import collections
import fnmatch
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import layouts

# not those on which a program takes minutes without a flap
ROWS = "*"
START_LIMIT = 60  # seconds until the cables are there
GONE_LIMIT = 10   # until the processes of a job are gone that has ended
NO_CABLE = 3      # status of the helper
HELLO_LIMIT = 15  # seconds that PEs wait for a neighbour whose cable is out
AMID = 0.75       # of the flaps, in running jobs; the others while PEs start
START_LASTS = 0.8 # seconds of a start, about
NOTICE_LIMIT = 2  # until all PEs of a job have heard of a loss
# once the job runs, and while it starts
REASON = re.compile(r"PE \d+: the (left|right) cable of host \d+, to host \d+: [^;]+; what was under "
                    r"way is lost, so the job ends|\(waited \d+ s, RINGBELL_HELLO_TIMEOUT\)|"
                    r"the cable between host \d+ and host \d+ was lost before all hosts were there")
# the job has gone on without the cable
WENT_ON = re.compile(r"the cable between host \d+ and host \d+ is lost; the job goes on")
# of each PE, as it leaves shmem_init (SHMEM_DEBUG)
READY = re.compile(r"shmem_init_thread: PE \d+ of (\d+)")
# the harness's own words for a hang and for wrong data, and those of the examples
HANGS = re.compile(r"PE \d+: case .* hangs, waiting for: .*")
WRONG = re.compile(r"(PE \d+: )?\S+_test\.c:\d+: case.*|.*FAILED.*")
LAST_LINES = 40


def options():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("build", help="build folder")
    p.add_argument("--runs", type=int, default=500, help="runs with a flap (default 500)")
    p.add_argument("--rows", default=ROWS, help=f"of layouts.py (default {ROWS})")
    p.add_argument("--programs", default="*", help="names or groups (default: all of a row)")
    p.add_argument("--seed", type=int, help="default: drawn")
    p.add_argument("--first", type=int, default=0, help="number of the first run")
    p.add_argument("--early", type=float, default=1 - AMID,
                   help=f"share of flaps while PEs start (default {1 - AMID})")
    p.add_argument("--timeout", type=int, default=120, help="seconds of a run (default 120)")
    p.add_argument("--times", type=int, default=1, help="how much longer all may take")
    p.add_argument("--verbose", action="store_true", help="a line for each run")
    p.add_argument("--limit", type=float, help="start no run after so many seconds")
    return p.parse_args()


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return [int(word) for word in f.read().split()]
    except OSError:
        return []


def environment(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as f:
            words = f.read().split(b"\0")
    except OSError:
        return {}
    return dict(w.decode(errors="replace").split("=", 1) for w in words if b"=" in w)


def alive_with(mark):
    """Processes that have this in their environment, without zombies."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if environment(pid).get("RINGBELL_FLAP_RUN") == mark:
            found.append(pid)
    return found


def pulls(draw):
    """What hands do to the cable: words for the helper."""
    kind = draw.random()
    if kind < 0.4:
        return ["retrain"]
    if kind < 0.8: # from a tenth of a millisecond to a third of a second
        return ["pull", str(int(10 ** draw.uniform(2, 5.5))), "plug"]
    if kind < 0.9:
        return ["pull"]
    words = ["retrain"]
    for _ in range(draw.randrange(1, 5)):
        words += [str(int(10 ** draw.uniform(0, 5))), "retrain"]
    return words


class Job:
    """A program under oshrun, and a folder for what it makes."""

    def __init__(self, command, env):
        self.folder = tempfile.mkdtemp(prefix="ringbell-flap-")
        self.mark = os.path.basename(self.folder)
        self.out = open(os.path.join(self.folder, "out"), "w+b")
        run_dir = os.path.join(self.folder, "run")
        os.mkdir(run_dir, 0o700)
        self.process = subprocess.Popen(
            command, env={**os.environ, **env, "RUNTIME_DIRECTORY": run_dir,
                          "RINGBELL_FLAP_RUN": self.mark},
            stdin=subprocess.DEVNULL, stdout=self.out, stderr=subprocess.STDOUT)
        self.since = time.monotonic()
        self.in_session = False
        self.place = "" # of the cable, for the helper
        self.ready = None # when all PEs had left shmem_init, where somebody looked

    def cables(self):
        """(process, descriptor, what the helper needs behind it) of the cables that PEs have."""
        found = set()
        for pid in children(self.process.pid):
            env = environment(pid)
            for name in "RINGBELL_LEFT", "RINGBELL_RIGHT":
                if ":" not in env.get(name, ""):
                    continue
                place = ""
                if "chips=1" in env.get("RINGBELL_EMU", "").split(","): # one file for all cables
                    host, hosts = int(env["RINGBELL_HOST_ID"]), int(env["RINGBELL_HOSTS"])
                    place = f":{hosts}:{(host - (name == 'RINGBELL_LEFT')) % hosts}"
                found.add((pid, env[name].split(":")[0], place))
        return sorted(found)

    def cable(self, draw):
        """A descriptor of some cable, None where the job is over."""
        end = time.monotonic() + START_LIMIT
        while self.process.poll() is None and time.monotonic() < end:
            cables = self.cables()
            if cables:
                pid, fd, self.place = draw.choice(cables)
                try:
                    return os.open(f"/proc/{pid}/fd/{fd}", os.O_RDWR)
                except OSError:
                    pass # that PE is gone
            time.sleep(0.002)
        return None

    def tell_cable(self, fd, helper, words, is_time):
        """Has the helper do @words with the cable at @fd, which it closes, once is_time().
        @return when, None: the job is over, which is_time() says, or @fd is None"""
        if fd is None:
            return None
        try:
            while is_time():
                when = time.monotonic()
                status = subprocess.run([helper, f"{fd}{self.place}", *words], pass_fds=[fd],
                                        check=False, timeout=START_LIMIT).returncode
                if status == 0:
                    return when
                if status != NO_CABLE:
                    raise RuntimeError(f"the helper's status is {status}")
                time.sleep(0.005)
        finally:
            os.close(fd)
        return None

    def is_ready(self):
        found = READY.findall(self.output())
        if found and len(found) == int(found[0]) and self.ready is None:
            self.ready = time.monotonic()
        return self.ready is not None

    def phase(self):
        return "amid" if self.in_session else "at the start of"

    def wait_ready(self):
        """Until all PEs have left shmem_init, or the job is over."""
        end = time.monotonic() + START_LIMIT
        while self.process.poll() is None and not self.is_ready() and time.monotonic() < end:
            time.sleep(0.005)

    def output(self):
        self.out.seek(0)
        return self.out.read().decode(errors="replace")

    def left(self):
        """What is left of a job that has ended: processes, files."""
        end = time.monotonic() + GONE_LIMIT
        while alive_with(self.mark) and time.monotonic() < end:
            time.sleep(0.05)
        files = [os.path.join(folder, name) for folder, _, names
                 in os.walk(os.path.join(self.folder, "run")) for name in names]
        return [f"process {pid}" for pid in alive_with(self.mark)] + files

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.out.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Flaps:
    def __init__(self, opt):
        self.opt = opt
        self.seed = random.randrange(1, 1 << 31) if opt.seed is None else opt.seed
        self.helper = os.path.join(opt.build, "tests", "multi", "flap")
        self.count = collections.Counter()
        self.lasts = {} # (row, program): seconds from shmem_init to the end without a flap
        self.longest = 0.0 # seconds from a flap to the end of a job that it has ended
        rows = [(row, settings) for row, settings in zip(*layouts.generated()[:2])
                if settings["hosts"] not in ("1", "8")]
        self.pairs = [(row, program) for row, settings in rows for program in layouts.IN_TURNS
                      if layouts.runs_on(program, settings)
                      and any(fnmatch.fnmatchcase(row.name, p) for p in opt.rows.split(","))
                      and any(fnmatch.fnmatchcase(program, p) for p in opt.programs.split(","))]

    def command(self, row, program, seed):
        return row.command(self.opt.build, program, seed, self.opt.times, self.opt.timeout)

    def flap(self, job, fd, words, amid, delay):
        """@return when, or None where the job was over first."""
        def runs():
            job.in_session = job.is_ready()
            return job.process.poll() is None

        if amid and fd is not None:
            job.wait_ready()
        time.sleep(delay)
        return job.tell_cable(fd, self.helper, words, runs)

    def judge(self, job, when, status):
        """(what it counts as, why it is wrong or None)"""
        out = job.output()
        wrong, hangs = WRONG.search(out), HANGS.search(out)
        if wrong:
            return "wrong data", wrong.group(0)
        if hangs:
            return "hang", hangs.group(0)
        if status == layouts.TIMED_OUT or "oshrun does not end" == status:
            return "hang", f"no end within {self.opt.timeout * self.opt.times} s"
        left = job.left()
        if left:
            return "left", ", ".join(left)
        if when is None:
            return "no flap", None if status in (0, layouts.SKIPPED) else f"status {status}"
        if status == 0 and WENT_ON.search(out):
            return "went on", None
        if status == 0:
            late = time.monotonic() - when > NOTICE_LIMIT * self.opt.times
            if job.in_session and late:
                return "unnoticed", "the job went on"
            return "finished", None
        if status == 1 and REASON.search(out):
            return "ended", None
        return "no reason", f"status {status}"

    def one(self, number):
        """What run @p number counts as."""
        draw = random.Random(f"{self.seed} {number}")
        row, program = draw.choice(self.pairs)
        command = self.command(row, program, draw.randrange(1, 1 << 31))
        env = {"SHMEM_DEBUG": "1", "RINGBELL_HELLO_TIMEOUT": str(HELLO_LIMIT * self.opt.times),
               **row.env}
        amid = draw.random() < 1 - self.opt.early
        delay = draw.random() * (self.lasts.get((row.name, program), 1) if amid else START_LASTS)
        words = pulls(draw)
        job = Job(command, env)
        try:
            when = self.flap(job, job.cable(draw), words, amid, delay)
            try:
                status = job.process.wait(self.opt.timeout * self.opt.times + 30)
            except subprocess.TimeoutExpired:
                status = "oshrun does not end"
            now = time.monotonic()
            how, why = self.judge(job, when, status)
            if how == "no flap" and job.ready is not None:
                self.lasts[row.name, program] = now - job.ready
            elif how == "ended":
                self.longest = max(self.longest, now - when)
            if why:
                self.tell(number, (row, program, command, env, delay, words), how, why, job)
            elif self.opt.verbose:
                print(f"run {number}: {job.phase()} {program} on {row.name}: {how}, "
                      f"{' '.join(words)} after {(when or now) - job.since:.2f} of {now - job.since:.2f} s", flush=True)
            return how if not why or how != "no flap" else "wrong without a flap"
        finally:
            job.close()

    def tell(self, number, drawn, how, why, job):
        row, program, command, env, delay, words = drawn
        shell = " ".join([*(f"{k}={v}" for k, v in env.items()), *command])
        print(f"run {number}, {job.phase()} {program} on {row.name}, {' '.join(words)} after {delay:.3f} "
              f"s: {how}: {why}\n  seed {self.seed}: {shell}")
        print("".join(f"    {line}\n" for line in job.output().splitlines()[-LAST_LINES:]), end="",
              flush=True)

    def all(self):
        end = time.monotonic() + self.opt.limit if self.opt.limit else float("inf")
        number = self.opt.first
        while time.monotonic() < end:
            if sum(n for how, n in self.count.items() if how != "no flap") >= self.opt.runs:
                break
            self.count[self.one(number)] += 1
            number += 1
        flapped = sum(n for how, n in self.count.items() if how != "no flap")
        good = self.count["ended"] + self.count["finished"] + self.count["went on"]
        print(f"{flapped} runs with a flap, seed {self.seed}, {len(self.pairs)} pairs of layout and "
              f"program: " + ", ".join(f"{n} {how}" for how, n in sorted(self.count.items())) +
              f"; at most {self.longest:.1f} s from flap to end")
        return flapped != good or good == 0


def main():
    opt = options()
    opt.build = os.path.abspath(opt.build)
    flaps = Flaps(opt)
    if not flaps.pairs:
        sys.exit("no row has such a program")
    return flaps.all()


if __name__ == "__main__":
    sys.exit(main())
