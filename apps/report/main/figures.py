# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Plots by gnuplot, as SVG elements of a page."""
import itertools
import re
import subprocess

# Okabe and Ito: told apart by colour-blind readers too
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#444444", "#e69f00")
SHADES = [f"#{int(255 - 2.2 * s):02x}{int(255 - 1.4 * s):02x}ff" for s in range(0, 101, 5)]
STYLE = """\
set grid lc rgb '#dddddd' lw 0.6
set border 3
set tics nomirror
set key outside right center font ',10'
set style fill solid border rgb 'white'
"""
numbers = itertools.count()


def scaled(size, digits):
    for shift, letter in ((30, "G"), (20, "M"), (10, "K")):
        if size >= 1 << shift:
            return f"{size / (1 << shift):.{digits}g}{letter}"
    return f"{size:.6g}"


def plain(value):
    return f"{value:.0f}" if 1000 <= abs(value) < 1e7 else f"{value:.3g}"


def quoted(text):
    return "'" + re.sub(r"[\x00-\x1f]", " ", text).replace("'", "''") + "'"


def svg(title, height, lines, width=660):
    """The element, with names of its own: a page has several."""
    script = [f"set terminal svg size {width},{height:.0f} noenhanced font 'sans-serif,12'", STYLE,
              f"set title {quoted(title)}", *lines]
    text = subprocess.run(["gnuplot"], input="\n".join(script) + "\n", capture_output=True,
                          encoding="utf-8", check=True).stdout
    text = re.sub(r"<title>.*?</title>|<desc>.*?</desc>", "", text[text.index("<svg"):], flags=re.S)
    prefix = f"f{next(numbers)}-"
    text = re.sub(r"""(\bid=["'])""", rf"\1{prefix}", text)
    return re.sub(r"""(href=["']#|url\(#)""", rf"\1{prefix}", text)


def block(name, rows):
    return f"${name} << EOD\n" + "\n".join(" ".join(f"{v:.9g}" for v in row) for row in rows) + "\nEOD"


def ticks(names):
    return "(" + ", ".join(f"{quoted(text)} {at:.9g}" for at, text in names) + ")"


def curves(title, ylabel, lines):
    """@p lines: {name: {x: y}}"""
    names = sorted(lines, key=lambda n: [int(w) if w.isdigit() else w for w in re.split(r"(\d+)", n)])
    sizes = sorted({x for points in lines.values() for x in points})
    plots = [f"$d{i} using 1:2 with linespoints lw 1.6 pt {5 + 2 * (i % 5)} ps 0.6 "
             f"lc rgb '{COLOURS[i % len(COLOURS)]}' title {quoted(name)}" for i, name in enumerate(names)]
    return svg(title, 340, [
        f"set logscale x 2\nset xrange [{sizes[0] / 1.05}:{sizes[-1] * 1.05}]",
        f"set xtics {ticks((s, scaled(s, 3)) for s in sizes)}",
        "set xtics rotate by 45 right" if len(sizes) > 10 else "",
        "set logscale y\nset format y '%g'",
        "set xlabel 'bytes'", f"set ylabel {quoted(ylabel)}",
        *(block(f"d{i}", sorted(lines[name].items())) for i, name in enumerate(names)),
        "plot " + ", ".join(plots)])


def rows(title, xlabel, names, parts, more=(), half=0.36, width=660):
    """Rectangles in rows, from above to below. @p parts: [(name, colour, [(row, from, to)])]"""
    plots = [f"$d{i} using 2:1:2:3:($1-{half}):($1+{half}) with boxxyerror lc rgb '{colour}' " +
             (f"title {quoted(name)}" if name else "notitle") for i, (name, colour, _) in enumerate(parts)]
    return svg(title, 130 + 24 * max(len(names), len(parts) // 2), [
        f"set yrange [{len(names) - 0.4}:-0.6]", f"set ytics {ticks(enumerate(names))}",
        "unset grid\nset grid xtics", f"set xlabel {quoted(xlabel)}", *more,
        *(block(f"d{i}", found) for i, (_, _, found) in enumerate(parts)), "plot " + ", ".join(plots)], width)


def bars(title, xlabel, values, log):
    """@p values: [(name, value)], from above to below."""
    least = min(v for _, v in values) / 2 if log else 0
    more = [f"set xrange [{least}:{max(v for _, v in values) * (2 if log else 1.15)}]"]
    more += [f"set label {quoted(plain(v))} at {v:.9g},{i} offset 0.5,0" for i, (_, v) in enumerate(values)]
    if log:
        more.append("set logscale x\nset format x '%g'")
    return rows(title, xlabel, [name for name, _ in values],
                [("", COLOURS[0], [(i, least, v) for i, (_, v) in enumerate(values)])], more)


def matrix(title, values):
    """Bytes from each PE to each other one."""
    n, most = len(values), max(map(max, values))
    shades = [("", colour, []) for colour in SHADES]
    more = ["set ylabel 'from PE'", f"set xrange [-0.5:{n - 0.5}]", f"set xtics 0,{1 + n // 17}"]
    for i, k in itertools.product(range(n), repeat=2):
        v = values[i][k]
        shades[int(v / (most or 1) * (len(SHADES) - 1))][2].append((i, k - 0.5, k + 0.5))
        if n <= 12 and v:
            colour = "white" if v > most / 2 else "black"
            more.append(f"set label {quoted(scaled(v, 3))} at {k},{i} center front tc rgb '{colour}'")
    return rows(f"{title}: at most {scaled(most, 3)}", "to PE", [str(i) for i in range(n)],
                [s for s in shades if s[2]], more, 0.5, max(260, min(560, 116 + 40 * n)))
