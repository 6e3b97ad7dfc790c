# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The files of a recorded run (record.h). All of their content is untrusted."""
import math
import os
import re
import struct

PAGE, MAGIC = 4096, b"RBHIST1\0"
HEADER = struct.Struct("8sIIII40s")
ENTRY = struct.Struct("QQqQQQBBBBiII")
LIMIT = 1 << 23  # entries of a file
SIGNED, RESULT = 0x40, 4
REGIONS = {0: None, 1: "heap", 2: "static"}
INF = math.inf


class Bad(Exception):
    """The run cannot be checked: its text says why."""


class Op:
    """One call. end: it has taken effect by then."""
    __slots__ = ("caller", "seq", "kind", "t0", "t1", "end", "place", "a", "b", "result", "size", "signed", "region",
                 "pe", "thread", "ctx", "fenced")

    def __init__(self, caller, seq, kinds, row):
        self.t0, t1, self.place, self.a, self.b, result, kind, form, flags, _, self.pe, self.thread, self.ctx = row
        self.caller, self.seq, self.kind = caller, seq, kinds[kind]
        self.t1 = self.end = t1 or INF
        self.result = result if flags & RESULT else None
        self.size, self.signed = form & 0x1f, bool(form & SIGNED)
        self.region = REGIONS[flags & 3]
        self.fenced = INF  # when the first fence behind it has returned
        if self.t1 < self.t0:
            raise Bad(f"entry {seq} returns before it is invoked")
        if self.size not in (0, 1, 2, 4, 8, 16):
            raise Bad(f"entry {seq} is of a type of {self.size} bytes")

    def text(self, start):
        words = {"_put": f"{self.a} bytes"}.get(self.kind, f"{self.a:#x}, {self.b:#x}" if self.b else f"{self.a:#x}")
        where = f" at {self.region}+{self.place:#x} of PE {self.pe}" if self.region and self.pe >= 0 else ""
        end = "never returned" if self.t1 == INF else f"returned at {(self.t1 - start) / 1000:.3f} us"
        late = f", complete at {(self.end - start) / 1000:.3f} us" if self.t1 < self.end < INF else ""
        got = "" if self.result is None else f" = {self.result:#x}"
        return (f"PE {self.caller} thread {self.thread}: {self.kind.strip('_')}({words}){got}{where}, "
                f"called at {(self.t0 - start) / 1000:.3f} us, {end}{late}")


def load_file(path):
    """(PE, PEs, clock, calls)"""
    with open(path, "rb") as f:
        head = f.read(PAGE)
        if len(head) < PAGE:
            raise Bad("shorter than its header")
        magic, pe, npes, _, lost, boot = HEADER.unpack_from(head)
        kinds = head[HEADER.size:].split(b"\0")[0].decode("ascii", "replace").split()
        if magic != MAGIC or not kinds or not all(re.fullmatch(r"[_a-z]+", k) for k in kinds):
            raise Bad("not a history, or one of another version")
        if pe >= npes or npes > 1 << 16:
            raise Bad(f"PE {pe} of {npes}")
        if lost:
            raise Bad(f"{lost} calls had no room in it")
        ops, room = [], LIMIT * ENTRY.size
        while room and (data := f.read(min(room, 1 << 20))):
            room -= len(data)
            for row in ENTRY.iter_unpack(data[:len(data) // ENTRY.size * ENTRY.size]):
                if row[6] == 0:  # the file of a PE that was killed is longer
                    return pe, npes, boot, ops
                if row[6] >= len(kinds) or row[8] & 3 == 3 or not -1 <= row[10] < npes:
                    raise Bad(f"entry {len(ops)} makes no sense")
                ops.append(Op(pe, len(ops), kinds, row))
    return pe, npes, boot, ops


def load(folder):
    """Calls of each PE."""
    run, clocks, name = {}, set(), folder
    try:
        names = sorted(n for n in os.listdir(folder) if n.endswith(".history"))
        for name in names:
            pe, npes, boot, ops = load_file(os.path.join(folder, name))
            clocks.add((boot, npes))
            if pe in run:
                raise Bad(f"PE {pe} once more")
            run[pe] = ops
    except OSError as e:
        raise Bad(f"{name}: {e.strerror}") from e
    except (Bad, struct.error) as e:
        raise Bad(f"{name}: {e}") from e
    if not run:
        raise Bad(f"{folder}: no histories of PEs in it")
    if len(clocks) > 1:
        raise Bad(f"{folder}: histories of different runs, or of machines, whose clocks cannot be compared")
    ((_, npes),) = clocks
    if len(run) != npes:
        raise Bad(f"{folder}: histories of {len(run)} of {npes} PEs")
    return [run[pe] for pe in range(npes)]
