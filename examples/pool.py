#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A job from Python's multiprocessing: this process makes the id, its children are the PEs.

Usage: pool.py LIBSHMEM PES"""
import ctypes
import multiprocessing
import sys


def run_pe(library, job, pe, pes):
    """One PE: gives its number to the next one."""
    shmem = ctypes.CDLL(library)
    shmem.shmem_malloc.restype = ctypes.c_void_p
    if shmem.shmemx_init_by_id(job, pe, pes, 0, None) != 0:
        sys.exit(1)
    word = shmem.shmem_malloc(ctypes.c_size_t(8))
    shmem.shmem_long_p(ctypes.c_void_p(word), ctypes.c_long(pe), (pe + 1) % pes)
    shmem.shmem_barrier_all()
    right = ctypes.c_long.from_address(word).value == (pe + pes - 1) % pes
    # one write a line: others write too
    sys.stdout.write(f"PE {shmem.shmem_my_pe()} of {shmem.shmem_n_pes()}: {'right' if right else 'wrong'}\n")
    sys.stdout.flush()
    shmem.shmem_finalize()
    sys.exit(not right)


def main():
    library, pes = sys.argv[1], int(sys.argv[2])
    job = ctypes.create_string_buffer(128)
    if ctypes.CDLL(library).shmemx_make_id(job) != 0:
        return 1
    processes = [multiprocessing.Process(target=run_pe, args=(library, job.value, pe, pes)) for pe in range(pes)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return any(process.exitcode != 0 for process in processes)


if __name__ == "__main__":
    sys.exit(main())
