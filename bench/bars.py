#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Bars of the library, each a ratio of two rows of one run.

Usage: bench/bars.py BUILD-FOLDER [ROUNDS]

Exit status 1 where a bar is missed. Writes bars.md into the build folder.
"""
import os
import statistics
import sys

import runs
import simulate

K, M = 1 << 10, 1 << 20
SIZES = ["--sizes", "8,64K,1M,4M"]
BOTH = ["--buffers", "heap,static"]
HOW = ["--samples", "5", "--time", "5"]
IDLE_SECONDS = 3
MEETING = ["broadcast", "reduce", "alltoall", "--sizes", "8"]

JOBS = {
    "one host": (["-n", "2"], ["store", "memcpy", "put_bw", "put_lat", "p_rate", "p_inline",
                              "barrier", *SIZES, *BOTH]),
    "4 PEs": (["-n", "4"], ["flags", "switch", "barrier", *MEETING]),
    "8 PEs": (["-n", "8"], ["flags", "switch", "barrier", *MEETING]),
    "2 hosts": (["--hosts", "2"],
                ["line", "copy", "put_bw", "pingpong", "p_rate", "barrier", *SIZES]),
    "5 hosts": (["--hosts", "5"], ["p_rate", "put_bw", "--hops", "1,2", *SIZES]),
    "2 PEs": (["-n", "2"], MEETING),
}

# Jobs beside two loops that compute, where fair turns take twice the time; many PEs on few CPUs.
BUSY = ["pingpong", "barrier", "reduce", "fadd", "--sizes", "8"]
BUSY_JOBS = {"2 PEs": ["-n", "2"], "2 hosts": ["--hosts", "2"]}
HOGS, FAIR, SLOWEST = 2, 3, 10
MANY = ["barrier", "reduce", "fadd_all"]
MANY_PES = 32
MANY_JOB = ["--hosts", "2", "-n", str(MANY_PES)]

# Kernels of applications, against Open MPI with as many PEs on one host. The random updates of two
# hosts are frames that the other host has to carry out, where Open MPI's are instructions of the CPU:
# their bar is below 1, and bounds what they may cost.
APP_JOBS = {
    "2 PEs on one host": (["-n", "2"], 2, 1),
    "4 PEs on one host": (["-n", "4"], 4, 1),
    "2 PEs on 2 hosts": (["--hosts", "2"], 2, 0.2),
    "4 PEs on 2 hosts": (["--hosts", "2", "-n", "4"], 4, 0.1),
}


class Rows:
    def __init__(self, rows):
        self.rows = rows

    def get(self, bench, size=0, buffer="heap", hops=None):
        """Speed: more is better, in any unit."""
        for row in self.rows.values():
            if (row["bench"], row["size"], row["buffer"]) == (bench, size, buffer) and \
                    hops in (None, row["hops"]):
                return 1e6 / row["value"] if row["unit"] == "us" else row["value"]
        raise runs.Failed(f"no row {bench} {size} {buffer}")


def bars(data):
    """What, measured, at least, unit."""
    one, two, five = data["one host"], data["2 hosts"], data["5 hosts"]
    yield ("one host: 8 B p compiled in (SHMEMX_INLINE) against a plain store loop",
           one.get("p_inline") / one.get("store"), 1 / 3, "of it")
    yield ("one host: 8 B p of static data against heap",
           one.get("p_rate", 0, "static") / one.get("p_rate"), 0.9, "of it")
    for size in (64 * K, M, 4 * M):
        yield (f"one host: put {runs.size_text(size)} against memcpy",
               one.get("put_bw", size) / one.get("memcpy", size), 0.95, "of it")
    for size in (8, 64 * K, M, 4 * M):
        yield (f"one host: put {runs.size_text(size)} of static data against heap",
               one.get("put_bw", size, "static") / one.get("put_bw", size), 0.9, "of it")
    for pes in ("4 PEs", "8 PEs"):
        crowd = data[pes]
        yield (f"{pes} on 2 CPUs: barrier against bare flags and sched_yield",
               crowd.get("barrier") / crowd.get("flags"), 0.8, "of its speed")
        switches = int(pes.split()[0]) // 2 - 1
        yield (f"{pes} on 2 CPUs: barrier against the {switches} context switches of each CPU",
               switches * crowd.get("barrier") / crowd.get("switch"), 0.5, "of their speed")
        yield (f"{pes} on 2 CPUs: barrier against that of 2 PEs",
               crowd.get("barrier") / one.get("barrier"), 1 / 20, "of its speed")
    for size in (64 * K, M, 4 * M):
        yield (f"2 hosts: put {runs.size_text(size)} against a bare copy through the window",
               two.get("put_bw", size) / two.get("copy", size), 0.95, "of it")
    yield ("2 hosts: ping-pong of 8 B puts and wait_until against that of a bare cache line",
           two.get("pingpong") / two.get("line"), 1 / 1.5, "of its speed")
    yield ("2 hosts: barrier against a cache line's round trip",
           2 * two.get("barrier") / two.get("line"), 1 / 2, "of its speed")
    yield "2 hosts: 8 B puts to a neighbour", two.get("p_rate") / 1e6, 30, "million/s"
    yield "5 hosts: 8 B puts over two hops", five.get("p_rate", hops=2) / 1e6, 2, "million/s"
    for size in (M, 4 * M):
        yield (f"5 hosts: put {runs.size_text(size)} over two hops against one",
               five.get("put_bw", size, hops=2) / five.get("put_bw", size, hops=1), 0.45, "of it")
    yield ("5 hosts: put 1M over two hops against two bare lcores, one of which relays",
           five.get("put_bw", M, hops=2) / data["bare relay"].get("hop2", M, ""), 0.8, "of it")


def crowded_bars(data):
    """More PEs than CPUs, against a CPU for each."""
    for pes in ("4 PEs", "8 PEs"):
        for what in MEETING[:3]:
            yield (f"{pes} on 2 CPUs: {what} of 8 B against that of 2 PEs",
                   data[pes].get(what, 8) / data["2 PEs"].get(what, 8), 1 / 20, "of its speed")


def rows_of(data):
    return [(row["bench"], row) for row in data.rows.values()]


def busy_bars(alone, busy):
    """Where other programs use the CPUs too: within three times of fair turns, and evenly."""
    for name, data in busy.items():
        quiet = dict(rows_of(alone[name]))
        for bench, row in rows_of(data):
            yield (f"{name} beside {HOGS} loops: {bench} against alone",
                   row["value"] / quiet[bench]["value"], 2 * FAIR, "times at most")
            yield (f"{name} beside {HOGS} loops: {bench}, slowest sample against median",
                   row["max"] / row["value"], SLOWEST, "times at most")


def many_bars(data, few, cpus, peer):
    """Against fair turns, and against Open MPI with the same PEs on one host.

    A collective ends only when each PE has had a CPU once: MANY_PES / cpus turns, one after the
    other. A turn is a bare switch between PEs that do nothing (row switch of 4 PEs of one host, in
    the same round). 32 PEs on 2 CPUs need at least 16, one for each PE of a CPU. PEs that poll
    flags without any library (row flags of 32 PEs on one host) need twice as long, because each
    finds its caches cold. In fadd_all the PEs of the other host request a value from PE 0's host
    again and again: each needs a turn to take one and request the next. Those of PE 0's own host
    need none; but the row waits for all PEs, so the count is the same."""
    rows = dict(rows_of(data))
    turn = MANY_PES / cpus * 1e6 / few.get("switch")
    for bench in MANY:
        yield (f"{MANY_PES} PEs on 2 hosts: {bench} against a turn of each PE",
               rows[bench]["value"] / turn, FAIR, "times at most")
        yield (f"{MANY_PES} PEs on 2 hosts: {bench}, slowest sample against median",
               rows[bench]["max"] / rows[bench]["value"], SLOWEST, "times at most")
    for bench, row in rows_of(peer) if peer else ():
        yield (f"{MANY_PES} PEs on 2 hosts: {bench} against Open MPI's on one host",
               row["value"] / rows[bench]["value"], 1, "times its speed")


def app_bars(ours, peer):
    for name, (job, pes, least) in APP_JOBS.items():
        runs.say(f"applications: {name}")
        how = [*HOW, "app_*"]
        mine = dict(rows_of(Rows(runs.merge([ours.run(job, how)]))))
        theirs = dict(rows_of(Rows(runs.merge([peer.run(pes, how)]))))
        for bench, row in mine.items():
            yield (f"{name}: {bench} against Open MPI's on one host",
                   theirs[bench]["value"] / row["value"], least if bench == "app_updates" else 1,
                   "times its speed")


def simulated_bars(build):
    """Rings with a core for each host, 600 to 1000 ns a hop: the worst case."""
    for what, value, limit, less in simulate.bars(simulate.Sim(build)):
        yield f"simulated: {what}", value, limit, "times at most" if less else "of it"


def idle_bars(idle):
    """A job that has nothing to do, with sleeping pollers."""
    for what, name in (("outside of the library", "asleep"), ("in wait_until", "blocked")):
        yield f"4 idle hosts, {what}: CPU time", idle[name], 10, "% of a CPU at most"


def open_mpi(build):
    """None where it is not installed: its rows are left out."""
    try:
        return runs.Peer(build)
    except runs.Failed as e:
        runs.say(f"no rows against Open MPI: {e}")
        return None


def crowd(ours, peer):
    """Many PEs on few CPUs: ours on two hosts, the peer's on one."""
    how = [*HOW, *MANY, "--sizes", "8"]
    many = Rows(runs.merge([ours.run(MANY_JOB, how, {"SHMEM_SYMMETRIC_SIZE": "20M"})]))
    return many, peer and Rows(runs.merge([peer.run(MANY_PES, how)]))


