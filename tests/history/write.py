# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Histories written by hand, in the form of lab/history/record.h."""
import os
import struct
import subprocess

KINDS = """_none _atomic_fetch _atomic_set _atomic_swap _atomic_compare_swap _atomic_fetch_add _atomic_add
_atomic_fetch_add_nbi _put _signal_set _signal_add _signal_wait_until _wait_until _look _set_lock _test_lock
_clear_lock _barrier_all _quiet _fence""".split()
BLIND = ("atomic_set", "atomic_add", "put", "signal_set", "signal_add", "barrier_all", "quiet", "fence")


def entry(t0, t1, kind, a=0, result=None, b=0, pe=0, place=64, region=2, size=8):
    if kind in ("quiet", "fence", "set_lock", "test_lock", "clear_lock"):
        pe = -1
    if kind == "barrier_all":
        place, region = 1, 0
    flags = region | (0 if kind in BLIND or result is None else 4)
    return struct.pack("QQqQQQBBBBiII", t0, t1, place, a, b, result or 0, KINDS.index("_" + kind), size, flags, 0, pe, 1, 1)


def header(pe, npes, boot=b"one"):
    return struct.pack("8sIIII40s", b"RBHIST1\0", pe, npes, 1, 0, boot) + " ".join(KINDS).encode().ljust(4032, b"\0")


def history(folder, *pes):
    """A folder with the calls of each PE: rows of the words of entry()."""
    os.makedirs(folder)
    for pe, calls in enumerate(pes):
        with open(f"{folder}/{pe}.history", "wb") as f:
            f.write(header(pe, len(pes)) + b"".join(entry(*c[:3], **c[3]) for c in calls))


def check(program, folder, *options):
    """Status and output of the program."""
    done = subprocess.run([program, folder, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    return done.returncode, done.stdout
