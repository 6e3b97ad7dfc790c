#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""shmem-perf under Ringbell and under Debian's Open MPI, side by side, every row.

Usage: bench/peers.py BUILD-FOLDER [ROUNDS]

Both take turns, so that other load meets both. Of ROUNDS (5) the median counts; the best sample of
all is shown too, because other load disturbs it least. Writes peers.json
and peers.md into the build folder.
"""
import json
import os
import sys

import runs

SIZES = "8,64,512,4K,64K,1M,4M"
COLL = ["barrier", "sync", "broadcast", "reduce", "collect", "fcollect", "alltoall", "ring_*",
        "fadd_all"]
HOW = ["--samples", "5", "--time", "3", "--sizes", SIZES]

# title, our oshrun's arguments, the peer's number of PEs, more arguments of shmem-perf
SCENES = [
    ("2 PEs on one host", ["-n", "2"], 2, ["--buffers", "heap,static"]),
    ("2 PEs on two hosts", ["--hosts", "2"], 2, ["--buffers", "heap,static"]),
    ("4 PEs on one host", ["-n", "4"], 4, COLL),
    ("8 PEs on one host", ["-n", "8"], 8, COLL),
    ("4 PEs on two hosts", ["--hosts", "2", "-n", "4"], 4, COLL),
]
HEAD = ("benchmark", "buffer", "bytes", "Ringbell", "Open MPI", "unit", "ratio", "best", "")
EVEN = 0.97  # less than the difference of two runs of the same program
BARE = ("store", "memcpy", "copy", "line", "flags", "switch")  # no library call in them


def number(value):
    return f"{value:.3f}" if value < 10 else f"{value:.1f}" if value < 1000 else f"{value:.0f}"


def compare(ours, theirs):
    """Table rows and how many of them are won."""
    table, won = [], 0
    for key, row in ours.items():
        other = theirs.get(key)
        if other is None or row["bench"] in BARE:
            continue
        ratio = runs.speedup(row, other)
        won += ratio > 1
        table.append((row["bench"], row["buffer"], runs.size_text(row["size"]),
                      number(row["value"]), number(other["value"]), row["unit"], f"{ratio:.2f}",
                      f"{runs.speedup(row, other, 'best'):.2f}",
                      "" if ratio > 1 else "even" if ratio > EVEN else "lost"))
    return table, won


def print_text(title, table, won):
    widths = [max(len(row[i]) for row in [HEAD, *table]) for i in range(len(HEAD))]
    print(f"\n{title}: ahead in {won} of {len(table)} rows")
    for row in [HEAD, *table]:
        cells = [cell.ljust(w) if i in (0, 1, 5, 8) else cell.rjust(w)
                 for i, (cell, w) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())
    sys.stdout.flush()


def cell(ours, other):
    ratio = runs.speedup(ours, other)
    text = f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"
    return text if ratio > 1 else f"({text})" if ratio > EVEN else f"**{text}**"


def markdown(title, ours, theirs, counts):
    """Ratios only: a line for each benchmark and buffer, a column for each size."""
    sizes = sorted({row["size"] for row in ours.values()})
    table = {}
    for key, row in ours.items():
        if key in theirs and row["bench"] not in BARE:
            table.setdefault(key[:2], {})[row["size"]] = cell(row, theirs[key])
    head = ["benchmark", "buffer", *("one size" if s == 0 else runs.size_text(s) for s in sizes)]
    lines = [f"### {title}: ahead in {counts[0]} of {counts[1]} rows", "",
             "| " + " | ".join(head) + " |", "|---|---|" + "---:|" * len(sizes)]
    for (bench, buffer), cells in table.items():
        lines.append("| " + " | ".join([bench, buffer, *(cells.get(s, "") for s in sizes)]) + " |")
    return "\n".join(lines) + "\n"


def measure(ours, peer, rounds):
    """Rows of both for each scene. Rounds are repeated and not scenes, because the distance of a
    virtual machine's CPUs changes, and each scene has to meet all distances."""
    found = {scene[0]: ([], []) for scene in SCENES}
    for i in range(rounds):
        for title, job, pes, args in SCENES:
            runs.say(f"round {i + 1} of {rounds}: {title}, Ringbell")
            found[title][0].append(ours.run(job, [*HOW, *args]))
            runs.say(f"round {i + 1} of {rounds}: {title}, Open MPI")
            found[title][1].append(peer.run(pes, [*HOW, *args]))
    runs.say("")
    return {title: (runs.merge(mine), runs.merge(theirs)) for title, (mine, theirs) in found.items()}


def main():
    build = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    ours, peer = runs.Ours(build), runs.Peer(build)
    where = runs.machine()
    print(f"{where}; ratio: how many times faster Ringbell is, of medians of {rounds} rounds; "
          "best: of the best samples")
    data, text = {}, [f"{where}; medians of {rounds} rounds.\n"]
    for title, (mine, theirs) in measure(ours, peer, rounds).items():
        table, won = compare(mine, theirs)
        print_text(title, table, won)
        text.append(markdown(title, mine, theirs, (won, len(table))))
        data[title] = {"ringbell": list(mine.values()), "openmpi": list(theirs.values())}
    with open(os.path.join(build, "peers.json"), "w", encoding="utf-8") as f:
        json.dump(data, f, indent=1)
    with open(os.path.join(build, "peers.md"), "w", encoding="utf-8") as f:
        f.write("\n".join(text))


if __name__ == "__main__":
    try:
        main()
    except runs.Failed as e:
        sys.exit(f"bench-peers: {e}")
