# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A machine made of files: /sys and /proc of a host with one adapter, as ringbell-doctor reads them.

As made, nothing is wrong with it: a PEX 8749 below a root port, both NT ports bound and cabled, two
NUMA nodes, huge pages of 1 GiB, no IOMMU.
"""
import os
import struct

ROOT, UP = "0000:00:01.0", "0000:01:00.0"
DOWN = ("0000:02:01.0", "0000:02:02.0")
PORT = ("0000:03:00.0", "0000:04:00.0")
DMA = tuple(f"0000:01:00.{n}" for n in range(1, 5))

GIB = 1 << 30
MIB = 1 << 20
MEMORY = 0x40200           # flags of the file "resource": memory
WIDE_PREFETCHABLE = 0x14220c
WIDE = 0x140204
BLOCK = (0x3e000, 0x3c000)  # of NT0, NT1 in BAR0
NT_CONFIG = 0xc0000000 | 2 << 16 | 1 << 21 | 1 << 8 | 1 << 13
MSI, PCIE, ACS = 0x48, 0x68, 0x100


class Tree:
    def __init__(self, top):
        self.top = top
        self.folder = {}  # by address, of a function
        self.base = {}  # and where its BAR0 is
        self.cables = ""  # that the user names
        self.system()
        self.function(f"pci0000:00/{ROOT}", 0x8086, 0x2030, 0x060400)
        self.function(f"pci0000:00/{ROOT}/{UP}", 0x10b5, 0x8749, 0x060400)
        for nt in (0, 1):
            above = f"pci0000:00/{ROOT}/{UP}/{DOWN[nt]}"
            self.function(above, 0x10b5, 0x8749, 0x060400)
            self.port(f"{above}/{PORT[nt]}", nt)
        for address in DMA:
            self.function(f"pci0000:00/{ROOT}/{address}", 0x10b5, 0x87d0, 0x088000)

    def path(self, *parts):
        return os.path.join(self.top, *parts)

    def put(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as f:
            f.write(text + "\n")

    def system(self):
        self.put("proc/sys/kernel/hostname", "left")
        self.put("proc/sys/kernel/osrelease", "6.1.0-18-amd64")
        self.put("proc/cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/sda1 pcie_aspm=off")
        self.put("proc/self/status", "Name:\tcat\nCpus_allowed_list:\t0-7")
        self.put("proc/mounts", "hugetlbfs /dev/hugepages hugetlbfs rw,pagesize=1024M 0 0")
        self.put("proc/mtrr", "reg00: base=0x0c0000000 ( 3072MB), size= 1024MB, count=1: "
                 "uncachable")
        self.put("sys/kernel/security/lockdown", "[none] integrity confidentiality")
        os.makedirs(self.path("sys/kernel/iommu_groups"))
        self.huge("sys/kernel/mm/hugepages", 4)
        for node in (0, 1):
            self.put(f"sys/devices/system/node/node{node}/cpulist", ("0-3", "4-7")[node])
            self.huge(f"sys/devices/system/node/node{node}/hugepages", 2)

    def huge(self, folder, number):
        for size, pages in ((2048, 0), (1048576, number)):
            self.put(f"{folder}/hugepages-{size}kB/nr_hugepages", str(pages))
            self.put(f"{folder}/hugepages-{size}kB/free_hugepages", str(pages))

    def function(self, where, vendor, device, kind):
        address = os.path.basename(where)
        folder = self.folder[address] = f"sys/devices/{where}"
        for name, text in (("vendor", f"{vendor:#06x}"), ("device", f"{device:#06x}"),
                           ("class", f"{kind:#08x}"), ("subsystem_device", "0x8749"),
                           ("numa_node", "0"), ("power_state", "D0"),
                           ("current_link_speed", "8.0 GT/s PCIe"), ("current_link_width", "8"),
                           ("max_link_speed", "8.0 GT/s PCIe"), ("max_link_width", "8"),
                           ("aer_dev_correctable", "RxErr 0\nBadTLP 0\nTOTAL_ERR_COR 0"),
                           ("aer_dev_nonfatal", "TLP 0\nTOTAL_ERR_NONFATAL 0"),
                           ("aer_dev_fatal", "TLP 0\nTOTAL_ERR_FATAL 0")):
            self.put(f"{folder}/{name}", text)
        self.resource(address, {})
        os.makedirs(self.path("sys/bus/pci/devices"), exist_ok=True)
        os.symlink(f"../../../devices/{where}", self.path("sys/bus/pci/devices", address))
        config = bytearray(4096)
        struct.pack_into("<HHHHI", config, 0, vendor, device, 6, 0x10, kind << 8)
        config[0x34] = MSI
        struct.pack_into("<BB", config, MSI, 5, PCIE)
        struct.pack_into("<BBHIH", config, PCIE, 0x10, 0, 2, 0x8000, 0x5020)  # 256, reads of 4096
        struct.pack_into("<IHH", config, ACS, 0x1000d, 0x1f, 0)
        with open(self.path(folder, "config"), "wb") as f:
            f.write(config)

    def port(self, where, nt):
        address = os.path.basename(where)
        self.function(where, 0x10b5, 0x87b0 + nt, 0x068000)
        self.resource(address, {0: (256 << 10, MEMORY), 2: (GIB, WIDE_PREFETCHABLE),
                                4: (MIB, WIDE)})
        for bar, kind in ((0, 0), (2, 0xc), (4, 4)):
            self.config(address, 0x10 + 4 * bar, 4, 0x80000000 | kind)
        self.put(f"{self.folder[address]}/resource2_wc", "")
        self.bind(address, "uio_pci_generic")
        os.makedirs(self.path(self.folder[address], "uio", f"uio{nt}"))
        with open(self.path(self.folder[address], "resource0"), "wb") as f:
            f.truncate(256 << 10)
        self.register(address, BLOCK[nt], 0x87b010b5 + (nt << 16))
        self.register(address, 0x360, NT_CONFIG)

    def interface(self, name, flags=0x1003, carrier="1", mtu=1500):
        """A network interface; its carrier cannot be read while it is down."""
        for file, text in (("flags", f"{flags:#x}"), ("mtu", str(mtu)), ("carrier", carrier if flags & 1 else "")):
            self.put(f"sys/class/net/{name}/{file}", text)

    def network(self, address, driver, iface):
        """A network adapter, whose interface may be one of virtio."""
        self.function(f"pci0000:00/{address}", 0x8086, 0x1572, 0x020000)
        self.bind(address, driver)
        if iface:
            os.makedirs(self.path(self.folder[address], iface))

    def memory(self, name, size, system="tmpfs"):
        """A file, and what its file system is."""
        self.put("proc/mounts", f"hugetlbfs /dev/hugepages hugetlbfs rw 0 0\nx {os.path.dirname(name)} {system} rw 0 0")
        os.makedirs(os.path.dirname(self.path(name[1:])), exist_ok=True)
        with open(self.path(name[1:]), "wb") as f:
            f.truncate(size)

    def resource(self, address, bars):
        """bars: number -> (size, flags)."""
        base = self.base.setdefault(address, 0x380000000000 + len(self.base) * 16 * GIB)
        lines = []
        for bar in range(13):
            size, flags = bars.get(bar, (0, 0))
            start = base + bar * 2 * GIB if size else 0
            lines.append(f"{start:#018x} {start + size - 1 if size else 0:#018x} {flags:#018x}")
        self.put(f"{self.folder[address]}/resource", "\n".join(lines))

    def set(self, address, name, text):
        self.put(f"{self.folder[address]}/{name}", text)

    def bind(self, address, driver):
        path = self.path(self.folder[address], "driver")
        if os.path.lexists(path):
            os.remove(path)
        if driver:
            os.symlink(f"../../../bus/pci/drivers/{driver}", path)

    def group(self, number, kind, *members):
        self.put(f"sys/kernel/iommu_groups/{number}/type", kind)
        for address in members:
            self.put(f"sys/kernel/iommu_groups/{number}/devices/{address}", "")
            os.symlink(f"../../../kernel/iommu_groups/{number}",
                       self.path(self.folder[address], "iommu_group"))

    def config(self, address, at, size, value):
        self.poke("config", address, at, value.to_bytes(size, "little"))

    def register(self, address, at, value):
        self.poke("resource0", address, at, value.to_bytes(4, "little"))

    def poke(self, name, address, at, data):
        with open(self.path(self.folder[address], name), "r+b") as f:
            f.seek(at)
            f.write(data)

    def drop(self, address):
        """The function is not there."""
        os.remove(self.path("sys/bus/pci/devices", address))
