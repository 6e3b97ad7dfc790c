#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A program on a ring whose hosts have NTBs of Intel's, driven by DPDK's own raw_ntb, memory in common, or
Ethernet.

A machine for each host is made up by intel_shim.c. Cables are given round the ring: intel3, intel4, or
plx, which is a port of the model with bridge=1. Where they are `shared`, all hosts have one file (raw_ntb_shared), and
where they are `ether`, a network namespace each (raw_ntb_ether), joined in a ring, or with `switch` by one, or with `tap`
by one of DPDK's net_tap in each. A job has as many as it has hosts, from the first on again where there are fewer.
Variables are those of the environment.

    intel_ring.py --cables intel3,intel3,plx BUILD build/tests/multi/multi-order
    intel_ring.py --cables intel3,plx --job "--hosts 2 -n 4" BUILD build/tests/multi/multi-nbi

layouts.py --over CABLES runs rows.
"""
import argparse
import contextlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import namespaces  # noqa: E402

WINDOW = 256  # MiB
SKIPPED = 77
# A bridge takes packets to the address of an interface for its own, and that of a tap is its driver's. rte_eth_dev_start()
# gives it that once more after it has brought it up: so another one is set as long as oshrun, which is $$, runs.
PART_TAP = ("(while kill -0 $$; do ip link show up dev tap | grep tap && ip link set dev tap address $0; sleep 0.1; done "
            '>/dev/null 2>&1 &); exec "$@"')
PASSED_ON = ("RINGBELL_EAL_LOG", "RINGBELL_HELLO_TIMEOUT")


class Job:
    """What runs on a ring: cables, how PEs are dealt out, variables."""

    def __init__(self, cables, npes=0, mapped="slot", env=()):
        self.cables, self.mapped = cables, mapped
        self.npes = npes or len(cables)
        self.env = {"SHMEM_SYMMETRIC_SIZE": "128M", **dict(word.split("=", 1) for word in env)}
        heaps = int(self.env["SHMEM_SYMMETRIC_SIZE"][:-1]) * self.most() * 5 // 4
        self.memory = heaps + 64  # MiB
        self.window = max(WINDOW, 1 << (self.memory - 1).bit_length())
        # what ports of the model are given beside what all of a ring have
        self.emulation = {word.split("=")[0]: word
                          for word in self.env.pop("RINGBELL_EMU", "").split(",") if word}
        self.emulation.pop("bridge", None)
        if "bar2" in self.emulation:
            self.window = int(self.emulation.pop("bar2").split("=")[1][:-1])

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


def job_of(args, cables):
    """The job of these options of oshrun, with variables of the environment."""
    p = argparse.ArgumentParser()
    p.add_argument("--hosts", type=int, default=0)
    p.add_argument("-n", type=int, default=0)
    p.add_argument("--map-by", default="slot")
    given = p.parse_args(args)
    counts = [int(n) for n in given.map_by.split(",")] if "," in given.map_by else []
    hosts = given.hosts or len(counts or cables)
    env = [f"{k}={v}" for k, v in os.environ.items() if k.startswith(("RINGBELL_", "SHMEM_"))]
    return Job([cables[i % len(cables)] for i in range(hosts)], sum(counts) or given.n or hosts,
               given.map_by, env)


def port(folder, side, number, end, kind, job):
    """EAL argument of a port, and what the machine has to have for it."""
    if kind == "plx":
        cable = os.path.join(folder, f"plx{number}")
        open(cable, "a", encoding="ascii").close()
        return (f"--vdev=raw_ntb_plx_emu{side},cable={cable},end={end},bar2={job.window}M,"
                + ",".join(["bridge", *job.emulation.values()]), None)
    bdf = f"0000:1{6 + side}:00.0"
    files = [os.path.join(folder, f"{what}{number}") for what in ("model", "memory")]
    return f"-a {bdf}", f"{bdf} {kind[-1]} {files[0]} {files[1]} {end} {job.window}"


def start_host(build, folder, host, job, command, env):
    cables, hosts = job.cables, len(job.cables)
    share = 1 + len(os.sched_getaffinity(0)) // hosts
    if cables[0] == "shared":
        return start_oshrun(build, host, job, command, env, [], share,
                            f"--vdev=raw_ntb_shared,path={folder}/shared,host={host},hosts={hosts}")
    if cables[0] in WIRES:
        ends = ["left", "right"] if hosts > 2 else [("right", "left")[host]]
        if cables[0] == "tap":
            return start_oshrun(build, host, job, command, env, ["--cable", "net_tap0,iface=tap"], share, "",
                                Wires().inside(host, "sh", "-c", PART_TAP, f"02:00:00:00:00:{host:02x}"))
        if cables[0] == "switch":
            ends = [f"port,host={host},hosts={hosts}"]
        return start_oshrun(build, host, job, command, env, [], share,
                            " ".join(f"--vdev=raw_ntb_ether{i},iface={end}" for i, end in enumerate(ends)),
                            Wires().inside(host))
    ends = [port(folder, 0, (host - 1) % hosts, 1, cables[host - 1], job),
            port(folder, 1, host, 0, cables[host], job)]
    eal = " ".join([arg for arg, _ in ends] +
                   ["--no-huge", "--no-shconf", "--no-telemetry", "--iova-mode=pa", "-m",
                    str(2 * job.memory + job.window), "--file-prefix=."])  # no folder, which would stay
    made = ";".join(made for _, made in ends if made)
    shim = os.path.join(build, "tests/multi/libintel_shim.so")
    preload = ["-x", f"LD_PRELOAD={shim}", "-x", f"INTEL_PORTS={made}", "-x",
               f"INTEL_LEAD={job.lead(host)}"] if made else []
    # hosts with ports of the PLX model alone take the whole ring's PEs to be on their machine
    cpus = len(os.sched_getaffinity(0))
    share = max(1, cpus // hosts) if made else cpus
    return start_oshrun(build, host, job, command, env, preload, share, eal)


class Wires(namespaces.Namespaces, contextlib.ExitStack):
    """The hosts' namespaces, until a job has ended."""
    addCleanup = contextlib.ExitStack.callback


