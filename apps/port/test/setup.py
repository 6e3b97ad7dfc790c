# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Checks before there is a link: what the ports say they are, and what they must refuse."""
from check import OR_UP, check, expect

MIB = 1 << 20
EARLY_MS = 300


def is_power(n):
    return n > 0 and n & (n - 1) == 0


@check("found", "what the port says of itself fits together", both_ways=True, fresh=True)
def found(pair, me, _peer):
    expect(me.window >= MIB, f"a window of {me.window} bytes, 1 MiB is the least")
    expect(me.window % 4096 == 0, f"a window of {me.window} bytes: no whole pages")
    expect(me.most <= me.window, f"regions of {me.most} bytes in a window of {me.window}")
    expect(is_power(me.align), f"an alignment of {me.align}")
    for length in (4096, pair.length, me.most):
        align = me.ask("align", length)
        expect(is_power(align) and align <= me.align,
               f"{length} bytes are to be aligned to {align}, of {me.align} at most")
    has = [f"{me.bells} doorbells", f"{me.pads} scratchpads"]
    has += [name for name, there in (("flush", me.flushes), ("one link", me.once),
                                     ("messages in place of a window", me.messages)) if there]
    return f"{me.location} by {me.driver}: window {me.window}, align {me.align}, {', '.join(has)}"


@check("alike", "both ends have the same capabilities", fresh=True)
def alike(pair, _me, _peer):
    for name in ("bells", "pads", "flushes", "once"):
        both = [getattr(side, name) for side in pair.sides]
        expect(both[0] == both[1], f"{name}: {both[0]} near, {both[1]} away")
    return "yes"


@check("refusals", "regions and calls that make no sense are refused", fresh=True)
def refusals(pair, _me, _peer):
    pair.fresh = False
    got = {}
    for side in pair.sides:
        got[f"{side.name}: start unconfigured"] = side.ask("start")
        side.ask("region", pair.length)
        bus = () if side.messages or side.shares else ("wrap", "alignment")  # else there are no bus addresses
        for kind in ("no-memory", "no-length", *bus):
            got[f"{side.name}: {kind}"] = side.ask("misuse", kind)
        got[f"{side.name}: start refused"] = side.ask("start")
    taken = [kind for kind, status in got.items() if status >= 0]
    expect(not taken, "not refused: " + ", ".join(taken))
    return f"{len(got)} refused"


@check("early", "the link is up only when both sides are configured and started", both_ways=True,
       fresh=True)
def early(pair, me, peer):
    stages = (("the peer is not configured", lambda: None), ("it is not started", peer.configure))
    pair.fresh = False
    me.start()
    for stage, step in stages:
        step()
        up = me.ask("link", 1, EARLY_MS)[0] == 1
        # a port may be up before the peer's start, where loads reach the region already
        expect(not up or peer.configured and me.load(0) == peer.get(0), f"up although {stage}")
    peer.mark()
    peer.ask("start")
    took = pair.link()
    pair.passes()
    return f"up after {max(took)} ms"


@check("up", "the link comes up, and stays", fresh=OR_UP, stands_on=True)
def comes_up(pair, _me, _peer):
    took = pair.took if pair.up else pair.start()
    before = [side.ask("breaks") for side in pair.sides]
    for _ in range(20):
        for side in pair.sides:
            expect(side.ask("link", 1, 0)[0] == 1, f"{side.name}: up, and down again")
    after = [side.ask("breaks") for side in pair.sides]
    expect(before == after, f"breaks of the link: {before}, then {after}")
    pair.passes()
    return f"after {took[0]} and {took[1]} ms; {' and '.join(side.lanes() for side in pair.sides)}"
