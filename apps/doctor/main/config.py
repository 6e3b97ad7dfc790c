# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Configuration space of a PCI function, as far as it could be read."""

COMMAND = 0x04
MEMORY, MASTER = 1 << 1, 1 << 2
BAR = 0x10
FIRST_CAPABILITY = 0x34
PCIE, ACS = 0x10, 0x000d
HEADER_ONLY = 64  # bytes that Linux gives to an ordinary user


class Config:
    def __init__(self, data):
        self.data = data or b""

    def value(self, at, size):
        """A little-endian number, or None where it could not be read."""
        if at is None or at + size > len(self.data):
            return None
        return int.from_bytes(self.data[at:at + size], "little")

    def whole(self):
        return len(self.data) > HEADER_ONLY

    def gone(self):
        """The function does not answer."""
        return len(self.data) > 1 and self.data[:2] == b"\xff\xff"

    def capability(self, wanted):
        """Where a capability begins, or None."""
        at = self.value(FIRST_CAPABILITY, 1)
        for _ in range(48):  # as many as fit: a loop of a broken list ends
            if not at or at < 0x40:
                return None
            if self.value(at, 1) == wanted:
                return at
            at = self.value(at + 1, 1)
        return None

    def extended(self, wanted):
        """Where an extended capability begins, or None."""
        at = 0x100
        for _ in range(96):
            head = self.value(at, 4)
            if not head or head == 0xffffffff:
                return None
            if head & 0xffff == wanted:
                return at
            at = head >> 20
            if at < 0x100:
                return None
        return None

    def command(self, bit):
        """Is that bit of the command register set? None: not known."""
        value = self.value(COMMAND, 2)
        return None if value is None else bool(value & bit)

    def pcie(self, offset):
        at = self.capability(PCIE)
        return None if at is None else self.value(at + offset, 2)

    def payload(self):
        """Bytes a packet of this function may carry, or None."""
        control = self.pcie(0x08)
        return None if control is None else 128 << (control >> 5 & 7)

    def read_request(self):
        control = self.pcie(0x08)
        return None if control is None else 128 << (control >> 12 & 7)

    def aspm(self):
        """The two bits of the link control register that let the link sleep, or None."""
        control = self.pcie(0x10)
        return None if control is None else control & 3

    def redirects(self):
        """Does ACS send packets between two functions up to the root port? None: not known."""
        at = self.extended(ACS)
        control = None if at is None else self.value(at + 6, 2)
        return None if control is None else bool(control & 0xc)

    def bar_type(self, bar):
        """Type bits of a BAR register; not 0 also where no address was given to a 64-bit one."""
        value = self.value(BAR + 4 * bar, 4)
        return None if value is None else value & 0xf
