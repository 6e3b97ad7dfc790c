# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Doorbells and scratchpads, where the port has them."""
from check import Skip, check, expect

QUIET_MS, HEAR_MS = 20, 1000
PATTERNS = (0x00000000, 0xffffffff, 0xa5a5a5a5, 0x5a5a5a5a, 0x12345678)


def bits_of(mask):
    return ",".join(str(i) for i in range(32) if mask >> i & 1) or "none"


@check("doorbells", "each doorbell arrives, alone, and stays until it is cleared", both_ways=True,
       stands_on=True)
def doorbells(_pair, me, peer):
    if not me.bells:
        raise Skip("the port has no doorbells")
    every = (1 << me.bells) - 1
    peer.ask("clear", every)
    expect(peer.ask("hear", every, QUIET_MS) == 0, "doorbells that nobody rang")
    for i in range(me.bells):
        me.ask("ring", 1 << i)
        heard = peer.ask("hear", 1 << i, HEAR_MS)
        expect(heard == 1 << i, f"doorbell {i} was rung, and heard: {bits_of(heard)}")
        expect(peer.ask("hear", 0, 0) == 1 << i, f"doorbell {i} is gone before it was cleared")
        expect(peer.ask("clear", 1 << i) == 0, f"doorbell {i} is not cleared")
    expect(me.ask("hear", every, QUIET_MS) == 0, "doorbells are heard where they were rung")
    me.ask("ring", every)
    heard = peer.ask("hear", every, HEAR_MS)
    expect(heard == every, f"all were rung, and heard: {bits_of(heard)}")
    left = peer.ask("clear", 1)
    expect(left == every & ~1, f"of all but the first are left: {bits_of(left)}")
    peer.ask("clear", every)
    return f"{me.bells} doorbells"


@check("scratchpads", "each scratchpad of either side holds what was written", both_ways=True)
def scratchpads(_pair, me, peer):
    if not me.pads:
        raise Skip("the port has no scratchpads")
    for pattern in PATTERNS:
        values = {peer: pattern, me: pattern ^ 0x1000}
        for i in range(me.pads):
            me.ask("pad_set", 1, i, values[peer] ^ i)
            me.ask("pad_set", 0, i, values[me] ^ i)
        for i in range(me.pads):
            for side, other in ((peer, me), (me, peer)):
                # the peer's first: the read pushes along what was written, which is posted
                for how, got in (("the peer's", other.ask("pad", 1, i)),
                                 ("its own", side.ask("pad", 0, i))):
                    expect(got == values[side] ^ i, f"scratchpad {i} of the {side.name} side, read "
                           f"as {how}: {got:#x}, not {values[side] ^ i:#x}")
    return f"{me.pads} of each side, {len(PATTERNS)} patterns"
