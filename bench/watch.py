#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The cost of instrumentation: puts and gets with a trace and with telemetry against neither.

Usage: bench/watch.py BUILD-FOLDER [ROUNDS] [--sizes LIST] [--before FOLDER]

The kinds of run take turns within a round, and each cost is the median of the rounds' ratios, since
the machine's speed changes more between rounds than within one. With --before, the build of an
earlier state takes part, with neither: the cost where no trace and no telemetry is asked for.
Writes watch.md into the build folder.
"""
import argparse
import os
import statistics
import tempfile

import runs

HOW = ["--samples", "25", "--time", "2"]
BENCHES = ["put_lat", "put_bw", "get_lat", "get_bw"]
JOBS = {
    "one host": (["-n", "2"], []),
    "1 hop": (["--hosts", "2"], []),
    "2 hops": (["--hosts", "4"], ["--hops", "2"]),
}


def us(row):
    """Microseconds an operation takes in the best sample of a run: the least disturbed one."""
    return row["min"] if row["unit"] == "us" else row["size"] / row["max"]


def measure(ours, before, rounds, sizes):
    """Microseconds by place and row, then by kind of run, one for each round."""
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        kinds = {"off": (ours, []),
                 "trace": (ours, ["--trace", os.path.join(folder, "trace.json")]),
                 "telemetry": (ours, ["--telemetry"])}
        if before:
            kinds["before"] = (runs.Ours(before), [])
        for i in range(rounds):
            for place, (job, args) in JOBS.items():
                runs.say(f"{place}: round {i + 1} of {rounds}")
                for kind, (build, more) in kinds.items():
                    rows = build.run([*job, *more], [*HOW, *BENCHES, "--sizes", sizes, *args])
                    for row in rows:
                        where = times.setdefault((place, row["bench"], row["size"]), {})
                        where.setdefault(kind, []).append(us(row))
    runs.say("")
    return times, list(kinds)


def cost(taken, kind, base):
    ratio = statistics.median(a / b for a, b in zip(taken[kind], taken[base]))
    return f"{100 * (ratio - 1):+.1f} %"


def table(times, kinds):
    more = ["neither, against before"] if "before" in kinds else []
    yield "| " + " | ".join(["where", "benchmark", "bytes", "neither", "`--trace`",
                            "`--telemetry`", *more]) + " |"
    yield "|---|---|" + "---:|" * (4 + len(more))
    for (place, bench, size), taken in times.items():
        cells = [place, bench, runs.size_text(size),
                 f"{statistics.median(taken['off']) * 1000:.4g} ns",
                 cost(taken, "trace", "off"), cost(taken, "telemetry", "off")]
        if more:
            cells.append(cost(taken, "off", "before"))
        yield "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("rounds", nargs="?", type=int, default=9)
    parser.add_argument("--sizes", default="4K")
    parser.add_argument("--before", metavar="FOLDER")
    args = parser.parse_args()
    head = f"{runs.machine()}; medians of {args.rounds} rounds, the best sample of each.\n"
    times = measure(runs.Ours(args.build), args.before, args.rounds, args.sizes)
    text = "\n".join([head, *table(*times)]) + "\n"
    print(text)
    with open(os.path.join(args.build, "watch.md"), "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    try:
        main()
    except runs.Failed as e:
        raise SystemExit(f"watch: {e}") from e
