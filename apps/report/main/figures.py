# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Plots by matplotlib, as SVG elements of a page."""
import io
import itertools
import re

import matplotlib
from matplotlib import ticker
from matplotlib.figure import Figure

# Okabe and Ito: told apart by colour-blind readers too
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#444444", "#e69f00")
MARKS = "osD^vPX*"
OF_SPAN = {"put": 0, "get": 2, "atomic": 3, "wait": 7, "quiet": 1, "barrier": 6, "relay": 4,
           "serve": 1, "compute": 5}
matplotlib.rcParams.update({
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10, "text.parse_math": False,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#dddddd", "grid.linewidth": 0.6, "axes.axisbelow": True,
    "legend.frameon": False, "axes.titlesize": 11, "axes.titleweight": "bold",
})
numbers = itertools.count()


def size_text(size, _=None):
    for shift, letter in ((30, "G"), (20, "M"), (10, "K")):
        if size >= 1 << shift:
            return f"{size / (1 << shift):g}{letter}"
    return f"{size:g}"


def bytes_text(size, _=None):
    """In at most five characters."""
    for shift, letter in ((30, "G"), (20, "M"), (10, "K")):
        if size >= 1 << shift:
            return f"{size / (1 << shift):.3g}{letter}"
    return f"{size:.0f}"


def new(height=3.6, width=9.2):
    figure = Figure(figsize=(width, height), dpi=72, layout="constrained")
    return figure, figure.add_subplot()


def svg(figure, title):
    """The element, with names of its own: a page has several."""
    out = io.StringIO()
    matplotlib.rcParams["svg.hashsalt"] = f"figure {next(numbers)}"
    figure.savefig(out, format="svg", metadata={"Date": None, "Title": title, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg"):]
    names = set(re.findall(r'\bid="([^"]+)"', text))
    prefix = f"f{next(numbers)}-"
    for name in names:
        text = text.replace(f'id="{name}"', f'id="{prefix}{name}"')
        text = text.replace(f'"#{name}"', f'"#{prefix}{name}"').replace(f"(#{name})",
                                                                       f"(#{prefix}{name})")
    return text


def plain(value, _=None):
    return f"{value:.0f}" if 1000 <= abs(value) < 1e7 else f"{value:.3g}"


def logarithmic(axis):
    """Labels also where the values lie within a power of ten."""
    low, high = axis.get_view_interval()
    axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if high < 200 * max(low, 1e-300) else (1,)))
    axis.set_major_formatter(ticker.FuncFormatter(plain))
    axis.set_minor_formatter(ticker.NullFormatter())


def sizes_below(axes, sizes):
    axes.set_xscale("log", base=2)
    axes.set_xticks(sorted(sizes))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(size_text))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    if len(sizes) > 10:
        axes.tick_params(axis="x", rotation=45)


def by_numbers(line):
    """4 hosts before 16."""
    return [int(word) if word.isdigit() else word for word in re.split(r"(\d+)", line[0])]


def curves(title, ylabel, lines, xlabel="bytes", log=True):
    """@p lines: {name: {x: y}}"""
    figure, axes = new()
    for i, (name, points) in enumerate(sorted(lines.items(), key=by_numbers)):
        xs = sorted(points)
        axes.plot(xs, [points[x] for x in xs], label=name, color=COLOURS[i % len(COLOURS)],
                  marker=MARKS[(i + i // len(COLOURS)) % len(MARKS)],
                  markersize=5, linewidth=1.6)
    sizes_below(axes, {x for points in lines.values() for x in points})
    if log:
        axes.set_yscale("log")
        logarithmic(axes.yaxis)
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.set_title(title)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return svg(figure, title)


def bars(title, xlabel, values, log=False, line=None):
    """@p values: [(name, value)], from above to below."""
    figure, axes = new(0.9 + 0.26 * len(values))
    names = [name for name, _ in values][::-1]
    axes.barh(range(len(values)), [v for _, v in values][::-1], color=COLOURS[0], height=0.7)
    axes.set_yticks(range(len(values)), names)
    axes.grid(axis="y", visible=False)
    if log:
        axes.set_xscale("log")
        logarithmic(axes.xaxis)
    if line is not None:
        axes.axvline(line, color=COLOURS[1], linewidth=1.2)
    for i, (_, v) in enumerate(values[::-1]):
        axes.annotate(" " + plain(v), (v, i), va="center", fontsize=8)
    axes.margins(x=0.12)
    axes.set_ylim(-0.6, len(values) - 0.4)
    axes.set_xlabel(xlabel)
    axes.set_title(title)
    return svg(figure, title)


def stacked(title, xlabel, names, parts):
    """@p parts: {part: [a value for each name]}"""
    figure, axes = new(1.4 + 0.3 * len(names))
    left = [0.0] * len(names)
    for part, values in parts.items():
        if not any(values):
            continue
        axes.barh(range(len(names)), values, left=left, label=part, height=0.7,
                  color=COLOURS[OF_SPAN.get(part, 6)])
        left = [a + b for a, b in zip(left, values)]
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(xlabel)
    axes.set_title(title)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return svg(figure, title)


def timeline(title, tracks, spans):
    """@p tracks: [(number, name)]; @p spans: [(track, kind, ms, length)]"""
    figure, axes = new(1.3 + 0.34 * len(tracks))
    places = {number: i for i, (number, _) in enumerate(tracks)}
    kinds = {}
    for track, kind, begin, length in spans:
        kinds.setdefault(kind, {}).setdefault(places[track], []).append((begin, length))
    for kind, rows in kinds.items():
        for n, (place, found) in enumerate(rows.items()):
            axes.broken_barh(found, (place - 0.38, 0.76), color=COLOURS[OF_SPAN[kind]],
                             label=kind if n == 0 else None, linewidth=0.3)
    axes.set_yticks(range(len(tracks)), [name for _, name in tracks])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("ms since the first span")
    axes.set_title(title)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return svg(figure, title)


def matrix(title, values):
    """Bytes from each PE to each other one, as rectangles: the page shows no pictures of dots."""
    n = len(values)
    figure, axes = new(max(2.6, min(7.0, 1.2 + 0.36 * n)), max(3.6, min(7.6, 1.6 + 0.56 * n)))
    most = max(max(row) for row in values)
    axes.pcolormesh(values, cmap="Blues", vmin=0, vmax=most or 1, edgecolors="white", linewidth=0.5)
    axes.grid(visible=False)
    step = 1 + n // 17
    for axis in axes.xaxis, axes.yaxis:
        axis.set_ticks([i + 0.5 for i in range(0, n, step)], [str(i) for i in range(0, n, step)])
    for i, row in enumerate(values if n <= 12 else []):
        for k, v in enumerate(row):
            axes.text(k + 0.5, i + 0.5, bytes_text(v) if v else "", ha="center", va="center",
                      fontsize=8, color="white" if v > most / 2 else "black")
    axes.invert_yaxis()
    axes.set_xlabel("to PE")
    axes.set_ylabel("from PE")
    axes.set_title(f"{title}: at most {bytes_text(most)}")
    return svg(figure, title)
