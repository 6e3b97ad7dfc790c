# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Does the system let a program reach the adapter and memory?"""
import pci
import units
from findings import ERROR, NOTE, WARN, Check
from rules_adapter import WANTED

UIO = ("uio_pci_generic", "igb_uio")
VFIO = "vfio-pci"


def on_vfio(m):
    return [port for port in m.ports if port.driver == VFIO]


def bind(m):
    for port in m.ports:
        command = f"ringbell-devbind -b uio_pci_generic {port.address}"
        if port.driver is None:
            yield (ERROR, port.address, "it is not bound to a kernel driver",
                   f"modprobe uio_pci_generic; {command}")
        elif port.driver not in UIO + (VFIO,):
            yield (ERROR, port.address, f"it is bound to the kernel driver {port.driver}", command)
        elif port.driver in UIO and not port.uio:
            yield (ERROR, port.address, f"it is bound to {port.driver}, but has no UIO device",
                   f"ringbell-devbind -u {port.address}; {command}")


def engine(m):
    for f in m.functions.values():
        if f.is_one_of(pci.DMA) and f.driver not in UIO + (VFIO, None):
            yield (NOTE, f.address, f"this DMA engine is bound to the kernel driver {f.driver}",
                   f"for oshrun --dma: ringbell-devbind -b uio_pci_generic {f.address}")


def lockdown(m):
    if m.lockdown in ("integrity", "confidentiality") and len(on_vfio(m)) < len(m.ports):
        yield (ERROR, "", f"the kernel is locked down ({m.lockdown}): no program may map the "
               "adapter through UIO",
               "switch Secure Boot off in the BIOS; or bind to vfio-pci, without write combining")


def iommu(m):
    for port in (p for p in m.ports if p.driver in UIO):
        group = m.groups.get(port.group)
        if group and (group.kind or "DMA").startswith("DMA") and not (
                group.kind is None and "iommu=pt" in m.words):
            yield (ERROR, port.address, "the IOMMU translates its addresses, and "
                   f"{port.driver} does not support that: stores of the peer are blocked",
                   "add iommu=pt to the kernel's command line, or bind to vfio-pci")
    for port in on_vfio(m):
        if port.group is None and not m.no_iommu:
            yield (ERROR, port.address, "it is bound to vfio-pci, but no IOMMU is on",
                   "add intel_iommu=on to the kernel's command line (AMD: switch the IOMMU on in "
                   "the BIOS), or bind to uio_pci_generic")


def group_free(m):
    for port in on_vfio(m):
        group = m.groups.get(port.group)
        others = [m.functions[a] for a in (group.members if group else []) if a in m.functions]
        taken = [f"{f.address} ({f.driver})" for f in others
                 if f.driver not in (None, VFIO) and not f.is_bridge]
        if taken:
            yield (ERROR, port.address, f"functions of its IOMMU group {port.group} have other "
                   f"drivers: {', '.join(taken)}", "bind these to vfio-pci too, or unbind them")


def combining(m):
    if "nopat" in m.words:
        yield (WARN, "", "the kernel runs with nopat: no write combining, 1.1 GB/s at best "
               "instead of 5.7", "remove nopat from the kernel's command line")
        return
    for port in m.ports:
        if port.driver == VFIO:
            yield (WARN, port.address, "vfio-pci maps the window without write combining",
                   "bind to uio_pci_generic, or have a DMA engine copy large blocks")
        elif port.bars[2].prefetchable and not port.combining:
            yield (WARN, port.address, "there is no resource2_wc: the kernel maps the window "
                   "without write combining", "use a kernel with PAT (all of Debian's have it)")


def ranges(m):
    for port in m.ports:
        for number in (0, 4):
            bar = port.bars[number]
            if bar.placed and any(base < bar.start + bar.size and bar.start < base + size
                                  for base, size in m.combined):
                yield (WARN, port.address, f"an MTRR makes BAR{number}, which has registers, "
                       "write combining", "look for a BIOS setting of MTRRs or of the memory "
                       "above 4 GiB; /proc/mtrr shows the range")


def pages(m):
    if not any(kind.total for kind in m.pages):
        yield (ERROR, "", "no huge pages",
               "sysctl vm.nr_hugepages=1024, or on the kernel's command line "
               "default_hugepagesz=1G hugepagesz=1G hugepages=2")
        return
    free = sum(kind.free * kind.size for kind in m.pages)
    if not free:
        yield (ERROR, "", "all huge pages are in use",
               "end the program that uses them, or remove the files it left in the hugetlbfs mount")
    elif free < WANTED:
        yield (WARN, "", f"{units.size(free)} of huge pages are free: the default heap of 512 MiB "
               "does not fit", "more huge pages, or a smaller SHMEM_SYMMETRIC_SIZE")


def mounts(m):
    if any(kind.total for kind in m.pages) and not m.huge_mounts:
        yield (ERROR, "", "no hugetlbfs is mounted, through which DPDK takes huge pages",
               "mount -t hugetlbfs none /dev/hugepages")


def numa(m):
    if len(m.nodes) < 2:
        return
    for port in m.ports:
        if port.node is None or port.node < 0:
            yield (NOTE, port.address, "the BIOS does not say which NUMA node its slot is on",
                   "keep the PEs on the socket of the slot by numactl; the board's manual names it")
        elif port.node in m.nodes and not m.cpus & m.nodes[port.node]:
            yield (WARN, port.address, f"its slot is on NUMA node {port.node}, of which this "
                   "program may use no CPU: each store crosses the link between the sockets",
                   f"numactl --cpunodebind={port.node} --membind={port.node}, or another slot")
        elif any(kind.total for kind in m.pages) and not any(
                kind.total for kind in m.node_pages.get(port.node, [])):
            yield (WARN, port.address, f"NUMA node {port.node} of its slot has no huge pages",
                   f"write a number to /sys/devices/system/node/node{port.node}/hugepages/"
                   "hugepages-2048kB/nr_hugepages")


def cores(m):
    if len(m.cpus) == 1:
        yield (WARN, "", "one CPU: the service lcore and the PE share it",
               "two CPUs or more for each host; see taskset and isolcpus")


def rights(m):
    if any(f.vendor == pci.PLX and f.config.data and not f.config.whole()
           for f in m.functions.values()):
        yield (NOTE, "", "not root: packet sizes, ASPM, ACS and the chip's registers were not "
               "read", "run ringbell-doctor as root")


CHECKS = [
    Check("rights", "everything could be read", rights),
    Check("bind", "the ports are bound to a driver for DPDK", bind),
    Check("engine", "the DMA engines are bound to no kernel driver of their own", engine),
    Check("lockdown", "the kernel is not locked down", lockdown),
    Check("iommu", "the IOMMU fits the driver", iommu),
    Check("group", "the IOMMU groups are free", group_free),
    Check("combining", "the window can be mapped write combining", combining),
    Check("mtrr", "no MTRR makes registers write combining", ranges),
    Check("pages", "huge pages are there and free", pages, of=""),
    Check("mounts", "hugetlbfs is mounted", mounts, of=""),
    Check("numa", "CPUs and huge pages on the slot's NUMA node", numa),
    Check("cores", "two CPUs or more", cores, of=""),
]
