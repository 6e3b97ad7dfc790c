#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The main job: OpenSHMEM programs on a ring of four emulated hosts, then what a put reaches.

Usage: tools/demo.py BUILD-FOLDER
"""
import os
import subprocess
import sys
import time

HOSTS = 4
LIMIT = 120  # seconds a program may take

PROGRAMS = [
    ("rotput", "rotate blocks round the ring by put"),
    ("rotget", "rotate blocks round the ring by get"),
    ("randput", "put blocks to PEs drawn by lot"),
    ("alltoall", "exchange blocks between all PEs by put"),
    ("dip", "130000 doubles by shmem_double_p"),
    ("swap", "swap blocks between odd and even neighbours"),
    ("matmul", "multiply matrices by column blocks"),
    ("heat", "heat in a plate: 2-D stencil with halos"),
]


def oshrun(build, hosts, program, **kwargs):
    command = [os.path.join(build, "apps", "oshrun"), "--hosts", str(hosts),
               "--timeout", str(LIMIT), os.path.join(build, "examples", program)]
    return subprocess.run(command, stdin=subprocess.DEVNULL, check=False, **kwargs)


def run_program(build, name, what):
    """One row of the table. Returns whether the program verified its result."""
    start = time.monotonic()
    result = oshrun(build, HOSTS, name, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - start
    good = result.returncode == 0 and "verified: yes" in result.stdout.splitlines()
    print(f"{name:9} {HOSTS:5} {HOSTS:4}  {'yes' if good else 'NO':8} {seconds:7.2f} s  {what}",
          flush=True)
    if not good:
        print(f"  exit status {result.returncode}")
        for line in (result.stdout + result.stderr).splitlines()[-10:]:
            print(f"  | {line}")
    return good


def main():
    build = sys.argv[1]
    print(f"\nA ring of {HOSTS} emulated hosts, each with two emulated PEX8749 NT ports, one PE "
          f"a host, on {os.cpu_count()} CPUs.\n")
    print("program   hosts  PEs  verified     time    what it does")
    good = [run_program(build, name, what) for name, what in PROGRAMS]
    print("\nPut bandwidth and latency over one and two hops:\n", flush=True)
    good.append(oshrun(build, HOSTS, "put_bw").returncode == 0)
    if not all(good):
        print("\ndemo: a program failed", file=sys.stderr)
    return 0 if all(good) else 1


sys.exit(main())
