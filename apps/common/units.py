# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Numbers as people read them."""

UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def size(number):
    """1073741824 is "1 GiB"."""
    unit = 0
    while number >= 1024 and number % 1024 == 0 and unit < len(UNITS) - 1:
        number //= 1024
        unit += 1
    return f"{number} {UNITS[unit]}"


def plural(number, word):
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def rate(number):
    """Bytes a second."""
    return f"{number / 1e6:.0f} MB/s" if number < 1e9 else f"{number / 1e9:.2f} GB/s"
