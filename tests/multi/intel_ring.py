#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Programs of layouts.tsv on rings whose hosts have NTBs of Intel's, driven by DPDK's own raw_ntb.

A machine for each host is made up by intel_shim.c. Cables are given one by one round the ring:
intel3, intel4, or plx, which is a port of the model with bridge=1.

    intel_ring.py BUILD --cables intel3,intel3,plx --programs order,nbi,soak
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
WINDOW = 256  # MiB
SKIPPED = 77
# of groups: it wants blocks that are aligned to 4 MiB, and memory of the EAL is not
LEFT_OUT = {"heap"}


def programs_of(build, words):
    """(name, command) of each program or group of layouts.tsv."""
    commands, groups = {}, {}
    with open(os.path.join(HERE, "layouts.tsv"), encoding="utf-8") as table:
        for line in table:
            field = line.rstrip("\n").split("\t")
            if field[0] == "program":
                args = [] if field[3] == "-" else field[3].split()
                commands[field[1]] = [os.path.join(build, field[2]), *args]
                groups[field[1]] = [field[1]]
            elif field[0] == "group":
                groups[field[1]] = [name for word in field[2].split() for name in groups[word]]
    return [(name, commands[name]) for word in words.split(",") for name in groups[word]
            if name == word or name not in LEFT_OUT]


def port(folder, side, number, end, kind):
    """EAL argument of a port, and what the machine has to have for it."""
    if kind == "plx":
        cable = os.path.join(folder, f"plx{number}")
        open(cable, "a", encoding="ascii").close()
        return (f"--vdev=raw_ntb_plx_emu{side},cable={cable},end={end},bar2={WINDOW}M,bridge=1",
                None)
    bdf = f"0000:1{6 + side}:00.0"
    files = [os.path.join(folder, f"{what}{number}") for what in ("model", "memory")]
    return f"-a {bdf}", f"{bdf} {kind[-1]} {files[0]} {files[1]} {end} {WINDOW}"


def start_host(build, folder, host, cables, command, env):
    hosts = len(cables)
    ports = [port(folder, 0, (host - 1) % hosts, 1, cables[host - 1]),
             port(folder, 1, host, 0, cables[host])]
    eal = " ".join([arg for arg, _ in ports] +
                   ["--no-huge", "--no-shconf", "--no-telemetry", "--iova-mode=pa", "-m", "768",
                    f"--file-prefix=intel{host}"])
    made = ";".join(made for _, made in ports if made)
    shim = os.path.join(build, "tests/multi/libintel_shim.so")
    preload = ["-x", f"LD_PRELOAD={shim}", "-x", f"INTEL_PORTS={made}"] if made else []
    return subprocess.Popen([os.path.join(build, "apps/oshrun"), "--host-id", str(host), "--hosts",
                             str(hosts), *preload, "--eal", eal, *command],
                            env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace")


def run(build, cables, command, limit):
    """The worst status of all hosts, and what they said."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("RINGBELL_") or k in (
        "RINGBELL_EAL_LOG", "RINGBELL_NOTIFY", "RINGBELL_HELLO_TIMEOUT", "RINGBELL_BARRIER", "RINGBELL_SURVIVE")}
    env.setdefault("SHMEM_SYMMETRIC_SIZE", "128M")
    env["RINGBELL_WINDOWS"] = "bridge"  # also of a host between two cables of the model
    with tempfile.TemporaryDirectory() as folder:
        jobs = [start_host(build, folder, k, cables, command, env) for k in range(len(cables))]
        end = time.monotonic() + limit
        said, statuses = [], []
        for job in jobs:
            try:
                said.append(job.communicate(timeout=max(0.1, end - time.monotonic()))[0])
            except subprocess.TimeoutExpired:
                for other in jobs:
                    other.terminate()
                said.append(job.communicate()[0] + f"\nno end within {limit} s\n")
            statuses.append(job.returncode)
    if all(s in (0, SKIPPED) for s in statuses):
        return max(statuses), said
    return next(s for s in statuses if s not in (0, SKIPPED)), said


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("--cables", default="intel3,intel3")
    parser.add_argument("--programs", default="all")
    parser.add_argument("--limit", type=float, default=120, help="seconds of a program")
    parser.add_argument("--expect", help="words of a job that fails")
    args = parser.parse_args()
    cables = args.cables.split(",")
    failed = skipped = passed = 0
    for name, command in programs_of(os.path.abspath(args.build), args.programs):
        status, said = run(os.path.abspath(args.build), cables, command, args.limit)
        if args.expect:
            good = status not in (0, SKIPPED) and any(args.expect in text for text in said)
        else:
            good = status == 0
        passed += good
        skipped += not good and status == SKIPPED
        if not good and status != SKIPPED:
            failed += 1
            print(f"{name}: status {status}")
            for host, text in enumerate(said):
                print("".join(f"  host {host}: {line}\n" for line in text.splitlines()), end="")
    print(f"{args.cables}: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0 if passed else SKIPPED


sys.exit(main())
