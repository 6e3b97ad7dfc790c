#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""One direction of dependency: apps -> shmem -> runtime -> rte_rawdev, public header <- PMD -> model.

For each layer: which headers of the tree it may include beside its own, and which system headers
it may not. lab/ looks at the system from outside, so it has the public headers alone.
"""
import os
import re
import sys

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)
DPDK = re.compile(r"^(rte_|bus_|dev_driver|rte_dmadev)")
PMD_HEADER = "rte_pmd_ntb_port.h"
COMPAT = "dpdk_compat.h"

# the launcher and the runtime share the control messages, the long waits, how PEs are dealt
# out, the list of variables, the words of modes, a look at the memory that is left, the trace,
# the graph of hosts
APPS = {"shmem.h", "shmemx.h", "env.def", "base/deal.h", "base/env.def",
        "base/claim.h", "base/graph.h", "base/handover.h", "base/launcher_msg.h", "base/modes.h", "base/rules.h",
        "base/run_dir.h", "mem/available.h",
        "observe/blocked_table.h", "observe/trace_file.h"}

# the model of the chips, as programs use it
MODEL = {"plxm.h", "plxm_dma.h"}

# layer: folder, headers of other folders it may include, may it include DPDK's?
LAYERS = [
    ("drivers/raw/plx_ntb/model", set(), False),
    ("compat", set(), True),
    ("drivers/raw/ntb_port", {COMPAT}, True),
    ("drivers/raw/plx_ntb", {PMD_HEADER, "ntb_log.h", "ntb_queues.h", "ntb_rawdev.h", "plxm.h", COMPAT}, True),
    ("drivers/raw/shared_ntb", {PMD_HEADER, "ntb_log.h", "ntb_rawdev.h", COMPAT}, True),
    ("drivers/raw/ether_ntb", {PMD_HEADER, "ntb_log.h", "ntb_rawdev.h", COMPAT}, True),
    ("drivers/dma/plx", {"ntb_log.h", "ntb_rawdev.h", "plx_dev.h", "plx_regs.h", "plxm_dma.h", COMPAT}, True),
    # weak.h is there in a build for tests, in place of nothing (base/window.h)
    ("runtime", {PMD_HEADER, COMPAT, "weak/weak.h"}, True),
    ("shmem", {"rb.h"}, False),
    ("apps", APPS, False),
    # --fault handles the cables that the launcher made
    ("apps/oshrun", APPS | {"plxm.h"}, False),
    # over the driver alone
    ("apps/port", {PMD_HEADER, "cli.h", "report.h"}, True),
    ("lab/device", {"cli.h", "intm.h", "plxm_serial.h"} | MODEL, False),
    ("lab/history", {"pshmem.h", "shmem.h", "shmemx.h"}, False),
    ("lab/intel", set(), False),
    ("lab/litmus", {"shmem.h", "cli.h"}, False),
    ("lab/serial", {"plxm.h"}, False),
    # the rules of the runtime are what it simulates: one copy of them
    ("lab/sim", {"base/graph.h", "base/rules.h", "base/shares.h", "base/wire.h", "cli.h", "wiring.h"}, False),
    ("lab/dst", {"cli.h", "plxm.h"}, True),
    ("lab/weak", set(), False),
    ("examples", {"shmem.h", "shmemx.h"}, False),
]
# driver-side headers of DPDK, and those of one driver: not for the runtime
DRIVER_SIDE = re.compile(r"(_driver|_pmd)\.h$|^rte_pmd_ntb\.h$|^rte_bus")


def home_of(header, headers, name):
    """The folder of the layer that has a header which @p name includes; None: not of the tree."""
    roots = [os.path.dirname(name), "shmem"] + [folder for folder, _, _ in LAYERS]
    for root in roots:
        if f"{root}/{header}" in headers:
            return layer_of(f"{root}/{header}")[0]
    return None


def layer_of(name):
    best = None
    for layer in LAYERS:
        if name.startswith(layer[0] + "/") and (best is None or len(layer[0]) > len(best[0])):
            best = layer
    return best


def main():
    problems = []
    names = tree.files(".c", ".h", ".def")
    headers = {n for n in names if layer_of(n)}
    checked = 0
    for name in names:
        layer = layer_of(name)
        if layer is None:
            continue
        checked += 1
        folder, allowed, dpdk = layer
        if folder != "compat" and "RTE_VERSION" in tree.read(name):
            problems.append(f"{name}: asks for DPDK's version; compat/{COMPAT} does")
        for _, header in INCLUDE.findall(tree.read(name)):
            base = os.path.basename(header)
            home = home_of(header, headers, name)
            if home and folder != home and header not in allowed:
                problems.append(f"{name}: includes {header} of {home}")
            if not home and DPDK.match(base) and not dpdk:
                problems.append(f"{name}: includes {header} of DPDK")
            if folder == "runtime" and base != PMD_HEADER and DRIVER_SIDE.search(base):
                problems.append(f"{name}: includes {header}, which is for drivers")
    return tree.verdict(problems, f"{checked} files")


sys.exit(main())
