#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The cost of an idle job, for bench/bars.py. Each PE prints the CPU time of its process, service lcores included,
in per cent of one CPU: while all sleep outside of the library, and while all but PE 0 are in shmem_wait_until().
Start and end are not included.

Usage: oshrun ... idle.py LIBSHMEM SECONDS
"""
import ctypes
import sys
import time

EQUAL = 1  # SHMEM_CMP_EQ


def main():
    shmem, seconds = ctypes.CDLL(sys.argv[1]), float(sys.argv[2])
    shmem.shmem_init()
    shmem.shmem_calloc.restype = ctypes.c_void_p
    word = ctypes.c_void_p(shmem.shmem_calloc(ctypes.c_size_t(1), ctypes.c_size_t(8)))
    me = shmem.shmem_my_pe()
    for name in ("asleep", "blocked"):
        shmem.shmem_barrier_all()
        cpu, start = time.process_time(), time.monotonic()
        if me == 0 or name == "asleep":
            time.sleep(seconds)
        if name == "blocked" and me == 0:
            for pe in range(1, shmem.shmem_n_pes()):
                shmem.shmem_long_p(word, ctypes.c_long(1), pe)
        elif name == "blocked":
            shmem.shmem_long_wait_until(word, EQUAL, ctypes.c_long(1))
        cpu = time.process_time() - cpu
        sys.stdout.write(f"{name} {100 * cpu / (time.monotonic() - start):.2f}\n")
        sys.stdout.flush()
    shmem.shmem_finalize()


main()
