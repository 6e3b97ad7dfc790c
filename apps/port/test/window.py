# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Checks of the window: each place, each width of access, copies, both ways at once."""
import itertools

from check import check, expect
from pair import HERE, WINDOW, WORD

HEAD = 64  # bytes of a region whose words have other uses
SEEDS = itertools.count(1)


def differ(side, what, *run):
    """Places of a run: whose, width, seed, first, step, number."""
    wrong, at, got, want = side.ask("match", *run)
    expect(wrong == 0, f"{wrong} {what} are wrong, the first at {at:#x}: {got % WORD:#x}, not "
           f"{want % WORD:#x}")


def flushes(side):
    expect(side.ask("flush") == 0, f"{side.name}: a flush fails")


def spread(pair, width):
    """(first, step, number): neighbours at the head, then places all over, then the end."""
    step = (pair.length // 509) // 8 * 8 + width
    return [(HEAD, width, 256), (HEAD, step, (pair.length - HEAD - width) // step + 1),
            (pair.length - 256 * width, width, 256)]


def make_check(width, loads):
    kind, words = ("load", "find what is there") if loads else (
        "store", "arrive at their places, and nowhere else")

    @check(f"{kind}-{8 * width}", f"{kind}s of {8 * width} bits {words}", both_ways=True)
    def run(pair, me, peer):
        places = 0
        for first, step, number in spread(pair, width):
            words = (width, next(SEEDS), first, step, number)
            places += number
            if loads:
                peer.ask("stores", HERE, *words)
                differ(me, "places", WINDOW, *words)
                continue
            peer.ask("paint")
            me.ask("stores", WINDOW, *words)
            flushes(me)
            differ(peer, "places", HERE, *words)
            # a value may have bytes that are those of the paint
            changed, at = peer.ask("painted")
            expect(changed <= width * number, f"{changed} bytes changed by {number} stores of "
                   f"{width}, the first at {at:#x}")
        return f"{places} places"


for reads in (False, True):
    for bytes_wide in (1, 2, 4, 8):
        make_check(bytes_wide, reads)


@check("places", "each page, each power of two, and the last byte lead to their places",
       both_ways=True, stands_on=True)
def places(pair, me, peer):
    seed, pages = next(SEEDS), pair.length // 4096
    runs = [(8, 64, 4096, pages), (1, 4095, 4096, pages)]
    at = 128
    while at < pair.length:
        runs.append((8, at, 0, 1))
        at *= 2
    runs.append((1, pair.length - 1, 0, 1))
    peer.ask("paint")
    for run in runs:
        me.ask("stores", WINDOW, run[0], seed, *run[1:])
    flushes(me)
    for run in runs:
        differ(peer, "places", HERE, run[0], seed, *run[1:])
    rest = f", of {me.window}" if pair.length < me.window else ", all of the window"
    return f"{2 * pages} places in {pair.length} bytes{rest}"


@check("copies", "copies of any length at any place", both_ways=True)
def copies(pair, me, peer):
    seed = next(SEEDS)
    me.ask("blocks", WINDOW, seed, pair.length)
    flushes(me)
    number, wrong, at = peer.ask("blocks", HERE, seed, pair.length)
    expect(wrong == 0, f"{wrong} of {number} copies are wrong, the first at {at:#x}")
    return f"{number} copies"


@check("both-ways", "both sides store at the same time")
def both_ways(pair, me, peer):
    number = (pair.length - HEAD) // 8
    runs = {side: (8, next(SEEDS), HEAD, 8, number) for side in pair.sides}
    for side in pair.sides:
        side.begin("stores", WINDOW, *runs[side])
    for side in pair.sides:
        side.end()
    for side, other in ((me, peer), (peer, me)):
        flushes(side)
        differ(other, "places", HERE, *runs[side])
    return f"{2 * number} stores"
