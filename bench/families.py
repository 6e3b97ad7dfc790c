#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What a ring costs over one family of ports and over another: shmem-perf in turns, and ratios.

Usage: bench/families.py BUILD [--cables intel3 --against plx] [--turns 5] [BENCHMARK...]

Each ring has two hosts, whose machines tests/multi/intel_ring.py makes up; plx is a port of the PLX
model that is used as an adapter's, and intel3+plx is a ring of one cable of each. The order changes
from turn to turn, so that other work on the machine meets both. A row is the ratio of the medians of
the times, and that of the best ones.
"""
import argparse
import json
import os
import statistics
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "multi"))
import intel_ring  # noqa: E402

BENCHMARKS = ["put_lat", "get_lat", "put_bw", "get_bw", "pingpong", "fadd", "barrier"]
LIMIT = 120
BOUND = 1.05


def measure(build, cable, options, times):
    """Adds the microseconds of each row."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "rows.json")
        command = [os.path.join(build, "apps/perf/shmem-perf"), "--json", file, "--sizes", options.sizes,
                   "--samples", "3", "--time", "3", *(options.benchmarks or BENCHMARKS)]
        status, said = intel_ring.run(build, intel_ring.Job((cable.split("+") * 2)[:2]), command, LIMIT)
        if status != 0:
            sys.exit(f"{cable}: status {status}\n" + "\n".join(said))
        with open(file, encoding="utf-8") as f:
            rows = json.load(f)["rows"]
    for row in rows:
        # bandwidths as times of a byte: less is better everywhere
        value = row["value"] if row["unit"] == "us" else 1 / row["value"]
        times.setdefault((row["bench"], row["size"]), {}).setdefault(cable, []).append(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("benchmarks", metavar="BENCHMARK", nargs="*")
    parser.add_argument("--cables", default="intel3")
    parser.add_argument("--against", default="plx")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--sizes", default="8,4K,64K,1M")
    options = parser.parse_args()
    build, times = os.path.abspath(options.build), {}
    pair = [options.against, options.cables]
    for turn in range(options.turns):
        for cable in pair[::1 if turn % 2 else -1]:
            measure(build, cable, options, times)
    slow = 0
    for (bench, size), both in times.items():
        first, second = (both[cable] for cable in pair)
        ratio = statistics.median(second) / statistics.median(first)
        slow += ratio > BOUND
        print(f"{bench:10} {size:8}  {ratio:.3f}  best {min(second) / min(first):.3f}", flush=True)
    print(f"{options.cables} against {options.against}: {len(times)} rows, {slow} more than "
          f"{round(100 * BOUND - 100)} % slower")


if __name__ == "__main__":
    main()