def ring_of(wires, hosts):
    """A cable from each host to the next one."""
    for k in range(hosts if hosts > 2 else 1):
        wires.join(("right", k), ("left", (k + 1) % hosts))


def switch_of(wires, hosts):
    """A cable from each host to a switch, in the namespace behind all others."""
    for k in range(hosts):
        wires.join(("port", k), (f"port{k}", hosts))
    wires.bridge(hosts, *(f"port{k}" for k in range(hosts)))


def taps_of(wires, hosts):
    """The same, by an interface of DPDK's in each host's namespace, and a switch there."""
    switch_of(wires, hosts)
    for k in range(hosts):
        namespaces.ip("-n", wires.name(k), "tuntap", "add", "dev", "tap", "mode", "tap", "multi_queue")
        wires.bridge(k, "port", "tap")


WIRES = {"ether": ring_of, "switch": switch_of, "tap": taps_of}


def start_oshrun(build, host, job, command, env, preload, share, eal, within=()):
    return subprocess.Popen([*within, os.path.join(build, "apps/oshrun"), "--cpus", str(share), "--host-id",
                             str(host), "--hosts",
                             str(len(job.cables)), "-n", str(job.npes), "--map-by", job.mapped, *preload,
                             *(["--eal", eal] if eal else []), *command],
                            env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace")


def run(build, job, command, limit):
    """The worst status of all hosts, and what they said."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("RINGBELL_") or k in PASSED_ON}
    env.update(job.env)
    env["RINGBELL_EMU"] = "bridge"  # also of a host between two cables of the model
    shared = "/dev/shm" if job.cables[0] == "shared" else None
    with tempfile.TemporaryDirectory(dir=shared) as folder, Wires() as wires:
        env["MULTI_RING"] = folder
        if shared:
            with open(os.path.join(folder, "shared"), "wb") as f:
                f.truncate((2 + len(job.cables) * job.window) << 20)
        wire = WIRES.get(job.cables[0])
        if wire and not namespaces.are_allowed():
            return SKIPPED, [namespaces.REFUSED]
        if wire:
            wires.add(*range(len(job.cables) + 1))
            wire(wires, len(job.cables))
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("--cables", default="intel3,intel3")
    parser.add_argument("--job", default="", help="options of oshrun; else one PE a host")
    parser.add_argument("--limit", type=float, default=120, help="seconds of the program")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="program and its arguments")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    job = job_of(shlex.split(args.job), args.cables.split(","))
    status, said = run(os.path.abspath(args.build), job, args.command, args.limit)
    for host, text in enumerate(said):
        print("".join(f"  host {host}: {line}\n" for line in text.splitlines()), end="")
    return status


if __name__ == "__main__":
    sys.exit(main())
