# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Barriers and locks, and when operations are complete. Numbers are sections of OpenSHMEM 1.6."""
import bisect
import collections

from read import INF

MEETINGS = {"_barrier_all", "_sync_all", "_team_sync", "_barrier", "_sync", "_malloc", "_free", "_finalize"}
# 9.3, 9.10, 9.13: these complete what the default context has issued
QUIETS = {"_barrier_all", "_barrier", "_malloc", "_free", "_finalize", "_clear_lock", "_quiet"}
DEFAULT = 1  # SHMEM_CTX_DEFAULT


def rounds_of(run):
    """Of each team the rounds: a list of calls, one a PE."""
    teams = collections.defaultdict(lambda: collections.defaultdict(list))
    for ops in run:
        for op in ops:
            if op.kind in MEETINGS:
                teams[op.region, op.place, op.b, op.a][op.caller].append(op)
    return [[[calls[k] for calls in members.values() if k < len(calls)]
             for k in range(max(map(len, members.values())))] for members in teams.values()]


def check_barriers(teams):
    """9.10: nobody leaves before all have entered; all have as many rounds."""
    for rounds in teams:
        for k, calls in enumerate(rounds):
            first = min(calls, key=lambda op: op.t1)
            last = max(calls, key=lambda op: op.t0)
            if first.t1 < last.t0:
                return f"round {k} of a team: one PE left before another one entered", [first, last]
            if first.t1 < INF and len(calls) < first.a:
                return f"round {k} of a team: one PE left, and {len(calls)} of {first.a} entered", [first]
    return None


def first_returns(fences):
    """@return when each begins, in this order, and when the first one that does not begin earlier has returned: those
    of several threads overlap"""
    first, found = INF, []
    for t0, t1 in sorted(fences, reverse=True):
        first = min(first, t1)
        found.append((t0, first))
    return found[::-1]


def complete(run, teams):
    """9.12: set the time by which each operation that returns early has taken effect, and when the first
    fence behind it has returned. What a barrier completes is complete when the first PE leaves."""
    left = {op: min(c.t1 for c in calls) for rounds in teams for calls in rounds for op in calls}
    for ops in run:
        quiets, fences = collections.defaultdict(list), collections.defaultdict(list)
        for op in ops:
            if op.kind == "_fence":
                fences[op.ctx].append((op.t0, op.t1))
            elif op.kind in QUIETS:
                quiets[op.ctx].append((op.t0, op.pe if op.kind == "_quiet" else -1, left.get(op, op.t1)))
            if op.kind == "_finalize":
                for events in quiets.values():
                    events.append((op.t0, -1, left[op]))
        for events in quiets.values():
            events.sort()
        fences = {ctx: first_returns(events) for ctx, events in fences.items()}
        for op in ops:
            behind = fences.get(op.ctx, [])
            i = bisect.bisect_left(behind, (op.t1,))
            op.fenced = behind[i][1] if i < len(behind) else INF
            if late(op):
                events = quiets[op.ctx]
                i = bisect.bisect_left(events, (op.t1,))
                op.end = next((end for _, pe, end in events[i:] if pe in (-1, op.pe)), INF)


def late(op):
    """May it take effect after its return (9.7, 9.8, 9.9)?"""
    return op.kind.endswith("_nbi") or op.kind in (
        "_put", "_p", "_atomic_set", "_atomic_inc", "_atomic_add", "_atomic_and", "_atomic_or", "_atomic_xor",
        "_signal_set", "_signal_add")


def locks_of(run):
    locks = collections.defaultdict(list)
    for ops in run:
        for op in ops:
            if op.kind.endswith("_lock"):
                locks[op.region, op.place].append(op)
    return locks


def holds_of(calls):
    """(set, clear or None) of each time that a PE had the lock; or a contradiction."""
    holds, mine = [], {}
    for op in sorted(calls, key=lambda op: (op.caller, op.seq)):
        if op.kind == "_clear_lock":
            if op.caller not in mine:
                return None, ("clear_lock of a lock that the PE does not have", [op])
            holds.append((mine.pop(op.caller), op))
        elif op.result == 0:
            mine[op.caller] = op
    return holds + [(op, None) for op in mine.values()], None


def check_lock(calls):
    """9.13: one PE at a time has the lock; test_lock says 1 while another one may have it."""
    holds, wrong = holds_of(calls)
    if wrong:
        return wrong
    holds.sort(key=lambda hold: hold[0].t1)
    for (one, cleared), (other, _) in zip(holds, holds[1:]):
        if cleared is None or other.t1 < cleared.t0:
            return "two PEs have the lock", [one, other] + ([cleared] if cleared else [])
    # possibly held, as intervals that do not overlap
    spans = []
    for low, high in sorted((s.t0, c.t1 if c else INF) for s, c in holds):
        if spans and low <= spans[-1][1]:
            spans[-1][1] = max(high, spans[-1][1])
        else:
            spans.append([low, high])
    for op in calls:
        if op.kind == "_test_lock" and op.result:
            i = bisect.bisect_right(spans, [op.t1, INF]) - 1
            if i < 0 or spans[i][1] < op.t0:
                return "test_lock says busy, and nobody can have the lock", [op]
    return None
