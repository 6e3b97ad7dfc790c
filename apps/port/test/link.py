# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The link is lost and comes back; a side stops, starts again, or is killed."""
from check import Skip, check, expect
from pair import WINDOW

NOTICE_MS, DOWN_MS, POLL_MS = 10000, 1000, 2000
BY_LINK, BY_BREAKS, BY_FLUSH = 1, 2, 4
AT, LOST, LAST = 1 << 16, 0xdead00000000dead, 0x1a57000000001a57


def ways(seen):
    return " and ".join(name for bit, name in ((BY_LINK, "the link"), (BY_BREAKS, "the counter"),
                                               (BY_FLUSH, "a flush")) if seen & bit)


def notices(side, breaks, what):
    """By what the side sees that the other one is out of reach."""
    seen, ms = side.ask("notice", NOTICE_MS, breaks)
    expect(seen != 0, f"{side.name}: does not notice within {NOTICE_MS // 1000} s that {what}")
    return seen, ms


def is_dead(me, peer, what):
    """Nothing passes. @return what cannot be"""
    if me.shares:
        return "; memory that is shared has no port that would keep stores out"
    peer.put(AT, 0)
    me.store(AT, LOST)
    found = me.ask("flush")
    expect(found != 0, f"{me.name}: a flush succeeds although {what}")
    expect(peer.get(AT) != LOST, f"a store of the {me.name} side arrives although {what}")
    return ""


@check("counter", "no loss was counted while the link was up")
def counter(pair, me, _peer):
    counts = [side.ask("breaks") for side in pair.sides]
    again = [side.ask("breaks") for side in pair.sides]
    expect(counts == again, f"{counts}, then {again}")
    expect(me.ask("link", 1, 0)[0] == 1, "the link is not up")
    return f"{counts[0]} and {counts[1]}"


@check("last-store", "what was stored before a stop arrives", both_ways=True)
def last_store(pair, me, peer):
    peer.put(AT, 0)
    pair.up = False
    me.ask("put_stop", WINDOW, AT, LAST)
    got = peer.get(AT)
    expect(got == LAST, f"it did not: {got:#x}")
    return "it did"


@check("stop", "a side that stops is noticed, and nothing reaches its memory", both_ways=True)
def stop(pair, me, peer):
    breaks = peer.ask("breaks")
    pair.up = False
    me.ask("stop")
    seen, ms = notices(peer, breaks, "the other side has stopped")
    more = is_dead(peer, me, "that side has stopped")
    expect(me.ask("link", 1, 0)[0] != 1, f"{me.name}: up although it is stopped")
    return f"noticed by {ways(seen)} after {ms} ms{more}"


@check("again", "stopped, configured with other memory, and started", both_ways=True)
def again(pair, me, peer):
    breaks = peer.ask("breaks")
    pair.up = False
    me.ask("stop")
    notices(peer, breaks, "the other side has stopped")
    peer.ask("stop")
    for side, region in ((me, 1), (peer, 0)):
        side.start(region)
    took = pair.link()
    pair.passes()
    pair.up = False  # the next check has the first region again
    return f"up after {max(took)} ms, and both ways pass"


@check("cable", "a pulled cable is noticed, and nothing passes; plugged in, all passes again",
       both_ways=True)
def cable(pair, me, peer):
    breaks = {side: side.ask("breaks") for side in pair.sides}
    pair.cable("pull")
    pair.up = False
    try:
        seen = {side: notices(side, breaks[side], "the cable is pulled") for side in pair.sides}
        is_dead(me, peer, "the cable is pulled")
    finally:
        pair.cable("plug")
    took = pair.link()
    for side in pair.sides:
        counted = side.ask("breaks") - breaks[side]
        expect(counted > 0 or not seen[side][0] & BY_LINK,
               f"{side.name}: the loss that it saw is not counted")
    pair.passes()
    return f"noticed by {ways(seen[me][0])} after {seen[me][1]} ms, back after {max(took)} ms"


@check("flap", "a loss that nobody looks at is counted", both_ways=True)
def flap(pair, me, _peer):
    if me.messages:
        raise Skip("the port sends again what is lost, so a short loss is none")
    before = me.ask("breaks")
    pair.cable("pull")
    pair.up = False
    seen, _ = notices(me, before, "the cable is pulled")
    pair.cable("plug")
    pair.link()
    if not seen & (BY_LINK | BY_BREAKS):
        raise Skip("the port sees a loss by failed flushes alone")
    before = me.ask("breaks")
    pair.cable("pull")
    pair.up = False
    pair.cable("plug")
    expect(me.ask("breaks") > before, f"{me.name}: it is not")
    pair.link()
    return "it is"


@check("once", "a link that is to be up once stays down after a loss", both_ways=True)
def once(pair, me, peer):
    if not me.once:
        raise Skip("the port brings a lost link up again")
    pair.cable("plug")  # or there is nobody to pull it
    me.ask("once")
    pair.up, breaks = False, me.ask("breaks")
    pair.cable("pull")
    if me.messages:  # a short loss is none
        notices(me, breaks, "the cable is pulled")
    pair.cable("plug")
    peer.begin("link", 1, DOWN_MS)  # a link needs both sides
    state, _ = me.ask("link", 1, DOWN_MS)
    peer.end()
    expect(state != 1, "it is up again")
    me.ask("stop")
    me.start()
    pair.link()
    pair.passes()
    return "it does, until its port starts again"


@check("killed", "a side whose process is killed is noticed, and a new one gets a link",
       both_ways=True)
def killed(pair, me, peer):
    breaks = me.ask("breaks")
    pair.up = False
    peer.begin("die")
    peer.process.wait()
    peer.launch()
    peer.attend()
    peer.start()
    peer.begin("link", 1, POLL_MS)  # its program looks at the link meanwhile
    seen, ms = notices(me, breaks, "the other side was killed")
    peer.end()
    me.ask("stop")
    try:
        me.start()
    except Skip:
        me.launch()
        me.attend()
        me.start()
    took = pair.link()
    pair.passes()
    return f"noticed by {ways(seen)} after {ms} ms, up after {max(took)} ms"
