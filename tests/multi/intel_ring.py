#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Programs of layouts.tsv on rings whose hosts have NTBs of Intel's, driven by DPDK's own raw_ntb.

A machine for each host is made up by intel_shim.c. Cables are given round the ring: intel3, intel4, or
plx, which is a port of the model with bridge=1. A row of the table has as many as it has hosts, from
the first on again where there are fewer.

    intel_ring.py BUILD --cables intel3,intel3,plx --programs order,nbi,soak
    intel_ring.py BUILD --cables intel3,plx --row h2n4 --programs nbi

layouts.py --over CABLES runs rows.
"""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time

import layouts
import ports

HERE = os.path.dirname(os.path.abspath(__file__))
WINDOW = 256  # MiB
SKIPPED = 77
PASSED_ON = ("RINGBELL_EAL_LOG", "RINGBELL_NOTIFY", "RINGBELL_HELLO_TIMEOUT", "RINGBELL_BARRIER",
             "RINGBELL_SURVIVE")


class Job:
    """What runs on a ring: cables, how PEs are dealt out, variables."""

    def __init__(self, cables, npes=0, mapped="slot", env=()):
        self.cables, self.mapped = cables, mapped
        self.npes = npes or len(cables)
        self.env = {"SHMEM_SYMMETRIC_SIZE": "128M", **dict(word.split("=", 1) for word in env)}
        heaps = int(self.env["SHMEM_SYMMETRIC_SIZE"][:-1]) * self.most() * 5 // 4
        self.memory = heaps + 64  # MiB
        self.window = max(WINDOW, 1 << (self.memory - 1).bit_length())
        if "RINGBELL_BAR2" in self.env:
            self.window = int(self.env.pop("RINGBELL_BAR2")[:-1])

    def most(self):
        """PEs of the host that has most."""
        if "," in self.mapped:
            return max(int(n) for n in self.mapped.split(","))
        return -(-self.npes // len(self.cables))

    def lead(self, host):
        """The first PE of a host."""
        hosts = len(self.cables)
        if self.mapped == "host":
            return host
        if self.mapped == "slot":
            return host * (self.npes // hosts) + min(host, self.npes % hosts)
        return sum(int(n) for n in self.mapped.split(",")[:host])


def commands_of(build, table, seed):
    """More time than on a quiet machine: each access of a register is a signal."""
    options = ["-w", "3"] + ([] if seed is None else ["-s", str(seed)])
    return {name: [os.path.join(build, path), *args, *(options if harness else [])]
            for name, (path, args, harness) in table.programs.items()}


def job_of(row, cables):
    """The job of a row."""
    hosts, npes, mapped = ports.placement(row[1])
    return Job([cables[i % len(cables)] for i in range(hosts)], npes, mapped, row[2])


def devargs(env):
    """Those of a port of the model for what is taken from it, or added. Noise is alike at all."""
    words = {"RINGBELL_MASK": "mask=", "RINGBELL_NOISE": "noise="}
    return "".join("," + words[k] + v for k, v in env.items() if k in words)


def port(folder, side, number, end, kind, job):
    """EAL argument of a port, and what the machine has to have for it."""
    if kind == "plx":
        cable = os.path.join(folder, f"plx{number}")
        open(cable, "a", encoding="ascii").close()
        return (f"--vdev=raw_ntb_plx_emu{side},cable={cable},end={end},bar2={job.window}M,"
                f"bridge=1{devargs(job.env)}",
                None)
    bdf = f"0000:1{6 + side}:00.0"
    files = [os.path.join(folder, f"{what}{number}") for what in ("model", "memory")]
    return f"-a {bdf}", f"{bdf} {kind[-1]} {files[0]} {files[1]} {end} {job.window}"


def start_host(build, folder, host, job, command, env):
    cables, hosts = job.cables, len(job.cables)
    ends = [port(folder, 0, (host - 1) % hosts, 1, cables[host - 1], job),
            port(folder, 1, host, 0, cables[host], job)]
    eal = " ".join([arg for arg, _ in ends] +
                   ["--no-huge", "--no-shconf", "--no-telemetry", "--iova-mode=pa", "-m",
                    str(2 * job.memory + job.window), f"--file-prefix=intel{host}"])
    made = ";".join(made for _, made in ends if made)
    shim = os.path.join(build, "tests/multi/libintel_shim.so")
    preload = ["-x", f"LD_PRELOAD={shim}", "-x", f"INTEL_PORTS={made}", "-x",
               f"INTEL_LEAD={job.lead(host)}"] if made else []
    # hosts with ports of the PLX model alone take the whole ring's PEs to be on their machine
    cpus = len(os.sched_getaffinity(0))
    share = max(1, cpus // hosts) if made else cpus
    return subprocess.Popen([os.path.join(build, "apps/oshrun"), "--cpus", str(share), "--host-id",
                             str(host), "--hosts",
                             str(hosts), "-n", str(job.npes), "--map-by", job.mapped, *preload,
                             "--eal", eal, *command],
                            env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace")


def run(build, job, command, limit):
    """The worst status of all hosts, and what they said."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("RINGBELL_") or k in PASSED_ON}
    env.update(job.env)
    env["RINGBELL_WINDOWS"] = "bridge"  # also of a host between two cables of the model
    with tempfile.TemporaryDirectory() as folder:
        env["MULTI_RING"] = folder
        jobs = [start_host(build, folder, k, job, command, env) for k in range(len(job.cables))]
        end = time.monotonic() + limit
        said, statuses = [], []
        try:
            for host in jobs:
                try:
                    said.append(host.communicate(timeout=max(0.1, end - time.monotonic()))[0])
                except subprocess.TimeoutExpired:
                    for other in jobs:
                        other.terminate()
                    said.append(host.communicate()[0] + f"\nno end within {limit} s\n")
                statuses.append(host.returncode)
        finally:
            for host in jobs:  # nothing is left where somebody ends this program
                if host.poll() is None:
                    host.terminate()
                    host.wait()
    if all(s in (0, SKIPPED) for s in statuses):
        return max(statuses), said
    return next(s for s in statuses if s not in (0, SKIPPED)), said


