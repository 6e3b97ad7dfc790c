# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The register of a PEX 87xx that says which of its ports are NT ports."""

NT_CONFIG = 0x360  # chip-wide, in the block of port 0


class Config:
    """Its fields."""

    def __init__(self, value):
        self.value = value
        self.upstream = value & 0x1F
        self.on = [bool(value >> at & 1) for at in (13, 21)]
        self.port = [value >> at & 0x1F for at in (8, 16)]
        self.alut = [bool(value >> at & 1) for at in (30, 31)]
        self.dma = value >> 24 & 1
