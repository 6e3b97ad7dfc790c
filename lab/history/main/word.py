# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Can the operations on one word be put into an order that explains all results, in which each takes effect
between its call and its end? The search is that of Wing and Gong, with Lowe's memory of states: words are
independent, a state is what was done and the value, and reads that fit are taken at once."""
import collections

from read import INF

READS = {"_atomic_fetch", "_atomic_fetch_nbi", "_signal_fetch", "_signal_wait_until", "_wait_until", "_test", "_look"}
WAITS = {"_signal_wait_until", "_wait_until", "_test"}
COMPARE = {1: int.__eq__, 2: int.__ne__, 3: int.__gt__, 4: int.__ge__, 5: int.__lt__, 6: int.__le__}
STEPS = 400000  # of one search


class Undecided(Exception):
    """The search was too long."""


class Step:
    """An operation, or what is left of it in a smaller contradiction. free: it may also not have happened."""
    __slots__ = ("op", "kind", "t0", "end", "seen", "free")
    stores = False  # may a PE have stored to a word before it waits for it again?

    def __init__(self, op, seen=True, free=False):
        self.op, self.kind, self.t0 = op, op.kind.replace("_nbi", ""), op.t0
        self.free = free or op.end == INF
        self.end = INF if self.free else op.end
        self.seen = op.result if seen else None

    def blind(self):
        return self.seen is None and self.kind not in READS

    def fits(self, value):
        """@return the value read, where it can be this one; None is a value that is not known"""
        if self.kind in WAITS and self.op.a in COMPARE:
            return self.satisfied(value)
        if self.seen is None:
            return True, value
        stored = self.stores and self.kind == "_look"
        return value is None or value == self.seen or stored, self.seen

    def satisfied(self, value):
        op = self.op
        if self.kind == "_signal_wait_until" and value not in (None, op.result):
            return False, value
        if value is None:
            return True, op.result if self.kind == "_signal_wait_until" else op.b if op.a == 1 else None
        bits = 8 * op.size
        half = 1 << (bits - 1) if op.signed else 0
        return COMPARE[op.a]((value ^ half) - half, (op.b & (1 << bits) - 1 ^ half) - half), value

    def after(self, value):
        """@return the value behind this operation"""
        op, name = self.op, self.kind.rsplit("_", 1)[1]
        if name in ("set", "swap") and self.kind != "_atomic_compare_swap":
            return op.a
        if value is None or self.kind in READS:
            return value
        if name == "swap":
            return op.b if value == op.a else value
        if name in ("add", "inc"):
            return value + (op.a if name == "add" else 1) & (1 << 8 * op.size) - 1
        return {"and": value & op.a, "or": value | op.a, "xor": value ^ op.a}.get(name, value)


def chains_of(steps):
    """Lists of steps that take effect in this order: calls of a thread one after the other; and of one PE calls that
    do the same and have no result, of which one that is issued later is complete no earlier. The heads alone may be
    next."""
    chains, alike = [], collections.defaultdict(list)
    for s in sorted(steps, key=lambda s: (s.t0, s.op.seq)):
        op, blind = s.op, s.blind()
        key = (op.caller, op.ctx, op.fenced, s.kind, op.a, op.b, s.free) if blind else (op.caller, op.thread)
        chain = next((c for c in alike[key] if c[-1].end <= (s.end if blind else s.t0)), None)
        if chain is None:
            chain = []
            chains.append(chain)
            alike[key].append(chain)
        chain.append(s)
    return chains


def fences_of(chains):
    """9.12: of one PE and context, what was issued before a fence takes effect before what was issued after.
    For each chain those that are to be over before it begins."""
    heads = [(c[0].op, c[0].blind() and not c[0].free) for c in chains]
    before = [[i for i, (other, first) in enumerate(heads) if blind and first and other.fenced <= op.t0
             and (other.caller, other.ctx) == (op.caller, op.ctx)] for op, blind in heads]
    return before if any(before) else None


def ways_on(chains, fences, at, value):
    """The chains whose head may come next, with the value behind it, the best one last. One alone, where that is a
    read which fits."""
    heads = [c[i] if i < len(c) else None for c, i in zip(chains, at)]
    first, ways, blind = min((s.end for s in heads if s), default=INF), [], {}
    for i, s in enumerate(heads):
        if s is None or s.t0 > first or fences and any(heads[j] for j in fences[i]):
            continue
        fits, value_read = s.fits(value)
        if not fits:
            continue
        if s.kind in READS:
            if value_read == value:
                return [(i, value)]
            ways.append((i, value_read))
        elif s.seen is not None:
            ways.append((i, s.after(value_read)))
        else:  # of those of several PEs that do the same the one that has to be first
            key = s.kind, s.op.a, s.op.b, fences and i
            if key not in blind or s.end < heads[blind[key]].end:
                blind[key] = i
    ways.sort(key=lambda way: -heads[way[0]].t0)  # most implementations have those first that were issued first
    return [(i, heads[i].after(value)) for i in sorted(blind.values(), key=lambda i: -heads[i].end)] + ways


def explains(steps, limit=STEPS):
    """Is there such an order? The value before is not known."""
    chains = chains_of(steps)
    fences = fences_of(chains)
    stack, known = [((0,) * len(chains), None, sum(not s.free for s in steps))], set()
    while stack:
        at, value, must = stack.pop()
        if must == 0:
            return True
        if (at, value) in known:
            continue
        known.add((at, value))
        if len(known) > limit:
            raise Undecided
        for i, new in ways_on(chains, fences, at, value):
            left = must - (not chains[i][at[i]].free)
            stack.append((at[:i] + (at[i] + 1,) + at[i + 1:], new, left))
    return False


def window(ops, start, end):
    """The history between two times: of an operation across its start nobody knows whether it comes behind it, of
    one across its end neither whether it comes before nor what it read."""
    return [Step(op, op.end <= end, op.t0 < start or op.end > end) for op in ops if op.end >= start and op.t0 <= end]


def first_true(values, holds):
    """@return the first of which it holds, where it does of all behind that one too"""
    low, high = 0, len(values) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(values[middle]) else (middle + 1, high)
    return values[low]


def smaller(ops):
    """@return the operations of the shortest time in which there is a contradiction"""
    ends = sorted({op.end for op in ops if op.end < INF and (op.result is not None or op.kind in WAITS)})
    end = first_true(ends, lambda time: not explains(window(ops, 0, time)))
    starts = sorted({op.t0 for op in ops if op.t0 <= end}, reverse=True)
    start = first_true(starts, lambda time: contradicts(window(ops, time, end)))
    return [s.op for s in window(ops, start, end) if not s.free]


def contradicts(steps):
    try:
        return not explains(steps, STEPS // 20)
    except Undecided:
        return False