class Count:
    def __init__(self, args, build):
        self.args, self.build = args, build
        self.passed = self.failed = self.skipped = 0

    def run(self, name, job, command):
        """Is it as it should be?"""
        status, said = run(self.build, job, command, self.args.limit)
        if self.args.expect:
            good = status not in (0, SKIPPED) and any(self.args.expect in text for text in said)
        else:
            good = status == 0
        self.passed += good
        self.skipped += not good and status == SKIPPED
        if not good and status != SKIPPED:
            self.failed += 1
            print(f"{name}: status {status}")
            for host, text in enumerate(said):
                print("".join(f"  host {host}: {line}\n" for line in text.splitlines()), end="")

    def line(self, what):
        print(f"{what}: {self.passed} passed, {self.failed} failed, {self.skipped} skipped", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("--cables", default="intel3,intel3")
    parser.add_argument("--programs", default="all", help="names or groups with commas (all)")
    parser.add_argument("--row", help="of layouts.tsv; else one PE a host")
    parser.add_argument("--seed", type=int, help="of the programs that draw lots (default: drawn)")
    parser.add_argument("--limit", type=float, default=120, help="seconds of a program")
    parser.add_argument("--expect", help="words of a job that fails")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    build = os.path.abspath(args.build)
    table = layouts.Table(os.path.join(HERE, "layouts.tsv"))
    commands = commands_of(build, table, args.seed)
    cables, count = args.cables.split(","), Count(args, build)
    job = Job(cables)
    if args.row:
        job = job_of(next(row for row in table.rows if row[0] == args.row), cables)
    for name in table.names(args.programs.replace(",", " ")):
        count.run(name, job, commands[name])
    count.line(args.cables)
    return 1 if count.failed else 0 if count.passed else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
