#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A mistake ends the program or the job with a line that names the call, argument and value.

Usage: test_misuse.py OSHRUN MISUSE COLL_MISUSE COLL_CHECK
"""
import os
import subprocess
import sys

# case of misuse.c, a variable, exit status, what the output must hold. A mistake has one line and no more.
ONE_PE_CASES = [
    ("raw_refused", "", 0, []),
    ("pe_range", "", 1, ["shmem_int_p: ", "PE 5", "0..0"]),
    ("pe_negative", "", 1, ["shmem_long_atomic_fetch_inc: ", "PE -3"]),
    ("on_stack", "", 1, ["shmem_putmem: ", "not symmetric", "0x"]),
    ("null_dest", "", 1, ["shmem_double_put: ", "NULL", "8 bytes"]),
    ("over_the_end", "", 1, ["shmem_getmem: ", "1099511627776", "end"]),
    ("too_many", "", 1, ["shmem_int_put: ", "nelems is 9223372036854775807"]),
    ("no_ctx", "", 1, ["shmem_ctx_int_put: ", "SHMEM_CTX_INVALID"]),
    ("bad_sig_op", "", 1, ["shmem_putmem_signal: ", "sig_op is 9"]),
    ("bad_cmp", "", 1, ["shmem_int_wait_until: ", "cmp is 0"]),
    ("stride_zero", "", 1, ["shmem_int_iput: ", "dst is 0"]),
    ("stride_short", "", 1, ["shmem_int_ibget: ", "sst is 2", "block of 3"]),
    ("unaligned_amo", "", 1, ["shmem_int_atomic_inc: ", "aligned to 4"]),
    ("bad_quiet", "", 1, ["shmem_pe_quiet: ", "PE 7"]),
    ("pe_for_nothing", "", 1, ["shmem_int_put: ", "PE 5", "0..0"]),
    ("nothing", "SHMEM_CHECK=1", 0, []),
    ("default_ctx_destroyed", "", 1, ["shmem_ctx_destroy: ", "SHMEM_CTX_DEFAULT"]),
    ("finalized", "", 1, ["shmem_quiet: ", "outside"]),
    ("who_was_it", "", 0, []),
    ("who_was_it", "SHMEM_CHECK=1", 1, ["shmem_my_pe: ", "outside"]),
    ("finalized_twice", "", 0, []),
    ("finalized_twice", "SHMEM_CHECK=1", 1, ["shmem_finalize: ", "outside"]),
    ("raw_early", "", 1, ["shmem_my_pe: ", "outside"]),
    ("raw_start_pes", "", 0, []),
    ("exit_status", "", 7, []),
    ("no_finalize", "", 0, []),
    ("no_finalize_failed", "", 3, []),
    ("no_finalize", "SHMEM_SYMMETRIC_SIZE=12q", 1, ["shmem_init: ", "=12q"]),
    ("no_finalize", "SHMEM_SYMMETRIC_SIZE=900T", 1, ["shmem_init: ", "=900T"]),
    ("no_finalize", "SMA_SYMMETRIC_SIZE=-1", 1, ["shmem_init: ", "=-1"]),
    ("no_finalize", "SHMEM_VERSION=1", 0, [", OpenSHMEM 1.6"]),
    ("no_finalize", "SMA_INFO=1", 0, ["SHMEM_SYMMETRIC_SIZE", "SHMEM_CHECK"]),
    ("no_finalize", "SHMEM_DEBUG=1", 0, ["shmem_init: PE 0 of 1", "bytes of heap"]),
    ("overlapping", "SHMEM_CHECK=1", 1, ["shmem_int_put: ", "overlap"]),
    ("overlapping", "SHMEM_CHECK=0", 0, []),
    ("overlapping_strides", "SHMEM_CHECK=1", 1, ["shmem_int_iput: ", "overlap"]),
    ("overlapping_blocks", "SHMEM_CHECK=1", 1, ["shmem_int_ibget: ", "overlap", "1 blocks"]),
    ("unaligned", "SHMEM_CHECK=1", 1, ["shmem_int_put: ", "aligned to 4"]),
    ("wait_on_stack", "SHMEM_CHECK=1", 1, ["shmem_int_wait_until: ", "0x"]),
    ("signal_in_data", "SHMEM_CHECK=1", 1, ["shmem_uint64_put_signal: ", "sig_addr"]),
    ("other_thread", "SHMEM_CHECK=1", 1, ["shmem_ctx_int_put: ", "SHMEM_THREAD_SINGLE"]),
    ("destroyed_ctx", "SHMEM_CHECK=1", 1, ["shmem_ctx_quiet: ", "destroyed"]),
    ("destroyed_team_ctx", "SHMEM_CHECK=1", 1, ["shmem_ctx_int_p: ", "destroyed"]),
    ("team_of_destroyed_ctx", "SHMEM_CHECK=1", 1, ["shmem_ctx_get_team: ", "destroyed"]),
    ("left_private_in_team", "SHMEM_CHECK=1", 1, ["shmem_ctx_destroy: ", "private"]),
    ("other_private", "SHMEM_CHECK=1", 1, ["shmem_ctx_quiet: ", "private"]),
    ("left_private", "SHMEM_CHECK=1", 1, ["shmem_ctx_destroy: ", "private"]),
]

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
    ("sync_on_stack", 2, "1", ["shmem_sync: ", "pSync", "not symmetric"]),
    ("sync_on_stack", 2, "0", []),
    ("some_on_stack", 2, "0", ["shmem_barrier: ", "pSync", "not symmetric"]),
    ("destroy_world", 1, "0", ["shmem_team_destroy: ", "SHMEM_TEAM_WORLD"]),
    ("destroyed_team", 2, "1", ["shmem_team_sync: ", "destroyed"]),
    ("free_foreign", 1, "0", ["shmem_free: ", "not the start"]),
    ("free_twice", 1, "0", ["shmem_free: ", "not the start"]),
    ("odd_alignment", 1, "0", ["shmem_align: ", "alignment 24"]),
    ("small_alignment", 1, "1", ["shmem_align: ", "alignment 2 "]),
    ("small_alignment", 1, "0", []),
    ("other_size", 2, "1", ["shmem_malloc: ", "size is 100 on PE 0, 1100 on PE 1"]),
    ("other_free", 2, "1", ["shmem_free: ", "into the heap"]),
    ("overlapping", 1, "1", ["shmem_long_sum_reduce: ", "overlap"]),
    ("no_source", 2, "1", ["shmem_long_broadcast: ", "source is NULL"]),
    ("alone_malloc", 3, "1", ["another collective", "shmem_malloc", "shmem_barrier_all"]),
    ("alone_at_the_end", 2, "1", ["another collective", "shmem_finalize", "shmem_sync_all"]),
    ("alone_for_long", 2, "1", ["shmem_calloc: ", "waits for more than 0.5 s",
                                "PE 1 is in no collective call"]),
    ("alone_in_team", 3, "1", ["waits for ever", "PE 1", "shmem_team_sync"]),
    ("endless_stride", 2, "0", ["shmem_long_alltoalls: ", "exceed memory"]),
    ("alone_stopped", 2, "1", []),
    ("alone_in_thread", 2, "1", ["shmem_barrier_all: ", "SHMEM_THREAD_SINGLE"]),
    ("other_collective", 2, "1", ["_reduce: ", "another collective"]),
    ("other_length", 2, "1", ["shmem_long_fcollect: ", "nelems, in bytes, is 16 on PE 0, 24 on PE 1"]),
    ("other_dest", 3, "1", ["shmem_long_sum_reduce: ", "into the heap"]),
    ("request_twice", 2, "1", ["shmemx_req_wait: ", "completed before"]),
    ("request_twice", 2, "0", []),
    ("request_left", 2, "1", ["shmem_team_destroy: ", "1 requests", "not been waited for"]),
    ("request_left", 2, "0", []),
    ("other_post", 2, "1", ["_reduce_nb: ", "another collective"]),
    ("post_and_call", 2, "1", ["another collective", "shmem_sync_all", "shmemx_sync_all_nb"]),
    ("post_on_stack", 2, "0", ["shmemx_long_sum_reduce_nb: ", "not symmetric"]),
    ("two_threads", 1, "0", []),
    ("two_threads", 2, "1", ["shmem_long_sum_reduce: ", "another thread"]),
]

# case of the other program and arguments, options of oshrun, what the output must hold; SHMEM_CHECK=1
CHECK_CASES = [
    ("over_broadcast", "--hosts 2", ["shmem_long_broadcast: ", "overlap"]),
    ("over_broadcast_same", "--hosts 2", ["shmem_broadcastmem: ", "overlap"]),
    ("over_broadcast_old", "-n 2", ["shmem_broadcast64: ", "overlap"]),
    ("over_fcollect", "--hosts 3", ["shmem_long_fcollect: ", "16 bytes, and dest", "48 bytes, overlap"]),
    ("over_collect", "--hosts 2", ["shmem_long_collect: ", "64 bytes, overlap"]),
    ("over_collect", "-n 2", ["shmem_long_collect: ", "64 bytes, overlap"]),
    ("over_collect_old", "-n 1", ["shmem_collect32: ", "overlap"]),
    ("over_alltoall", "--hosts 2", ["shmem_long_alltoall: ", "overlap"]),
    ("over_alltoalls", "--hosts 2", ["shmem_long_alltoalls: ", "overlap"]),
    ("over_alltoalls_old", "-n 1", ["shmem_alltoalls32: ", "overlap"]),
    ("over_scan", "-n 1", ["shmem_long_sum_inscan: ", "overlap"]),
    ("over_to_all", "-n 2", ["shmem_long_max_to_all: ", "overlap"]),
    ("other_root", "--hosts 3", ["shmem_long_broadcast: PE_root is 0 on PE 0, 1 on PE 2"]),
    ("other_root_old", "-n 2", ["shmem_broadcast32: PE_root is 0 on PE 0, 1 on PE 1"]),
    ("other_broadcast", "--hosts 2 -n 4", ["shmem_long_broadcast: nelems, in bytes, is 32 on PE",
                                           "24 on PE 3"]),
    ("other_alltoall", "--hosts 2", ["shmem_long_alltoall: nelems is 2 on PE 0, 0 on PE 1"]),
    ("other_stride", "--hosts 2", ["shmem_long_alltoalls: sst is 1 on PE 0, 2 on PE 1"]),
    ("other_nreduce", "-n 2", ["shmem_long_xor_to_all: the number of elements is 3 on PE 0, 4 on PE 1"]),
    ("other_static", "--hosts 2", ["shmem_long_fcollect: the object is ", "bytes into static data on PE 0"]),
    ("other_source", "--hosts 2", ["shmem_long_min_reduce: source is ", "bytes into the heap on PE 0"]),
    ("other_call", "--hosts 3", ["another collective: PE 0 called shmem_long_fcollect, "
                                 "PE 1 shmem_long_collect"]),
    ("other_align", "-n 2", ["shmem_align: alignment is 64 on PE 0, 128 on PE 1"]),
    ("other_realloc", "-n 2", ["shmem_realloc: size is 100 on PE 0, 101 on PE 1"]),
    ("other_start", "--hosts 3", ["shmem_team_split_strided: start is 0 on PE 0, 1 on PE 2"]),
    ("other_step", "--hosts 3", ["shmem_team_split_strided: stride is 1 on PE 0, 2 on PE 1"]),
    ("other_count", "-n 3", ["shmem_team_split_strided: size is 1 on PE 0, 2 on PE 1"]),
    ("other_range", "--hosts 2", ["shmem_team_split_2d: xrange is 1 on PE 0, 2 on PE 1"]),
    ("other_config", "--hosts 3", ["shmem_team_split_strided: num_contexts is 0 on PE 0, 1 on PE 1"]),
    ("other_mask", "-n 2", ["shmem_team_split_2d: config_mask is 0 on PE 0, 1 on PE 1"]),
    ("through_alias", "-n 2", ["shmem_long_p: ", "heap as shmem_ptr() shows it"]),
    ("finalize_elsewhere 0", "-n 1", ["shmem_finalize: called by a thread"]),
    ("finalize_elsewhere 1", "-n 1", ["shmem_finalize: called by a thread"]),
    ("finalize_elsewhere 2", "-n 1", ["shmem_finalize: called by a thread"]),
    ("finalize_elsewhere 3", "--hosts 2", ["shmem_finalize: called by a thread"]),
    ("legal", "-n 1", []),
    ("legal", "--hosts 2", []),
    ("legal", "--hosts 5", []),
    ("legal", "-n 3", []),
    ("legal", "--hosts 2 -n 4", []),
    ("legal", "--hosts 2 -n 5 --map-by host", []),
]


def run_alone(program, case, variable, status, words):
    env = dict(os.environ, **dict([variable.split("=")] if variable else []))
    out = subprocess.run([program, case], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    problems = [f"output lacks '{w}'" for w in words if w not in out.stdout]
    if out.returncode != status:
        problems.append(f"exit status {out.returncode}")
    if status == 1 and out.stdout.count("\n") != 1:
        problems.append("not one line")
    return [f"{case} alone with {variable}: {p}\n{out.stdout}" for p in problems]


def run(oshrun, program, options, case, check, words):
    env = dict(os.environ, SHMEM_CHECK=check, SHMEM_CHECK_WAIT="0.5",
               SHMEM_SYMMETRIC_SIZE="32M")
    command = [oshrun, *options.split(), "--timeout", "30", program, *case.split()]
    out = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    problems = [f"output lacks '{w}'" for w in words if w not in out.stdout]
    if (out.returncode != 0) != bool(words):
        problems.append(f"exit status {out.returncode}")
    return [f"{case} with {options} and SHMEM_CHECK={check}: {p}\n{out.stdout}" for p in problems]


def main():
    oshrun, one_pe, program, check_program = sys.argv[1:]
    problems = []
    for row in ONE_PE_CASES:
        problems += run_alone(one_pe, *row)
    for case, hosts, check, words in CASES:
        problems += run(oshrun, program, f"--hosts {hosts}", case, check, words)
    for case, options, words in CHECK_CASES:
        problems += run(oshrun, check_program, options, case, "1", words)
    # and mistakes that only the checked mode finds pass without it
    for case in "over_alltoall", "over_scan", "other_source":
        problems += run(oshrun, check_program, "--hosts 2", case, "0", [])
    print("\n".join(problems))
    print(f"{len(problems)} problems in {len(ONE_PE_CASES) + len(CASES) + len(CHECK_CASES) + 3} "
          "cases")
    return bool(problems)


sys.exit(main())
