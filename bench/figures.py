#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Run here what the papers ran, and draw it.

Usage: bench/figures.py BUILD-FOLDER [ROUNDS]

Writes into BUILD-FOLDER/figures/ for each figure a .dat with what was measured, an .svg and a .png;
and BUILD-FOLDER/figures.md, the tables beside what the papers found. ROUNDS (5) runs are made of
each, their medians drawn.
"""
import os
import shutil
import subprocess
import sys

import runs

HOSTS = (2, 3, 4, 5)
SIZES = "64,256,1K,4K,16K,64K,256K,512K,1M"
QUICK = ["--samples", "5", "--time", "5"]

STYLE = """\
set datafile missing "-"
set grid
set key left top
set style data linespoints
set logscale x 2
set format x "%.0b%B"
set xlabel "bytes"
"""


class Data:
    """Rows of the runs that the figures share: by hosts, then by key."""
    def __init__(self, ours, rounds):
        self.ours, self.rounds, self.rows = ours, rounds, {}

    def measure(self, hosts, benches, args):
        results = []
        for i in range(self.rounds):
            runs.say(f"{hosts} hosts, {' '.join(benches)}: round {i + 1} of {self.rounds}")
            results.append(self.ours.run(["--hosts", str(hosts)], [*QUICK, *args, *benches]))
        runs.say("")
        self.rows.setdefault(hosts, []).extend(runs.merge(results).values())

    def measure_driver(self, args):
        results = []
        for i in range(self.rounds):
            runs.say(f"driver: round {i + 1} of {self.rounds}")
            results.append(self.ours.run_driver([*QUICK, *args]))
        runs.say("")
        self.rows["driver"] = list(runs.merge(results).values())

    def series(self, hosts, bench, hops=None, least=0):
        """{size: value}"""
        return {row["size"]: row["value"] for row in self.rows[hosts]
                if row["bench"] == bench and (hops is None or row["hops"] == hops) and
                row["size"] >= least}


class Figure:
    """Columns against a first one, as a table and as curves."""
    def __init__(self, name, title, first, columns, labels):
        self.name, self.title, self.first, self.columns = name, title, first, columns
        self.xlabel, self.ylabel, self.extra = labels

    def rows(self):
        keys = sorted({k for _, column in self.columns for k in column})
        return [(k, [column.get(k) for _, column in self.columns]) for k in keys]

    def write(self, folder):
        path = os.path.join(folder, self.name)
        with open(path + ".dat", "w", encoding="utf-8") as f:
            print("#", self.first, *(f'"{title}"' for title, _ in self.columns), file=f)
            for k, values in self.rows():
                print(k, *("-" if v is None else f"{v:.6g}" for v in values), file=f)
        curves = ", ".join(f'"{path}.dat" using 1:{i + 2} title "{title}"'
                           for i, (title, _) in enumerate(self.columns))
        size = {"svg": "svg size 640,420 dynamic background 'white'",
                "png": "pngcairo size 900,600"}
        for kind, terminal in size.items():
            script = "\n".join([f"set terminal {terminal}", f'set output "{path}.{kind}"', STYLE,
                                f'set title "{self.title}"', f'set ylabel "{self.ylabel}"',
                                self.extra, f"plot {curves}"])
            subprocess.run(["gnuplot", "-"], input=script, text=True, check=True)

    def markdown(self, papers):
        head = [self.first, *(title for title, _ in self.columns)]
        lines = [f"### {self.title} ({self.ylabel})", "",
                 f"![{self.title}](figures/{self.name}.svg)", "", "| " + " | ".join(head) + " |",
                 "|---:" * len(head) + "|"]
        for k, values in self.rows():
            first = runs.size_text(k) if self.first == "bytes" else str(k)
            cells = ["-" if v is None else f"{v:.3g}" if v < 100 else f"{v:.0f}" for v in values]
            lines.append("| " + " | ".join([first, *cells]) + " |")
        said = [p for p in papers if p[0] == self.name]
        if said:
            lines += ["", "The papers, on hardware:", ""]
            lines += [f"- {paper}, {what}: {found}." for _, paper, what, found in said]
        return "\n".join(lines) + "\n"


HOSTS_AXIS = ('unset logscale x\nset format x "%.0f"\nset xtics 1\nset xlabel "hosts"\n'
              'set yrange [0:*]')


def ratio(a, b):
    return {k: 100 * v / b[k] for k, v in a.items() if b.get(k)}


def percent_more(columns):
    """How much more each host costs, by size."""
    more = []
    for (_, a), (title, b) in zip(columns, columns[1:]):
        more.append((f"to {title}", {k: 100 * (b[k] / a[k] - 1) for k in b if a.get(k)}))
    return more


def figures(data):
    copy, put = data.series(3, "copy", 1), data.series(3, "put_bw", 1)
    hops = [(f"{op} {n} hop{'s' * (n > 1)}", data.series(5, f"{op}_lat", n, 64))
            for op in ("put", "get") for n in (1, 2)]
    start = [(f"{op} {n} hop{'s' * (n > 1)}", data.series(5, f"{op}_bw", n))
             for op in ("put", "get") for n in (1, 2)]
    turn = [(f"{h} hosts", data.series(h, "ring_put_lat")) for h in HOSTS]
    total = [(f"{h} hosts", data.series(h, "ring_put_bw")) for h in HOSTS]
    barrier = {h: data.series(h, "barrier")[0] for h in HOSTS}
    small = {h: data.series(h, "put_lat", 1)[8] for h in HOSTS}
    window = [(what, data.series("driver", bench)) for bench, what in
              (("memcpy", "memcpy in private memory"), ("write", "window write by memcpy"),
               ("write_nt", "by 64 B non-temporal stores"), ("read", "window read"))]
    log = "set logscale y"
    yield Figure("window", "The driver: window by size", "bytes", window, ("bytes", "MB/s", ""))
    yield Figure("put", "Put to a neighbour against a bare copy through the window", "bytes",
                 [("bare copy", copy), ("put", put)], ("bytes", "MB/s", ""))
    yield Figure("put_share", "Put to a neighbour, per cent of the bare copy", "bytes",
                 [("put", ratio(put, copy))], ("bytes", "per cent", "set yrange [0:*]"))
    yield Figure("hops", "Put with quiet, and get, by hops", "bytes", hops,
                 ("bytes", "microseconds", log))
    yield Figure("hops_bw", "Bandwidth by hops", "bytes", start, ("bytes", "MB/s", ""))
    yield Figure("latency", "Put until acknowledged, all hosts at once", "bytes", turn,
                 ("bytes", "microseconds", log))
    yield Figure("latency_more", "What one host more costs, all hosts at once", "bytes",
                 percent_more(turn), ("bytes", "per cent", ""))
    yield Figure("ring", "All links at once, sum", "bytes", total, ("bytes", "MB/s", ""))
    yield Figure("barrier", "Barrier by hosts", "hosts",
                 [("barrier", barrier), ("8 B put and quiet", small)],
                 ("hosts", "microseconds", HOSTS_AXIS))


def driver_table(data):
    lines = ["### The driver: registers, doorbells, descriptors", "", "| | | |", "|---|---:|---|"]
    lines += [f"| {row['bench']} | {row['value']:.4g} | {row['unit']} |"
              for row in data.rows["driver"] if row["size"] == 0]
    return "\n".join(lines) + "\n"


def read_papers():
    with open(os.path.join(runs.TOP, "bench", "papers.tsv"), encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    return lines[1:]


def main():
    build = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    if not shutil.which("gnuplot"):
        raise runs.Failed("gnuplot is needed: apt-get install gnuplot-nox")
    folder = os.path.join(build, "figures")
    os.makedirs(folder, exist_ok=True)
    where = runs.machine()
    data = Data(runs.Ours(build), rounds)
    for hosts in HOSTS:
        data.measure(hosts, ["ring_put_lat", "ring_put_bw"], ["--sizes", SIZES])
        data.measure(hosts, ["barrier", "put_lat"], ["--sizes", "8"])
    data.measure(3, ["copy", "put_bw"], ["--sizes", SIZES])
    data.measure(5, ["put_lat", "get_lat", "put_bw", "get_bw"],
                 ["--sizes", SIZES, "--hops", "1,2"])
    data.measure_driver(["--sizes", SIZES])
    papers = read_papers()
    text = [f"{where}; medians of {rounds} rounds.\n"]
    for figure in figures(data):
        figure.write(folder)
        text.append(figure.markdown(papers))
    text.append(driver_table(data))
    with open(os.path.join(build, "figures.md"), "w", encoding="utf-8") as f:
        f.write("\n".join(text))
    print("\n".join(text))
    print(f"drawn in {folder}/")


if __name__ == "__main__":
    try:
        main()
    except runs.Failed as e:
        sys.exit(f"figures: {e}")
