# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Two plots of the page, as SVG within it."""
from html import escape
from math import log2

import units

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 80, 130, 12, 44
COLOURS = ("#24589c", "#a11525", "#23713a", "#8a5200", "#6b3fa0", "#1c2430")
INK, LINES = "#1c2430", "#d5dae1"


def spread(value, low, high, first, last):
    """Where a value lies between two places."""
    return first + (value - low) / (high - low) * (last - first) if high > low else first


def words(x, y, text, anchor="middle", colour=INK):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
            f"{escape(text)}</text>")


def rule(x1, y1, x2, y2):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{LINES}"/>'


def frame(title, parts):
    return (f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">'
            f"<title>{escape(title)}</title>{''.join(parts)}</svg>")


def round_values(low, high):
    """1, 2 and 5 times the powers of ten, from one not above low to one not below high."""
    values = [digit * 10 ** power for power in range(3, 13) for digit in (1, 2, 5)]
    first = max([at for at, value in enumerate(values) if value <= low], default=0)
    last = min([at for at, value in enumerate(values) if value >= high], default=len(values) - 1)
    return values[first:max(last, first + 1) + 1]


def bandwidth(curves):
    """curves: method -> {bytes of a block: bytes a second}; both axes are logarithmic."""
    sizes = sorted({size for curve in curves.values() for size in curve})
    rates = [rate for curve in curves.values() for rate in curve.values() if rate > 0]
    if not sizes or not rates:
        return ""
    across = (log2(sizes[0]), log2(sizes[-1]), LEFT, WIDTH - RIGHT)
    ticks = round_values(min(rates), max(rates))
    up = (log2(ticks[0]), log2(ticks[-1]), HEIGHT - BOTTOM, TOP)
    parts = [rule(LEFT, spread(log2(tick), *up), WIDTH - RIGHT, spread(log2(tick), *up)) +
             words(LEFT - 6, spread(log2(tick), *up) + 4, f"{tick / 1e9:g} GB/s", "end")
             for tick in ticks]
    parts += [words(spread(log2(size), *across), HEIGHT - BOTTOM + 18, units.size(size))
              for size in sizes[::2]]
    parts.append(words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, "block"))
    for number, (method, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(f"{spread(log2(size), *across):.1f},{spread(log2(rate), *up):.1f}"
                          for size, rate in sorted(curve.items()) if rate > 0)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" '
                     'stroke-width="2"/>')
        parts.append(words(WIDTH - RIGHT + 10, TOP + 14 + 18 * number, method, "start", colour))
    return frame("bandwidth by size of block", parts)


def latency(bins, first):
    """bins: how often, eight for each doubling from first nanoseconds on."""
    used = [number for number, count in enumerate(bins) if count]
    if not used:
        return ""
    last = used[-1] + 1
    most = max(bins)
    wide = (WIDTH - LEFT - RIGHT) / last
    parts = [rule(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM)]
    for number, count in enumerate(bins[:last]):
        tall = spread(count, 0, most, 0, HEIGHT - BOTTOM - TOP)
        parts.append(f'<rect x="{LEFT + number * wide:.1f}" y="{HEIGHT - BOTTOM - tall:.1f}" '
                     f'width="{max(wide - 1, 1):.1f}" height="{tall:.1f}" fill="{COLOURS[0]}"/>')
    ticks = list(range(0, last, max(8, last // 6)))
    if last == len(bins):  # the last bin has all that took longer
        ticks = [number for number in ticks if number < last - 8] + [last - 1]
    for number in ticks:
        more = " or more" if number == len(bins) - 1 else ""
        parts.append(words(LEFT + (number + .5) * wide, HEIGHT - BOTTOM + 18,
                           f"{units.duration(round(first * 2 ** (number / 8)))}{more}"))
    parts.append(words(LEFT - 6, TOP + 10, str(most), "end"))
    parts.append(words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, "latency; height: samples"))
    return frame("number of words by latency, one way", parts)
