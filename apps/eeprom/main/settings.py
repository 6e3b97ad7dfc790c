# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Named settings: what a user writes, and the records that they become."""
import re

import image
import registers

OFF = "off"


def port(text):
    return int(text) if re.fullmatch("[0-9]{1,2}", text) and int(text) < registers.PORTS else None


def size(text):
    found = re.fullmatch("([0-9]{1,20})([KMGT]?)", text)
    value = int(found[1]) << 10 * " KMGT".index(found[2] or " ") if found else 0
    return value if 1 << 20 <= value <= 1 << 40 and value & (value - 1) == 0 else None


def or_off(read):
    return lambda text: OFF if text == OFF else read(text)


# how to read it (None: wrong), and what is right
SETTINGS = {
    "upstream": (port, "a port number"),
    "nt0": (or_off(port), "a port number, or off"),
    "nt1": (or_off(port), "a port number, or off"),
    "bar0": ({"32": 2, "64": 3}.get, "32 or 64"),
    "bar2": (size, "a power of two, 1M to 1T"),
    "bar4": (or_off(size), "a power of two, 1M to 1T, or off"),
    "alut": ({"off": False, "on": True}.get, "on or off"),
    "dma": ({"four": 0, "one": 1, "two": 2}.get, "four, two or one"),
    "crc": ({"off": False, "on": True}.get, "on or off"),
}


def take(given, text):
    """"nt0=8" and so on."""
    name, equals, value = text.partition("=")
    if name not in SETTINGS:
        raise image.Trouble(f"{text}: unknown setting; settings are upstream, nt0, nt1, bar0, bar2, "
                            "bar4, alut, dma and crc")
    read, want = SETTINGS[name]
    given[name] = read(value) if equals else None
    if given[name] is None:
        raise image.Trouble(f"{text}: {want} is needed")


def with_nt(value, nt, number):
    at = 16 if nt else 8
    value &= ~(0x3F << at)
    return value | (registers.NO_PORT << at if number == OFF else (number | 0x20) << at)


def with_alut(value, on):
    for nt, nt_on in enumerate(registers.Config(value).on):
        value = value & ~(1 << 30 + nt) | (on and nt_on) << 30 + nt
    return value


def apply_config(given, part, to):
    """@return the value that the register gets"""
    value = to.value(0, registers.NT_CONFIG)
    if value is None:
        value = with_nt(with_nt(0, 0, OFF), 1, OFF)
    old = registers.Config(value)
    if "upstream" in given:
        value = value & ~0x1F | given["upstream"]
    for nt in (n for n in (0, 1) if f"nt{n}" in given):
        value = with_nt(value, nt, given[f"nt{nt}"])
    if "alut" in given:
        value = with_alut(value, given["alut"])
    elif "nt0" in given or "nt1" in given:
        value = with_alut(value, any(old.alut) if any(old.on) else part.newer)
    to.set(0, registers.NT_CONFIG, value)
    return registers.Config(value)


def apply_bars(given, to, nt):
    place = registers.VIRTUAL[nt]
    if "bar0" in given or to.value(place, registers.BAR0_SETUP) is None:
        to.set(place, registers.BAR0_SETUP, given.get("bar0", 2))
    for bar, default in ((2, 1 << 30), (4, 1 << 20)):
        if f"bar{bar}" in given or not registers.Window(to, nt, bar).known:
            wanted = given.get(f"bar{bar}", default)
            halves = registers.window_setup(0 if wanted == OFF else wanted, bar == 2)
            for number, half in enumerate(halves, bar):
                to.set(place, 0xE0 + 4 * number, half)


def apply(given, part, to):
    """Change an image, which may be empty, to have what is given; for what no record of it says and
    Ringbell needs, the defaults."""
    empty = not to.records
    config = apply_config(given, part, to)
    for nt in (0, 1):
        if config.on[nt]:
            apply_bars(given, to, nt)
            continue
        for reg in range(registers.BAR0_SETUP, 0xF8, 4):  # of a port that is off they are for none
            to.remove(registers.VIRTUAL[nt], reg)
    if not part.newer and "dma" in given:
        raise image.Trouble(f"dma: a PEX {part.number:04x} has no DMA engine")
    if part.newer and ("dma" in given or to.value(registers.DMA, registers.DMA_GLOBAL) is None):
        to.set(registers.DMA, registers.DMA_GLOBAL, given.get("dma", 0))
    if given.get("crc", empty and part.newer):
        to.flags |= image.CHECKED
    elif "crc" in given:
        to.flags &= ~image.CHECKED
