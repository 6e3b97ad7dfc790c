# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Registers of a chip, read through BAR0 of an NT-Virtual function. A read changes none of these."""
import mmap
import os

import config
import nt
import pci

SPACE = 0x40000
BLOCK = (0x3e000, 0x3c000)  # of NT0's and NT1's Virtual interface
LINK_STATUS = 0x78
BAR_SETUP = (0xe4, 0xe8, 0xec, 0xf0, 0xf4)
ALL_ONES = 0xffffffff


class Chip:
    """What the registers say: None where they could not be read."""

    def __init__(self, words, index):
        self.block = block = BLOCK[index]
        self.id = words[block // 4]
        self.config = nt.Config(words[nt.NT_CONFIG // 4])
        self.setup = {f"{reg:#x}": words[(block + reg) // 4] for reg in BAR_SETUP}
        self.link_status = words[(block + LINK_STATUS) // 4]
        self.port = self.config.port[index]
        self.disabled = bool(words[self.control_of(self.port) // 4] >> (self.port & 7) & 1)

    @staticmethod
    def control_of(port):
        """Register that disables ports, one for each eight of them."""
        return (port >> 3 << 15) + 0x208

    @property
    def answers(self):
        return self.id != ALL_ONES


def is_reachable(function, functions):
    """Memory decode is on, here and in each bridge above: without it a read may be a bus error."""
    above = [functions[a] for a in function.parents if a in functions]
    return (function.power in (None, "D0", "unknown") and
            all(f.config.command(config.MEMORY) for f in [function] + above))


def read_registers(root, function, functions, made):
    """made(words) of BAR0, or None where that must not or cannot be mapped."""
    if function.bars[0].size < SPACE or not is_reachable(function, functions):
        return None
    try:
        fd = os.open(root.path(pci.DEVICES, function.address, "resource0"), os.O_RDONLY)
    except OSError:
        return None
    try:
        with mmap.mmap(fd, SPACE, mmap.MAP_SHARED, mmap.PROT_READ) as mapped:
            # one load of 32 bits each, as registers want it
            with memoryview(mapped).cast("I") as words:
                return made(words)
    except (OSError, ValueError):
        return None
    finally:
        os.close(fd)


def read(root, function, functions):
    """The Chip, or None where it cannot be read."""
    return read_registers(root, function, functions, lambda words: Chip(words, function.nt))
