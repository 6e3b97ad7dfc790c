#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Two hosts on an Ethernet: shmem-perf against the bare driver, and against Open MPI over TCP, in turns.

Usage: bench/ether.py BUILD [--turns 5] [--mtu 1500]

The hosts are network namespaces that a veth pair joins, each with a CPU of its own. The bare driver is DPDK's
net_af_packet (ether.c). Open MPI's daemon is started in the other namespace by an agent in the place of ssh, and its
transport is UCX over TCP. Needs the rights to make namespaces. Exit status 1 where a bar is missed.
"""
import argparse
import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile

import runs

sys.path.insert(0, os.path.join(runs.TOP, "tests"))
import namespaces  # noqa: E402

BENCHMARKS = ["put_lat", "put_bw", "get_lat", "get_bw", "fadd", "add", "cswap", "barrier", "reduce"]
HOW = ["--samples", "5", "--time", "10", "--sizes", "8,64,512,4K,32K,256K,1M"]
CPUS = (0, 1)  # of the hosts
NETWORK, FACE = "10.77.0.", "eth0"
BARE_SECONDS = "0.5"
LIMIT = 120
M = 1 << 20
PINGS, SHARE = 2, 0.8  # bars: bare round trips of a put and quiet; of the bare stream


class Hosts(namespaces.Namespaces):
    """Two namespaces and the cable between them, until @p stack ends."""

    def __init__(self, stack, build, mtu):
        self.mtu, self.build, self.addCleanup = mtu, build, stack.callback
        self.add(0, 1)
        self.join((FACE, 0), (FACE, 1))
        for k in range(2):
            self.set(k, FACE, "mtu", str(mtu))
            self.set(k, "lo", "up")
            namespaces.ip("-n", self.name(k), "addr", "add", f"{NETWORK}{k + 1}/24", "dev", FACE)
        self.peer = runs.Peer(build)
        self.bare = os.path.join(build, "bare-ether")
        flags = subprocess.run(["pkg-config", "--cflags", "libdpdk"], check=True, capture_output=True, text=True).stdout
        subprocess.run(["cc", "-O2", *flags.split(), os.path.join(runs.TOP, "bench", "ether.c"), "-o", self.bare,
                        *(f"-lrte_{name}" for name in ("eal", "ethdev", "mbuf", "mempool", "ring"))], check=True)

    def at(self, k, *command):
        return self.inside(k, "taskset", "-c", str(CPUS[k]), *command)

    def run_bare(self, what):
        """Microseconds of a round trip, or MB/s of a stream."""
        frames = ",blocksz=40960,framesz=10240,framecnt=128" if self.mtu > 1900 else ""  # as ours
        line = (f"net_af_packet0,iface={FACE}{frames}", str(self.mtu))
        with subprocess.Popen(self.at(1, self.bare, str(CPUS[1]), *line, "answer")) as far:
            try:
                return float(subprocess.run(self.at(0, self.bare, str(CPUS[0]), *line, what, BARE_SECONDS), check=True,
                                            stdout=subprocess.PIPE, timeout=LIMIT).stdout)
            finally:
                far.terminate()

    def run_ours(self):
        ours = runs.Ours(self.build)
        line = [ours.oshrun, "--hosts", "2", "--cpus", "1", "--cable", f"net_af_packet,iface={FACE}", "--host-id"]
        with subprocess.Popen(self.at(1, *line, "1", ours.program, *BENCHMARKS, *HOW), stdout=subprocess.DEVNULL) as far:
            try:
                return runs.run_json(self.at(0, *line, "0"), ours.program, [*BENCHMARKS, *HOW])
            finally:
                far.send_signal(signal.SIGTERM)

    def run_peer(self, folder):
        """Names of hosts tell Open MPI where PEs are, so each namespace has one of its own."""
        agent = os.path.join(folder, "agent")
        with open(agent, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\nshift\nexec {" ".join(self.at(1, "unshare", "-u"))} sh -c "hostname far; $*"\n')
        os.chmod(agent, 0o755)
        hosts = ",".join(f"{NETWORK}{k}:1" for k in (1, 2))
        mca = {"memory": "^patcher", "plm": "rsh", "plm_rsh_agent": agent, "oob_tcp_if_include": FACE, "btl": "tcp,self",
               "btl_tcp_if_include": FACE}
        return runs.run_json(self.at(0, "unshare", "-u", "sh", "-c", 'hostname near; exec "$@"', "sh", self.peer.oshrun,
                                     *(word for name, value in mca.items() for word in ("--mca", name, value)),
                                     "--allow-run-as-root", "--bind-to", "none", "--host", hosts, "-n", "2",
                                     "-x", "UCX_TLS=tcp,self", "-x", f"UCX_NET_DEVICES={FACE}"),
                             self.peer.program, [*BENCHMARKS, *HOW])


def measure(hosts, turns, folder):
    """Rows of each side, whose order changes from turn to turn, so that other work on the machine meets all."""
    sides = {"ping": lambda: hosts.run_bare("ping"), "stream": lambda: hosts.run_bare("stream"),
             "ours": hosts.run_ours, "peer": lambda: hosts.run_peer(folder)}
    found = {name: [] for name in sides}
    for turn in range(turns):
        for name in list(sides)[::1 if turn % 2 else -1]:
            runs.say(f"turn {turn + 1} of {turns}: {name}")
            found[name].append(sides[name]())
    runs.say("")
    return (statistics.median(found["ping"]), statistics.median(found["stream"]), runs.merge(found["ours"]),
            runs.merge(found["peer"]))


def bars(ping, stream, ours, peer):
    """What, ours, theirs, ratio, bar, whether it is met."""
    rows = {(row["bench"], row["size"]): row["value"] for row in ours.values()}
    put, block = rows["put_lat", 8], M / rows["put_lat", M]
    yield "put and quiet of 8 B against a bare ping-pong, us", put, ping, put / ping, f"<= {PINGS}", put / ping <= PINGS
    for what, value in ("put and quiet of 1M", block), ("puts of 1M, a quiet after 64", rows["put_bw", M]):
        yield f"{what} against a bare stream, MB/s", value, stream, value / stream, f">= {SHARE}", value / stream >= SHARE
    for key, row in ours.items():
        if key in peer:
            faster = runs.speedup(row, peer[key])
            what = f"{row['bench']} {runs.size_text(row['size'])} against Open MPI over TCP, {row['unit']}"
            yield what, row["value"], peer[key]["value"], faster, "> 1", faster > 1


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("build")
    options.add_argument("--turns", type=int, default=5)
    options.add_argument("--mtu", type=int, default=1500)
    args = options.parse_args()
    if not namespaces.are_allowed():
        raise runs.Failed(namespaces.REFUSED)
    missed = 0
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        found = measure(Hosts(stack, os.path.abspath(args.build), args.mtu), args.turns, folder)
    print(f"{runs.machine()}; MTU {args.mtu}, medians of {args.turns} turns\n\n"
          "| what | Ringbell | other | ratio | bar | |\n|---|---:|---:|---:|---:|---|")
    for what, mine, other, ratio, bar, met in bars(*found):
        missed += not met
        print(f"| {what} | {mine:.1f} | {other:.1f} | {ratio:.2f} | {bar} | {'met' if met else 'missed'} |")
    return missed > 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except runs.Failed as e:
        sys.exit(f"ether: {e}")
