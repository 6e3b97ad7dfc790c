#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What the tests of ringbell-eeprom share: runs of it, and images made without it.

Images here are made from the facts about the format (doc/hardware.md), not by the program's way: the
checksum is the rest of a division of polynomials.
"""
import contextlib
import io
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
from unittest import mock

FINE, FOUND, TROUBLE = 0, 1, 2
LIMIT = 60  # seconds for anything, on a busy machine
NT_CONFIG = 0x360
NT0_VIRTUAL, NT1_VIRTUAL, DMA = 0x39, 0x3B, 0x28


def checksum(data):
    """Of the bytes from the count on, as dwords of little endian, the last filled with zeros."""
    data = data[2:] + bytes(-len(data[2:]) % 4)
    words = struct.unpack(f"<{len(data) // 4}I", data)
    rest = 0xFFFFFFFF
    for word in words:
        rest ^= word
        rest <<= 32
        for bit in range(63, 31, -1):
            if rest >> bit & 1:
                rest ^= 0x1DB710641 << (bit - 32)
    return rest


def record(place, reg, value):
    return struct.pack("<HI", place << 10 | reg >> 2, value)


def image(records, flags=0x80, crc=None):
    body = b"".join(record(*r) for r in records)
    data = struct.pack("<BBH", 0x5A, flags, len(body)) + body
    return data + struct.pack("<I", checksum(data) if crc is None else crc)


def records(data):
    """[(place, register, value)] of an image, whose header and checksum must be right."""
    signature, flags, count = struct.unpack("<BBH", data[:4])
    assert signature == 0x5A and flags in (0, 0x80) and count % 6 == 0
    assert len(data) == 4 + count + 4
    assert struct.unpack("<I", data[-4:])[0] == checksum(data[:-4])
    pairs = (struct.unpack("<HI", data[at:at + 6]) for at in range(4, 4 + count, 6))
    return [(address >> 10, (address & 0x3FF) << 2, value) for address, value in pairs]


def bars(place, bar0=2, bar2=1 << 30, bar4=1 << 20):
    """The records of an NT port that Ringbell wants."""
    def setup(size, flags):
        mask = (-size) & 0xFFFFFFFFFFFFFFFF if size else 0
        return (mask & 0xFFFFFFFF) | (flags if size else 0), mask >> 32
    b2, b4 = setup(bar2, 0xC), setup(bar4, 0x4)
    return [(place, 0xE4, bar0), (place, 0xE8, b2[0]), (place, 0xEC, b2[1]),
            (place, 0xF0, b4[0]), (place, 0xF4, b4[1])]


def config(upstream=0, nt0=None, nt1=None, alut=True):
    """The value of register 0x360; an NT port that is off has 0x1a for a number."""
    value = upstream
    for at, port in ((8, nt0), (16, nt1)):
        value |= 0x1A << at if port is None else (port | 0x20) << at
    if alut:
        value |= (nt0 is not None) << 30 | (nt1 is not None) << 31
    return value


RINGBELL = ([(0, NT_CONFIG, config(0, 8, 16))] + bars(NT0_VIRTUAL) + bars(NT1_VIRTUAL) +
            [(DMA, 0x1F8, 0)])


class Case(unittest.TestCase):
    """In a folder of its own."""
    program = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ringbell-eeprom-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def put(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)
        return name

    def get(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def run_tool(self, *args, **env):
        return subprocess.run([*self.program, *args], cwd=self.folder, text=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False, env={**os.environ, **env})

    def fine(self, *args, **env):
        done = self.run_tool(*args, **env)
        self.assertEqual((done.returncode, done.stderr), (FINE, ""), args)
        return done.stdout

    def fails(self, words, *args, **env):
        """Not done, for a reason in one line that has the words."""
        done = self.run_tool(*args, **env)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (TROUBLE, 1),
                         (args, done.stdout, done.stderr))
        self.assertIn(words, done.stderr)
        return done


class Inside(Case):
    """The program's modules in this process: a thousand processes would take minutes."""
    main = None  # command.main()

    def run_tool(self, *args, **env):
        out, err, before = io.StringIO(), io.StringIO(), os.getcwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch.dict(os.environ, env):
                status = self.main(list(args))
        finally:
            os.chdir(before)
        return subprocess.CompletedProcess(args, status, out.getvalue(), err.getvalue())
