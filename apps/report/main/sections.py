# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What the page shows of each kind of file: parts that are a plot, a table or a sentence."""
import collections

import figures

MOST_SPANS = 6000  # of a timeline: more are not to be seen
MOST_PES = 64      # of a matrix
CALLS = ("compute", "put", "get", "atomic", "quiet", "wait", "barrier")


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


def by_size(rows, what):
    """({name: {size: value}} of what has several sizes, [(name, value)] of what has one)"""
    lines, single = collections.defaultdict(dict), []
    for r in rows:
        if r[what] > 0:
            lines[name_of(r)][r["size"]] = r[what]
    for name in [n for n, points in lines.items() if len(points) < 2 or 0 in points]:
        single += [(name, v) for v in lines.pop(name).values()]
    return lines, single


def plots_by_size(title, unit, rows, what, line=None):
    lines, single = by_size(rows, what)
    names = sorted(lines)
    for first in range(0, len(names), 8):
        part = f" ({first // 8 + 1} of {(len(names) + 7) // 8})" if len(names) > 8 else ""
        yield plot(figures.curves(title + part, unit,
                                  {n: lines[n] for n in names[first:first + 8]}))
    if single:
        yield plot(figures.bars(title, unit, single, line=line, log=line is not None or
                                max(v for _, v in single) > 50 * min(v for _, v in single)))


def perf(content):
    titles = {"us": "Time", "MB/s": "Bandwidth", "1/s": "Rate"}
    rows = content["rows"]
    yield words(f"{len(rows)} rows of {content['tool']}.")
    for unit in dict.fromkeys(r["unit"] for r in rows):
        yield from plots_by_size(titles.get(unit, "Value"), unit,
                                 [r for r in rows if r["unit"] == unit], "value")
    yield table(["benchmark", "bytes", "median", "least", "most", "unit"],
                [(name_of(r), size_of(r), short(r["value"]),
                  short(r["min"]), short(r["max"]), r["unit"]) for r in rows])


def hops_of(row):
    return "1 hop" if row["hops"] == 1 else f"{row['hops']:g} hops"


def scene_lines(mine, by, what):
    lines = collections.defaultdict(dict)
    for r in mine:
        names = [r["topology"]] + ([hops_of(r)] if r["hops"] else [])
        if by == "size" and len({m["hosts"] for m in mine}) > 1:
            names.append(f"{r['hosts']:g} hosts")
        if r[what] > 0 and r[by] > 0:
            lines[", ".join(names)][r[by]] = r[what]
    return lines


def scenes(rows):
    for scene in dict.fromkeys(r["scene"] for r in rows):
        mine = [r for r in rows if r["scene"] == scene]
        by = "size" if len({r["size"] for r in mine}) > 1 else "hosts"
        what = "mbs" if all(r["mbs"] > 0 for r in mine) else "us"
        shapes = list(dict.fromkeys(r["topology"] for r in mine))
        # many curves hide each other: a plot for each topology
        groups = [[s] for s in shapes] if len(scene_lines(mine, by, what)) > 8 else [shapes]
        for group in groups:
            lines = scene_lines([r for r in mine if r["topology"] in group], by, what)
            if lines:
                title = f"Simulated: {scene}" + (f", {group[0]}" if len(group) == 1 else "")
                yield plot(figures.curves(title, "MB/s" if what == "mbs" else "us", lines,
                                          "bytes" if by == "size" else "hosts", log=what == "us"))
    yield table(["scene", "topology", "hosts", "hops", "bytes", "us", "MB/s", "limit"],
                [(r["scene"], r["topology"], short(r["hosts"]), short(r["hops"]),
                  size_text(r["size"]), short(r["us"]), short(r["mbs"]), short(r["limit"]))
                 for r in rows])


def papers(rows):
    yield words("Figures that the papers published, found with their systems on modelled hardware.")
    yield table(["figure", "simulated"], [(r["figure"], short(r["value"])) for r in rows])


def compared(row):
    parts = [row["what"]]
    if row["size"]:
        parts.append(size_text(row["size"]))
    if row["hops"]:
        parts.append(hops_of(row))
    parts.append(f"{row['hosts']:g} hosts")
    if row["threads"] > 1:
        parts.append(f"{row['threads']:g} threads")
    return ", ".join(parts)


def compare(rows):
    for what in dict.fromkeys(r["what"] for r in rows):
        yield plot(figures.bars(f"Ringbell against the papers' system: {what}", "times as fast",
                                [(compared(r), r["papers_us"] / r["ringbell_us"])
                                 for r in rows if r["what"] == what], log=True, line=1))
    yield table(["", "papers' system, us", "Ringbell, us", "times as fast"],
                [(compared(r), short(r["papers_us"]), short(r["ringbell_us"]),
                  short(r["papers_us"] / r["ringbell_us"])) for r in rows])


