# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Rules of order: what is announced is there. The table of rules in apps/port/order.c has them."""
import itertools

from check import Skip, check, expect

BASES = itertools.count(1)
CREDIT_AT = 128  # of a region: struct region in apps/port/agent.h
SLOW = 20  # rounds of rules that read across, or touch registers: this part
AT_ONCE = 50000  # rounds; more may take longer than an answer


def make_rule(name, title, part=1, needs=None):
    @check(f"order-{name}", title, both_ways=True, stands_on=True)
    def rule(pair, me, peer):
        if needs and not getattr(me, needs):
            raise Skip(f"the port has no {name}s")
        if name == "stream" and me.messages:
            raise Skip("the port sends messages: there is no window for non-temporal stores")
        rounds = max(100, pair.options.rounds // part)
        # scratchpads have 32 bits of it; it never falls, since slots keep what was stored
        base = next(BASES) * (1 << 24)
        for side in pair.sides:
            side.put(CREDIT_AT, 0)
            if side.bells:
                side.ask("clear", (1 << side.bells) - 1)
        for done in range(0, rounds, AT_ONCE):
            play(me, peer, name.removeprefix("scratch"), min(AT_ONCE, rounds - done), base + done)
        return f"{rounds} rounds"


def play(me, peer, word, rounds, base):
    peer.begin("receive", word, rounds, base)
    me.begin("send", word, rounds, base)
    sent, (came, wrong, lost) = me.end(), peer.end()
    expect(wrong == 0, f"{wrong} of {came} rounds came before their data")
    expect(lost == 0, f"{lost} of {sent} rounds were not announced")
    expect(came == rounds and sent == rounds, f"{sent} of {rounds} rounds sent, {came} came")


make_rule("flag", "data before a flag, in one window")
make_rule("descriptor", "a descriptor of 64 bytes, its last word last")
make_rule("stream", "non-temporal stores before a flag, by a fence")
make_rule("threads", "data of one thread before the flag of another")
make_rule("doorbell", "data in the window before a doorbell", SLOW, "bells")
make_rule("scratchpad", "data in the window before a scratchpad", SLOW, "pads")
make_rule("flush", "a read through the window flushes earlier stores", SLOW)
