# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Checks of the window: each place, each width of access, copies, both ways at once."""
import itertools

from check import Skip, check, expect
from pair import NOT_SUPPORTED

HEAD = 64  # bytes of a region whose words have other uses
SEEDS = itertools.count(1)


def differ(found, what):
    wrong, at, got, want = found
    expect(wrong == 0, f"{wrong} {what} are wrong, the first at {at:#x}: {got:#x}, not {want:#x}")


def spread(pair, width):
    """(first, step, number): neighbours at the head, then places all over, then the end."""
    step = (pair.length // 509) // 8 * 8 + width
    return [(HEAD, width, 256), (HEAD, step, (pair.length - HEAD - width) // step + 1),
            (pair.length - 256 * width, width, 256)]


def make_stores(width):
    @check(f"store-{8 * width}", f"stores of {8 * width} bits arrive at their places, and nowhere else",
           both_ways=True)
    def stores(pair, me, peer):
        places = 0
        for first, step, number in spread(pair, width):
            seed = next(SEEDS)
            peer.ask("paint")
            me.ask("stores", width, seed, first, step, number)
            expect(me.ask("flush")[0] == 0, f"{me.name}: a flush fails")
            differ(peer.ask("match", width, seed, first, step, number), "places")
            # a value may have bytes that are those of the paint
            changed, at = peer.ask("painted")
            expect(changed <= width * number, f"{changed} bytes changed by {number} stores of "
                   f"{width}, the first at {at:#x}")
            places += number
        return f"{places} places"


def make_loads(width):
    @check(f"load-{8 * width}", f"loads of {8 * width} bits find what is there", both_ways=True)
    def loads(pair, me, peer):
        places = 0
        for first, step, number in spread(pair, width):
            seed = next(SEEDS)
            peer.ask("fill", width, seed, first, step, number)
            differ(me.ask("loads", width, seed, first, step, number), "places")
            places += number
        return f"{places} places"


for bytes_wide in (1, 2, 4, 8):
    make_stores(bytes_wide)
for bytes_wide in (1, 2, 4, 8):
    make_loads(bytes_wide)


@check("places", "each page, each power of two, and the last byte lead to their places",
       both_ways=True)
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
        me.ask("stores", run[0], seed, *run[1:])
    expect(me.ask("flush")[0] == 0, f"{me.name}: a flush fails")
    for run in runs:
        differ(peer.ask("match", run[0], seed, *run[1:]), "places")
    rest = f", of {me.window}" if pair.length < me.window else ", all of the window"
    return f"{2 * pages} places in {pair.length} bytes{rest}"


@check("copies", "copies of any length at any place", both_ways=True)
def copies(pair, me, peer):
    seed = next(SEEDS)
    me.ask("copies", seed, pair.length)
    expect(me.ask("flush")[0] == 0, f"{me.name}: a flush fails")
    number, wrong, at = peer.ask("copied", seed, pair.length)
    expect(wrong == 0, f"{wrong} of {number} copies are wrong, the first at {at:#x}")
    return f"{number} copies"


@check("both-ways", "both sides store at the same time")
def both_ways(pair, me, peer):
    runs = {}
    number = (pair.length - HEAD) // 8
    for side in pair.sides:
        runs[side] = ("stores", 8, next(SEEDS), HEAD, 8, number)
        side.agent.begin(*runs[side])
    for side in pair.sides:
        side.agent.end()
    for side, other in ((me, peer), (peer, me)):
        expect(side.ask("flush")[0] == 0, f"{side.name}: a flush fails")
        differ(other.ask("match", *runs[side][1:]), "places")
    return f"{2 * number} stores"


@check("window-file", "another process reaches the peer by the window's file", both_ways=True)
def window_file(pair, me, peer):
    if not me.files:
        raise Skip("the port has no file for its window")
    at, value = pair.length // 2, 0xfeedfacecafe0001
    found = me.ask("file_store", at, value)
    if found == NOT_SUPPORTED:
        raise Skip("the port says that its window is no file")
    expect(found == 0, f"the file of the window: {found}")
    expect(peer.ask("get", at) == value, "a store through the file does not arrive")
    return "a store arrived"
