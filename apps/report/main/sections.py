# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What the page shows of a file: parts that are a plot, a table or a sentence."""
import collections

import figures


def plot(element):
    return "plot", element, None


def table(head, rows, title="Figures"):
    return "table", (title, head), rows


def words(text):
    return "words", text, None


def short(value):
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def size_text(size):
    return figures.scaled(size, 3)


def size_of(row):
    return size_text(row["size"]) if row["size"] else ""


def name_of(row):
    parts = [row["bench"]]
    if row["buffer"] and row["buffer"] != "heap":
        parts.append(row["buffer"])
    if row["hops"] > 1:
        parts.append(f"{row['hops']:g} hops")
    return ", ".join(parts)


def by_size(rows):
    """({name: {size: value}} of what has several sizes, [(name, value)] of what has one)"""
    lines, single = collections.defaultdict(dict), []
    for r in rows:
        if r["value"] > 0:
            lines[name_of(r)][r["size"]] = r["value"]
    for name in [n for n, points in lines.items() if len(points) < 2 or 0 in points]:
        single += [(name, v) for v in lines.pop(name).values()]
    return lines, single


def plots_by_size(title, unit, rows):
    lines, single = by_size(rows)
    names = sorted(lines)
    for first in range(0, len(names), 8):
        part = f" ({first // 8 + 1} of {(len(names) + 7) // 8})" if len(names) > 8 else ""
        yield plot(figures.curves(title + part, unit,
                                  {n: lines[n] for n in names[first:first + 8]}))
    if single:
        yield plot(figures.bars(title, unit, single, log=max(v for _, v in single) >
                                50 * min(v for _, v in single)))


def perf(content):
    titles = {"us": "Time", "MB/s": "Bandwidth", "1/s": "Rate"}
    rows = content["rows"]
    yield words(f"{len(rows)} rows of {content['tool']}.")
    for unit in dict.fromkeys(r["unit"] for r in rows):
        yield from plots_by_size(titles.get(unit, "Value"), unit,
                                 [r for r in rows if r["unit"] == unit])
    yield table(["benchmark", "bytes", "median", "least", "most", "unit"],
                [(name_of(r), size_of(r), short(r["value"]),
                  short(r["min"]), short(r["max"]), r["unit"]) for r in rows])
