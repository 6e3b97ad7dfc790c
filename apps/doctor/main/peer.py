# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The part with a peer: ringbell-port order over a cable."""
import json
import os
import subprocess
import sys

import jobs

EMULATED = "raw_ntb_plx_emu"
CABLES = ("raw_ntb", "net_af_packet,")  # all that is no adapter's port
PROGRAM = "ringbell-port"
USAGE = 2  # its exit status


class Failed(Exception):
    """With the line to print."""


def program():
    found = jobs.program(PROGRAM)
    if found is None:
        raise Failed(f"no {PROGRAM} beside this program or in PATH, which --with-peer needs")
    return found


def is_emulated(name):
    return name.startswith(EMULATED)


def is_cable(name):
    return name.startswith(CABLES)


def is_remote(name):
    return "/" in name and not is_cable(name)


def run(ports, options):
    """What ringbell-port order found between the ports, or None."""
    # a file without a name: nothing is left, however this program ends
    result = os.memfd_create("result")
    try:
        # what it has to say beside its result comes on stderr
        done = subprocess.run([program(), "order", "--json", f"/proc/self/fd/{result}", *options, "--",
                               *ports], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              pass_fds=(result,), check=False)
        if done.returncode == USAGE:
            sys.exit(USAGE)
        return json.loads(os.pread(result, 1 << 20, 0))
    except ValueError:
        return None
    finally:
        os.close(result)


def rates(found, method):
    """Bytes a second by size, from this end."""
    return {row["size"]: row["bytes_per_s"] for row in found["bandwidth"]
            if row["method"] == method and row["from"] == "near"}
