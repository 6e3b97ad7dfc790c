#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""OpenSHMEM programs whose PEs are guests: nothing is shared but what the adapters carry.

Programs of tests/multi and examples, started by oshrun in each guest; the number of guests comes
from the environment, and so do the size of BAR2 in MiB and the family of the adapters, in the words of
ringbell-device. DPDK's own driver serves those of Intel's, over igb_uio: it needs interrupts. With
RINGBELL_VM_VFIO the adapters are bound to vfio-pci, in guests with an IOMMU.
"""
import os
import sys

import rig

HOSTS = int(os.environ.get("RINGBELL_VM_HOSTS", "2"))
WINDOW = int(os.environ.get("RINGBELL_VM_WINDOW", "64"))
NTB = os.environ.get("RINGBELL_VM_NTB", "plx")
FUNCTION = {"plx": "10b5:87b0", "intel3": "8086:201c", "intel4": "8086:347e"}[NTB]
VFIO = "RINGBELL_VM_VFIO" in os.environ
KERNEL_DRIVER, DRIVERS = ("uio_pci_generic", []) if NTB == "plx" else ("igb_uio", ["raw_ntb"])
MODULES, EAL = (KERNEL_DRIVER,), ""
if VFIO:
    KERNEL_DRIVER, MODULES, EAL = "vfio-pci", ("vfio_iommu_type1", "vfio-pci"), "--iova-mode=pa "
HEAP = 32 if NTB == "plx" else 8
# how long a program may take where each store through a window is a message to the model
SECONDS = 300
TIMES = 4 # so much longer than elsewhere a case may take: the guest does not see what else the machine does
# nbi has all of them where the DMA engine stores, and goes without it where there is none; amo's others take as long and
# go the same way
CASES = {"multi-nbi": "two_ctx", "multi-amo": "compare_swap"}
DMA = HOSTS == 2 and NTB == "plx" and WINDOW == 64
# huge pages: once the region, in one piece, and the EAL's own; not the region twice
PAGES = 40 if NTB == "plx" else 72  # a window of Intel's is aligned to its size


def adapters(host):
    """Two hosts are joined by one cable, more by a ring."""
    if HOSTS == 2:
        return [("right" if host == 0 else "left", 1 if NTB == "plx" else rig.INTEL)]
    return [(side, 0 if NTB == "plx" else rig.INTEL) for side in ("left", "right")]


def boot(report, r):
    """All guests, ready to bind adapters."""
    if not VFIO:
        guests = [r.boot(host, adapters(host), pages=PAGES) for host in range(HOSTS)]
        for guest in guests:
            guest.wait_boot()
        return guests
    if r.needs_kvm("h0.right"):
        rig.skip("this QEMU has no proxied PCI functions in a machine with an IOMMU but by KVM: it dies of SIGSEGV")
    guests = [r.boot_with_iommu(host, adapters(host)) for host in range(HOSTS)]
    for guest in guests:
        # the machine's IOMMU remaps no interrupts here, and we use none
        guest.must("echo 1 >/sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts")
        nt, dma = (guest.must(f"functions {kind}").strip() for kind in (FUNCTION, "10b5:87d0"))
        group = guest.must(f"ls /sys/bus/pci/devices/{nt}/iommu_group/devices").split()
        report.check(f"{guest.name}: an adapter is one IOMMU group, its bridges and DMA included",
                     nt in group and dma in group and len(group) == 4, str(group))
    return guests


def show_link(guest, ports):
    """The state of generation 3's link is behind the 256 bytes of configuration space that QEMU's proxies
    have, where raw_ntb reads nothing. So it gets a file: the link is up, always, as Linux takes it."""
    for port in ports:
        guest.must(f"file=$(readlink -f /sys/bus/pci/devices/{port})/config; cp $file /tmp/{port}; "
                   f"truncate -s 4096 /tmp/{port}; printf '\\103\\040' | "
                   f"dd of=/tmp/{port} bs=1 seek={0x1a2} conv=notrunc; mount -o bind /tmp/{port} $file")


def run(report, guests, ports, program, dma=None, pes=HOSTS):
    for host, guest in enumerate(guests):
        used = ports[host] + (dma[host] if dma else [])
        allow = " ".join("-a " + p for p in used)
        by_dma = "--dma " + ",".join(dma[host]) if dma else ""
        heap = HEAP * HOSTS // pes
        guest.start(f"oshrun --host-id {host} --hosts {HOSTS} -n {pes} {by_dma} --eal '{EAL}{allow}' "
                    f"-x SHMEM_SYMMETRIC_SIZE={heap}M -x RINGBELL_CHUNK=16K {program}")
    for host, guest in enumerate(guests):
        rc, out = guest.finish(SECONDS)
        how = ", puts by the DMA engine" if dma else ""
        how += f", {pes // HOSTS} PEs on each" if pes > HOSTS else ""
        report.check(f"{program} on host {host} of {HOSTS}{how}", rc == 0, out)
    report.note(program)


def test(report, kit, programs):
    with rig.Rig(kit) as r:
        r.pack(programs, modules=MODULES, drivers=DRIVERS)
        r.adapters(programs["ringbell-device"], "--hosts", str(HOSTS),
                   "--cables", str(1 if HOSTS == 2 else HOSTS), "--dma", str(int(HOSTS == 2)),
                   "--ntb", NTB, "--window", str(WINDOW))
        guests = boot(report, r)
        report.note("guests are up")
        ports = [r.ports(guest, FUNCTION, KERNEL_DRIVER) for guest in guests]
        if NTB == "intel3":
            for guest, used in zip(guests, ports):
                show_link(guest, used)
        for name in [name for name in programs if name.startswith("multi-") and (name != "multi-nbi" or not DMA)]:
            run(report, guests, ports, f"{name} -w {TIMES} -c {CASES[name]}")
        for name in [name for name in programs if name.startswith("rot")]:
            run(report, guests, ports, f"{name} -m 1024 -r 1", pes=2 * HOSTS if WINDOW == 64 else HOSTS)
        if DMA:
            # all cases where nothing translates, one where VFIO does
            run(report, guests, ports, f"multi-nbi -w {TIMES}" + (f" -c {CASES['multi-nbi']}" if VFIO else ""),
                [r.ports(guest, "10b5:87d0", KERNEL_DRIVER) for guest in guests])


sys.exit(rig.main(test))
