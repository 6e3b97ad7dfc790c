# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Plots by gnuplot, as SVG elements of a page."""
import itertools
import re
import subprocess

# Okabe and Ito: told apart by colour-blind readers too
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#444444", "#e69f00")
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


def svg(title, height, lines):
    """The element, with names of its own: a page has several."""
    script = [f"set terminal svg size 660,{height} noenhanced font 'sans-serif,12'", STYLE,
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


def bars(title, xlabel, values, log):
    """@p values: [(name, value)], from above to below."""
    least = min(v for _, v in values) / 2 if log else 0
    more = [f"set xrange [{least}:{max(v for _, v in values) * (2 if log else 1.15)}]"]
    more += [f"set label {quoted(plain(v))} at {v:.9g},{i} offset 0.5,0" for i, (_, v) in enumerate(values)]
    if log:
        more.append("set logscale x\nset format x '%g'")
    return svg(title, 130 + 24 * len(values), [
        f"set yrange [{len(values) - 0.4}:-0.6]", f"set ytics {ticks(enumerate(name for name, _ in values))}",
        "unset grid\nset grid xtics", f"set xlabel {quoted(xlabel)}", *more,
        block("d", [(i, least, v) for i, (_, v) in enumerate(values)]),
        f"plot $d using 2:1:2:3:($1-0.36):($1+0.36) with boxxyerror lc rgb '{COLOURS[0]}' notitle"])
