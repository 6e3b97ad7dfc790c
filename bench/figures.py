#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Repeat the experiments of the papers, and draw the results.

Usage: bench/figures.py BUILD-FOLDER [ROUNDS]

Writes for each figure a .dat with the results, an .svg and a .png into BUILD-FOLDER/figures/, and
the tables beside the results of the papers into BUILD-FOLDER/figures.md. The figures show medians
of ROUNDS (5) runs.
"""
import os
import sys

import plot
import runs

HOSTS = (2, 3, 4, 5)
SIZES = "64,256,1K,4K,16K,64K,256K,512K,1M"
QUICK = ["--samples", "5", "--time", "5"]
LCORES = (1, 2, 4, 8)
NOTIFY = ("memory", "doorbell")


class Data:
    """Rows of the runs that the figures share: by hosts and settings, then by key."""
    def __init__(self, ours, rounds):
        self.ours, self.rounds, self.runs, self.rows = ours, rounds, {}, {}
        self.round = ""

    def measure(self, name, hosts, benches, args, settings=None):
        runs.say(f"{self.round}: {hosts} hosts, {name}: {' '.join(benches)}")
        self.runs.setdefault(name, []).append(
            self.ours.run(["--hosts", str(hosts)], [*QUICK, *args, *benches], settings))

    def measure_driver(self, args):
        runs.say(f"{self.round}: driver")
        self.runs.setdefault("driver", []).append(self.ours.run_driver([*QUICK, *args]))

    def measure_all(self):
        """Repeats rounds and not runs, because the distance of a virtual machine's CPUs changes, and
        each run has to meet all distances."""
        for i in range(self.rounds):
            self.round = f"round {i + 1} of {self.rounds}"
            measure(self)
        runs.say("")
        self.rows = {name: list(runs.merge(found).values()) for name, found in self.runs.items()}

    def series(self, name, bench, hops=None, least=0):
        """{size: value}"""
        return {row["size"]: row["value"] for row in self.rows[name]
                if row["bench"] == bench and (hops is None or row["hops"] == hops) and
                row["size"] >= least}

    def single(self, name, bench):
        return self.series(name, bench)[0]


def measure(data):
    for hosts in HOSTS:
        data.measure(hosts, hosts, ["ring_put_lat", "ring_put_bw"], ["--sizes", SIZES])
        data.measure(hosts, hosts, ["barrier", "put_lat"], ["--sizes", "8"])
    data.measure("3 hosts", 3, ["copy", "put_bw", "put_lat", "get_lat"], ["--sizes", SIZES])
    data.measure("5 hosts", 5, ["put_lat", "get_lat", "put_bw", "get_bw"],
                 ["--sizes", SIZES, "--hops", "1,2"])
    for notify in NOTIFY:
        data.measure(notify, 4, ["put_lat", "get_lat"], ["--sizes", SIZES, "--hops", "1,2"],
                     {"RINGBELL_NOTIFY": notify})
    for lcores in LCORES:
        data.measure(("lcores", lcores), 4, ["put_lat", "put_bw"],
                     ["--sizes", SIZES, "--hops", "2"],
                     {"RINGBELL_LCORES": lcores, "RINGBELL_CHANNELS": lcores})
    data.measure_driver(["--sizes", SIZES])


def ratio(a, b):
    return {k: 100 * v / b[k] for k, v in a.items() if b.get(k)}


def percent_more(columns):
    """The cost of one host more, by size."""
    more = []
    for (_, a), (title, b) in zip(columns, columns[1:]):
        more.append((f"to {title}", {k: 100 * (b[k] / a[k] - 1) for k in b if a.get(k)}))
    return more


def hop_columns(data, name, benches):
    return [(f"{bench.split('_')[0]} {n} hop{'s' * (n > 1)}", data.series(name, bench, n, 64))
            for bench in benches for n in (1, 2)]


def driver_figures(data):
    """P2: the window by processor and by copy engine."""
    for name, title, benches in (
            ("window", "The driver: window by CPU", (
                ("memcpy", "private memory"), ("write", "write by memcpy"),
                ("write_nt", "by 64 B non-temporal stores"), ("read", "read"),
                ("both", "both directions, sum"), ("hop2", "two hops, relayed"))),
            ("dma", "The driver: window by copy engine", (
                ("write", "memcpy"), ("dma", "DMA, blocks"), ("dma_sg8", "lists of 8"),
                ("dma_sg32", "of 32"), ("dma_sg128", "of 128"), ("dma_sg256", "of 256")))):
        yield plot.Figure(name, title, "bytes", "MB/s",
                          [(what, data.series("driver", bench)) for bench, what in benches])


def ring_figures(data):
    """P3: links alone and together, put and get by hops and method, barrier."""
    alone = data.series("3 hosts", "put_bw", 1)
    links = [(f"{h} hosts", {k: v / h for k, v in data.series(h, "ring_put_bw").items()})
             for h in HOSTS]
    yield plot.Figure("links", "Bandwidth of a link, alone and when all hosts send", "bytes",
                      "MB/s per link", [("alone", alone), *links])
    yield plot.Figure("ring", "All links at once, sum", "bytes", "MB/s",
                      [(f"{h} hosts", data.series(h, "ring_put_bw")) for h in HOSTS])
    log = "set logscale y"
    yield plot.Figure("hops", "Put with quiet, and get, by hops", "bytes", "microseconds",
                      hop_columns(data, "5 hosts", ("put_lat", "get_lat")), log)
    yield plot.Figure("hops_bw", "Bandwidth by hops", "bytes", "MB/s",
                      hop_columns(data, "5 hosts", ("put_bw", "get_bw")), log)
    for hops in (1, 2):
        yield plot.Figure(f"method{hops}", f"Put with quiet by notify mode, {hops} hop"
                          f"{'s' * (hops > 1)}", "bytes", "microseconds",
                          [(n, data.series(n, "put_lat", hops)) for n in NOTIFY], log)
    yield plot.Figure("barrier", "Barrier by hosts", "hosts", "microseconds",
                      [("barrier", {h: data.single(h, "barrier") for h in HOSTS}),
                       ("8 B put and quiet", {h: data.series(h, "put_lat", 1)[8] for h in HOSTS})],
                      log)
    put, get = data.series("3 hosts", "put_lat"), data.series("3 hosts", "get_lat")
    yield plot.Figure("barrier_size", "Barrier of 3 hosts beside puts and gets", "bytes",
                      "microseconds",
                      [("put and quiet", put), ("get", get),
                       ("barrier", dict.fromkeys(put, data.single(3, "barrier")))], log)


def steps(data):
    """The time of a put: the steps that ringbell-port measures, and the rest."""
    one = {row["bench"]: row["value"] for row in data.rows["driver"] if row["size"] == 0}
    write = data.series("driver", "write")
    columns = {"copies": {}, "descriptor and ack": {}, "rest": {}}
    for size in (64, 4096, 65536):
        copy, text = size / write[size], runs.size_text(size)
        for hops, parts in (1, (copy, 0)), (2, (2 * copy, one["desc"] + one["line"])):
            total = data.series("memory", "put_lat", hops)[size]
            parts = (*parts, max(0, total - sum(parts)))
            for column, part in zip(columns.values(), parts):
                column[f"{hops} hop{'s' * (hops > 1)}, {text}"] = part
    return list(columns.items())


def put_figures(data):
    """P4: put against the raw link, steps, latency and throughput by hosts and by threads."""
    copy, put = data.series("3 hosts", "copy", 1), data.series("3 hosts", "put_bw", 1)
    turn = [(f"{h} hosts", data.series(h, "ring_put_lat")) for h in HOSTS]
    log = "set logscale y"
    yield plot.Figure("put", "Put to a neighbour against a bare copy through the window", "bytes",
                      "MB/s", [("bare copy", copy), ("put", put)])
    yield plot.Figure("put_share", "Put to a neighbour, per cent of the bare copy", "bytes",
                      "per cent", [("put", ratio(put, copy))])
    yield plot.Figure("steps", "Time of a put and quiet, by steps", "step", "microseconds",
                      steps(data), "set yrange [0:*]\nset xtics rotate by -35\n"
                      "set rmargin 9\nset bmargin 9\nunset xlabel")
    yield plot.Figure("latency", "Put until acknowledged, all hosts at once", "bytes",
                      "microseconds", turn, log)
    yield plot.Figure("latency_more", "What one host more costs, all hosts at once", "bytes",
                      "per cent", percent_more(turn), "")
    for bench, name, title, unit, extra in (
            ("put_lat", "threads", "Put and quiet over two hops, by service lcores",
             "microseconds", log),
            ("put_bw", "threads_bw", "Puts over two hops, by service lcores", "MB/s", log)):
        yield plot.Figure(name, title, "bytes", unit,
                          [(f"{n} lcore{'s' * (n > 1)}", data.series(("lcores", n), bench, 2))
                           for n in LCORES], extra)


def driver_table(data):
    lines = ["### The driver: registers, doorbells, descriptors", "", "| | | |", "|---|---:|---|"]
    lines += [f"| {row['bench']} | {row['value']:.4g} | {row['unit']} |"
              for row in data.rows["driver"] if row["size"] == 0]
    return "\n".join(lines) + "\n"


def read_papers():
    with open(os.path.join(runs.TOP, "bench", "papers.tsv"), encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    return lines[1:]


def at(series, size):
    return plot.text(series.get(size))


def beside(data):
    """The papers' own figures in one table, with the results of the same experiments here."""
    driver = {name: data.series("driver", name) for name in
              ("write", "dma", "dma_sg8", "dma_sg256")}
    put, copy = data.series("3 hosts", "put_bw", 1), data.series("3 hosts", "copy", 1)
    more = [v for _, column in percent_more([(h, data.series(h, "ring_put_lat"))
                                             for h in (3, 4, 5)])
            for k, v in column.items() if k >= 4096]
    lat = {n: data.series(("lcores", n), "put_lat", 2) for n in LCORES}
    cut = [100 * (1 - lat[2][k] / lat[1][k]) for k in lat[1] if k >= 4096]
    size = 1 << 20
    one, two = data.series("5 hosts", "put_lat", 1), data.series("5 hosts", "put_lat", 2)
    here = {
        "memcpy": f"{at(driver['write'], size)} MB/s at 1M",
        "block": f"{at(driver['dma'], size)} MB/s at 1M",
        "sg8": f"{at(driver['dma_sg8'], size)} MB/s at 1M",
        "sg256": f"{at(driver['dma_sg256'], size)} MB/s at 1M",
        "cross": f"memcpy and DMA blocks at 1K: {at(driver['write'], 1024)} and "
                 f"{at(driver['dma'], 1024)} MB/s; at 64K: {at(driver['write'], 65536)} and "
                 f"{at(driver['dma'], 65536)}",
        "raw": f"{at(copy, size)} MB/s, a bare copy",
        "put": f"{at(put, size)} MB/s: {100 * put[size] / copy[size]:.0f} % of the bare copy",
        "hops": f"64K, put and quiet: {at(one, 65536)} and {at(two, 65536)} us",
        "barrier": f"{data.single(3, 'barrier'):.3g} us",
        "hosts": f"{min(more):.0f} to {max(more):.0f} %",
        "threads": f"{min(cut):.0f} to {max(cut):.0f} %",
    }
    lines = ["### The papers' figures and ours", "", "| paper | what | there, on adapters | here |",
             "|---|---|---|---|"]
    for figure, paper, what, found in read_papers():
        if figure in here:
            lines.append(f"| {paper} | {what} | {found} | {here[figure]} |")
    return "\n".join(lines) + "\n"


def main():
    build = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    plot.need_gnuplot()
    data = Data(runs.Ours(build), rounds)
    folder = os.path.join(build, "figures")
    os.makedirs(folder, exist_ok=True)
    where = runs.machine()
    data.measure_all()
    text = [f"{where}; medians of {rounds} rounds.\n", beside(data)]
    for figure in (*driver_figures(data), *ring_figures(data), *put_figures(data)):
        figure.write(folder)
        text.append(figure.markdown())
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
