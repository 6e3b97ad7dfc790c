#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A header belongs to one .c file: what it declares is defined in the file of its own name. Headers
that several files share are named here, each with the reason; their own folder defines the rest."""
import collections
import os
import re
import sys

import tree

FOLDERS = ("runtime/", "drivers/", "shmem/", "apps/", "lab/")
PROGRAM = "the one header of a program"
MODEL = "what others see of the model"
LAYER = "the one header of a driver's or a model's files"
FORMS = "the forms of collectives, a file each, that are chosen among"
SHARED = {
    "lab/device/device.h": PROGRAM,
    "lab/dst/hooks.h": "in front of all files, whose names it must not meet",
    "lab/dst/run.h": PROGRAM,
    "lab/dst/token.h": "what the simulation's library has in common",
    "apps/oshrun/oshrun.h": PROGRAM,
    "apps/port/agent.h": "what the commands of an agent have in common",
    "apps/port/driver.h": PROGRAM,
    "lab/litmus/litmus.h": PROGRAM,
    "apps/perf/perf.h": PROGRAM,
    "lab/intel/intm.h": MODEL,
    "drivers/dma/plx/plx_dma.h": LAYER,
    "drivers/raw/ether_ntb/eth_link.h": LAYER,
    "drivers/raw/ntb_port/ntb_provider.h": LAYER,
    "drivers/raw/ntb_port/ntb_queues.h": LAYER,
    "drivers/raw/plx_ntb/plx_chip.h": LAYER,
    "drivers/raw/plx_ntb/plx_dev.h": LAYER,
    "drivers/raw/plx_ntb/model/plxm_chip.h": LAYER,
    "drivers/raw/plx_ntb/model/plxm_path.h": LAYER,
    "drivers/raw/ntb_port/rte_pmd_ntb_port.h": "what programs see of ports",
    "drivers/raw/plx_ntb/model/plxm.h": MODEL,
    "shmem/coll/coll.h": FORMS,
    "shmem/coll/local.h": FORMS,
    "shmem/coll/hosts.h": FORMS,
    "shmem/include/shmem.h": "the standard's",
    "shmem/include/shmemx.h": "extensions",
    "shmem/include/shmemx_nb.h": "part of shmemx.h",
    "shmem/include/shmemx_space.h": "part of shmemx.h",
}
FUNCTION = re.compile(r"^(?!static\b|typedef\b)[A-Za-z_][^\n;={}()]*\n(\w+)\([^;{}]*?\)\n\{", re.M)
VARIABLE = re.compile(r"^(?!static\b|extern\b|typedef\b)[A-Za-z_][\w \t*()]*?\b(\w+)"
                      r"\)?(?:\[[^\]\n]*\])*(?: = [^;]*)?;", re.M)
PROTOTYPE = re.compile(r"^(?!static\b|typedef\b|extern\b)[A-Za-z_][\w \t*]*[ *](\w+)\(", re.M)
EXTERN = re.compile(r"^extern [^;(]*?\(?\*?(\w+)\)?(?:\[[^\]\n]*\])*;", re.M)


def code(name):
    text = re.sub(r"/\*.*?\*/", " ", tree.read(name), flags=re.S)
    return re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)


def main():
    problems = []
    definers = collections.defaultdict(set)
    names = [n for n in tree.files(".c", ".h") if n.startswith(FOLDERS)]
    for name in names:
        if name.endswith(".c"):
            text = code(name)
            for symbol in FUNCTION.findall(text) + VARIABLE.findall(text):
                definers[symbol].add(name)
    shared, count = set(), 0
    for name in names:
        if not name.endswith(".h"):
            continue
        text = code(name)
        for symbol in PROTOTYPE.findall(text) + EXTERN.findall(text):
            found = definers[symbol]
            count += bool(found)
            # a symbol that a macro defines has no definition to be found
            if not found or os.path.splitext(name)[0] + ".c" in found:
                continue
            shared.add(name)
            if name not in SHARED:
                problems.append(f"{name}: {symbol} is defined in {', '.join(sorted(found))}")
            elif not any(f.startswith(os.path.dirname(name).replace("/include", "")) for f in found):
                problems.append(f"{name}: {symbol} is of another folder, {', '.join(sorted(found))}")
    problems += [f"{name}: shares nothing any more" for name in SHARED if name not in shared]
    return tree.verdict(problems, f"{count} declarations")


sys.exit(main())
