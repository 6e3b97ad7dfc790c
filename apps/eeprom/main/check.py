# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Does an image give Ringbell what it needs? The rules of doc/hardware.md, section 1."""
import image
import registers

FAULT, NOTE = "fault", "note"


def nt_port(part, config, nt):
    port = config.port[nt]
    if port == config.upstream:
        yield FAULT, f"NT{nt} is port {port}, which is the upstream port: choose another"
    if nt == 1 and config.on[0] and port == config.port[0]:
        yield FAULT, f"NT0 and NT1 are both port {port}: choose two"
    if part and nt >= part.nts:
        yield FAULT, (f"NT{nt} is on, but a PEX {part.number:04x} has {part.nts} NT "
                      f"port{'' if part.nts == 1 else 's'}")
    elif part and not part.has(port):
        yield FAULT, f"NT{nt} is port {port}, which a PEX {part.number:04x} does not have"


def ports(part, config):
    if not any(config.on):
        yield FAULT, "no NT port is on: set one by nt0=PORT of make"
    if part and not part.has(config.upstream):
        yield FAULT, f"the upstream port is {config.upstream}, which a PEX {part.number:04x} does not have"
    for nt in (0, 1):
        if not config.on[nt]:
            continue
        yield from nt_port(part, config, nt)
        if part and not part.newer:
            if config.alut[nt]:
                yield FAULT, f"the A-LUT of NT{nt} is on, but a PEX {part.number:04x} has none"
        elif not config.alut[nt]:
            yield NOTE, f"the A-LUT of NT{nt} is off: memory must be aligned to the whole window"
    if config.on[0] != config.on[1]:
        yield NOTE, "one NT port: enough for two hosts, not for a ring of more"


def bar0(of, nt):
    value = of.value(registers.VIRTUAL[nt], registers.BAR0_SETUP)
    if value is None:
        yield NOTE, f"NT{nt}: no record for BAR0 (0xe4): the chip's default applies"
    elif not value & 2:
        yield FAULT, f"NT{nt}: BAR0 is off (0xe4 is 0x{value:08x}): 2 or 3 is needed, for the registers"
    elif value & registers.PREFETCH:
        yield FAULT, (f"NT{nt}: BAR0, the registers, is prefetchable (0xe4 is 0x{value:08x}): 2 or 3 "
                      "is needed")


def data_window(w, nt, shared):
    if not w.known:
        yield FAULT, f"NT{nt}: no record for BAR2, the data window (0xe8, 0xec)"
        return
    if not w.on:
        yield FAULT, f"NT{nt}: BAR2, the data window, is off (0xe8, 0xec)"
        return
    if not w.wide:
        yield FAULT, f"NT{nt}: BAR2 is a BAR of 32 bits: bit 2 of 0xe8 is needed"
    if not w.prefetch:
        yield FAULT, (f"NT{nt}: BAR2 is not prefetchable: bit 3 of 0xe8 is needed, or each store "
                      "becomes a packet of its own")
    if not w.solid:
        yield FAULT, f"NT{nt}: the size mask of BAR2 is not contiguous: 0xe8 and 0xec do not match"
    elif w.size < registers.BAR_MIN * (2 if shared else 1):
        yield FAULT, f"NT{nt}: BAR2 has 1 MiB; without BAR4 it needs 2 or more"
    elif w.size > 1 << 40:
        yield FAULT, f"NT{nt}: BAR2 is larger than 1 TiB, which no host gives an address"


def peer_window(w, nt):
    if not w.on:
        yield NOTE, (f"NT{nt}: BAR4 is off: the lower half of BAR2 reaches the peer's registers; both "
                     "ends of the cable need that setting")
        return
    if not w.wide:
        yield FAULT, f"NT{nt}: BAR4 is a BAR of 32 bits: bit 2 of 0xf0 is needed"
    if w.prefetch:
        yield FAULT, f"NT{nt}: BAR4, the peer's registers, is prefetchable: bit 3 of 0xf0 must be 0"
    if not w.solid:
        yield FAULT, f"NT{nt}: the size mask of BAR4 is not contiguous: 0xf0 and 0xf4 do not match"


def records(of, part):
    deciding = of.deciding()
    for i, (address, _) in enumerate(of.records):
        place = image.place_of(address)
        name = registers.place_name(place)
        if deciding[address] != i:
            yield NOTE, (f"record {i}: {name}, 0x{image.reg_of(address):03x} is set again by a later "
                         "record, which applies")
        if part and place < registers.PORTS and not part.has(place):
            yield NOTE, f"record {i}: a PEX {part.number:04x} has no {name}"
        if place >= registers.END or registers.PORTS <= place < registers.ALUT:
            yield NOTE, f"record {i}: {name} is unknown"


def findings(of, part):
    """(fault or note, words). Without a part, what depends on it is left out."""
    value = of.value(0, registers.NT_CONFIG)
    if not of.flags & image.CHECKED:
        yield NOTE, "the checksum is off: the chip loads a damaged image as well"
    elif part and not part.newer:
        yield NOTE, f"the checksum is on, which a PEX {part.number:04x} does not check"
    if value is None:
        yield FAULT, "no record of port 0, 0x360: the straps of the board decide which NT ports are on"
    else:
        config = registers.Config(value)
        yield from ports(part, config)
        for nt in (n for n in (0, 1) if config.on[n]):
            peer = registers.Window(of, nt, 4)
            yield from bar0(of, nt)
            yield from data_window(registers.Window(of, nt, 2), nt, not peer.on)
            yield from peer_window(peer, nt)
    yield from records(of, part)


def faults(of, part):
    return [f"fault: {words}" for kind, words in findings(of, part) if kind == FAULT]
