#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Plant a fault of concurrency in one place after the other and print which seed of ringbell-dst finds it.

Works in a copy of the sources, as --help says, beside one without faults, where the same seeds have to be right.
Prints a row of a table for each fault, and fails if one goes unnoticed.
"""
import os
import re
import shlex
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import mutate  # noqa: E402

DST, OSHRUN = "lab/ringbell-dst", "apps/oshrun"
POLICY = "stalls"  # random and pct:3 found none that it did not
MINUTES = 10  # for one fault
OPTIONS = ("-Ddst=true", "-Dweak_window=true")
VERDICT = re.compile(r"^seed (\d+): (.*?), \d+ steps, \d+ threads, ([0-9.]+) s of job time", re.M)
LATE_S = 1.0  # of job time, where service lcores sleep: one slept until its timeout

# name: variables, options of ringbell-dst, "--" and options of oshrun, program and its arguments
BRIEF = "tests/dst/brief"
SCENARIOS = {
    "start": f"--hosts 3 -n 3 {BRIEF} 2 1 1",
    "flap": f"--hosts 2 -n 2 --fault 'flap 0-1 at 335000' {BRIEF} 1 0 1",  # among the steps in which hosts say hello
    "broken": f"--hosts 2 -n 2 -- --survive --fault 'flap 0-1 at 1ms' {BRIEF} 3 40 1",
    "ones": "RINGBELL_EMU=bridge --faults flap --hosts 2 -n 2 -- --fault 'flap 0-1 at 1ms' "
            f"{BRIEF} 1 1 1 load",
    "wait": "RINGBELL_WAIT=sleep --hosts 2 -n 4 tests/multi/multi-wait",
    "outside": "RINGBELL_WAIT=sleep --hosts 2 -n 2 tests/multi/multi-posted -c at_once",
    "lcores": f"RINGBELL_WAIT=sleep RINGBELL_LCORES=2 --hosts 2 -n 4 {BRIEF} 4 40 1",
    "bells": f"RINGBELL_NOTIFY=doorbell RINGBELL_WAIT=sleep --hosts 2 -n 2 {BRIEF} 4 40 1",
    "posts": f"RINGBELL_WAIT=sleep --hosts 2 -n 6 {BRIEF} 1 40 1",
    "atomics": "--hosts 2 -n 2 tests/multi/multi-thread -c atomics",
    "quiet": "--steps 100000000 --hosts 2 -n 3 tests/multi/multi-thread -c quiet_each",
    "brief": f"--hosts 2 -n 4 {BRIEF} 3 30 1",
    "dealt": f"--hosts 2 -n 10 -- --map-by host {BRIEF} 1 2 1",
    "far": f"RINGBELL_SLOTS=4 RINGBELL_CHUNK=4K --steps 6000000 --hosts 9 -n 9 {BRIEF} 1 4 4 flood",
    "brief4": f"--hosts 4 -n 4 {BRIEF} 1 30 1",
    "slots": f"RINGBELL_SLOTS=4 --hosts 3 -n 3 {BRIEF} 8 12 1",
    "nbi": "RINGBELL_SLOTS=4 RINGBELL_CHUNK=4K --hosts 4 -n 4 tests/multi/multi-nbi -c two_ctx",
    "order": "--hosts 3 -n 3 tests/multi/multi-order -c own_ctx -x 3",
    "lock": "--hosts 2 -n 4 tests/multi/multi-lock -c heap_lock",
    "posted": "--hosts 2 -n 2 tests/multi/multi-posted",
    "barrier": f"RINGBELL_WAIT=spin --job-limit 10 --limit 240 --hosts 5 -n 10 --fault 'slow host 4 at 900000' "
               f"{BRIEF} 1 3000 1 sync",
    "cut": f"RINGBELL_EMU=bridge --hosts 3 -n 3 -- --survive --fault 'cut 1-2 at 1ms' {BRIEF} 3 40 1",
    "cutfew": "RINGBELL_EMU=bridge RINGBELL_SLOTS=4 --hosts 4 -n 4 -- --survive --fault 'cut 1-2 at 1ms' "
              f"{BRIEF} 3 40 2",
    "cuts": "RINGBELL_EMU=bridge RINGBELL_SLOTS=4 --hosts 4 -n 4 -- --survive --wiring mesh --fault "
            f"'cut 0-1 at 1ms; cut 2-3 at 1ms; cut 0-3 at 2ms' {BRIEF} 3 40 2",
    "bridge": f"RINGBELL_EMU=bridge --hosts 3 -n 3 {BRIEF} 2 20 1",
    "loads": "RINGBELL_EMU=bridge --hosts 3 -n 3 tests/multi/multi-order -c own_stores",
    "flapped": f"RINGBELL_EMU=bridge --fault 'flap 0-1 at 380000' --hosts 2 -n 2 {BRIEF} 2 40 1",
    "mute": f"RINGBELL_EMU=bridge --fault 'mute 0-1 at 380000' --hosts 2 -n 2 {BRIEF} 2 40 1",
    "signals": "SHMEM_CHECK=races --hosts 2 -n 3 tests/mistakes/races fine",
}


class Planted:
    """Each fault that is found has to be the fault's: the same seeds are right in a tree without it."""

    def __init__(self, tree, opt, mutations):
        self.tree, self.minutes = tree, MINUTES * opt.times
        self.plain = mutate.Tree(opt.build, os.path.join(tree.folder, "plain"), OPTIONS)
        self.plain.make(self.targets({m[4] for m in mutations}))

    @staticmethod
    def program(scenario):
        return next(w for w in shlex.split(SCENARIOS[scenario]) if w.startswith(("tests/", "examples/")))

    def targets(self, scenarios):
        return sorted({DST, OSHRUN, *map(self.program, scenarios)})

    def run(self, tree, scenario, seed, seeds=1):
        """(seed, verdict) of the first that is not right."""
        words = shlex.split(SCENARIOS[scenario])
        env = dict(os.environ, SHMEM_SYMMETRIC_SIZE="48M")
        env.update(w.split("=", 1) for w in words if re.match("[A-Z_]+=", w))
        options = [os.path.join(tree.build, w) if w == self.program(scenario) else w for w in words
                   if not re.match("[A-Z_]+=", w)]
        done = mutate.run(os.path.join(tree.build, DST), "--seed", str(seed), "--seeds", str(seeds), "--policy", POLICY,
                          "--steps", "25000000", *options, env=env)
        text = done.stdout.decode(errors="replace")
        said = [line for line in text.splitlines() if "FAILED" in line or line.startswith(("oshrun: PE", "PE "))]
        said = said[0].strip()[:60] if said else ""
        found = [(n, f"late: {s} s" if what == "right" else f"{what}; {said}")
                 for n, what, s in VERDICT.findall(text)
                 if what != "right" or ("RINGBELL_WAIT=sleep" in words and float(s) > LATE_S)]
        return found[0] if found else None if done.returncode == 0 else (seed, text[:100])

    def attempt(self, mutation):
        name, *_, scenario = mutation
        self.tree.make(self.targets([scenario]))
        began, seed = time.monotonic(), 1
        while time.monotonic() - began < 60 * self.minutes:
            found = self.run(self.tree, scenario, seed)
            if found:
                took = time.monotonic() - began
                plain = self.run(self.plain, scenario, 1, seed)
                if plain:
                    return f"| {name} | {scenario} | {plain[0]} | | RED WITHOUT A FAULT: {plain[1]} |", False
                return f"| {name} | {scenario} | {seed} | {took:.0f} | {found[1]} |", True
            seed += 1
        return f"| {name} | {scenario} | {seed} | | NOT FOUND |", False


