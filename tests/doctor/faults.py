# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Faults of a machine, one at a time, and the one finding that each is to give.

FAULTS: name, what makes it, check, severity, where; and checks that have to say something, too,
about what the fault needs around it.
"""
import os

from tree import (ACS, DMA, DOWN, GIB, MEMORY, MIB, NT_CONFIG, PCIE, PORT, ROOT, UP, WIDE,
                  WIDE_PREFETCHABLE)

SECOND = "0000:0a:00.0"  # a port of another adapter
XEON = "0000:16:00.0"
NIC, SHARED = "0000:05:00.0", "/dev/shm/ring"
BARS = {0: (256 << 10, MEMORY), 2: (GIB, WIDE_PREFETCHABLE), 4: (MIB, WIDE)}


def bars(number, value):
    """One BAR of NT0 is another."""
    def make(tree):
        tree.resource(PORT[0], {**BARS, number: value})
        if not value[0]:
            tree.config(PORT[0], 0x10 + 4 * number, 4, 0)
    return make


def both_windows(size, flags):
    def make(tree):
        for address in PORT:
            tree.resource(address, {**BARS, 2: (size, flags)})
    return make


def no_address(tree):
    """The BIOS found no room: the kernel clears the resource, the register keeps its type."""
    tree.resource(PORT[0], {0: BARS[0], 4: BARS[4]})


def text(name, words):
    return lambda tree: tree.put(name, words)


def link(name, to):
    return lambda tree: os.symlink(to, tree.path(name))


def setting(address, name, words):
    return lambda tree: tree.set(address, name, words)


def config(address, at, size, value):
    return lambda tree: tree.config(address, at, size, value)


def register(at, value):
    return lambda tree: tree.register(PORT[0], at, value)


def bound(address, driver):
    return lambda tree: tree.bind(address, driver)


def no_adapter(tree):
    for address in (UP,) + DOWN + PORT + DMA:
        tree.drop(address)


def no_nt(tree):
    for address in PORT:
        tree.drop(address)


def root_port(tree):
    """The NT-Link function of another host's adapter."""
    tree.function(f"pci0000:00/{ROOT}/0000:07:00.0", 0x10b5, 0x87a0, 0x068000)


def one_port(tree):
    tree.drop(PORT[1])
    tree.register(PORT[0], 0x360, NT_CONFIG & ~(1 << 21))


def lost_port(tree):
    tree.drop(PORT[1])


def small_part(tree):
    tree.drop(PORT[1])
    tree.set(PORT[0], "subsystem_device", "0x8732")


def sleeping(tree):
    tree.set(PORT[0], "power_state", "D3hot")


def ordinary_user(tree):
    for address in (ROOT, UP) + DOWN + PORT + DMA:
        os.truncate(tree.path(tree.folder[address], "config"), 64)


def no_uio(tree):
    os.rmdir(tree.path(tree.folder[PORT[0]], "uio", "uio0"))


def no_combining(tree):
    os.remove(tree.path(tree.folder[PORT[0]], "resource2_wc"))


def no_pages(tree):
    tree.huge("sys/kernel/mm/hugepages", 0)
    for node in (0, 1):
        tree.huge(f"sys/devices/system/node/node{node}/hugepages", 0)


def pages_taken(tree):
    tree.put("sys/kernel/mm/hugepages/hugepages-1048576kB/free_hugepages", "0")


