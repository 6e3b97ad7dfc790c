#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Mistakes with heap, teams, collectives and locks end the job with a line that names the call.

Usage: coll_misuse.py OSHRUN PROGRAM
"""
import os
import subprocess
import sys

# case, hosts, SHMEM_CHECK, what the output must hold
CASES = [
    ("none", 2, "0", []),
    ("none", 2, "1", []),
    ("lock_twice", 2, "1", ["shmem_set_lock: ", "already held"]),
    ("lock_twice", 1, "0", ["shmem_set_lock: ", "already held"]),
    ("clear_free", 1, "0", ["shmem_clear_lock: ", "not held"]),
    ("clear_foreign", 2, "1", ["shmem_clear_lock: ", "not held by this PE"]),
    ("lock_garbage", 2, "0", ["shmem_set_lock: ", "not zero"]),
    ("lock_on_stack", 1, "0", ["shmem_set_lock: ", "not an aligned symmetric long"]),
    ("bad_root", 2, "0", ["shmem_long_broadcast: ", "PE_root 2", "0..1"]),
    ("dest_on_stack", 2, "0", ["shmem_long_sum_reduce: ", "not symmetric"]),
    ("bad_stride", 2, "0", ["shmem_long_alltoalls: ", "dst 0"]),
    ("set_too_large", 2, "0", ["shmem_barrier: ", "PE_size 3"]),
    ("set_without_me", 2, "0", ["shmem_barrier: ", "not in the active set"]),
    ("sync_on_stack", 2, "0", ["shmem_sync: ", "pSync", "not symmetric"]),
    ("destroy_world", 1, "0", ["shmem_team_destroy: ", "SHMEM_TEAM_WORLD"]),
    ("destroyed_team", 2, "1", ["shmem_team_sync: ", "destroyed"]),
    ("free_foreign", 1, "0", ["shmem_free: ", "not the start"]),
    ("free_twice", 1, "0", ["shmem_free: ", "not the start"]),
    ("odd_alignment", 1, "0", ["shmem_align: ", "alignment 24"]),
    ("other_size", 2, "1", ["shmem_malloc: ", "another member"]),
    ("other_free", 2, "1", ["shmem_free: ", "into the heap"]),
    ("overlapping", 1, "1", ["shmem_long_sum_reduce: ", "overlap"]),
    ("no_source", 2, "1", ["shmem_long_broadcast: ", "source is NULL"]),
    ("alone_malloc", 3, "1", ["another collective", "shmem_malloc", "shmem_barrier_all"]),
    ("alone_at_the_end", 2, "1", ["another collective", "shmem_finalize", "shmem_sync_all"]),
    ("alone_for_long", 2, "1", ["shmem_calloc: ", "waits for more than 0.5 s",
                                "PE 1 is in no collective call"]),
    ("alone_in_team", 3, "1", ["waits for ever", "PE 1", "shmem_team_sync"]),
    ("alone_in_thread", 2, "1", ["shmem_barrier_all: ", "SHMEM_THREAD_SINGLE"]),
    ("other_collective", 2, "1", ["_reduce: ", "another collective"]),
    ("other_length", 2, "1", ["shmem_long_fcollect: ", "another member"]),
    ("other_dest", 3, "1", ["shmem_long_sum_reduce: ", "into the heap"]),
    ("two_threads", 1, "0", []),
    ("two_threads", 2, "1", ["shmem_long_sum_reduce: ", "another thread"]),
]


def run(oshrun, program, case):
    name, hosts, check, words = case
    env = dict(os.environ, SHMEM_CHECK=check, SHMEM_CHECK_WAIT="0.5",
               SHMEM_SYMMETRIC_SIZE="32M")
    out = subprocess.run([oshrun, "--hosts", str(hosts), "--timeout", "30", program, name],
                         env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    problems = [f"output lacks '{w}'" for w in words if w not in out.stdout]
    if (out.returncode != 0) != bool(words):
        problems.append(f"exit status {out.returncode}")
    return [f"{name} on {hosts} with SHMEM_CHECK={check}: {p}\n{out.stdout}" for p in problems]


def main():
    oshrun, program = sys.argv[1:]
    problems = []
    for case in CASES:
        problems += run(oshrun, program, case)
    print("\n".join(problems))
    print(f"{len(problems)} problems in {len(CASES)} cases")
    return bool(problems)


sys.exit(main())
