# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Is the adapter there, and is it set up by its EEPROM and the BIOS as the driver needs it?"""
import config
import pci
import units
from chip import ALL_ONES, SPACE
from findings import ERROR, NOTE, WARN, Check

MIB = 1 << 20
# the default heap, and channels and payload slots to both sides
WANTED = 528 * MIB
ONE_PORT = 0x8732  # the part without a second NT port
EEPROM = "see doc/hardware.md, section 1, and ringbell-eeprom(1)"


def adapter(m):
    for ntb in m.xeons:
        yield (NOTE, ntb.address, "an NTB of Intel's Xeons, which is not checked",
               "see doc/hardware.md, section 7; ringbell-port test tries it")
    if m.ports or m.xeons or any(f.is_one_of(pci.NT_LINK) for f in m.functions.values()):
        return
    if any(f.vendor == pci.PLX for f in m.functions.values()):
        yield (ERROR, "", "a PLX switch is there, but no NT function",
               f"enable NT0 and NT1 in the adapter's EEPROM (register 0x360): {EEPROM}")
    else:
        yield (ERROR, "", "no PEX 87xx adapter (PCI vendor 10b5) is there",
               "check that the card sits in its slot and has power; \"lspci -d 10b5:\" shows it. "
               "A Xeon has an NTB (8086:201c, 347e) where its BIOS makes one of a root port")


def link_functions(m):
    for f in m.functions.values():
        if f.is_one_of(pci.NT_LINK):
            yield (ERROR, f.address, "an NT-Link function: the cable of another host's adapter "
                   "leads directly to a root port of this host",
                   "use an adapter in each host, and cable NT port to NT port")


def ports(m):
    for address, own in m.adapters().items():
        if len(m.ports) > 1 or len(own) > 1:
            continue
        port, other = own[0], 1 - own[0].nt
        chip = m.chips[port.address]
        if port.chip_id == ONE_PORT:
            yield (NOTE, address, "this part has one NT port: enough for a ring of two hosts",
                   "a larger ring needs a second adapter or another part")
        elif chip and chip.answers and chip.config.on[other]:
            yield (WARN, address, f"NT{other} is enabled, but the system did not find it",
                   "update the BIOS, or give it more bus numbers and memory for bridges")
        else:
            yield (WARN, address, f"NT{port.nt} is there, NT{other} is not",
                   f"for a ring of three hosts or more set bit {13 if other == 0 else 21} of "
                   f"register 0x360 in the EEPROM: {EEPROM}")


def answers(m):
    for port in m.ports:
        chip = m.chips[port.address]
        if port.config.gone() or (chip and not chip.answers):
            yield (ERROR, port.address, "the function does not answer: its registers read all ones",
                   "a bridge above has no memory window, or the card lost power; power the host "
                   "off and on")
        elif chip and chip.id != port.device << 16 | port.vendor:
            yield (ERROR, port.address, f"its id register reads {chip.id:08x}, its PCI id is "
                   f"{port.vendor:04x}:{port.device:04x}",
                   f"BAR0 does not show the chip's registers: set register 0xE4 to 2 or 3; {EEPROM}")


def awake(m):
    for port in m.ports:
        if port.driver not in ("uio_pci_generic", "igb_uio"):
            continue
        if port.power in ("D3hot", "D3cold"):
            yield (ERROR, port.address, f"the function sleeps in {port.power}",
                   f"echo on >/sys/bus/pci/devices/{port.address}/power/control")
            continue
        for f in m.path(port):
            if f.config.gone():
                continue  # another finding
            for bit, name in ((config.MEMORY, "memory decode"), (config.MASTER, "bus mastering")):
                # the driver gives the port itself bus mastering
                if f.config.command(bit) is False and (f is not port or bit == config.MEMORY):
                    path = "" if f is port else f", on the path to {port.address}"
                    yield (ERROR, f.address, f"{name} is off{path}",
                           f"bind {port.address} again, which switches it on")


def lost_address(function, bar):
    return not function.bars[bar].placed and (function.bars[bar].size or
                                              function.config.bar_type(bar))


def with_address(m, number):
    """Each port with that BAR, but for those where place() finds the fault."""
    return [(port, port.bars[number]) for port in m.ports if not lost_address(port, number)]


def place(m):
    for port in m.ports:
        lost = [bar for bar in (0, 2, 4) if lost_address(port, bar)]
        if lost and not port.config.gone():
            yield (ERROR, port.address,
                   f"BAR{' and BAR'.join(map(str, lost))} got no address from the BIOS",
                   "switch \"Above 4G decoding\" on in the BIOS; else make BAR2 smaller in the "
                   "EEPROM")


def registers(m):
    for port, bar in with_address(m, 0):
        if bar.size < SPACE:
            yield (ERROR, port.address, f"BAR0 has {units.size(bar.size)}, the registers take "
                   f"{units.size(SPACE)}", f"set register 0xE4 to 2 or 3: {EEPROM}")
        elif bar.prefetchable:
            yield (WARN, port.address, "BAR0, the registers, is prefetchable: reads may come "
                   "early or twice", f"clear the prefetchable bit of BAR0: {EEPROM}")


