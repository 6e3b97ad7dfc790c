# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Rules of order: what is announced is there. For any port."""
import itertools

from check import Skip, check, expect

BASES = itertools.count(1)
CREDIT_AT = 128  # of a region: struct region in apps/port/session.h
SLOW = 20  # rounds of rules that read across, or touch registers: this part

RULES = (
    ("flag", "data before the flag, in the window", 1, None),
    ("descriptor", "a cache line, its last word last", 1, None),
    ("stream", "non-temporal stores before the flag", 1, None),
    ("threads", "data of one thread before the flag of another", 1, None),
    ("doorbell", "data before the doorbell", SLOW, "bells"),
    ("scratchpad", "data before the scratchpad", SLOW, "pads"),
    ("flush", "data before what is done after a flush", SLOW, None),
)


def make_rule(name, title, part, needs):
    @check(f"order-{name}", title, both_ways=True)
    def rule(pair, me, peer):
        if needs and not getattr(me, needs):
            raise Skip(f"the port has no {'doorbells' if needs == 'bells' else 'scratchpads'}")
        rounds = max(100, pair.options.rounds // part)
        # scratchpads have 32 bits of it; it never falls, since slots keep what was stored
        base = next(BASES) * (1 << 24)
        for side in pair.sides:
            side.ask("put", CREDIT_AT, 0)
            if side.bells:
                side.ask("clear", (1 << side.bells) - 1)
        word = {"flag": "window", "scratchpad": "pad"}.get(name, name)
        peer.agent.begin("receive", word, rounds, base)
        me.agent.begin("send", word, rounds, base)
        answers = [[int(word) for word in side.agent.end()] for side in (me, peer)]
        (sent,), (came, wrong, lost) = answers
        expect(wrong == 0, f"{wrong} of {came} rounds came before their data")
        expect(lost == 0, f"{lost} of {sent} rounds were not announced")
        expect(came == rounds and sent == rounds, f"{sent} of {rounds} rounds sent, {came} came")
        return f"{rounds} rounds"


for words in RULES:
    make_rule(*words)
