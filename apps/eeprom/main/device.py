# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The registers of a chip, as a PCI function of its shows them: its BAR0, by its file in sysfs."""
import contextlib
import errno
import fcntl
import mmap
import os
import re

import registers
from image import Trouble

DEVICES = "/sys/bus/pci/devices"
BAR0_SIZE = 256 * 1024
ADDRESS = re.compile(r"(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,2}):([0-9a-f]{1,2})\.([0-9a-f])", re.I)


def folder_of(name):
    """Of 0000:05:00.0, 05:00.0, or a folder."""
    if "/" in name:
        return name
    found = ADDRESS.fullmatch(name)
    if not found:
        raise Trouble(f"{name}: not a PCI address such as 0000:05:00.0, nor a folder of sysfs")
    domain, bus, dev, fn = (int(number or "0", 16) for number in found.groups())
    return f"{DEVICES}/{domain:04x}:{bus:02x}:{dev:02x}.{fn:x}"


def only_chip():
    """The upstream port of the chip of this machine, if there is just one: other functions of it with
    its registers are below that."""
    found = {}
    for name in sorted(os.listdir(DEVICES)) if os.path.isdir(DEVICES) else ():
        with contextlib.suppress(Trouble):
            check_function(name, f"{DEVICES}/{name}")
            found[name] = os.path.realpath(f"{DEVICES}/{name}").split("/")
    tops = [name for name, way in found.items() if not set(way[:-1]) & set(found)]
    if len(tops) != 1:
        raise Trouble("which adapter? " + (f"{', '.join(tops)} are there" if tops else "none is there"))
    return tops[0]


def part_of(name):
    """The number of the part: the id of a bridge, the subsystem's of other functions."""
    numbers = [int(first_line(f"{DEVICES}/{name}/{file}"), 16) for file in ("device", "subsystem_device")]
    return next((number for number in numbers if number in registers.PARTS), numbers[0])


def first_line(path):
    with open(path, encoding="latin-1") as f:
        return f.readline().strip()


def check_function(name, folder):
    try:
        vendor = first_line(f"{folder}/vendor")
    except OSError as why:
        raise Trouble(f"{name}: no PCI function: {folder}/vendor: {why.strerror}") from why
    if vendor.lower() != "0x10b5":
        raise Trouble(f"{name}: vendor id {vendor[:6]}, a PEX 87xx has 0x10b5")
    try:
        start, end = (int(word, 16) for word in first_line(f"{folder}/resource").split()[:2])
    except (OSError, ValueError) as why:
        raise Trouble(f"{name}: cannot read the range of BAR0 from {folder}/resource") from why
    size = end - start + 1 if start else 0
    if size != BAR0_SIZE:
        raise Trouble(f"{name}: BAR0 has {size} bytes; that of a PEX 87xx's upstream port or NT port "
                      "has 262144")


class Device:
    """@p name: a PCI address, or a folder like those of /sys/bus/pci/devices."""

    def __init__(self, name):
        self.name = name
        folder = folder_of(name)
        check_function(name, folder)
        path = f"{folder}/resource0"
        try:
            self.fd = os.open(path, os.O_RDWR | os.O_SYNC)
            fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # sysfs gives such files the BAR's size
            if os.fstat(self.fd).st_size < BAR0_SIZE:
                raise Trouble(f"{path}: shorter than BAR0")
            self.map = mmap.mmap(self.fd, BAR0_SIZE)
        except BlockingIOError as why:
            raise Trouble(f"{path}: in use by another ringbell-eeprom") from why
        except OSError as why:
            more = ": this needs root, and a kernel that Secure Boot has not locked down"
            raise Trouble(f"{path}: {why.strerror}" +
                          more * (why.errno in (errno.EACCES, errno.EPERM))) from why
        self.words = memoryview(self.map).cast("I")  # one access of 32 bits each, as registers want it

    def read(self, off):
        return self.words[off // 4]

    def write(self, off, value):
        self.words[off // 4] = value

    def close(self):
        self.words.release()
        self.map.close()
        os.close(self.fd)
