#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Seeds that ever failed (seeds.tsv), and new ones for some minutes: each number draws program, ring or other wiring,
settings, faults and schedule. Prints the command that repeats each one that fails.

Usage: seeds.py [--minutes M] [--first N] [--workers W] BUILD      BUILD has -Ddst=true
"""
import argparse
import concurrent.futures
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
DST = "lab/ringbell-dst"
LINE = re.compile(r"^seed (\d+): (.*?), (\d+) steps, \d+ threads, (\S+) s of job time in (\S+) s", re.M)
CALLS = "tests/calls/calls"
HISTORY, RECORDER = "lab/history/ringbell-history", "lab/history/libringbell_history.so"
RECORDED = ("amo", "barrier", "lock", "signal", "wait", "calls")
PROGRAMS = [f"tests/multi/multi-{name}" for name in ("amo", "barrier", "coll", "ctx", "fork", "heap", "lock", "nbi",
                                                     "posted", "signal", "team", "thread", "wait")] + ["tests/dst/brief"]
SILENT = ("calls", "ctx", "heap", "posted", "team")  # with SHMEM_CHECK=races, and no longer than others
LATE = "RINGBELL_EMU=bridge,late RINGBELL_WEAK_POSTED=1"  # the last one with -Dweak_window=true
SETTINGS = ["", "", "RINGBELL_WAIT=sleep", "RINGBELL_WAIT=spin", "RINGBELL_WAIT=yield", "RINGBELL_NOTIFY=doorbell",
            "RINGBELL_EMU=bridge", "RINGBELL_EMU=chips=1",
            "RINGBELL_EMU=bridge RINGBELL_HUGE=never", "RINGBELL_EMU=bridge,mask=doorbells+scratchpads+flush+files", LATE, LATE,
            "RINGBELL_SURVIVE=yes", "RINGBELL_LCORES=2", "RINGBELL_TELEMETRY=1", "RINGBELL_SLOTS=4 RINGBELL_CHUNK=4K"]
OF_HOSTS = ["kill", "stop", "slow", "refuse", "clock"] # the others handle the cables of a ring
FAULTS = ["cut", "plug", "flap", "deaf", "mute", *OF_HOSTS]
REGULAR = {"chain": range(3, 7), "double": range(3, 6), "mesh": range(3, 7), "torus=2x2": [4], "torus=3x2": [6]}
MACHINES = "tests/dst/machines"
ETHER = "net_af_packet,iface=lo,mtu=1500,udp="
SHARED = "raw_ntb_shared,path=/dev/shm/memory"
ALL = ",host=@,hosts={}"
MEDIA = [(SHARED, OF_HOSTS), (ETHER + "7000", FAULTS), (f"{ETHER}<+{ETHER}>", FAULTS),
         (f"{SHARED}{ALL}+{ETHER}7000{ALL}", FAULTS)]
EMULATED = ("EMU", "NOTIFY")  # settings that other media have no use for
RING_ONLY, PORTS = ("scratchpads", "chips=1"), 8 # masked, or in need of a ring
POLICIES = ["random", "stalls", "stalls", "pct:1", "pct:3", "pct:8"]


def joins(hosts, cables):
    """Do they join all hosts?"""
    reached = {0}
    for _ in range(hosts):
        reached |= {h for a, b in cables for h in (a, b) if {a, b} & reached}
    return len(reached) == hosts


def cuts(draw, hosts, cables):
    """Cables that are lost, as oshrun takes them, as long as the others join all hosts."""
    left, lost = list(cables), []
    for cable in draw.sample(cables, min(len(cables), draw.randint(1, 4))):
        left.remove(cable)
        if joins(hosts, left):
            lost.append(cable)
        else:
            left.append(cable)
    return [f"cut {a}-{b}#{lost[:i + 1].count((a, b))} at {1 << draw.randrange(7)}ms" for i, (a, b) in enumerate(lost)]


def wired(draw, survives):
    """(hosts, options of oshrun) of a wiring other than a ring. Where it survives the job has to be right."""
    hosts = draw.randint(3, 6)
    if draw.random() < 0.3:
        return hosts, ["--wiring", draw.choice([name for name, fits in REGULAR.items() if hosts in fits])]
    cables = [(draw.randrange(h), h) for h in range(1, hosts)]
    for _ in range(draw.randint(0, hosts)):
        cable = tuple(sorted(draw.sample(range(hosts), 2)))
        if all(sum(h in c for c in cables) < PORTS for h in cable):
            cables.append(cable)
    draw.shuffle(cables)
    faults = cuts(draw, hosts, cables) if survives else []
    return hosts, ["--wiring", " ".join(f"{a}-{b}" for a, b in cables), *(["--survive"] if survives else []),
                   *(["--fault", "; ".join(faults)] if faults else [])]


def joined(draw, hosts):
    """(variables, options, cables, kinds of faults) of hosts that have an oshrun each."""
    cables, kinds = draw.choice(MEDIA)
    settings = draw.choice([s for s in SETTINGS if not any(word in s for word in EMULATED)])
    return settings, ["--oshrun", MACHINES, "--odd", str(draw.choice([0, 0, 1, 3, 10]))], [cables.replace("{}", str(hosts))], kinds


def drawn(seed, media):
    """(variables, options, program) of a seed, whose hosts have other media than NTBs with a probability. Only the fuzzer's
    verdict allows for faults."""
    draw = random.Random(seed)
    settings = draw.choice(SETTINGS)
    program, faults, kinds = [draw.choice(PROGRAMS)], [], FAULTS
    hosts, wiring, medium = draw.randint(2, 5), [], []
    if draw.random() < media:
        settings, medium, wiring, kinds = joined(draw, hosts)
        if kinds is FAULTS: # by Ethernet the others send more packets than there is time for
            program = ["tests/dst/brief"]
    elif not any(word in settings for word in RING_ONLY) and draw.random() < 0.5:
        hosts, wiring = wired(draw, "LCORES" not in settings and draw.random() < 0.5)
        kinds = OF_HOSTS
    if draw.random() < (0.9 if medium else 0.6):
        program = [CALLS, "-s", str(draw.randrange(1, 10 ** 6)), "-e", str(draw.randint(1, 2 if medium else 4)), "-a", "100"]
        if draw.random() < 0.7 and "--fault" not in wiring:
            faults = ["--faults", ",".join(draw.sample(kinds, draw.randint(1, 3)))]
    elif program[0].endswith("amo"): # its other cases take more than a run's steps on some wirings
        program += ["-c", draw.choice(["storm", "gathered", "leaving"])]
    elif program[0].endswith("wait") and wiring: # all but "set back", for the same reason
        program += ["-c", draw.choice(["woken by", "outside", "blocked", "fair", "limits"])]
    elif program[0].endswith("brief"):
        program += [str(draw.randint(1, 4)), str(draw.randint(3, 6 if medium else 60)), str(draw.randint(1, hosts))]
    more = draw.choice([0, 0, 1, hosts, 2 * hosts])
    if program[0].endswith(("thread", "brief")): # a PE has four: with more PEs they take more than a run's steps too
        more = 0
    if program[0].endswith(SILENT) and draw.random() < 0.1:
        settings += " SHMEM_CHECK=races"
    options = ["--hosts", str(hosts), "-n", str(hosts + more),
               "--policy", draw.choice(POLICIES), "--seed", str(seed), *faults, *medium]
    return settings.split(), options + (["--", *wiring] if wiring else []), program


def rows():
    with open(os.path.join(HERE, "seeds.tsv"), encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#"):
                variables, options, program, _ = line.rstrip("\n").split("\t")
                yield variables.split(), shlex.split(options), program.split()


def history(build, folder):
    """What ringbell-history finds wrong in what the job called; None: nothing."""
    done = subprocess.run([sys.executable, os.path.join(build, HISTORY), folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    found = re.search(r"^\w+ \(section .*\): \d+: (?!right)(?:.*\n)+|\A(?!atomics).*", done.stdout, re.M)
    return found and "history: " + found[0]


def run(build, what, seconds=None):
    """(verdict, steps, seconds of the job, seconds, command); None: not done in these seconds, which says nothing"""
    variables, options, program = what
    command = [os.path.join(build, DST), "--limit", "240", "--job-limit", "600", "--steps", "500000000",
               *(os.path.join(build, o) if o == MACHINES else o for o in options)]
    variables = ["SHMEM_SYMMETRIC_SIZE=48M", "RINGBELL_HELLO_TIMEOUT=5", *variables]
    with tempfile.TemporaryDirectory() as folder:
        recorded = "--faults" not in options and program[0].endswith(RECORDED) and os.path.exists(os.path.join(build, RECORDER))
        if recorded:
            variables.append(f"RINGBELL_HISTORY={folder}/run")
            command += [*([] if "--" in options else ["--"]), "-x", f"LD_PRELOAD={build}/lab/dst/libringbell-dst.so:{build}/{RECORDER}"]
        command += [os.path.join(build, program[0]), *program[1:]]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                  check=False, env={**os.environ, **dict(v.split("=", 1) for v in variables)}, timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        wrong = recorded and done.returncode == 0 and history(build, folder + "/run")
    verdicts = list(LINE.finditer(done.stdout))
    found = next((v for v in verdicts if v[2] != "right"), verdicts[-1] if verdicts else None)
    again = re.search(r"^  again: (.*)$", done.stdout, re.M)
    text = again[1] if again else shlex.join(variables + command)
    if not found:
        return "no verdict: " + done.stdout[-300:], 0, 0, 0, text
    return wrong or found[2], int(found[3]), float(found[4]), float(found[5]), text


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("--minutes", type=float, default=1)
    p.add_argument("--first", type=int, default=int(time.time()))
    p.add_argument("--workers", type=int, default=os.cpu_count())
    p.add_argument("--media", type=float, default=0.5, metavar="PART", help="of the new ones, with hosts that are an oshrun each")
    p.add_argument("--fresh", action="store_true", help="new ones alone")
    p.add_argument("build")
    opt = p.parse_args()
    ends, made, wrong, sums = [], 0, 0, [0, 0, 0]
    print(f"new seeds from {opt.first} on")

    def work(number):
        if number < len(old):
            return run(os.path.abspath(opt.build), old[number])
        now = time.monotonic()
        ends.append(now + 60 * opt.minutes)  # that of the first new one counts
        left = ends[0] - now
        return run(os.path.abspath(opt.build), drawn(opt.first + number - len(old), opt.media), left) if left > 0 else None

    old = [] if opt.fresh else list(rows())
    with concurrent.futures.ThreadPoolExecutor(opt.workers) as pool:
        for found in pool.map(work, range(len(old) + int(opt.minutes * 6000))):
            if found is None:
                continue
            made += 1
            sums = [a + b for a, b in zip(sums, found[1:4])]
            if found[0] != "right":
                wrong += 1
                print(f"WRONG: {found[0]}: {found[4]}", flush=True)
    print(f"{made} seeds, {wrong} wrong; {sums[0] / max(sums[2], 0.001):,.0f} steps a second, "
          f"{sums[1] / max(sums[2], 0.001):.2f} s of job time a second")
    idle = opt.minutes > 0 and made == len(old)
    if idle:
        print("no new seed came to an end")
    return wrong != 0 or idle


if __name__ == "__main__":
    sys.exit(main())