def measure(ours, peer, build, rounds):
    """The bars of each round, whose jobs ran within seconds of each other. Rounds are repeated and
    not jobs, because the distance of a virtual machine's CPUs changes, for a second or a minute, and
    each job has to meet all distances."""
    found = []
    for i in range(rounds):
        data = {}
        for name, (job, args) in JOBS.items():
            runs.say(f"round {i + 1} of {rounds}: {name}")
            data[name] = Rows(runs.merge([ours.run(job, [*HOW, *args])]))
        runs.say(f"round {i + 1} of {rounds}: busy and crowded machine")
        alone, busy = {}, {}
        for name, job in BUSY_JOBS.items():
            alone[name] = Rows(runs.merge([ours.run(job, [*HOW, *BUSY])]))
            busy[name] = Rows(runs.merge([ours.run_beside(HOGS, job, [*HOW, *BUSY])]))
        many, theirs = crowd(ours, peer)
        runs.say(f"round {i + 1} of {rounds}: bare relay, idle, simulator")
        relay = ours.run_driver([*HOW, "--sizes", "1M", "hop2"])
        data["bare relay"] = Rows(runs.merge([relay]))
        idle = ours.run_idle(["--hosts", "4"], IDLE_SECONDS, {"RINGBELL_WAIT": "sleep"})
        found.append([*bars(data), *crowded_bars(data), *idle_bars(idle), *busy_bars(alone, busy),
                      *many_bars(many, data["4 PEs"], os.cpu_count(), theirs),
                      *(app_bars(ours, peer) if peer else ()), *simulated_bars(build)])
    runs.say("")
    return found


def main():
    build = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    text = [f"{runs.machine()}; medians of {rounds} rounds, and their range.\n",
            "| what | measured | from | to | bar | unit | |", "|---|---:|---:|---:|---:|---|---|"]
    missed = 0
    for same in zip(*measure(runs.Ours(build), open_mpi(build), build, rounds)):
        what, _, least, unit = same[0]
        values = [bar[1] for bar in same]
        value = statistics.median(values)
        good = value <= least if unit.endswith("most") else value >= least
        missed += not good
        text.append(f"| {what} | {value:.2f} | {min(values):.2f} | {max(values):.2f} | {least:.2f} | "
                    f"{unit} | {'met' if good else 'missed'} |")
    text = "\n".join(text) + "\n"
    print(text)
    with open(os.path.join(build, "bars.md"), "w", encoding="utf-8") as f:
        f.write(text)
    return missed > 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except runs.Failed as e:
        sys.exit(f"bars: {e}")
