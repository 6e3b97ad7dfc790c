# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The registers that records name, and what their values mean."""
import image
import units
from nt import NT_CONFIG, Config

# Blocks of registers, which are not in the order that BAR0 has them in. From the console of the
# vendor's SDK; the NT blocks also from a tool for the PEX 8734.
PORTS = 0x18  # port p is block p
ALUT, DMA, DMA_RAM, SWITCHES = 0x20, 0x28, 0x2C, 0x30
NT, END = 0x38, 0x3C  # NT0 Link, NT0 Virtual, NT1 Link, NT1 Virtual
VIRTUAL = (0x39, 0x3B)

NO_PORT = 0x1A  # what a tool for the PEX 8734 gives an NT that is off
BAR0_SETUP = 0xE4  # of an NT interface, as all of these
WIDE, PREFETCH = 4, 8
BAR_MIN = 1 << 20  # the low 20 bits of a size mask do not exist
DMA_GLOBAL = 0x1F8  # of DMA channel 0, for all

NT_REGS = {
    0x04: "command: decoding, bus mastering",
    0x2C: "subsystem ids",
    0x70: "device control: payload, reads",
    0xE4: "BAR0/1 setup: the registers",
    0xE8: "BAR2 setup: data window",
    0xEC: "BAR2 setup, upper half, or BAR3",
    0xF0: "BAR4 setup: the peer's registers",
    0xF4: "BAR4 setup, upper half, or BAR5",
    0xC3C: "BAR2 translation",
    0xC40: "BAR2 translation, upper half, or BAR3",
    0xC44: "BAR4 translation",
    0xC48: "BAR4 translation, upper half, or BAR5",
    0xC94: "A-LUT control",
}
PORT_REGS = {
    0x04: "command: decoding, bus mastering",
    0x2C: "subsystem ids",
    0x70: "device control: payload, reads",
    0x98: "link control 2: target speed",
}
CHIP_REGS = {
    0x208: "port control: links that are disabled",
    0x300: "widths of the ports",
    0x30C: "reference clocks of the ports",
    0x358: "virtual switches that are on",
    NT_CONFIG: "upstream port, NT ports, A-LUT, DMA mode",
    0x380: "ports of virtual switch 0",
    0x600: "GPIO direction",
    0x604: "GPIO direction",
    0x624: "GPIO output",
    0xA30: "debug control",
    0xF60: "ingress control",
}
DMA_MODES = {0: "four functions of a channel each", 1: "one function", 2: "two functions"}


class Part:
    """Numbers of ports are those of public tools for these chips; the second NT port, the A-LUT,
    the DMA engine and the checksum of the EEPROM came with the later ones."""

    def __init__(self, number, ports, nts):
        self.number, self.ports, self.nts, self.newer = number, ports, nts, nts == 2

    def has(self, port):
        return bool(self.ports >> port & 1)


PARTS = {number: Part(number, ports, nts) for number, ports, nts in (
    (0x8749, 0x3F3F3F, 2), (0x8733, 0x3F3F3F, 2), (0x8725, 0x3F3F, 2), (0x8717, 0x3F3F, 2),
    (0x8713, 0x3F3F, 2), (0x8748, 0x0F0F0F, 1), (0x8732, 0x0F0F, 1), (0x8724, 0x070F, 1),
    (0x8716, 0x0F, 1), (0x8712, 0x0F, 1), (0x8747, 0x030301, 0))}


def place_name(place):
    if place < PORTS:
        return f"port {place}"
    if ALUT <= place < ALUT + 4:
        return f"A-LUT RAM {place - ALUT}"
    if DMA <= place < DMA + 4:
        return f"DMA channel {place - DMA}"
    if place == DMA_RAM:
        return "DMA RAM"
    if SWITCHES <= place < NT:
        return f"virtual switch, st. {place - SWITCHES}"
    if NT <= place < END:
        return f"NT{(place - NT) // 2} {'Virtual' if place % 2 else 'Link'}"
    return f"block 0x{place:02x}"


