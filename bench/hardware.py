#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Figures of adapters, simulated: what the papers published beside their systems on modelled
hardware, and these systems beside Ringbell on the same hardware.

Usage: bench/hardware.py BUILD-FOLDER [LINK]

Writes published.md and compare.md into the build folder; the site shows them. The
ranges are those of 100 draws of all parameters within their ranges. Exit status 1 where a figure
lies outside its limits (bench/published.tsv).
"""
import csv
import json
import os
import subprocess
import sys

import runs

DRAWS = 100
PUBLISHED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "published.tsv")


def published():
    with open(PUBLISHED, encoding="utf-8") as f:
        rows = list(csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t"))
    for row in rows:
        for name in "low", "high", "limit":
            row[name] = float(row[name])
    return rows


def simulate(program, *args):
    result = subprocess.run([program, *map(str, args)], text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                            timeout=runs.LIMIT)
    if result.returncode != 0:
        raise runs.Failed(f"ringbell-sim {args}: {result.stderr.strip()}")
    return json.loads(result.stdout)["rows"]


def quantiles(values):
    """The 5th and the 95th percentile."""
    values = sorted(values)
    return values[round(0.05 * (len(values) - 1))], values[round(0.95 * (len(values) - 1))]


def distance(value, low, high):
    """How far outside of low..high, in per cent of the nearer end."""
    if low <= value <= high:
        return 0.0
    end = low if value < low else high
    return (value / end - 1) * 100 if end else float("inf")


def text(value):
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def span(low, high):
    return f"{text(low)} to {text(high)}"


def calibration(program, draws=DRAWS):
    """(row of published.tsv, value, 5th and 95th percentile, distance) of each figure."""
    center = {r["figure"]: r["value"] for r in simulate(program, "--papers")}
    drawn = {figure: [] for figure in center}
    for i in range(1, draws + 1):
        for r in simulate(program, "--papers", "--draw", i):
            drawn[r["figure"]].append(r["value"])
    rows = published()
    if {row["figure"] for row in rows} != set(center):
        raise runs.Failed("published.tsv and ringbell-sim --papers have different figures")
    for row in rows:
        value = center[row["figure"]]
        yield row, value, quantiles(drawn[row["figure"]] or [value]), \
            distance(value, row["low"], row["high"])


def is_met(row, off):
    return abs(off) <= row["limit"]


def table_of_papers(found):
    lines = ["| | what | published | simulated | 5th to 95th percentile | difference | use |",
             "|---|---|---:|---:|---:|---:|---|"]
    for row, value, (low, high), off in found:
        exact = row["low"] == row["high"]
        difference = f"{off:+.1f} %" if exact or off else "within"
        if not is_met(row, off):
            difference += ", **missed**"
        lines.append(f"| {row['paper']} | {row['what']} | {row['published']} | {text(value)} | "
                     f"{span(low, high)} | {difference} | {row['use']} |")
    return "\n".join(lines) + "\n"


def comparison(program, link="gen3x8", draws=DRAWS):
    """(row, ratio, percentiles of papers, of Ringbell, of the ratio)"""
    center = simulate(program, "--link", link, "--compare")
    drawn = [simulate(program, "--link", link, "--compare", "--draw", i)
             for i in range(1, draws + 1)]
    for n, row in enumerate(center):
        same = [rows[n] for rows in drawn] or [row]
        yield (row, row["papers_us"] / row["ringbell_us"],
               quantiles([r["papers_us"] for r in same]),
               quantiles([r["ringbell_us"] for r in same]),
               quantiles([r["papers_us"] / r["ringbell_us"] for r in same]))


def name_of(row):
    words = [row["what"]]
    if row["size"]:
        words.append(runs.size_text(row["size"]))
    if row["hops"]:
        words.append(f"{row['hops']} hop{'s' * (row['hops'] > 1)}")
    return ", ".join(words)


def table_of_systems(found):
    lines = ["| | hosts | threads | papers' system, us | Ringbell, us | ratio | 5th to 95th percentile |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    for row, ratio, papers, ours, ratios in found:
        lines.append(f"| {name_of(row)} | {row['hosts']} | {row['threads']} | "
                     f"{text(row['papers_us'])} ({span(*papers)}) | "
                     f"{text(row['ringbell_us'])} ({span(*ours)}) | {text(ratio)} | "
                     f"{span(*ratios)} |")
    return "\n".join(lines) + "\n"


def main():
    build = sys.argv[1]
    link = sys.argv[2] if len(sys.argv) > 2 else "gen3x8"
    program = os.path.join(build, "lab", "sim", "ringbell-sim")
    papers = list(calibration(program))
    tables = {"published": table_of_papers(papers),
              "compare": table_of_systems(comparison(program, link))}
    for name, table in tables.items():
        with open(os.path.join(build, name + ".md"), "w", encoding="utf-8") as f:
            f.write(table)
        print(table)
    return any(not is_met(row, off) for row, _, _, off in papers)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except runs.Failed as e:
        sys.exit(f"hardware: {e}")
