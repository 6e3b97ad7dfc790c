# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Processes of a job, as /proc shows them."""
import os


def children(pid):
    """In the order in which they were started, which for oshrun's PEs is that of their numbers."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
        return [int(child) for child in f.read().split()]


def running(*programs):
    """Those that run one of the programs: PEs, and the watchdogs beside them."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") in programs:
                found.append(int(pid))
        except OSError:
            pass
    return found