def offset(address):
    """Where BAR0 has that register; None where it does not show it."""
    place = image.place_of(address)
    if place < PORTS:
        base = place << 12
    elif ALUT <= place < ALUT + 4:
        base = 0x38000 + (place - ALUT << 12)
    elif DMA <= place < DMA + 4:
        base = 0x21000 + (place - DMA << 12)
    elif place == DMA_RAM:
        base = 0x20000
    elif NT <= place < END:
        base = (0x3E000 if place < NT + 2 else 0x3C000) + (0 if place % 2 else 0x1000)
    else:
        return None
    return base + image.reg_of(address)


def reg_name(address):
    """The register's name and purpose; "" where it is unknown."""
    place, reg = image.place_of(address), image.reg_of(address)
    if NT <= place < END:
        return NT_REGS.get(reg, "")
    if (place, reg) == (DMA, DMA_GLOBAL):
        return "number of DMA functions"
    if place < PORTS and place % 8 == 0 and (reg == 0x208 or place == 0) and reg in CHIP_REGS:
        return CHIP_REGS[reg]
    return PORT_REGS.get(reg, "") if place < PORTS else ""


class Window:
    """BAR2 or BAR4 of an NT-Virtual interface, as its two setup registers make it."""

    def __init__(self, of, nt, bar):
        low, high = (of.value(VIRTUAL[nt], 0xE0 + 4 * number) for number in (bar, bar + 1))
        self.known = low is not None or high is not None
        self.wide, self.prefetch = bool((low or 0) & WIDE), bool((low or 0) & PREFETCH)
        mask = (low or 0) & 0xFFF00000
        self.on = bool(mask or (self.wide and high))
        # without a record the upper half is 0, which the mask of a 64-bit BAR may not be
        mask |= (high or 0) << 32 if self.wide else 0xFFFFFFFF00000000
        self.size = -mask & 0xFFFFFFFFFFFFFFFF
        self.solid = self.on and self.size & (self.size - 1) == 0


def window_setup(size, prefetch):
    """What the two registers get; no size: off."""
    mask = -size & 0xFFFFFFFFFFFFFFFF
    return (mask & 0xFFFFFFFF | WIDE | (PREFETCH if prefetch else 0), mask >> 32) if size else (0, 0)


def window_fields(of, nt, bar):
    w = Window(of, nt, bar)
    words = f"{units.size(w.size)}, {64 if w.wide else 32}-bit, {'' if w.prefetch else 'not '}prefetchable"
    yield (f"BAR{bar}/{bar + 1}" if w.wide else f"BAR{bar}",
           words + ("" if w.solid else "; the size mask is not contiguous") if w.on else "off")


def config_fields(value):
    config = Config(value)
    yield "upstream", f"port {config.upstream}"
    for nt in (0, 1):
        yield f"NT{nt}", f"on, port {config.port[nt]}" if config.on[nt] else "off"
    for nt in (0, 1):
        yield f"A-LUT of NT{nt}", "on (the window has slices)" if config.alut[nt] else "off"
    yield "DMA mode", f"{config.dma} (bit 24; its meaning is not certain)"


def fields(of, address, value):
    """What a record says, as pairs of a label and words. Of a BAR of two registers, both tell what
    the two make together."""
    place, reg = image.place_of(address), image.reg_of(address)
    if (place, reg) == (0, NT_CONFIG):
        return list(config_fields(value))
    if place in VIRTUAL and reg == BAR0_SETUP:
        kind = {2: "32-bit", 3: "64-bit"}.get(value & 3, "off")
        return [("BAR0", kind + (", prefetchable" if value & PREFETCH else ""))]
    if place in VIRTUAL and 0xE8 <= reg <= 0xF4:
        return list(window_fields(of, VIRTUAL.index(place), 2 if reg < 0xF0 else 4))
    if (place, reg) == (DMA, DMA_GLOBAL):
        return [("DMA", DMA_MODES.get(value, "unknown mode"))]
    return []