def window(m):
    for port, bar in with_address(m, 2):
        if bar.size < MIB:
            yield (ERROR, port.address, "BAR2, the window, is off",
                   f"set registers 0xE8 and 0xEC to a 64-bit BAR of 1 GiB, say: {EEPROM}")
        elif not bar.wide:
            yield (ERROR, port.address, "BAR2, the window, is a BAR of 32 bits",
                   f"set it to 64 bits, low nibble 0xC of register 0xE8: {EEPROM}")
        elif not bar.prefetchable:
            yield (WARN, port.address, "BAR2, the window, is not prefetchable: no write "
                   "combining, 1.1 GB/s at best instead of 5.7",
                   f"set bit 3 of register 0xE8: {EEPROM}")
        elif bar.size < WANTED:
            yield (WARN, port.address, f"BAR2, the window, has {units.size(bar.size)}: the "
                   "default heap of 512 MiB does not fit",
                   "make BAR2 1 GiB in the EEPROM (registers 0xE8 and 0xEC), or give jobs a "
                   "smaller SHMEM_SYMMETRIC_SIZE")


def peer_window(m):
    for port, bar in with_address(m, 4):
        if not bar.size and port.bars[2].size >= 2 * MIB:
            yield (NOTE, port.address, "BAR4 is off: the lower half of BAR2 reaches the peer's "
                   "registers", "the peer's adapter must be set up likewise; a BAR4 of 1 MiB "
                   "leaves all of BAR2 to memory")
        elif bar.size < MIB:
            yield (ERROR, port.address, f"BAR4, which reaches the peer's registers, has "
                   f"{units.size(bar.size)}",
                   f"set registers 0xF0 and 0xF4 to 1 MiB or more, 64-bit: {EEPROM}")
        elif not bar.wide:
            yield (ERROR, port.address, "BAR4, which reaches the peer's registers, is a BAR of "
                   "32 bits", f"set it to 64 bits, low nibble 4 of register 0xF0: {EEPROM}")
        elif bar.prefetchable:
            yield (WARN, port.address, "BAR4, which reaches the peer's registers, is "
                   "prefetchable", f"clear bit 3 of register 0xF0: {EEPROM}")


def window_sizes(m):
    sizes = {port.bars[2].size for port in m.ports if port.bars[2].placed}
    if len(sizes) > 1:
        listed = ", ".join(f"{port.address} has {units.size(port.bars[2].size)}" for port in m.ports)
        yield (WARN, "", f"the windows differ: {listed}", "both ends of a cable "
               "need the same size: give BAR2 of all ports one size in the EEPROM")


def layout(m):
    for address, own in m.adapters().items():
        chip = m.chips[own[0].address]
        if not chip or not chip.answers or chip.config.value == ALL_ONES:
            continue
        both = len(own) > 1
        for nt in (port.nt for port in own):
            if chip.config.port[nt] == chip.config.upstream:
                yield (ERROR, address, f"port {chip.config.upstream} is both the upstream port and "
                       f"that of NT{nt} (register 0x360 reads {chip.config.value:08x})",
                       f"give NT{nt} the port with its cable: {EEPROM}")
        if both and chip.config.port[0] == chip.config.port[1]:
            yield (ERROR, address, f"NT0 and NT1 are both at port {chip.config.port[0]} (register "
                   f"0x360 reads {chip.config.value:08x})",
                   f"give each NT the port with its cable: {EEPROM}")


def lookup_table(m):
    large = any(pages.size >= 1 << 30 and pages.total for pages in m.pages)
    for address, own in m.adapters().items():
        chip = m.chips[own[0].address]
        if not chip or not chip.answers:
            continue
        without = [f"NT{port.nt}" for port in own if not chip.config.alut[port.nt]]
        if without and (not large or len(without) < len(own)):
            yield (NOTE, address, f"the address lookup table is off for {' and '.join(without)}: "
                   "the heap must be aligned to its size on the bus",
                   "set bits 30 and 31 of register 0x360 in the EEPROM, or use huge pages of "
                   "1 GiB")


CHECKS = [
    Check("adapter", "an adapter with NT functions is there", adapter, of=""),
    Check("nt-link", "no cable leads to a root port", link_functions, of=""),
    Check("ports", "two NT ports", ports),
    Check("answers", "the NT functions answer with their ids", answers),
    Check("awake", "ports are awake, bridges above forward memory accesses", awake),
    Check("place", "all BARs have addresses", place),
    Check("registers", "BAR0 shows all registers, not prefetchable", registers),
    Check("window", "BAR2 is 64-bit, prefetchable and large enough", window),
    Check("peer-window", "BAR4 is 64-bit, not prefetchable, 1 MiB or more", peer_window),
    Check("window-sizes", "the windows of all ports have one size", window_sizes),
    Check("layout", "upstream port, NT0 and NT1 are different ports of the chip", layout),
    Check("lookup-table", "the address lookup table is on, or pages are large", lookup_table),
]