def replay(r):
    yield words(f"Traced: {short(r['traced_us'])} us. Predicted, with links of "
                f"{short(r['bandwidth'])} MB/s and {r['hosts']:g} hosts: "
                f"{short(r['predicted_us'])} us.")
    yield plot(figures.stacked("Time of each PE", "ms", [f"PE {p['pe']:g}" for p in r["pes"]],
                               {c: [p[c] / 1e3 for p in r["pes"]] for c in CALLS}))
    yield plot(figures.bars("Bytes that leave by each link", "MB",
                            [(f"host {k['host']:g} {side}", k[side] / 1e6) for k in r["links"]
                             for side in ("left", "right")]))
    yield plot(figures.bars("What it would take", "ms",
                            [("as predicted", r["predicted_us"] / 1e3)] +
                            [(c["what"], c["us"] / 1e3) for c in r["changes"]]))
    yield table(["PE", *(f"{c}, us" for c in CALLS)],
                [(f"{p['pe']:g}", *(short(p[c]) for c in CALLS)) for p in r["pes"]])


def place(p):
    yield words("PEs round the ring: " + " ".join(f"{pe:g}" for pe in p["order"]) + ".")
    yield table(["", "by number", "in this order"],
                [("busiest link, bytes", *map(short, p["busiest"])),
                 ("all, bytes times hops", *map(short, p["byte_hops"]))], "Load of the ring")


def pe_of(span):
    return int(span["tid"]) // 16


def bytes_between(spans):
    """A row of bytes for each PE that is a source; None where there are too few or too many."""
    mine = [s for s in spans if s["pe"] >= 0 and s["name"] in ("put", "get", "atomic")]
    pes = 1 + max([pe_of(s) for s in mine] + [int(s["pe"]) for s in mine], default=-1)
    if not 2 <= pes <= MOST_PES:
        return None
    values = [[0.0] * pes for _ in range(pes)]
    for s in mine:
        ends = (int(s["pe"]), pe_of(s)) if s["name"] == "get" else (pe_of(s), int(s["pe"]))
        values[ends[0]][ends[1]] += s["bytes"]
    return values


def trace(t):
    """Long spans hide short ones in a picture, so the longest are drawn."""
    start = min(s["ts"] for s in t["spans"])
    tracks = [(tid, t["names"].get(tid, f"track {tid:g}"))
              for tid in sorted({s["tid"] for s in t["spans"]})]
    drawn = sorted(t["spans"], key=lambda s: -s["dur"])[:MOST_SPANS]
    drawn.sort(key=lambda s: (s["ts"], -s["dur"]))
    yield words(f"{len(t['spans'])} spans of {len(tracks)} threads" +
                (f"; the longest {len(drawn)} are drawn." if len(drawn) < len(t["spans"]) else "."))
    yield plot(figures.timeline("What each thread did", tracks,
                                [(s["tid"], s["name"], (s["ts"] - start) / 1e3, s["dur"] / 1e3)
                                 for s in drawn]))
    values = bytes_between(t["spans"])
    if values:
        yield plot(figures.matrix("Bytes between PEs", values))
    sums = collections.defaultdict(lambda: [0, 0.0, 0.0])
    for s in t["spans"]:
        for key, value in zip(range(3), (1, s["dur"], s["bytes"])):
            sums[(s["tid"], s["name"])][key] += value
    names = dict(tracks)
    yield table(["thread", "span", "number", "ms", "bytes"],
                [(names[tid], name, short(n), short(us / 1e3), size_text(size))
                 for (tid, name), (n, us, size) in sorted(sums.items())])


def peers(found):
    yield words("How many times faster than Open MPI's OpenSHMEM Ringbell is, on the same machine: "
                "above 1 is ahead.")
    for title, rows in found:
        yield from plots_by_size(title, "times as fast", rows, "ratio", line=1)
        if rows:
            yield table(["benchmark", "bytes", "times as fast"],
                        [(name_of(r), size_of(r),
                          f"{r['ratio']:.2f}") for r in rows])


KINDS = {
    "perf": ("Measured", perf),
    "peers": ("Against Open MPI", peers),
    "papers": ("Published figures", papers),
    "compare": ("Papers' system and Ringbell", compare),
    "scenes": ("Simulated rings", scenes),
    "replay": ("Replay of a trace", replay),
    "place": ("Order of hosts", place),
    "trace": ("Trace", trace),
}
