# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""NTBs of Intel's Xeons, which DPDK's own raw_ntb drives: firmware, windows, kernel driver."""
import pci
import rules_adapter
import rules_system
import units
import xeon
from findings import ERROR, NOTE, WARN, Check

BIOS = "see doc/hardware.md, section 7"
INTERRUPTS = (rules_system.VFIO, *rules_system.UIO)
# as BIOSes offer them
SKYLAKE_MOST, LATER_ENOUGH = 512 << 20, 1 << 30


def mode(m):
    for ntb in m.xeons:
        state = m.xeon_states[ntb.address]
        if ntb.config.gone():
            yield (ERROR, ntb.address, "the function does not answer: its registers read all ones",
                   "switch the host off and on")
        elif state.mode not in (None, xeon.BACK_TO_BACK):
            yield (ERROR, ntb.address, f"the firmware made it {state.mode}, not back to back",
                   f"make the port's definition \"NTB to NTB\" in the BIOS, at both ends of the cable, and "
                   f"on Sapphire Rapids its Port Subsystem Mode \"Gen4 Only\": {BIOS}")


def most(ntb):
    return SKYLAKE_MOST if ntb.device == pci.SKYLAKE else LATER_ENOUGH


def window(m):
    for ntb in m.xeons:
        bar = ntb.bars[2]
        if not bar.placed:
            yield (ERROR, ntb.address, "BAR2, the window, got no address from the BIOS",
                   "switch \"Above 4G decoding\" on in the BIOS, or make BAR 2/3 of the NTB smaller")
        elif bar.size < rules_adapter.MIB or not bar.wide:
            yield (ERROR, ntb.address, f"BAR2, the window, has {units.size(bar.size)} and "
                   f"{64 if bar.wide else 32} bits: 1 MiB and 64 bits are the least",
                   f"switch \"Enable NTB BARs\" on and \"Enable SPLIT BARs\" off, and make BAR 2/3 "
                   f"{units.size(most(ntb))}: {BIOS}")
        elif bar.size < rules_adapter.WANTED:
            larger = ("" if bar.size >= most(ntb) else
                      f"make BAR 2/3 {units.size(most(ntb))} in the BIOS, at both ends, or ")
            yield (WARN, ntb.address, f"BAR2, the window, has {units.size(bar.size)}: the default "
                   "heap of 512 MiB does not fit",
                   f"{larger}give jobs a smaller SHMEM_SYMMETRIC_SIZE: {BIOS}")


def aligned(m):
    largest = max((kind.size for kind in m.pages if kind.total), default=0)
    for ntb in m.xeons:
        if ntb.bars[2].placed and largest and ntb.bars[2].size > largest:
            yield (NOTE, ntb.address, f"the heap must be aligned to the window's "
                   f"{units.size(ntb.bars[2].size)} on the bus, and the largest pages have "
                   f"{units.size(largest)}",
                   "huge pages as large as the window, or a smaller BAR 2/3 in the BIOS of both ends")


def sizes(m):
    yield from rules_adapter.sizes_of(m.xeons, "raw_ntb wants one size at both ends of a cable: "
                                      "give BAR 2/3 of all one size in the BIOS")


def bind(m):
    for ntb in m.xeons:
        command = f"ringbell-devbind -b uio_pci_generic {ntb.address}"
        if ntb.driver is None:
            yield (ERROR, ntb.address, "it is not bound to a kernel driver",
                   f"modprobe uio_pci_generic; {command}")
        elif ntb.driver not in INTERRUPTS:
            yield (ERROR, ntb.address, f"it is bound to the kernel driver {ntb.driver}", command)


def interrupts(m):
    for ntb in m.xeons:
        if ntb.driver == rules_system.VFIO:
            yield (NOTE, ntb.address, "by VFIO's MSI-X raw_ntb hears no doorbell of its peer, and no link "
                   "comes up; nor is the window write combining",
                   "give the EAL --vfio-intr=msi, or bind it to uio_pci_generic")


def iommu(m):
    yield from rules_system.iommu_of(m, m.xeons)
    for ntb in m.xeons:
        group = m.groups.get(ntb.group)
        # such a group, which VFIO makes, has no kind
        if m.no_iommu and ntb.driver == rules_system.VFIO and (group is None or group.kind in (None, "unknown")):
            yield (WARN, ntb.address, "VFIO without an IOMMU: while a program starts, the peer reaches memory "
                   "that a killed one had before it", "bind it to uio_pci_generic, by which windows are shut "
                   "before, or switch the IOMMU on")


def link(m):
    for ntb in m.xeons:
        # drivers open it: out of reset the function's control register keeps the link disabled
        if m.xeon_states[ntb.address].width == 0:
            yield (NOTE, ntb.address, "no link, as before drivers at both ends have opened it",
                   "nothing, unless a job runs at both ends; then a crossed cable or a retimer card "
                   "at both ends, spread spectrum off, and \"Crosslink Control override\" USD/DSP at "
                   f"one end and DSD/USP at the other in the BIOS: {BIOS}")


CHECKS = [
    Check("xeon-mode", "the firmware made the NTBs back to back", mode, of="xeons"),
    Check("xeon-window", "BAR2 is 64-bit and large enough", window, of="xeons"),
    Check("xeon-align", "huge pages are as large as the window", aligned, of="xeons"),
    Check("xeon-sizes", "the windows have one size", sizes, of="xeons"),
    Check("xeon-bind", "the NTBs are bound to a driver for DPDK", bind, of="xeons"),
    Check("xeon-interrupts", "DPDK's driver hears its peer", interrupts, of="xeons"),
    Check("xeon-iommu", "the IOMMU fits the driver", iommu, of="xeons"),
    Check("xeon-link", "the links are up", link, of="xeons"),
]
