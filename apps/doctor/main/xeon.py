# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""An NTB in a root port of Intel's Xeons: what its firmware made of it. A read changes nothing."""
import chip
import pci

SPACE = 0x10000
PPD, LINK = 0xd4, 0x1a2  # of Skylake, in configuration space
PPD1, STATUS = 0xb4c0, 0xb052  # of later ones, in BAR0
REVISION = 8
ICE_LAKE_LAST = 0x0f  # revision; later ones of the same id are Sapphire Rapids
SKYLAKE_MODES = {0: "transparent", 1: "back to back", 2: "root port"}
BACK_TO_BACK = "back to back"


class Xeon:
    """Each but the name None where it could not be read."""

    def __init__(self, name, mode=None, downstream=None, status=None):
        self.name, self.mode, self.downstream = name, mode, downstream
        self.width = None if status is None else status >> 4 & 0x3f
        self.speed = None if status is None else status & 0xf


def of_skylake(function):
    ppd = function.config.value(PPD, 1)
    if ppd is None:
        return Xeon("Skylake")
    return Xeon("Skylake", SKYLAKE_MODES.get(ppd & 3, "no known mode"), bool(ppd & 0x10),
                function.config.value(LINK, 2))


def of_later(name, words):
    ppd = words[PPD1 // 4]
    modes, downstream = (7, 0x4000) if name == "Sapphire Rapids" else (3, 0x1000)
    mode = BACK_TO_BACK if ppd >> 8 & modes == 2 else "not back to back"
    # the status is the upper half of its word
    return Xeon(name, mode, bool(ppd & downstream), words[STATUS // 4] >> 16)


def read(root, function, functions):
    if function.device == pci.SKYLAKE:
        return of_skylake(function)
    late = (function.config.value(REVISION, 1) or 0) > ICE_LAKE_LAST
    name = "Sapphire Rapids" if late else "Ice Lake"
    return (chip.read_registers(root, function, functions, SPACE, lambda words: of_later(name, words)) or
            Xeon(name))
