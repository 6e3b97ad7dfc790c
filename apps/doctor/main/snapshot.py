# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What a report about an adapter needs beside the findings: configuration space of all functions on
the way to each port, and the registers of its chip. Only reading, whoever has the port bound."""
import json

import chip
import config
import nt

PORTS = 22
# of the whole chip: ids, links switched off, EEPROM status, virtual switch, NT ports, debug, ingress
CHIP = (0x0, 0x208, 0x8208, 0x10208, 0x260, 0x358, 0x360, 0x380, 0x3a0, 0xa30, 0xf60)
# of a port's block: id, command, link, errors with the log of their packet
OF_PORT = (0x0, 0x4, 0x68, 0x6c, 0x70, 0x74, 0x78, 0x90, 0x98, *range(0xfb4, 0xfe8, 4))
NT_SPACE = range(0x38000, chip.SPACE, 4)  # lookup table, and the blocks of both NT ports


def offsets(words):
    which = nt.Config(words[nt.NT_CONFIG // 4])
    ports = {which.upstream, *which.port}
    yield from CHIP
    yield from ((port << 12) + reg for port in sorted(ports) if port < PORTS for reg in OF_PORT)
    yield from NT_SPACE


def register_lines(words):
    """Those that are 0 are left out, and where nothing is."""
    values = [(off, words[off // 4]) for off in offsets(words)]
    return [f"{off:#07x} {value:08x}" for off, value in values if value not in (0, chip.ALL_ONES)]


def config_lines(function):
    data = function.config.data
    rows = [(at, data[at:at + 16]) for at in range(0, len(data), 16)]
    return [f"{at:03x}: {row.hex(' ')}" for at, row in rows if any(row)]


def lines(root, facts, report):
    """Of the file."""
    yield json.dumps(report, indent=2)
    for f in {f.address: f for port in facts.ports for f in facts.path(port)}.values():
        yield f"\n{f.address} {f.vendor:04x}:{f.device:04x}, driver {f.driver or 'none'}, below " + \
            (" ".join(f.parents) or "nothing")
        yield from config_lines(f)
        if len(f.config.data) <= config.HEADER_ONLY:
            yield "the rest is for root only"
    for port in facts.ports:
        yield f"\n{port.address}: registers of its chip"
        yield from (chip.read_registers(root, port, facts.functions, register_lines) or
                    ["cannot be read: run as root; memory decoding must be on, which a driver does "
                     "(uio_pci_generic), or 1 in the function's file \"enable\""])
