#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Graphs of hosts larger than this machine: figures of ringbell-sim, and its ratios.

Usage: bench/simulate.py BUILD-FOLDER

Writes sim.md and figures/sim_*.svg and .png into the build folder. Exit status 1 where a ratio that
has to hold does not.
"""
import json
import os
import subprocess
import sys

import plot
import runs

M = 1 << 20
NS = "600", "800", "1000"  # latency of a store, as others measured it
HOSTS = [4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 64]
WIRINGS = (("ring", "ring"), ("double", "two rings"), ("torus", "torus of rings"))
# a program that copies by CPU waits for one link at a time; copy engines keep all links busy
ENGINES = ["--copy", "60000", "--posted", "256K"]


def wirings_of(hosts):
    rows = max((r for r in range(2, hosts) if r * r <= hosts and hosts % r == 0), default=0)
    return ["ring", "double"] + ([f"torus={hosts // rows}x{rows}"] if rows else [])


class Sim:
    def __init__(self, build):
        self.program = os.path.join(build, "lab", "sim", "ringbell-sim")

    def run(self, *args):
        result = subprocess.run([self.program, *map(str, args), "--json", "-"], text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, check=False, timeout=runs.LIMIT)
        if result.returncode != 0:
            raise runs.Failed(f"ringbell-sim {args}: {result.stderr.strip()}")
        return json.loads(result.stdout)["rows"]

    def by_hosts(self, scene, what, hosts, *args):
        """{wiring: {hosts: figure}}, with fewer messages where there are many hosts."""
        found = {name: {} for name, _ in WIRINGS}
        for h in hosts:
            if sys.stderr.isatty():
                runs.say(f"simulating {scene}: {h} hosts")
            n = max(3, min(32, 1024 // h))
            words = [f"--wiring={w}" for w in wirings_of(h)]
            for row in self.run("-n", h, *words, "-m", n, *args, scene):
                found[row["wiring"].split("=")[0]][h] = row[what]
        runs.say("")
        return found


def one(rows, **wanted):
    for row in rows:
        if all(row[name] == value for name, value in wanted.items()):
            return row
    raise runs.Failed(f"no simulated row {wanted}")


def bars(sim):
    """What, worst case found, limit, is less better."""
    worst = {M: 9.0, 4 * M: 9.0, 16 * M: 9.0}
    barrier = 0.0
    for ns in NS:
        rows = sim.run("-n", 4, "-s", "1M,4M,16M", "-L", ns, "put")
        for size in worst:
            worst[size] = min(worst[size], one(rows, hops=2, size=size)["mbs"] /
                              one(rows, hops=1, size=size)["mbs"])
        for row in sim.run("-n", "2,3,4,5,8,16,33,64", "-L", ns, "-m", 10, "barrier"):
            hops = (row["hosts"] + 1) // 2
            barrier = max(barrier, row["us"] / (hops * int(ns) / 1000))
    for size, share in worst.items():
        yield f"one put of {runs.size_text(size)} over 2 hops against 1", share, 0.97, False
    yield "barrier of 2 to 64 hosts against half the ring's hops", barrier, 1.2, True


def pays(uniform, barrier):
    def most(figures):
        return {h: figures["torus"][h] / figures["ring"][h] for h in (16, 64)}

    lots, meetings = most(uniform), most(barrier)
    return [
        "A torus of rings against a ring of the same hosts, four ports a host against two:",
        "",
        f"- Puts to hosts drawn by lot: {lots[16]:.1f} times the bandwidth of a host at 16 hosts, {lots[64]:.1f} times "
        "at 64.",
        f"- A barrier takes {meetings[16]:.2f} of the ring's time at 16 hosts, {meetings[64]:.2f} at 64.",
        "",
    ]


def figures(sim):
    rows = sim.run("-n", 64, "-k", "1,2,4,8,16,32", "-s", "1K,4K,16K,64K,256K,1M,4M,16M", "put",
                   "get")
    for scene in ("put", "get"):
        columns = [(f"{k} hop{'s' * (k > 1)}",
                    {r["size"]: r["mbs"] for r in rows if (r["scene"], r["hops"]) == (scene, k)})
                   for k in (1, 2, 4, 8, 16, 32)]
        yield plot.Figure(f"sim_{scene}", f"Simulated: one {scene} over k hops of a ring", "bytes",
                          "MB/s", columns)
    lots = sim.by_hosts("uniform", "mbs", HOSTS, *ENGINES)
    core = sim.by_hosts("uniform", "mbs", HOSTS)["ring"]
    columns = [(title, lots[name]) for name, title in WIRINGS]
    yield plot.Figure("sim_uniform", "Simulated: puts of 64 KiB to hosts drawn by lot",
                      "many hosts", "MB/s per host",
                      [*columns, ("ring, copies by CPU", core)], "set logscale y")
    alltoall = sim.by_hosts("alltoall", "mbs", [h for h in HOSTS if h <= 128], *ENGINES,
                            "-s", "16K")
    yield plot.Figure("sim_alltoall", "Simulated: all-to-all of 16 KiB blocks", "many hosts",
                      "MB/s per host", [(title, alltoall[name]) for name, title in WIRINGS],
                      "set logscale y")
    barrier = sim.by_hosts("barrier", "us", [2, 3, *HOSTS])
    columns = [(title, barrier[name]) for name, title in WIRINGS if name != "double"]
    papers = {h: 2 * h * 0.8 for h in [2, 3, *HOSTS]}
    yield plot.Figure("sim_barrier", "Simulated: barrier", "many hosts", "microseconds",
                      [*columns, ("start and end rounds of 2H hops", papers)], "set logscale y")
    yield pays(lots, barrier)


def main():
    build = sys.argv[1]
    plot.need_gnuplot()
    sim = Sim(build)
    folder = os.path.join(build, "figures")
    os.makedirs(folder, exist_ok=True)
    text = ["| simulated, 600 to 1000 ns a hop | worst | bar | |", "|---|---:|---:|---|"]
    missed = 0
    for what, value, limit, less in bars(sim):
        good = value <= limit if less else value >= limit
        missed += not good
        text.append(f"| {what} | {value:.3f} | {'at most' if less else 'at least'} {limit:.2f} | "
                    f"{'' if good else 'missed'} |")
    text.append("")
    for figure in figures(sim):
        if isinstance(figure, plot.Figure):
            figure.write(folder)
            text.append(figure.markdown())
        else:
            text += ["### More cables", "", *figure]
    text = "\n".join(text)
    with open(os.path.join(build, "sim.md"), "w", encoding="utf-8") as f:
        f.write(text)
    print(text)
    return missed > 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except runs.Failed as e:
        sys.exit(f"simulate: {e}")
