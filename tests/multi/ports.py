# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What rows of layouts.tsv run over: "plx", ports of the PLX model; "windows", the same with nothing but
windows; or the cables of intel_ring.py round the ring, such as "intel4" or "intel4,plx,intel3"."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
WINDOWS_ALONE = {"RINGBELL_WINDOWS": "bridge", "RINGBELL_MASK": "doorbells+scratchpads+flush+files"}
# settings that need doorbells or scratchpads
REFUSED = ("RINGBELL_NOTIFY=doorbell", "RINGBELL_NOTIFY=scratchpad", "RINGBELL_BARRIER=token")
# the window of a made-up machine has 256 MiB, for channels of 1 GiB
TOO_LARGE = "RINGBELL_SLOTS=256", "does not hold the channels"
# settings that say nothing over cables that a row is given from outside
NOT_HERE = (
    ("RINGBELL_DMA=", "copy engines are emulated, and know addresses of processes only"),
    ("RINGBELL_CHIPS=", "it is about two ports of one emulated chip"),
)
NO_NOISE = "noise is made by ports of the PLX model"


def placement(args):
    """(hosts, PEs, --map-by) of a row's arguments of oshrun."""
    given = dict(zip(args[::2], args[1::2]))
    mapped = given.get("--map-by", "slot")
    counts = [int(n) for n in mapped.split(",")] if "," in mapped else []
    hosts = int(given.get("--hosts", len(counts) or 1))
    return hosts, sum(counts) or int(given.get("-n", hosts)), mapped


def refused(over, args, env):
    """The words with which each job of a row is refused there, or nothing."""
    if over == "plx" or placement(args)[0] == 1:
        return []
    words = [word + " needs" for word in env if word in REFUSED]
    if over != "windows" and TOO_LARGE[0] in env:
        words.append(TOO_LARGE[1])
    return words


def left_out(over, args, env):
    """Why a row says nothing there, or None."""
    if over == "plx":
        return None
    if placement(args)[0] == 1:
        return "one host has no cables"
    if over == "windows" or refused(over, args, env):
        return None
    if "plx" not in over.split(",") and any(word.startswith("RINGBELL_NOISE=") for word in env):
        return NO_NOISE
    return next((why for start, why in NOT_HERE if any(word.startswith(start) for word in env)), None)


def command(over, build, row, program, seed, seconds):
    """What runs a program of a row over cables of intel_ring.py."""
    return [sys.executable, os.path.join(HERE, "intel_ring.py"), build, "--cables", over, "--row", row,
            "--programs", program, "--seed", str(seed), "--limit", str(seconds)]
