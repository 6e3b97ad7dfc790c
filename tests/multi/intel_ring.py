#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Programs of layouts.tsv on rings whose hosts have NTBs of Intel's, driven by DPDK's own raw_ntb.

A machine for each host is made up by intel_shim.c. Cables are given round the ring: intel3, intel4, or
plx, which is a port of the model with bridge=1. A row of the table has as many as it has hosts, from
the first on again where there are fewer.

    intel_ring.py BUILD --cables intel3,intel3,plx --programs order,nbi,soak
    intel_ring.py BUILD --cables intel3,plx --rows '*'
"""
import argparse
import fnmatch
import os
import subprocess
import sys
import tempfile
import time

import layouts

HERE = os.path.dirname(os.path.abspath(__file__))
WINDOW = 256  # MiB
SKIPPED = 77
# of groups: one wants blocks that are aligned to 4 MiB, and memory of the EAL is not; the other one a file
# that PEs name by their launcher, of which each host has its own
LEFT_OUT = {"heap", "posted_wait"}
# rows that say nothing here, by a variable or its value
NOT_HERE = (
    ("RINGBELL_NOTIFY=doorbell", "raw_ntb has no doorbells; that is refused in words"),
    ("RINGBELL_NOTIFY=scratchpad", "raw_ntb has no scratchpads; that is refused in words"),
    ("RINGBELL_BARRIER=token", "raw_ntb has no doorbells; that is refused in words"),
    ("RINGBELL_DMA=", "the engines are of emulated ports, or want addresses of the process"),
    ("RINGBELL_NOISE=", "noise is made by emulated ports"),
    ("RINGBELL_CHIPS=", "about emulated chips"),
    ("RINGBELL_MASK=", "raw_ntb lacks all that it takes away; rows without it have the same"),
)
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


def commands_of(build, table):
    """More time than on a quiet machine: each access of a register is a signal."""
    return {name: [os.path.join(build, path), *args, *(["-w", "3"] if harness else [])]
            for name, (path, args, harness) in table.programs.items()}


def job_of(row, cables):
    """The job of a row; or why it does not run here."""
    words, env = row[1], row[2]
    for start, why in NOT_HERE:
        if any(word.startswith(start) for word in env):
            return None, why
    given = dict(zip(words[::2], words[1::2]))
    mapped = given.get("--map-by", "slot")
    counts = mapped.split(",") if "," in mapped else []
    hosts = int(given.get("--hosts", len(counts) or 1))
    if hosts == 1:
        return None, "one host has no cables"
    npes = sum(int(n) for n in counts) or int(given.get("-n", hosts))
    return Job([cables[i % len(cables)] for i in range(hosts)], npes, mapped, env), None


def port(folder, side, number, end, kind, window):
    """EAL argument of a port, and what the machine has to have for it."""
    if kind == "plx":
        cable = os.path.join(folder, f"plx{number}")
        open(cable, "a", encoding="ascii").close()
        return (f"--vdev=raw_ntb_plx_emu{side},cable={cable},end={end},bar2={window}M,bridge=1",
                None)
    bdf = f"0000:1{6 + side}:00.0"
    files = [os.path.join(folder, f"{what}{number}") for what in ("model", "memory")]
    return f"-a {bdf}", f"{bdf} {kind[-1]} {files[0]} {files[1]} {end} {window}"


def start_host(build, folder, host, job, command, env):
    cables, hosts = job.cables, len(job.cables)
    ports = [port(folder, 0, (host - 1) % hosts, 1, cables[host - 1], job.window),
             port(folder, 1, host, 0, cables[host], job.window)]
    eal = " ".join([arg for arg, _ in ports] +
                   ["--no-huge", "--no-shconf", "--no-telemetry", "--iova-mode=pa", "-m",
                    str(2 * job.memory + job.window), f"--file-prefix=intel{host}"])
    made = ";".join(made for _, made in ports if made)
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
        jobs = [start_host(build, folder, k, job, command, env) for k in range(len(job.cables))]
        end = time.monotonic() + limit
        said, statuses = [], []
        for host in jobs:
            try:
                said.append(host.communicate(timeout=max(0.1, end - time.monotonic()))[0])
            except subprocess.TimeoutExpired:
                for other in jobs:
                    other.terminate()
                said.append(host.communicate()[0] + f"\nno end within {limit} s\n")
            statuses.append(host.returncode)
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


def run_rows(args, build, table, commands):
    """(the sum, how many rows) of the rows that are asked for."""
    whole = Count(args, build)
    for row in table.rows:
        if not any(fnmatch.fnmatchcase(row[0], p) for p in args.rows.split(",")):
            continue
        job, why = job_of(row, args.cables.split(","))
        if job is None:
            print(f"{row[0]}: left out: {why}", flush=True)
            continue
        count = Count(args, build)
        job.env = {k: v.replace("@DIR@", HERE) for k, v in job.env.items()}
        for name in row[3]:
            if name not in LEFT_OUT and (not args.programs or name in table.names(
                    args.programs.replace(",", " "))):
                count.run(f"{row[0]} {name}", job, commands[name])
        count.line(f"{args.cables} {row[0]}")
        whole.passed += count.passed
        whole.failed += count.failed
        whole.skipped += count.skipped
    return whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("--cables", default="intel3,intel3")
    parser.add_argument("--programs", default="", help="names or groups with commas (all)")
    parser.add_argument("--rows", help="of layouts.tsv, with commas and *; else one PE a host")
    parser.add_argument("--limit", type=float, default=120, help="seconds of a program")
    parser.add_argument("--expect", help="words of a job that fails")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    table = layouts.Table(os.path.join(HERE, "layouts.tsv"))
    commands = commands_of(build, table)
    if args.rows:
        count = run_rows(args, build, table, commands)
    else:
        count, words = Count(args, build), args.programs or "all"
        asked = words.split(",")
        for name in table.names(" ".join(asked)):
            if name in asked or name not in LEFT_OUT:
                count.run(name, Job(args.cables.split(",")), commands[name])
    count.line(args.cables)
    return 1 if count.failed else 0 if count.passed else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
