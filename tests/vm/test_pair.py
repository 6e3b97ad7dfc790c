#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Two guests, one cable: the driver's whole way through PCI, and the DMA engine.

The environment says by which kernel driver: uio_pci_generic, vfio-pci with the IOMMU of the machine, or
noiommu, vfio-pci without one.
"""
import os
import sys

import rig


HOW = os.environ.get("RINGBELL_VM_DRIVER", "uio_pci_generic")
VFIO = ("vfio_iommu_type1", "vfio-pci")
NOIOMMU = "enable_unsafe_noiommu_mode"


def modules(kit):
    """Kernel modules for HOW; the test is skipped where the kernel has not what it takes."""
    if HOW == "uio_pci_generic":
        return ("uio_pci_generic",)
    with open(kit.modules("vfio")[-1], "rb") as f:
        if HOW == "noiommu" and NOIOMMU.encode() not in f.read():
            rig.skip("this kernel is built without CONFIG_VFIO_NOIOMMU, as Debian's are")
    return VFIO


def prepare(report, guest):
    """The kernel driver's name, and what the program is told besides."""
    if HOW == "uio_pci_generic":
        return HOW, "", ""
    if HOW == "noiommu":
        guest.must(f"echo 1 >/sys/module/vfio/parameters/{NOIOMMU}")
        return "vfio-pci", "", "uncached"
    # the machine's IOMMU remaps no interrupts here, and we use none
    guest.must("echo 1 >/sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts")
    nt, dma = (guest.must(f"functions {kind}").strip() for kind in ("10b5:87b0", "10b5:87d0"))
    group = guest.must(f"ls /sys/bus/pci/devices/{nt}/iommu_group/devices").split()
    report.check(f"{guest.name}: an adapter is one IOMMU group, its bridges and DMA included",
                 nt in group and dma in group and len(group) == 4, str(group))
    return "vfio-pci", "--iova-mode=pa", "uncached"


def test(report, kit, programs):
    with rig.Rig(kit) as r:
        r.pack(programs, modules=modules(kit))
        device = r.adapters(programs["ringbell-device"], "--hosts", "2", "--cables", "1")
        adapters = [[("right", 1)], [("left", 1)]]
        if HOW == "vfio-pci":
            if r.needs_kvm("h0.right"):
                rig.skip("this QEMU has no proxied PCI functions in a machine with an IOMMU but by "
                         "KVM: it dies of SIGSEGV")
            guests = [r.boot_with_iommu(host, a) for host, a in enumerate(adapters)]
        else:
            guests = [r.boot(host, a) for host, a in enumerate(adapters)]
            for guest in guests:
                guest.wait_boot()
        for role, guest in enumerate(guests):
            report.note(f"{guest.name} is up")
            driver, eal, words = prepare(report, guest)
            functions = r.ports(guest, driver=driver) + r.ports(guest, "10b5:87d0", driver)
            report.check(f"{guest.name}: NT and DMA function found and bound", len(functions) == 2,
                         str(functions))
            allow = " ".join("-a " + f for f in functions)
            guest.start("vm-pair -l 0 --no-telemetry --legacy-mem --log-level=4 "
                        f"{eal} {allow} -- {role} 1 {words}")
        try:
            for mark, command in (("pull", "pull 0"), ("plug", "plug 0")):
                for guest in guests:
                    guest.wait_mark(mark, 180)
                report.note(command)
                device.command(command)
            for guest in guests:
                report.program(guest, *guest.finish(180))
        except rig.Failure:
            for guest in guests:
                report.lines(guest, guest.so_far())
            raise
        report.note("done")


sys.exit(rig.main(test))
