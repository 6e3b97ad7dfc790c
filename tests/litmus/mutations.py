#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Break one order of the library after the other and print whether shmem-litmus finds it.

Works in a copy of the sources, built with -Dweak_window=true, as --help says. First the unbroken
library has to pass. Prints a row of a table for each mutation, and fails if one goes unnoticed.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import mutate  # noqa: E402

NEEDED = ["apps/oshrun", "lab/litmus/shmem-litmus"]
SECONDS, NO_END, LIMIT = 6, 20, 120
DRAWS = 5  # runs until something is noticed: tests and PEs are drawn
BRIDGE = "RINGBELL_EMU=bridge"

# name, file, what is there, what is put in its place, layout, environment, tests
ORDER, RELAY, ATOMIC = "runtime/op/order.c", "runtime/relay/dispatch.c", "runtime/op/atomic.c"
MUTATIONS = [
    ("a fence does nothing", ORDER,
     "rb_fence(struct rb_ctx *ctx)\n{\n\tuint64_t hosts",
     "rb_fence(struct rb_ctx *ctx)\n{\n\treturn;\n\tuint64_t hosts",
     "--hosts 3", "-", "MP+put-flag+add+fence+p+*"),
    ("a fence leaves the fast path of stores open", ORDER,
     "\t\trb_fast_close(h, ctx->chan, issued);\n", "",
     "--hosts 3", "-", "MP+put-flag+add+fence+p+*"),
    ("a put does not wait for frames behind a fence", "runtime/op/put.c",
     "\tif (unlikely(rb_ctx_fenced(ctx, t->host)))\n\t\trb_fence_apply(ctx, t->host);\n", "",
     "--hosts 5", BRIDGE, "MP+put-flag+add+fence+* MP+put-flag+set+fence+*"),
    ("a PE without ports does not hand its fence over", ORDER,
     "hosts = rb_proxy_fence(ctx);", "hosts = 0;",
     "--hosts 2 -n 6", "-", "MP+put-flag+add+fence+p+*"),
    ("a fence is one of the default context", "shmem/order.c",
     "\trb_fence(ctx->rb);", "\trb_fence(rb_ctx_default);",
     "--hosts 3", "-", "MP+ctx-put-flag+add+fence+p"),
    ("quiet does not wait for relays and targets", ORDER,
     "\tquiet_hosts(ctx, hosts);\n", "",
     "--hosts 5", "-", "SB+quiet SB+quiet-far MP+third"),
    ("quiet does not wait for gets and fetches", ORDER,
     "\trb_pending_wait(&ctx->pending);\n\tquiet_hosts(", "\tquiet_hosts(",
     "--hosts 5", "-", "MP+third-get_nbi"),
    ("quiet has no fence of the CPU", ORDER,
     "\tatomic_thread_fence(memory_order_seq_cst);\n\trb_tsan_release();", "\trb_tsan_release();",
     "-n 2", "-", "SB+own SB+quiet"),
    ("quiet of a PE is one of no host", ORDER,
     "complete_hosts(ctx, 1ull << rb_pe_host(pe));", "complete_hosts(ctx, 0);",
     "--hosts 5", "-", "MP+third-pe_quiet"),
    ("a signal comes before the data", ATOMIC,
     "\t\trb_store(to, src, len);\n\t\trb_tsan_release();\n"
     "\t\t__atomic_store_n((uint64_t *)s, val, __ATOMIC_RELEASE);",
     "\t\t__atomic_store_n((uint64_t *)s, val, __ATOMIC_RELEASE);\n"
     "\t\trb_tsan_release();\n\t\trb_store(to, src, len);",
     "--hosts 3", "-", "signal"),
    ("a signal that is added comes before the data", ATOMIC,
     "\tret = nbi ? rb_put_nbi(ctx, pe, dst, src, len) : rb_put(ctx, pe, dst, src, len);\n",
     "\tret = rb_amo(ctx, pe, sig, &op, NULL, false);\n\tif (ret == 0)\n\t\t"
     "return nbi ? rb_put_nbi(ctx, pe, dst, src, len) : rb_put(ctx, pe, dst, src, len);\n",
     "--hosts 5", "-", "signal"),
    ("a fetch does not wait for its answer", ATOMIC,
     "nbi ? &ctx->pending : &pending);\n\trb_pending_wait(&pending);", "&ctx->pending);",
     "--hosts 3", "-", "CoWR+atomics SB+atomics CoRW"),
    ("a get does not wait for its answer", "runtime/op/get.c",
     "nbi ? &ctx->pending : &pending);\n\trb_pending_wait(&pending);", "&ctx->pending);",
     "--hosts 5", "-", "CoWR+quiet MP+third"),
    ("a word is copied in two halves", "runtime/mem/fastpath.h",
     "\tif (len == 8)\n\t\t__atomic_store_n((uint64_t *)dst,",
     "\tif (len == 8)\n\t\tfor (volatile int i = 0; i < 501; i++)\n"
     "\t\t\t((volatile uint32_t *)dst)[i == 500] = ((const uint32_t *)src)[i == 500];\n"
     "\telse if (len == 9)\n\t\t__atomic_store_n((uint64_t *)dst,",
     "-n 2", "-", "CoRR+load+put CoRR+load+put_nbi MP+put-flag+*+put+*"),
    ("a relay acknowledges what it has not stored yet", RELAY,
     "\torder_copies();\n\tcopy_parts(link, d, to, rb_frame_data(d, payload));\n",
     "\tstatic struct {\n\t\tuint8_t *to, data[65536];\n\t\tsize_t len;\n\t} kept;\n\n"
     "\tif (kept.len != 0)\n"
     "\t\trb_copy_relay(kept.to, kept.data, kept.len, rb_dist_of(link));\n"
     "\tkept.to = to;\n\tkept.len = d->len;\n"
     "\tmemcpy(kept.data, rb_frame_data(d, payload), d->len);\n",
     "--hosts 4", "-", "MP+third SB+quiet-far MP+quiet"),
]
SAYS = "shmem-litmus: "


