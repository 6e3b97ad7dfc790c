# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""An NTB in a root port of Intel's Xeons: what its firmware made of it. A read changes nothing."""
import chip
import pci

SPACE = 0x10000
PPD, LINK = 0xd4, 0x1a2  # of Skylake, in configuration space
PPD1, STATUS = 0xb4c0, 0xb052  # of Ice Lake, in BAR0
SKYLAKE_MODES = {0: "transparent", 1: "back to back", 2: "root port"}
ICE_LAKE_MODES = {2: "back to back"}
BACK_TO_BACK = "back to back"


class Xeon:
    """Each None where it could not be read."""

    def __init__(self, mode, downstream, status):
        self.mode, self.downstream = mode, downstream
        self.width = None if status is None else status >> 4 & 0x3f
        self.speed = None if status is None else status & 0xf


def of_skylake(function):
    ppd = function.config.value(PPD, 1)
    if ppd is None:
        return Xeon(None, None, None)
    return Xeon(SKYLAKE_MODES.get(ppd & 3, "no known mode"), bool(ppd & 0x10),
                function.config.value(LINK, 2))


def of_ice_lake(words):
    ppd = words[PPD1 // 4]
    # the status is the upper half of its word
    return Xeon(ICE_LAKE_MODES.get(ppd >> 8 & 3, "not back to back"), bool(ppd & 0x1000),
                words[STATUS // 4] >> 16)


def read(root, function, functions):
    if function.device == pci.SKYLAKE:
        return of_skylake(function)
    return (chip.read_registers(root, function, functions, SPACE, of_ice_lake) or
            Xeon(None, None, None))
