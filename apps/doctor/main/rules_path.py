# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The links: the cables, the slot, and the path between port and CPU."""
import pci
import units
from chip import LINK_STATUS
from findings import NOTE, WARN, ERROR, Check

SLEEPS = ("never", "L0s", "L1", "L0s and L1")


def rate(link):
    """What a link carries now, in GT/s of all lanes."""
    return (link.speed or 0) * (link.width or 0)


def is_off(m, port):
    chip = m.chips[port.address]
    return bool(chip and chip.answers and chip.disabled)


def status_words(chip):
    """What the port's link status register reads."""
    return "" if chip is None else f" (register {chip.block + LINK_STATUS:#07x} reads {chip.link_status:#010x})"


def cable(m):
    known = [port for port in m.ports if port.link.known]
    dark = [port for port in known if not port.link.up and not is_off(m, port)]
    for port in known:
        if not port.link.up and is_off(m, port):
            chip = m.chips[port.address]
            yield (NOTE, port.address, "the program that used it last switched its link off (port "
                   f"{chip.port}, register {chip.control_of(chip.port):#07x})",
                   "nothing to do: the next one switches it on")
    for port in dark:
        alone = len(dark) == len(known)
        yield (ERROR if alone else WARN, port.address, "no link: no training at its cable" +
               status_words(m.chips[port.address]),
               "plug the cable in at both ends, power the other host up, and start a program there, "
               "which switches its port on; else a cable that does not cross, or two clocks with "
               "spread spectrum" + ("" if alone else "; with two hosts and one cable this is right"))


def width(m):
    for port in m.ports:
        link = port.link
        if link.up and link.most_width and link.width < link.most_width:
            yield (WARN, port.address, f"the cable runs x{link.width} of x{link.most_width}",
                   "seat the connectors anew, or try another cable; the cable may have fewer "
                   "lanes")


def speed(m):
    for port in m.ports:
        link = port.link
        if link.up and link.speed and link.most_speed and link.speed < link.most_speed:
            yield (WARN, port.address, f"the cable runs at {pci.generation(link.speed)}, "
                   f"not at {pci.generation(link.most_speed)}",
                   "a shorter or better cable; set \"auto\" or Gen3 in BIOS and EEPROM of both "
                   "hosts")


def slot(m):
    for address, own in m.adapters().items():
        up, above = m.functions[address], m.slot(own[0])
        if up is own[0] or above is None or not up.link.up:
            continue
        wide = min(up.link.most_width or 0, above.link.most_width or 0)
        fast = min(up.link.most_speed or 0, above.link.most_speed or 0)
        if up.link.width < wide:
            yield (WARN, address, f"the adapter runs x{up.link.width}, but it and its slot "
                   f"support x{wide}",
                   "seat the card anew; look whether another slot shares its lanes")
        if up.link.speed and up.link.speed < fast:
            yield (WARN, address, f"the adapter runs at {pci.generation(up.link.speed)}, but it "
                   f"and its slot support {pci.generation(fast)}",
                   "set the slot to \"auto\" or Gen3 in the BIOS")
        cables = [port for port in own if rate(port.link) > rate(up.link)]
        if cables and up.link.width >= wide and (up.link.speed or 0) >= fast:
            yield (WARN, address, f"the slot, x{up.link.width} {pci.generation(up.link.speed)}, "
                   "carries less than a cable", "put the adapter into a wider slot")


def payload(m):
    told = set()
    for port in m.ports:
        way = [(f.address, f.config.payload()) for f in m.path(port)
               if f.config.payload() and not f.config.gone()]
        for (near, near_size), (far, far_size) in zip(way, way[1:]):
            if near_size != far_size and (near, far) not in told:
                told.add((near, far))
                yield (WARN, near, f"its maximum payload is {near_size} bytes, that of {far} "
                       f"above it {far_size}", "pci=pcie_bus_peer2peer on the kernel's command line "
                       "makes it 128 everywhere; both hosts need the same")


def requests(m):
    for f in m.functions.values():
        if f.is_port or f.is_one_of(pci.DMA):
            size = f.config.read_request()
            if size and size < 256 and not f.config.gone():
                yield (NOTE, f.address, f"it reads memory in requests of {size} bytes: slow for "
                       "a DMA engine", "a BIOS setting \"max read request\" of 512 or more")


def sleeps(m):
    for f in {f.address: f for port in m.ports for f in m.path(port)}.values():
        state = None if f.config.gone() else f.config.aspm()
        if state:
            yield (WARN, f.address, f"its link may sleep (ASPM {SLEEPS[state]}): leaving that state "
                   "takes microseconds, and errata name ASPM",
                   "pcie_aspm=off on the kernel's command line, or ASPM off in the BIOS")


def has_engine(m, function):
    """Has the adapter of this function a DMA engine, which is a sibling of its upstream port?"""
    top = m.upstream(function) or function
    return any(f.is_one_of(pci.DMA) and f.address[:-1] == top.address[:-1]
               for f in m.functions.values())


def redirects(m):
    for f in m.functions.values():
        if f.vendor == pci.PLX and f.is_bridge and f.config.redirects() and has_engine(m, f):
            yield (WARN, f.address, "ACS redirect sends packets between the adapter's functions up "
                   "to the root port first, copies of the DMA engine too",
                   "switch ACS off in the BIOS, or off for this bridge: setpci -s "
                   f"{f.address} ECAP_ACS+6.w=0")


def errors(m):
    for f in {f.address: f for port in m.ports for f in m.path(port)}.values():
        for kind, severity in (("fatal", WARN), ("nonfatal", WARN), ("correctable", NOTE)):
            counts = f.errors[kind]
            if counts:
                listed = ", ".join(f"{name} {number}" for name, number in counts.items())
                yield (severity, f.address, f"{units.plural(sum(counts.values()), kind + ' error')} "
                       f"since boot: {listed}", "cable, connector or slot, if it grows: look "
                       "again later; dmesg has the packets")


CHECKS = [
    Check("cable", "each cable has a link", cable),
    Check("width", "each cable runs with all lanes", width),
    Check("speed", "each cable runs at full speed", speed),
    Check("slot", "the slot has the lanes and speed of the adapter and its cables", slot),
    Check("payload", "one maximum payload on the path", payload),
    Check("requests", "reads of memory are long enough", requests),
    Check("aspm", "no link on the path may sleep", sleeps),
    Check("acs", "ACS does not redirect within the adapter", redirects),
    Check("aer", "no PCI Express errors since boot", errors),
]
