# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Rules of order: what is announced is there. order_rules in apps/port/order.c has them."""
import itertools

from check import Skip, check, expect

BASES = itertools.count(1)
CREDIT_AT = 128  # of a region: struct region in apps/port/session.h
SLOW = 20  # rounds of rules that read across, or touch registers: this part


def make_rule(name, part=1, needs=None):
    @check(f"order-{name}", f"data are there when they are announced: {name}", both_ways=True)
    def rule(pair, me, peer):
        if needs and not getattr(me, needs):
            raise Skip(f"the port has no {name}s")
        rounds = max(100, pair.options.rounds // part)
        # scratchpads have 32 bits of it; it never falls, since slots keep what was stored
        base = next(BASES) * (1 << 24)
        for side in pair.sides:
            side.put(CREDIT_AT, 0)
            if side.bells:
                side.ask("clear", (1 << side.bells) - 1)
        word = name.removeprefix("scratch")
        peer.begin("receive", word, rounds, base)
        me.begin("send", word, rounds, base)
        sent, (came, wrong, lost) = me.end(), peer.end()
        expect(wrong == 0, f"{wrong} of {came} rounds came before their data")
        expect(lost == 0, f"{lost} of {sent} rounds were not announced")
        expect(came == rounds and sent == rounds, f"{sent} of {rounds} rounds sent, {came} came")
        return f"{rounds} rounds"


for fast in ("flag", "descriptor", "stream", "threads"):
    make_rule(fast)
make_rule("doorbell", SLOW, "bells")
make_rule("scratchpad", SLOW, "pads")
make_rule("flush", SLOW)
