#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Time to start a job, and memory of its PEs: start.py BUILD [--layouts "-n 2" "--hosts 8" ...]

Start is from the call of oshrun until all PEs have left shmem_init(), the end until oshrun has returned. Memory is
Pss, in which what PEs share counts once for all of them, while no object is in the heap."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LAYOUTS = ["-n 2", "-n 16", "-n 64", "-n 256", "-n 1024 --hosts 4", "--hosts 2", "--hosts 16", "--hosts 64", "-n 64 --hosts 2"]
LIMIT = 600  # seconds of a job


def run_once(oshrun, program, layout):
    """@return seconds to start, seconds to end, KiB: all, anonymous, shared"""
    begin = time.monotonic()
    done = subprocess.run([oshrun, *layout.split(), program], text=True, stdin=subprocess.DEVNULL, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT)
    end = time.monotonic()
    if done.returncode != 0:
        raise RuntimeError(f"status {done.returncode}: {done.stderr.strip().splitlines()[:1]}")
    started, *kib = done.stdout.split()
    return (float(started) - begin, end - begin, *map(int, kib))


def pes_of(layout):
    words = layout.split()
    return int(words[words.index("-n") + 1] if "-n" in words else words[words.index("--hosts") + 1])


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("build")
    options.add_argument("--layouts", nargs="+", default=LAYOUTS)
    options.add_argument("--runs", type=int, default=5)
    args = options.parse_args()
    apps = os.path.join(os.path.abspath(args.build), "apps")
    print("| job | PEs | start, ms | whole, ms | MiB of a PE | of it private | shared |\n|---|---:|---:|---:|---:|---:|---:|")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "start")
        subprocess.run([os.path.join(apps, "oshcc"), "-O2", os.path.join(HERE, "start.c"), "-o", program], check=True)
        for layout in args.layouts:
            try:
                runs = [run_once(os.path.join(apps, "oshrun"), program, layout) for _ in range(args.runs)]
            except (RuntimeError, subprocess.TimeoutExpired) as e:
                print(f"| `{layout}` | {pes_of(layout)} | {e} |")
                failed = 1
                continue
            start, whole, *kib = (statistics.median(column) for column in zip(*runs))
            memory = " | ".join(f"{k / 1024 / pes_of(layout):.1f}" for k in kib)
            print(f"| `{layout}` | {pes_of(layout)} | {start * 1000:.0f} | {whole * 1000:.0f} | {memory} |", flush=True)
    return failed


sys.exit(main())
