# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The speed of the cable. Figures; only what does not come is wrong."""
from check import check, expect

DATA_AT = 1 << 16  # of a region: apps/port/agent.h
METHODS = {"words": 1 << 22, "fenced-words": 1 << 16, "memcpy": 1 << 22, "stream": 1 << 22,
           "read": 1 << 16}  # bytes at most
SLOW_NS = 50000000  # of a block: larger ones would only take time
PING_AT = 64  # struct region there


@check("bandwidth", "how fast blocks of any size are stored, or read", both_ways=True, stands_on=True)
def bandwidth(pair, me, peer):
    best = []
    for method, most in METHODS.items():
        rows, size, ns = [], 64, 0
        while size <= min(most, pair.length - DATA_AT) and ns < SLOW_NS:
            rate, ns = me.ask("rate", method, size)
            rows.append({"from": me.name, "to": peer.name, "method": method, "size": size,
                         "bytes_per_s": rate})
            size *= 4
        pair.bandwidth += rows
        best.append(f"{method} {max(row['bytes_per_s'] for row in rows) / 1e9:.2f}")
    return f"GB/s at best: {', '.join(best)}"


@check("latency", "how long a word takes to the other side", stands_on=True)
def latency(pair, me, peer):
    for side in pair.sides:
        side.put(PING_AT, 0)
    peer.begin("pong")
    me.begin("ping")
    (came, *ns), answered = me.end(), peer.end()
    expect(0 < came == answered, f"{answered} words came, {came} came back")
    pair.latency = dict(zip(("min", "median", "p99", "max"), ns))
    return f"median {ns[1]} ns, 99 % below {ns[2]} ns"
