# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""An EEPROM image of a PEX 87xx, little endian: 0x5A; flags, of which bit 7 has the chip look at the
checksum; the number of bytes of all records; records of 6 bytes, an address and a value; the
checksum. The chip writes each value to its register, in this order, before a host sees it."""
import os
import struct

SIGNATURE, HEADER, RECORD, CHECKSUM = 0x5A, 4, 6, 4
MOST = 65536  # bytes: beyond these the chip does not address
MOST_RECORDS = (MOST - HEADER - CHECKSUM) // RECORD
CHECKED = 0x80  # flag


class Trouble(Exception):
    """What was asked for is not done: the line that says why."""


def crc_table():
    table = []
    for crc in range(0, 1 << 32, 1 << 24):
        for _ in range(8):
            crc = (crc << 1) & 0xFFFFFFFF ^ (0xDB710641 if crc >> 31 else 0)
        table.append(crc)
    return table


TABLE = crc_table()


def checksum(data):
    """From the byte count on, dword by dword, high bit first; zeros fill up the last one."""
    crc = 0xFFFFFFFF
    data = data[2:] + bytes(-len(data[2:]) % 4)
    for at in range(0, len(data), 4):
        for byte in data[at:at + 4][::-1]:
            crc = (crc << 8) & 0xFFFFFFFF ^ TABLE[crc >> 24 ^ byte]
    return crc


def address_of(place, reg):
    """A record's address: the block of registers in bits 15:10, and which dword of it."""
    return place << 10 | reg >> 2


def place_of(address):
    return address >> 10


def reg_of(address):
    return (address & 0x3FF) << 2


def length_of(header):
    """How long is the image that begins with this dword? 0 where none does."""
    count = header >> 16
    fits = HEADER + count + CHECKSUM <= MOST
    return HEADER + count + CHECKSUM if header & 0xFF == SIGNATURE and count % RECORD == 0 and fits else 0


class Image:
    def __init__(self):
        self.flags, self.records, self.rest = 0, [], 0  # (address, value); bytes behind the image
        self.crc, self.right_crc = None, 0  # as the image has it, None: its part of the family has none

    def parse(self, data):
        """Any bytes may come: Trouble where they are no image."""
        if len(data) < HEADER:
            raise Trouble(f"{len(data)} bytes: too short for an image, whose header has 4")
        signature, self.flags, size = struct.unpack_from("<BBH", data)
        if signature != SIGNATURE:
            raise Trouble(f"begins with 0x{signature:02x} instead of 0x5a: " +
                          ("a blank EEPROM?" if signature == 0xFF else "not an image of a PEX 87xx"))
        if size % RECORD:
            raise Trouble(f"the header counts {size} bytes of records, not a multiple of 6")
        if HEADER + size + CHECKSUM > MOST:
            raise Trouble(f"the header counts {size} bytes of records, more than fit into 64 KiB")
        end = HEADER + size
        if end > len(data):
            raise Trouble(f"the header counts {size} bytes of records, only {len(data) - HEADER} follow")
        if len(data) >= end + CHECKSUM:
            self.crc, = struct.unpack_from("<I", data, end)
            end += CHECKSUM
        self.rest, self.right_crc = len(data) - end, checksum(data[:HEADER + size])
        if self.flags & CHECKED and self.crc is None:
            raise Trouble("the checksum is on, but the file ends before it")
        if self.flags & CHECKED and self.crc != self.right_crc:
            raise Trouble(f"the checksum is 0x{self.crc:08x}, that of the bytes is 0x{self.right_crc:08x}")
        self.records = list(struct.iter_unpack("<HI", data[HEADER:HEADER + size]))
        return self

    def pack(self):
        """Its bytes, with the checksum made anew."""
        body = b"".join(struct.pack("<HI", *record) for record in self.records)
        data = struct.pack("<BBH", SIGNATURE, self.flags, len(body)) + body
        return data + struct.pack("<I", checksum(data))

    def deciding(self):
        """The index of the last record of each address, which decides."""
        return {address: i for i, (address, _) in enumerate(self.records)}

    def value(self, place, reg):
        """None: no record."""
        wanted = address_of(place, reg)
        return next((value for address, value in reversed(self.records) if address == wanted), None)

    def set(self, place, reg, value):
        address = address_of(place, reg)
        at = self.deciding().get(address)
        if at is not None:
            self.records[at] = (address, value)
        elif len(self.records) == MOST_RECORDS:
            raise Trouble(f"more than {len(self.records)} records do not fit into an EEPROM")
        else:
            self.records.append((address, value))

    def remove(self, place, reg):
        self.records = [r for r in self.records if r[0] != address_of(place, reg)]


def load(path):
    """The image in a file."""
    try:
        with open(path, "rb") as f:
            data = f.read(MOST + 1)
    except OSError as why:
        raise Trouble(f"{path}: {why.strerror}") from why
    if len(data) > MOST:
        raise Trouble(f"{path}: larger than 64 KiB, the most that a PEX 87xx addresses")
    try:
        return Image().parse(data)
    except Trouble as why:
        raise Trouble(f"{path}: {why}") from why


def save(path, data):
    """A new file, which must not be there yet, on the disk before this returns."""
    made = False
    try:
        with open(path, "xb") as f:
            made = True
            f.write(data)
            f.flush()
            os.fsync(f.fileno())
    except FileExistsError as why:
        raise Trouble(f"{path}: exists already; images are not overwritten") from why
    except OSError as why:
        if made:
            os.unlink(path)
        raise Trouble(f"{path}: {why.strerror}") from why