def few_pages(tree):
    tree.put("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "64")
    tree.put("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "64")
    pages_taken(tree)


def far_pages(tree):
    tree.huge("sys/devices/system/node/node0/hugepages", 0)


def no_node(tree):
    for address in PORT:
        tree.set(address, "numa_node", "-1")


def vfio_alone(tree):
    tree.bind(PORT[0], "vfio-pci")
    tree.group(7, "DMA", PORT[0], *DMA)


def vfio_taken(tree):
    vfio_alone(tree)
    tree.bind(DMA[0], "plx_dma")


def vfio_locked(tree):
    """vfio works in a locked kernel, without write combining."""
    tree.put("sys/kernel/security/lockdown", "none [integrity] confidentiality")
    vfio_alone(tree)
    tree.bind(PORT[1], "vfio-pci")
    tree.group(8, "DMA", PORT[1])


def translating(tree):
    tree.group(7, "DMA-FQ", PORT[0], *DMA)
    tree.group(8, "identity", PORT[1])


def old_translating(tree):
    """A kernel that does not tell how a group translates."""
    tree.group(7, "", PORT[0])
    os.remove(tree.path("sys/kernel/iommu_groups/7/type"))


def mtrr(tree):
    """Over the registers of the peer, which BAR4 shows."""
    tree.put("proc/mtrr", f"reg01: base={tree.base[PORT[0]] + 8 * GIB:#x} (1MB), size=1024KB, "
             "count=1: write-combining")


def redirect(tree):
    tree.config(DOWN[0], ACS + 6, 2, 0x1d)


def bridge_off(tree):
    tree.config(DOWN[0], 4, 2, 2)


def no_decode(tree):
    tree.config(PORT[0], 4, 2, 0)


def gone(tree):
    tree.poke("config", PORT[0], 0, b"\xff" * 4096)


def ones(tree):
    tree.poke("resource0", PORT[0], 0, b"\xff" * (256 << 10))


def all_dark(tree):
    for address in PORT:
        tree.set(address, "current_link_width", "0")


def switched_off(tree):
    tree.set(PORT[0], "current_link_width", "0")
    tree.register(PORT[0], 0x208, 1 << 1)


def payload(tree):
    tree.config(PORT[0], PCIE + 8, 2, 0x5000)


def narrow_slot(tree):
    for address in (ROOT, UP):
        tree.set(address, "current_link_width", "4")
        tree.set(address, "max_link_width", "4")


def no_table(tree):
    """Without the table, and with huge pages of 2 MiB only."""
    tree.register(PORT[0], 0x360, NT_CONFIG & ~0xc0000000)
    tree.huge("sys/kernel/mm/hugepages", 0)
    for folder in ("sys/kernel/mm/hugepages", "sys/devices/system/node/node0/hugepages"):
        for name in ("nr_hugepages", "free_hugepages"):
            tree.put(f"{folder}/hugepages-2048kB/{name}", "1024")


def as_made(tree):
    """Nothing is changed."""


def two_adapters(tree):
    """One NT port of each; the second adapter's is NT0 as well."""
    tree.drop(PORT[1])
    other = f"pci0000:00/0000:00:02.0/0000:08:00.0/0000:09:01.0/{SECOND}"
    for part, device in (("0000:00:02.0", 0x2030), ("0000:08:00.0", 0x8749),
                         ("0000:09:01.0", 0x8749)):
        tree.function(other[:other.index(part)] + part, 0x8086 if device == 0x2030 else 0x10b5,
                      device, 0x060400)
    tree.port(other, 0)


def large_pages(tree):
    """Pages of 1 GiB make up for the lookup table."""
    tree.register(PORT[0], 0x360, NT_CONFIG & ~0xc0000000)


def passing_iommu(tree):
    tree.group(7, "identity", *PORT, *DMA)


def up_and_off(tree):
    """A program switches its port on after the register was read."""
    tree.register(PORT[0], 0x208, 1 << 1)


def redirect_alone(tree):
    """ACS matters to a DMA engine only."""
    redirect(tree)
    for address in DMA:
        tree.drop(address)


def no_links(tree):
    """Conventional PCI, as in virtual machines: no file tells of links, no capability is there."""
    for address in (ROOT, UP) + DOWN + PORT + DMA:
        for name in ("current_link_speed", "current_link_width", "max_link_speed",
                     "max_link_width", "aer_dev_fatal"):
            os.remove(tree.path(tree.folder[address], name))
        tree.config(address, 0x34, 1, 0)


def bare_ports(tree):
    """No bridge is above the ports, in conventional PCI as well."""
    no_links(tree)
    for address in (ROOT, UP) + DOWN + PORT + DMA:
        tree.drop(address)
    for nt in (0, 1):
        tree.port(f"pci0000:00/0000:00:0{nt + 5}.0", nt)


def xeon(tree):
    """A machine with an NTB in a root port instead of an adapter."""
    no_adapter(tree)
    tree.function(f"pci0000:16/{XEON}", 0x8086, 0x347e, 0x068000)


def small_pages(tree):
    """Of 2 MiB only."""
    tree.huge("sys/kernel/mm/hugepages", 0)
    for name in ("nr_hugepages", "free_hugepages"):
        tree.put(f"sys/kernel/mm/hugepages/hugepages-2048kB/{name}", "1024")


def cables(words, *changes, bare=True):
    """A machine whose cables these are, without adapters."""
    def make(tree):
        if bare:
            no_adapter(tree)
            no_pages(tree)
        tree.interface("eth1")
        tree.cables = words
        for change in changes:
            change(tree)
    make.__name__ = f"cables {words}"
    return make


def eth1(*words, **more):
    return lambda tree: tree.interface("eth1", *words, **more)


def network(driver, iface=None):
    return lambda tree: (tree.network(NIC, driver, iface), tree.huge("sys/kernel/mm/hugepages", 4))


def memory(size, *words, path=SHARED):
    return lambda tree: tree.memory(path, size, *words)


BAR = "/sys/bus/pci/devices/0000:00:05.0/resource2"
BY_BAR = f"raw_ntb_shared,path={BAR},host=0"
PACKETS, BY_FILE = "net_af_packet,iface=eth1", f"raw_ntb_shared,path={SHARED},host=0"

# machines with which nothing is wrong
HEALTHY = [as_made, two_adapters, large_pages, passing_iommu, up_and_off, redirect_alone, no_links,
           bare_ports, cables(PACKETS), cables(PACKETS, bare=False), cables(f"{PACKETS},mtu=9000",
           eth1(mtu=9216)), cables("05:00.0", network("vfio-pci")), cables(BY_FILE, memory(2 * GIB)),
           cables(BY_BAR, memory(2 * GIB, "sysfs", path=BAR), text(f"{os.path.dirname(BAR)[1:]}/enable", "1")),
           cables(BY_BAR, memory(2 * GIB, "sysfs", path=BAR), text(f"{os.path.dirname(BAR)[1:]}/enable", "0"),
                  link(f"{os.path.dirname(BAR)[1:]}/driver", "vfio-pci")),
           cables(f"net_tap0,iface=x+{BY_FILE}", memory(2 * GIB, "hugetlbfs")),
           cables(PACKETS, text("proc/self/status", "CapEff:\t00000000a80425fb\nCpus_allowed_list:\t0-7")),
           cables(f"{PACKETS},udp=7001+{PACKETS},udp=7002",
                  text("proc/self/status", "CapEff:\t0000000000000000\nCpus_allowed_list:\t0-7"))]

# words of the finding, where a check has several
WORDS = {
    "two cables, one interface": "two cables have it",
    "wrong interface": "there are: eth1",
    "interface down": "is down",
    "cable without its interface": "is no cable",
    "no PCI function": "no PCI function",
    "adapter of a guest": "kernel driver virtio-pci has it, as interface eth3",
    "adapter that the kernel has": "kernel driver ixgbe has it, as interface eth2",
    "file missing": "no such file",
    "function of a guest not enabled": "has enabled",
    "file too small": "3 hosts take at least 8 MiB",
    "heap does not fit": "30 MiB",
    "file on another machine": "lies on nfs4",
    "mtu= too large": "1500, and 9000",
    "no adapter": "no PEX 87xx adapter",
    "NT off in the EEPROM": "but no NT function",
    "second NT off in the EEPROM": "NT1 is not",
    "second NT not found": "did not find it",
    "BAR2 off": "is off",
    "windows of 1 MiB": "1 MiB: the default heap",
    "card badly seated": "support x8",
    "slot slow": "support Gen3",
    "slot narrow": "carries less than a cable",
    "ASPM": "ASPM L1",
}

FAULTS = [
    ("no adapter", no_adapter, "adapter", "error", ""),
    ("NT off in the EEPROM", no_nt, "adapter", "error", ""),
    ("cable to a root port", root_port, "nt-link", "error", "0000:07:00.0"),
    ("second NT off in the EEPROM", one_port, "ports", "warn", UP),
    ("second NT not found", lost_port, "ports", "warn", UP),
    ("part with one NT", small_part, "ports", "note", UP),
    ("function gone", gone, "answers", "error", PORT[0]),
    ("registers all ones", ones, "answers", "error", PORT[0]),
    ("registers of another device", register(0x3e000, 0x12348086), "answers", "error", PORT[0]),
    ("asleep", sleeping, "awake", "error", PORT[0]),
    ("bridge without bus mastering", bridge_off, "awake", "error", DOWN[0]),
    ("memory decode off", no_decode, "awake", "error", PORT[0]),
    ("no address above 4 GiB", no_address, "place", "error", PORT[0]),
    ("BAR0 too small", bars(0, (4096, MEMORY)), "registers", "error", PORT[0]),
    ("BAR0 prefetchable", bars(0, (256 << 10, WIDE_PREFETCHABLE)), "registers", "warn", PORT[0]),
    ("BAR2 of 32 bits", bars(2, (GIB, MEMORY | 0x2000)), "window", "error", PORT[0]),
    ("BAR2 not prefetchable", bars(2, (GIB, WIDE)), "window", "warn", PORT[0]),
    ("BAR2 off", bars(2, (0, 0)), "window", "error", PORT[0]),
    ("windows of 1 MiB", both_windows(MIB, WIDE_PREFETCHABLE), "window", "warn", PORT[0]),
    ("small windows", both_windows(64 * MIB, WIDE_PREFETCHABLE), "window", "warn", PORT[1]),
    ("BAR2 of another size", bars(2, (4 * GIB, WIDE_PREFETCHABLE)), "window-sizes", "warn", ""),
    ("BAR4 of 32 bits", bars(4, (MIB, MEMORY)), "peer-window", "error", PORT[0]),
    ("BAR4 prefetchable", bars(4, (MIB, WIDE_PREFETCHABLE)), "peer-window", "warn", PORT[0]),
    ("BAR4 off", bars(4, (0, 0)), "peer-window", "note", PORT[0]),
    ("BAR4 too small", bars(4, (4096, WIDE)), "peer-window", "error", PORT[0]),
    ("NT1 at the upstream port", register(0x360, NT_CONFIG & ~(31 << 16)), "layout", "error", UP),
    ("both NTs at one port", register(0x360, NT_CONFIG ^ 3 << 16), "layout", "error", UP),
    ("no lookup table", no_table, "lookup-table", "note", UP),
    ("lookup table for one", register(0x360, NT_CONFIG & ~(1 << 31)), "lookup-table", "note", UP),
    ("not root", ordinary_user, "rights", "note", ""),
    ("not bound", bound(PORT[0], None), "bind", "error", PORT[0]),
    ("another driver", bound(PORT[0], "ntb_hw_plx"), "bind", "error", PORT[0]),
    ("no UIO device", no_uio, "bind", "error", PORT[0]),
    ("engine taken", bound(DMA[1], "plx_dma"), "engine", "note", DMA[1]),
    ("lockdown", text("sys/kernel/security/lockdown", "none [integrity] confidentiality"),
     "lockdown", "error", ""),
    ("IOMMU on", translating, "iommu", "error", PORT[0]),
    ("IOMMU on, old kernel", old_translating, "iommu", "error", PORT[0]),
    ("vfio-pci without write combining", vfio_alone, "combining", "warn", PORT[0]),
    ("vfio-pci without an IOMMU", bound(PORT[0], "vfio-pci"), "iommu", "error", PORT[0],
     "combining"),
    ("group taken", vfio_taken, "group", "error", PORT[0], "combining", "engine"),
    ("vfio-pci under lockdown", vfio_locked, "combining", "warn", PORT[0]),
    ("nopat", text("proc/cmdline", "root=/dev/sda1 nopat"), "combining", "warn", ""),
    ("MTRR over registers", mtrr, "mtrr", "warn", PORT[0]),
    ("no resource2_wc", no_combining, "combining", "warn", PORT[0]),
    ("no huge pages", no_pages, "pages", "error", ""),
    ("huge pages taken", pages_taken, "pages", "error", ""),
    ("few huge pages", few_pages, "pages", "warn", ""),
    ("no hugetlbfs", text("proc/mounts", "proc /proc proc rw 0 0"), "mounts", "error", ""),
    ("CPUs of the other socket", text("proc/self/status", "Cpus_allowed_list:\t4-7"), "numa",
     "warn", PORT[0]),
    ("huge pages of the other socket", far_pages, "numa", "warn", PORT[0]),
    ("node not known", no_node, "numa", "note", PORT[0]),
    ("one CPU", text("proc/self/status", "Cpus_allowed_list:\t2"), "cores", "warn", ""),
    ("cable out", setting(PORT[1], "current_link_width", "0"), "cable", "warn", PORT[1]),
    ("both cables out", all_dark, "cable", "error", PORT[0]),
    ("link switched off", switched_off, "cable", "note", PORT[0]),
    ("narrow cable", setting(PORT[0], "current_link_width", "4"), "width", "warn", PORT[0]),
    ("slow cable", setting(PORT[0], "current_link_speed", "2.5 GT/s PCIe"), "speed", "warn",
     PORT[0]),
    ("card badly seated", setting(UP, "current_link_width", "1"), "slot", "warn", UP),
    ("slot slow", setting(UP, "current_link_speed", "5.0 GT/s PCIe"), "slot", "warn", UP),
    ("slot narrow", narrow_slot, "slot", "warn", UP),
    ("packet sizes differ", payload, "payload", "warn", PORT[0]),
    ("short read requests", config(DMA[0], PCIE + 8, 2, 0x0020), "requests", "note", DMA[0]),
    ("ASPM", config(UP, PCIE + 0x10, 2, 2), "aspm", "warn", UP),
    ("ACS redirect", redirect, "acs", "warn", DOWN[0]),
    ("uncorrectable errors", setting(PORT[0], "aer_dev_nonfatal", "UnsupReq 3\n"
                                     "TOTAL_ERR_NONFATAL 3"), "aer", "warn", PORT[0]),
    ("correctable errors", setting(DOWN[1], "aer_dev_correctable", "BadTLP 17\n"
                                   "TOTAL_ERR_COR 17"), "aer", "note", DOWN[1]),
    ("Xeon", xeon, "adapter", "note", XEON),
    ("cable without its interface", cables("net_af_packet"), "cable-names", "error", ""),
    ("cables with blanks", cables(f"{PACKETS} +{PACKETS}"), "cable-names", "error", ""),
    ("wrong interface", cables("net_af_packet,iface=eth7"), "cable-names", "error", "eth7"),
    ("two cables, one interface", cables(f"{PACKETS}+{PACKETS}"), "cable-names", "error", "eth1"),
    ("interface down", cables(PACKETS, eth1(0x1002)), "carrier", "error", "eth1"),
    ("no carrier", cables(PACKETS, eth1(carrier="0")), "carrier", "error", "eth1"),
    ("MTU too small", cables(PACKETS, eth1(mtu=1400)), "mtu", "error", "eth1"),
    ("mtu= too large", cables(f"{PACKETS},mtu=9000"), "mtu", "error", "eth1"),
    ("no PCI function", cables(NIC, small_pages), "nic", "error", NIC),
    ("adapter not bound", cables(NIC, network(None)), "nic", "error", NIC),
    ("adapter that the kernel has", cables(NIC, network("ixgbe", "net/eth2")), "nic", "error", NIC),
    ("adapter of a guest", cables(NIC, network("virtio-pci", "virtio3/net/eth3")), "nic", "error", NIC),
    ("no CAP_NET_RAW", cables(PACKETS, text("proc/self/status", "CapEff:\t0000000000000000\nCpus_allowed_list:\t0-7")),
     "sockets", "error", ""),
    ("file missing", cables(BY_FILE), "shared", "error", SHARED),
    ("function of a guest not enabled", cables(BY_BAR, memory(2 * GIB, "sysfs", path=BAR),
     text(f"{os.path.dirname(BAR)[1:]}/enable", "0")), "shared", "error", BAR),
    ("file too small", cables(f"{BY_FILE},hosts=3", memory(7 * MIB)), "shared", "error", SHARED),
    ("heap does not fit", cables(BY_FILE, memory(64 * MIB)), "shared", "warn", SHARED),
    ("file on another machine", cables(BY_FILE, memory(2 * GIB, "nfs4")), "medium", "error", SHARED),
    ("file on a disk", cables(BY_FILE, memory(2 * GIB, "ext4")), "medium", "warn", SHARED),
]