# name, file, what is there, what is put in its place, scenario; (H): the history of this repository had it
MUTATIONS = [
    ("(H) a host waits for its left neighbour before it answers the right one", "runtime/link/handshake.c",
     "\t\tif (err == 0) {\n", "\t\tif (err == -EAGAIN)\n\t\t\treturn err;\n\t\tif (err == 0) {\n", "start"),
    ("(H) a host leaves a barrier by what its neighbours never hear of", "runtime/op/barrier.c",
     "\t\tif (over || (next", "\t\tif (over)\n\t\t\tbreak;\n\t\tif ((next", "brief4"),
    ("(H) who has claimed a queue does not look whether its request has ended", "shmem/coll/posted.c",
     "\twhile (until == NULL || !is_done(until)) {",
     "\tfor (bool first = true; first || until == NULL || !is_done(until); first = false) {", "brief4"),
    ("(H) a thread bids for a slot before all members have come", "shmem/coll/slot.c",
     "\tcoll_sync(&op); /* all are here: see slot.h */\n", "", "start"),
    ("(H) a link that broke opens again while the job goes on or ends", "drivers/raw/plx_ntb/plx_ops.c",
     "\tdev->once = true;\n", "\tdev->once = false;\n", "broken"),
    ("(H) a member of a collect takes only when it has sent all", "shmem/coll/collect.c",
     "\t\t\tgone |= take_run(g, (enum coll_dir)dir, &in[dir]);\n",
     "\t\t\tif (out[0].i == out[0].runs && (dirs == 1 || out[1].i == out[1].runs))\n"
     "\t\t\t\tgone |= take_run(g, (enum coll_dir)dir, &in[dir]);\n", "dealt"),
    ("(H) the hello is not written again for a new token", "runtime/link/handshake.c",
     "if (ret == 0 && me.peer_token != g->peer_token) {", "if (false) {", "flap"),
    ("(H) a sleeper reads its words behind the doorbell's clear", "runtime/relay/sleep.c",
     "\t\task_bells(group, true);\n\t\tquiet",
     "\t\task_bells(group, true);\n\t\tn = read_words(group, w);\n\t\tquiet", "outside"),
    ("(H) a get takes what a dead link gives for data", "runtime/op/get.c",
     "if (memchr(part, 0xff, n) != NULL)", "if (false)", "ones"),
    ("(H) a quiet hides from another one of its context what is under way", "runtime/op/order.c",
     "hosts &= atomic_load_explicit(&ctx->dirty, memory_order_relaxed);",
     "hosts &= atomic_exchange_explicit(&ctx->dirty, 0, memory_order_relaxed);", "quiet"),
    ("(H) a get is older than the flag that the program waited for", "runtime/op/get.c",
     "\trb_win_rmb(&rb.link[t->port]);\n", "", "loads"),
    ("(H) a put stays in the CPU's buffer", "runtime/op/put.c",
     "\t\trb_win_wmb(&rb.link[t->port]);\n", "\t\t;\n", "bridge"),
    ("(H) nobody who waits looks whether a cable broke", "runtime/link/cable.c",
     "\tif (link->up && cable_broke(port))\n\t\tlose_link(port);\n\telse if", "\tif", "flapped"),
    ("(H) a flush takes lost stores for complete", "runtime/link/cable.c",
     "likely(seen >= first && seen != UINT64_MAX)", "likely(seen != UINT64_MAX)", "mute"),
    ("(H) a signal's order is taken before the signal", "shmem/rma_signal.c",
     "\tvalue = __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);\n"
     "\tif (__builtin_expect(shmemi.races, 0)) /* what the value shows, so after it */\n"
     "\t\tshmemi_race_acquire(sig_addr, sizeof(*sig_addr), shmemi.pe, true);\n",
     "\tif (__builtin_expect(shmemi.races, 0))\n"
     "\t\tshmemi_race_acquire(sig_addr, sizeof(*sig_addr), shmemi.pe, true);\n"
     "\tvalue = __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);\n", "signals"),
    ("a sleeper looks before it asks for bells", "runtime/relay/sleep.c",
     "\t\task_bells(group, true);\n\t\tquiet = nothing_left(group);",
     "\t\tquiet = nothing_left(group);\n\t\task_bells(group, true);", "wait"),
    ("nobody asks for bells where polling is returned", "runtime/relay/sleep.c",
     "ask_bells(group, true);\n\t\tcall = ", "call = ", "wait"),
    ("doorbells that came since are cleared", "runtime/link/chan.c",
     "ntb_db_clear(link->port, fresh);", "ntb_db_clear(link->port, rb_groups[group].bells);", "bells"),
    ("an entry of a request is free before it is empty", "runtime/relay/request.c",
     "\t__atomic_store_n(&req->pending, NULL, __ATOMIC_RELAXED);\n\tgive_entry(req);",
     "\tgive_entry(req);\n\t__atomic_store_n(&req->pending, NULL, __ATOMIC_RELAXED);", "atomics"),
    ("two threads take one entry of a request", "runtime/relay/request.c",
     "if (atomic_compare_exchange_weak_explicit(&rb_requests.claimed[w], &seen,\n"
     "\t\t\t\t\t\t\t\t  seen | bit, memory_order_acquire,\n"
     "\t\t\t\t\t\t\t\t  memory_order_relaxed))",
     "atomic_store(&rb_requests.claimed[w], seen | bit);\n\t\t\tif (bit != 0)", "atomics"),
    ("a ring of requests is filled without its lock", "runtime/relay/send.c",
     "\trb_tx_lock(tx);\n\tif (unlikely(rb_tx_free", "\tif (unlikely(rb_tx_free", "atomics"),
    ("a PE's next operation is taken before its last one counts", "runtime/host/proxy_queue.c",
     "\trb_tsan_release();\n", "\tatomic_store(&under_way[local], 0);\n\trb_tsan_release();\n", "brief"),
    ("a ring that is not empty is no longer due", "runtime/host/proxy_queue.c",
     "\t\tif (more != 0)\n\t\t\tcontinue;\n", "", "brief"),
    ("posts are cleared before they are due", "runtime/host/proxy_queue.c",
     "\t\tatomic_store_explicit(&due[w], was | more, memory_order_relaxed);\n",
     "\t\tatomic_fetch_and(&rb_hostseg->posts[w], ~more);\n\t\tatomic_store(&due[w], was | more);\n", "posts"),
    ("a reply for a PE rings no bell", "runtime/host/proxy_queue.c",
     "\trb_hostseg_bell();\n", "", "lcores"),
    ("posts of two threads get their tickets out of order", "runtime/host/proxy_client.c",
     "\tlock_flag(&post_lock);\n", "", "quiet"),
    ("two threads share the cell of a value", "runtime/host/proxy_client.c",
     "\tlock_flag(&value_lock);\n\twait_done(post_op(", "\twait_done(post_op(", "brief"),
    ("the end of a ring is read beside its sender", "runtime/survive/retransmit.c",
     "\tif (atomic_flag_test_and_set_explicit(&tx->lock, memory_order_acquire))\n\t\treturn -EAGAIN;\n", "", "cut"),
    ("a route that has moved is used", "runtime/survive/reroute.c",
     "\trb_wait_end(&w);\n\treturn still_leads(host, word);", "\trb_wait_end(&w);\n\treturn true;", "cut"),
    ("a request does not wait for its turn", "runtime/survive/survive.c",
     "\tif (unlikely(ahead > 0)) {", "\tif (false) {", "cutfew"),
    ("(H) what was taken is told once", "runtime/survive/survive.c",
     "marked[port] != rb_epoch))", "marked[port] == 0))", "cuts"),
    ("(H) acknowledgements of a job that survives are stored", "runtime/relay/ack.c",
     "(int)src && likely(rb_survive == NULL)", "(int)src", "cut"),
    ("relayed frames fill the last slot", "runtime/base/rules.h",
     "RB_ENTER = 2,", "RB_ENTER = 1,", "far"),
    ("an atomic without room for its answer runs twice", "runtime/relay/dispatch.c",
     "if (d->req != 0 && rb_tx_free(", "if (false && rb_tx_free(", "slots"),
    ("a slot is given back before it is read", "runtime/relay/dispatch.c",
     "\t\tif (handle_frame(port", "\t\trb_win_store64(rx->credit, rx->pos + 1);\n\t\tif (handle_frame(port", "nbi"),
    ("a frame is published before it is whole", "runtime/relay/send.c",
     "\trb_send_note(ctx, to, d);\n\trb_send_fill(",
     "\trb_win_store32(&tx->desc[tx->pos & (rb.slots - 1)].seq, tx->pos + 1);\n"
     "\trb_send_note(ctx, to, d);\n\trb_send_fill(", "order"),
    ("a fence forgets what is under way", "runtime/op/order.c",
     "\t\traise_to(&ctx->fenced[h], issued);\n", "", "order"),
    ("a lock's holder forgets who waits behind it", "shmem/lock.c",
     "__atomic_and_fetch(&l->node, ~(uint32_t)GRANTED, __ATOMIC_ACQ_REL);",
     "__atomic_store_n(&l->node, 0, __ATOMIC_RELEASE);", "lock"),
    ("a lock is passed on before its successor is known", "shmem/lock.c",
     "next = await_node(&l->node, ~(uint32_t)GRANTED, (struct rb_wait){0});",
     "next = __atomic_load_n(&l->node, __ATOMIC_ACQUIRE);", "lock"),
    ("two threads run one queue of collectives", "shmem/coll/queue.h",
     "return !atomic_exchange_explicit(&q->running, true, memory_order_acquire);",
     "{\n\t\tatomic_store(&q->running, true);\n\t\treturn true;\n\t}", "posted"),
    ("a post is forgotten as its queue settles", "shmem/coll/queue.c",
     "\tif (atomic_load_explicit(&q->inbox, memory_order_seq_cst) != NULL)", "\tif (false)", "posted"),
    ("a line of a step is used before all have read it", "shmem/coll/step.c",
     "if (step >= ahead && t->met < entered) {", "if (false) {", "brief"),
    ("parts of reductions have one area", "shmem/coll/meet.c",
     "parts[m->number % 2]", "parts[0]", "brief"),
    ("a lead does not wait for an arrival that another PE sends", "runtime/op/barrier.c",
     "\tRB_WAIT_FOR(atomic_load_explicit(&rb_hostseg->announced, memory_order_acquire) >= epoch,\n"
     "\t\t    .what = RB_FOR_BARRIER, .leaves = true);\n", "", "barrier"),
]


if __name__ == "__main__":
    sys.exit(mutate.main(__doc__, "tests/dst/mutations.py", MUTATIONS,
                         "| planted | scenario | seed | seconds | found as |\n|---|---|---|---|---|",
                         Planted, OPTIONS))
