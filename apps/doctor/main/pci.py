# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A PCI function as sysfs shows it."""
import os
import re

import config

DEVICES = "sys/bus/pci/devices"
ADDRESS = re.compile(r"^[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$")

PLX = 0x10b5
NT_LINK, NT_VIRTUAL, DMA = (0x87a0, 0x87a1), (0x87b0, 0x87b1), (0x87d0,)
INTEL = 0x8086
SKYLAKE, ICE_LAKE = 0x201c, 0x347e  # NTBs of Xeons
BRIDGE_CLASS = 0x0604

# of the kernel's struct resource
PREFETCHABLE, WIDE = 0x2000, 0x100000
UNSET = 0x20000000


class Bar:
    def __init__(self, start, end, flags):
        self.start, self.flags = start, flags
        self.size = end - start + 1 if flags else 0

    @property
    def prefetchable(self):
        return bool(self.flags & PREFETCHABLE)

    @property
    def wide(self):
        return bool(self.flags & WIDE)

    @property
    def placed(self):
        """Has it an address?"""
        return self.size > 0 and self.start > 0 and not self.flags & UNSET


class Link:
    """Generation and width of a link: now, and at most."""

    def __init__(self, root, folder):
        self.speed = speed_of(root.text(folder, "current_link_speed"))
        self.width = root.number(folder, "current_link_width")
        self.most_speed = speed_of(root.text(folder, "max_link_speed"))
        self.most_width = root.number(folder, "max_link_width")

    @property
    def known(self):
        return self.width is not None

    @property
    def up(self):
        return bool(self.width)


def speed_of(text):
    """Of "8.0 GT/s PCIe" 8.0; None where it is not known."""
    found = re.match(r"([0-9]+(?:\.[0-9]+)?) GT/s", text or "")
    return float(found.group(1)) if found else None


def generation(speed):
    return {2.5: "Gen1", 5.0: "Gen2", 8.0: "Gen3", 16.0: "Gen4", 32.0: "Gen5"}.get(speed, "Gen?")


class Function:
    def __init__(self, root, address):
        folder = f"{DEVICES}/{address}"
        self.address = address
        self.vendor = root.number(folder, "vendor") or 0
        self.device = root.number(folder, "device") or 0
        self.kind = (root.number(folder, "class") or 0) >> 8
        self.chip_id = root.number(folder, "subsystem_device") or 0
        self.driver = root.link(folder, "driver")
        self.group = root.link(folder, "iommu_group")
        self.node = root.number(folder, "numa_node")
        self.power = root.text(folder, "power_state")
        self.bars = bars_of(root.text(folder, "resource"))
        self.combining = root.stat(folder, "resource2_wc") is not None
        self.uio = bool(root.names(folder, "uio"))
        self.interfaces = [name for place in ("", *root.names(folder)) if place[:6] in ("", "virtio")
                           for name in root.names(folder, place, "net")]
        self.link = Link(root, folder)
        self.config = config.Config(root.data(4096, folder, "config"))
        self.errors = {kind: errors_of(root.text(folder, f"aer_dev_{kind}"))
                       for kind in ("correctable", "nonfatal", "fatal")}
        self.parents = parents_of(root, folder, address)

    def is_one_of(self, ids):
        return self.vendor == PLX and self.device in ids

    @property
    def is_port(self):
        return self.is_one_of(NT_VIRTUAL)

    @property
    def is_xeon(self):
        """An NTB in a root port of Intel's."""
        return self.vendor == INTEL and self.device in (SKYLAKE, ICE_LAKE)

    @property
    def nt(self):
        return self.device & 1

    @property
    def is_bridge(self):
        return self.kind == BRIDGE_CLASS


def bars_of(text):
    """The six BARs of the file "resource"; broken lines are BARs that are off."""
    bars = []
    for line in (text or "").splitlines()[:6]:
        try:
            bars.append(Bar(*(int(word, 16) for word in line.split())))
        except (TypeError, ValueError):
            bars.append(Bar(0, 0, 0))
    return bars + [Bar(0, 0, 0)] * (6 - len(bars))


def errors_of(text):
    """Names of AER errors with their numbers, without those that never came."""
    found = {}
    for line in (text or "").splitlines():
        words = line.split()
        if words and words[0].startswith("TOTAL_"):
            continue
        if len(words) == 2 and re.match(r"[0-9]{1,20}$", words[1]):
            found[words[0]] = int(words[1])
    return {name: number for name, number in found.items() if number}


def parents_of(root, folder, address):
    """Addresses of the bridges above, the nearest first."""
    parts = os.path.realpath(root.path(folder)).split("/")
    above = [part for part in parts if ADDRESS.match(part) and part != address]
    return above[::-1]


def functions(root):
    """All functions, by address."""
    return {name: Function(root, name) for name in root.names(DEVICES) if ADDRESS.match(name)}
