# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What is checked of a run, and what is printed about it."""
import bisect
import collections

import rules
import word

SECTIONS = {"atomics": "9.8", "signals": "9.9", "waits": "9.11", "barriers": "9.10", "locks": "9.13"}


PUTS = "_put", "_p"


def on_word(op):
    return op.kind.startswith(("_atomic", "_signal")) or op.kind in word.READS


def words_of(run):
    """Operations that reach each word that has atomics, signals or waits. A word is a place and a size."""
    words = collections.defaultdict(dict)
    ops = [op for ops in run for op in ops if on_word(op) or op.kind in PUTS]
    for op in filter(on_word, ops):
        words[op.pe, op.region].setdefault((op.place, op.size), [])
    near = {where: sorted(at) for where, at in words.items()}
    for op in ops:
        where = op.pe, op.region
        at = near.get(where, [])
        end = op.place + (op.a if op.kind == "_put" else op.size)
        for place, size in at[bisect.bisect_left(at, (op.place - 15,)):bisect.bisect_left(at, (end,))]:
            if place + size > op.place:
                words[where][place, size].append(op)
    return {(*where, *at): ops for where, found in words.items() for at, ops in found.items()}


def parts_of(ops, meetings):
    """Split where the program may have written the word by a store or a put: where nothing was under way, and
    its PE has left one barrier and not entered the next."""
    ops.sort(key=lambda op: (op.t0, op.seq))
    part, end = [], 0
    for op in ops:
        if part and op.t0 > end:
            i = bisect.bisect_left(meetings, (end,))
            if i + 1 < len(meetings) and meetings[i + 1][1] <= op.t0:
                yield part
                part = []
        part.append(op)
        end = max(end, op.end)
    yield part


class Report:
    def __init__(self, run):
        self.start = min((op.t0 for ops in run for op in ops), default=0)
        self.counts = dict.fromkeys(SECTIONS, 0)
        self.wrong = {}
        self.open = self.left_out = 0

    def contradiction(self, kind, why, ops):
        self.wrong.setdefault(kind, (why, ops))

    def write(self):
        for kind, count in self.counts.items():
            why, ops = self.wrong.get(kind, ("right", []))
            print(f"{kind} (section {SECTIONS[kind]}): {count}: {why}")
            for op in sorted(ops, key=lambda op: op.t0):
                print(f"    {op.text(self.start)}")
        if self.left_out:
            print(f"left out: {self.left_out} operations on words that have locks, puts, several types, or are in spaces")
        if self.open:
            print(f"not decided: {self.open} operations on words with too many orders")
        return 1 if self.wrong or self.open else 0


def kind_of(op):
    return "waits" if op.kind in word.WAITS or op.kind == "_look" else "signals" if op.kind.startswith("_signal") else "atomics"


def check_part(part, report):
    for op in part:
        report.counts[kind_of(op)] += 1
    if all(op.result is None and op.kind not in word.WAITS for op in part):
        return
    try:
        if word.explains([word.Step(op) for op in part]):
            return
        ops = word.smaller(part) or part
    except word.Undecided:
        report.open += len(part)
        return
    kinds = {kind_of(op) for op in ops}
    kind = next(k for k in ("waits", "signals", "atomics") if k in kinds)
    report.contradiction(kind, f"{len(ops)} that no order explains", ops)


def check_words(run, locks, report):
    meetings = [[(op.t1, op.t0) for op in ops if op.kind in rules.MEETINGS] for ops in run]
    locked = {(region, place + at) for region, place in locks for at in range(-7, 8)}
    for (pe, region, place, size), ops in words_of(run).items():
        for part in parts_of(ops, meetings[pe]):
            own = [op for op in part if on_word(op) and (op.place, op.size) == (place, size)]
            if (region is None or (region, place) in locked or len(own) < len(part)
                    or len({op.signed for op in own}) > 1):
                report.left_out += len(own)
            else:
                check_part(own, report)


def check(run):
    report, teams, locks = Report(run), rules.rounds_of(run), rules.locks_of(run)
    rules.complete(run, teams)
    wrong = rules.check_barriers(teams)
    if wrong:
        report.contradiction("barriers", *wrong)
    for calls in locks.values():
        wrong = rules.check_lock(calls)
        if wrong:
            report.contradiction("locks", *wrong)
    report.counts["barriers"] = sum(map(len, teams))
    report.counts["locks"] = sum(map(len, locks.values()))
    check_words(run, locks, report)
    return report
