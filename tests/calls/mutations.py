#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Break the library in one place after the other and print whether the call fuzzer finds it.

Works in a copy of the sources, as --help says. Prints a row of a table for each mutation, and fails
if one goes unnoticed.
"""
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import mutate  # noqa: E402

NEEDED = ["apps/oshrun", "tests/calls/calls"]
# what is run on each, until something fails: seeds on layouts
SEEDS = range(1, 9)
LAYOUTS = ["--hosts 5", "--hosts 2 -n 6", "--hosts 3 -n 9 --map-by host", "--hosts 2"]
HANG = 25

# name, file, what is there, what is put in its place
MUTATIONS = [
    ("quiet does not wait for gets and fetches", "runtime/op/order.c",
     "\trb_pending_wait(&ctx->pending);\n\tquiet_hosts(ctx, hosts);\n",
     "\tquiet_hosts(ctx, hosts);\n"),
    ("quiet does not wait for acknowledgements", "runtime/op/order.c",
     "\tquiet_hosts(ctx, hosts);\n", ""),
    ("a relay does not acknowledge what it stored", "runtime/relay/dispatch.c",
     "\t\trb_ack_add(out, port, rb_pe_host(d->src_pe), d->chan, RB_CLS_STORED);\n", ""),
    ("a relay stores long frames a byte too far", "runtime/relay/dispatch.c",
     "link->peer + base + d->off, rb_frame_data",
     "link->peer + base + d->off + (d->len > 4096), rb_frame_data"),
    ("an atomic returns four bytes of eight", "runtime/op/atomic.c",
     "memcpy(fetch, &old, sizeof(old));", "memcpy(fetch, &old, 4);"),
    ("a signal comes before the data", "runtime/op/atomic.c",
     "\t\trb_copy(to, src, len);\n\t\trb_tsan_release();\n"
     "\t\t__atomic_store_n((uint64_t *)s, val, __ATOMIC_RELEASE);",
     "\t\t__atomic_store_n((uint64_t *)s, val, __ATOMIC_RELEASE);\n"
     "\t\trb_tsan_release();\n\t\trb_copy(to, src, len);"),
    ("the last block of a strided put is dropped", "shmem/rma_strided.c",
     "while (done < b->n && err == 0)", "while (done + 1 < b->n && err == 0)"),
    ("p of a long double puts eight bytes", "shmem/rma.c",
     "*(volatile T *)there = value;",
     "memcpy(there, &value, sizeof(T) < 8 ? sizeof(T) : 8);"),
    ("g of a long double gets eight bytes", "shmem/rma.c",
     "value = *(const volatile T *)there;",
     "memcpy(&value, there, sizeof(T) < 8 ? sizeof(T) : 8);"),
    ("a broadcast loses its last byte between hosts", "shmem/coll/broadcast.c",
     "memcpy(dest, data, len);", "memcpy(dest, data, len - 1);"),
    ("alltoalls has no stride at dest", "shmem/coll/local_alltoall.c",
     "memcpy(to + i * dst * shape->size,", "memcpy(to + i * shape->size,"),
    ("an exclusive scan includes", "shmem/coll/two_level_scan.c",
     "int count = group.rank + (s->kind == COLL_INSCAN);", "int count = group.rank + 1;"),
    ("a nested team forgets its parent's stride", "shmem/team_split.c",
     "stride * p->stride", "stride"),
    ("a nested team begins elsewhere", "shmem/team_split.c",
     "p->start + start * p->stride", "p->start + start"),
    ("test_lock takes a lock that is held", "shmem/lock.c",
     "&l->tail, &a) != 0)", "&l->tail, &a) == ~0u)"),
]


class Fuzzed:
    def __init__(self, tree, opt, _):
        self.tree, self.hang = tree, str(HANG * opt.times)
        self.line = [os.path.join(tree.source, "tests/calls/fuzz.py"),
                     *(os.path.join(tree.build, name) for name in NEEDED)]

    def attempt(self, mutation):
        """A row, and whether something failed: where, and after how many seconds."""
        self.tree.make(NEEDED)
        began = time.monotonic()
        for seed in SEEDS:
            for layout in LAYOUTS:
                done = mutate.run(*self.line, "--layout", layout, "--seed", str(seed), "--epochs",
                                  "12", "--hang", self.hang)
                if done.returncode == 0:
                    continue
                lines = done.stdout.decode(errors="replace").splitlines()
                what = [x for x in lines if "FAILED" in x or "HANGS" in x or "killed" in x]
                return (f"| {mutation[0]} | {layout} | {seed} | {time.monotonic() - began:.0f} | "
                        f"{(what or lines)[0].strip('# ')} |"), True
        return f"| {mutation[0]} | | | | NOT FOUND |", False


if __name__ == "__main__":
    sys.exit(mutate.main(__doc__, "tests/calls/mutations.py", MUTATIONS,
                         "| mutation | layout | seed | seconds | found as |\n|---|---|---|---|---|",
                         Fuzzed))