class Runs:
    """Runs of shmem-litmus in the build of a tree."""

    def __init__(self, tree, opt, chosen):
        self.tree, self.build, self.times = tree, tree.build, opt.times
        tree.make(NEEDED)
        for mutation in chosen:
            status, said = self.once(mutation)
            if status != 0:
                sys.exit(f"FAILS UNBROKEN, status {status}: {mutation[4:]}: {said}")

    def once(self, mutation):
        """Status, and the first line that shmem-litmus says of what it found."""
        _, _, _, _, layout, variables, tests = mutation
        env = dict(os.environ, SHMEM_SYMMETRIC_SIZE="32M")
        env.update(v.split("=", 1) for v in variables.split() if v != "-")
        done = mutate.run(os.path.join(self.build, NEEDED[0]), "--timeout", str(LIMIT * self.times),
                          *layout.split(), os.path.join(self.build, NEEDED[1]),
                          "--time", str(SECONDS), "--limit", str(NO_END * self.times),
                          *tests.split(), env=env)
        lines = done.stdout.decode(errors="replace").splitlines()
        said = [x.split(SAYS)[1] for x in lines if SAYS in x]
        return done.returncode, (said or lines[-1:] or [""])[0]

    def attempt(self, mutation):
        """A row, and whether it was found: in which run, and how."""
        self.tree.make(NEEDED)
        where = f"`{mutation[4]}`" + (f", `{mutation[5]}`" if mutation[5] != "-" else "")
        for draw in range(1, DRAWS + 1):
            status, said = self.once(mutation)
            if status != 0:
                return f"| {mutation[0]} | {where} | {draw} | {said} |", True
        return f"| {mutation[0]} | {where} |  | NOT FOUND |", False


if __name__ == "__main__":
    sys.exit(mutate.main(__doc__, "tests/litmus/mutations.py", MUTATIONS,
                         "| broken | layout | run | found as |\n|---|---|---:|---|", Runs, ["-Dweak_window=true"]))
