# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The chip's EEPROM controller: one command at a time by register 0x260, data by 0x264. All waits
have an end."""
import itertools
import struct
import time

import image
from image import Trouble

CTL, BUFFER = 0x260, 0x264
THIRD_BYTE = 0x26C  # of an address, in bits 7:0
WRITE, READ, READ_STATUS, WRITE_ENABLE = 2, 3, 5, 6
BUSY, CRC_ERROR, OVERRIDE, WRITING, ENABLED = 1 << 18, 1 << 19, 1 << 21, 1 << 24, 1 << 25
WRITE_STATUS = 7 << 28
WIDTH = 22  # of addresses in bytes: two bits from here on
GONE = 0xFFFFFFFF  # what a read gives that nothing answers
NO_SIGNATURE = 0xFFFFFFFF
BLANK_BYTES = 256  # the smallest EEPROM
# Commands take some microseconds, a write of the part some milliseconds.
COMMAND_S, WRITE_S, LOOKS = 0.1, 1, 100


def round_up(length):
    return length + 3 & ~3


class Unlike(Trouble):
    """A dword reads otherwise than it was written."""


class Controller:
    """@p width: bytes of an address as the user says, 0: as the chip found them."""

    def __init__(self, device, width):
        self.device = device
        ctl = device.read(CTL)
        if not ctl >> 16 & 3:
            raise Trouble(f"{device.name}: the chip finds no EEPROM (0x260 reads 0x{ctl:08x})")
        self.before = ctl & (OVERRIDE | 3 << WIDTH)  # put back at the end
        self.bits = OVERRIDE | width << WIDTH if width else self.before
        width = self.bits >> WIDTH & 3
        if not width:
            raise Trouble(f"{device.name}: the EEPROM has no signature, which tells the chip the width of "
                          "its addresses: --address-bytes 2 for an EEPROM of more than 256 bytes, else 1")
        self.room = 256 if width == 1 else image.MOST
        self.wait_command()
        if ctl & CRC_ERROR:
            # a checksum error at power-on blocks all commands until its bit is cleared
            device.write(CTL, self.bits | CRC_ERROR | READ << 13)
            self.wait_command()
        self.wait_part()
        if width == 3:
            device.write(THIRD_BYTE, device.read(THIRD_BYTE) & ~0xFF)

    def close(self):
        if self.bits != self.before:
            self.device.write(CTL, self.before | OVERRIDE)
        self.device.write(CTL, self.before)

    def wait_command(self):
        end = time.monotonic() + COMMAND_S
        for look in itertools.count(1):
            # on a busy machine one look may take as long as the limit
            late, ctl = look > LOOKS and time.monotonic() >= end, self.device.read(CTL)
            if ctl == GONE:
                raise Trouble(f"{self.device.name}: registers now read all ones: the adapter no longer "
                              "answers")
            if not ctl & BUSY:
                return
            if late:
                raise Trouble(f"{self.device.name}: the EEPROM controller has been busy for 100 ms (0x260 "
                              f"reads 0x{ctl:08x})")

    def run(self, command, at=0):
        index = at // 4
        self.device.write(CTL, self.bits | command << 13 | index & 0x1FFF | (index >> 13 & 1) << 20)
        self.wait_command()

    def wait_part(self):
        """The part answers nothing else while it writes. @return the control register"""
        end = time.monotonic() + WRITE_S
        while True:
            late = time.monotonic() >= end
            self.run(READ_STATUS)
            ctl = self.device.read(CTL)
            if not ctl & (WRITING | WRITE_STATUS):
                return ctl
            if late:
                raise Trouble(f"{self.device.name}: the EEPROM is not ready within a second (0x260 reads "
                              f"0x{ctl:08x})")

    def read(self, at):
        self.run(READ, at)
        return self.device.read(BUFFER)

    def write(self, at, value):
        self.run(WRITE_ENABLE)
        if not self.wait_part() & ENABLED:
            raise Trouble(f"{self.device.name}: the EEPROM refuses the write-enable command: is its "
                          "write-protect pin set?")
        self.device.write(BUFFER, value)
        self.run(WRITE, at)
        self.wait_part()

    def verify(self, at, value):
        now = self.read(at)
        if now != value:
            raise Unlike(f"{self.device.name}: byte {at} of the EEPROM reads 0x{now:08x} after "
                         f"0x{value:08x} was written")

    def check_room(self, length):
        if length > self.room:
            size = "2 bytes" if self.room > 256 else "1 byte"
            raise Trouble(f"{self.device.name}: {length} bytes do not fit into an EEPROM with addresses "
                          f"of {size}")

    def read_image(self, least):
        """As many bytes as the image in it has, or BLANK_BYTES where none begins, but not less than
        @p least. @return their number, and these bytes up to a whole dword"""
        length = max(image.length_of(self.read(0)) or BLANK_BYTES, least)
        self.check_room(round_up(length))
        return length, b"".join(struct.pack("<I", self.read(at)) for at in range(0, round_up(length), 4))

    def write_image(self, old, new):
        """Write what differs from @p old, and read all of it back. Meanwhile the EEPROM has no
        signature, so that a chip that starts with half of an image takes none of it. @return how
        many dwords were written"""
        self.check_room(round_up(len(new)))
        if old[:len(new)] == new:
            return 0
        # what shares the last dword with the image stays
        wanted = list(struct.iter_unpack("<I", new + old[len(new):round_up(len(new))]))
        there = list(struct.iter_unpack("<I", old))
        changed = [i for i in range(1, len(wanted)) if wanted[i] != there[i]]
        self.write(0, NO_SIGNATURE)
        self.verify(0, NO_SIGNATURE)
        for i in changed:
            self.write(4 * i, *wanted[i])
            self.verify(4 * i, *wanted[i])
        for i in range(1, len(wanted)):
            self.verify(4 * i, *wanted[i])
        try:
            self.write(0, *wanted[0])
            self.verify(0, *wanted[0])
        except Unlike:  # a header with another count than it was given
            self.write(0, NO_SIGNATURE)
            raise
        return len(changed) + 1
