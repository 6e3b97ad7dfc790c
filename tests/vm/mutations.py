#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Break the driver in one place after the other and print which tests of this folder notice.

Usage: mutations.py BUILD [WORD]   (only the mutations whose name has WORD)

Works in a clone of the sources; BUILD is a built folder whose settings are used. Prints a row of
README.md's table for each mutation, and fails if one is not noticed. Takes about a minute each.
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
DRIVER = "drivers/raw/plx_ntb/"
TESTS = ["two guests", "one guest"]
NEEDED = ["tests/vm/vm-pair", "tests/driver/driver_ports_test", "tests/driver/driver_life_test",
          "tests/driver/driver_queue_test",
          "apps/perf/ringbell-perf", "apps/device/ringbell-device"]

# name, file, what is there, what is put in its place
MUTATIONS = [
    ("wrong offset of the translation registers", "plx_regs.h", "(0xc3cu + 4u", "(0xc38u + 4u"),
    ("wrong offset of the scratchpads", "plx_regs.h", "(0xc6cu + 4u", "(0xc68u + 4u"),
    ("wrong offset of the link status", "plx_regs.h", "PLX_LNKSTA 0x78u", "PLX_LNKSTA 0x7cu"),
    ("wrong offset of the A-LUT's high halves", "plx_regs.h", "+ 0x400u + 4u", "+ 0x440u + 4u"),
    ("wrong offset of the A-LUT switch", "plx_regs.h", "PLX_ALUT_CTL 0xc94u",
     "PLX_ALUT_CTL 0xc90u"),
    ("wrong offset of the DMA ring's length", "../../dma/plx/plx_dma.h", "PLX_DMA_COUNT 0x220u",
     "PLX_DMA_COUNT 0x228u"),
    ("captured requester id missing in the virtual LUT", "plx_chip.c",
     "captured | PLX_RID_ENABLE,", "0,"),
    ("DMA's requester id missing in the virtual LUT", "plx_chip.c",
     "if (c->io->dma_rid != 0)", "if (0)"),
    ("one entry missing in the link LUT", "plx_chip.c",
     "for (i = 0; i < PLX_RID_LUT_ENTRIES; i += 2)",
     "for (i = 2; i < PLX_RID_LUT_ENTRIES; i += 2)"),
    ("first slice missing in the A-LUT", "plx_chip.c",
     "for (i = 0; i < c->alut_entries; i++) {\n\t\tuint64_t addr",
     "for (i = 1; i < c->alut_entries; i++) {\n\t\tuint64_t addr"),
    ("last slice missing in the A-LUT", "plx_chip.c", "perm = i * slice < c->len ?",
     "perm = (i + 1) * slice < c->len ?"),
    ("one slice too many in the A-LUT", "plx_chip.c", "perm = i * slice < c->len ?",
     "perm = i * slice <= c->len ?"),
    ("doorbell set and clear swapped", "plx_regs.h",
     "PLX_DB_SET 0xc4cu /* write 1 raises; read gives the pending bits */\n"
     "#define PLX_DB_CLEAR 0xc50u",
     "PLX_DB_SET 0xc50u\n#define PLX_DB_CLEAR 0xc4cu"),
    ("doorbell mask set and clear swapped", "plx_regs.h",
     "PLX_DB_MASK_SET 0xc54u\n#define PLX_DB_MASK_CLEAR 0xc58u",
     "PLX_DB_MASK_SET 0xc58u\n#define PLX_DB_MASK_CLEAR 0xc54u"),
    ("doorbells of the link side rung", "plx_regs.h", "PLX_DB_SET 0xc4cu", "PLX_DB_SET 0xc5cu"),
    # left as it is would not do: the EAL has set it
    ("bus mastering switched off", "plx_io_pci.c", "cmd = on ? cmd | PLX_CMD_MASTER",
     "cmd = on ? cmd & ~PLX_CMD_MASTER"),
    ("window of data translated to the peer's registers", "plx_chip.c",
     "virt_write64_lh(c, PLX_XLAT(PLX_WIN_DATA), PLX_SEGMENT_ADDR(PLX_WIN_DATA));",
     "virt_write64_lh(c, PLX_XLAT(PLX_WIN_DATA), PLX_SEGMENT_ADDR(PLX_WIN_REGS));"),
    ("link block not written again after a link loss", "plx_link.c",
     "if ((now.changed || !plx_chip_is_open(&dev->chip)) && !program_again(dev))",
     "if (0 && !program_again(dev))"),
    ("bus address of the window unknown", "plx_io_pci.c",
     "p->io.window_bus = pci->mem_resource[PLX_WIN_DATA].phys_addr + off;",
     "p->io.window_bus = 0;"),
]


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          **options)


def settings(build):
    out = run("meson", "introspect", "--buildoptions", build).stdout
    wanted = {"driver_headers", "guest_kernel"}
    found = {o["name"]: o["value"] for o in json.loads(out) if o["name"] in wanted}
    headers = os.path.join(TOP, found["driver_headers"])
    found["driver_headers"] = headers
    found["guest_kernel"] = found["guest_kernel"] or os.path.join(os.path.dirname(headers),
                                                                  "guest-kernel")
    return [f"-D{name}={value}" for name, value in found.items()]


def noticed(build):
    """Names of the checks that fail, or what else went wrong."""
    failed = []
    tests = json.loads(run("meson", "introspect", "--tests", build).stdout)
    commands = {t["name"]: t["cmd"] for t in tests}
    for test in TESTS:
        for line in run(*commands[test]).stdout.decode().splitlines():
            _, mark, name = line.partition("not ok ")
            if mark:
                failed.append(name.partition(" - ")[2].partition(" -- ")[0])
        if failed:
            return test, failed
    return "", failed


def main():
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    missed = 0
    with tempfile.TemporaryDirectory(prefix="ringbell-mutations-") as folder:
        tree, build = os.path.join(folder, "tree"), os.path.join(folder, "build")
        subprocess.run(["git", "clone", "-q", TOP, tree], check=True)
        setup = run("meson", "setup", build, tree, *settings(os.path.abspath(sys.argv[1])))
        if setup.returncode != 0:
            sys.exit(setup.stdout.decode())
        for name, file, old, new in MUTATIONS:
            if word not in name:
                continue
            path = os.path.join(tree, DRIVER, file)
            with open(path, encoding="utf-8") as f:
                text = f.read()
            if old not in text:
                sys.exit(f"{name}: {file} has changed, adapt the mutation")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text.replace(old, new, 1))
            compiled = run("ninja", "-C", build, *NEEDED)
            if compiled.returncode != 0:
                sys.exit(compiled.stdout.decode())
            test, failed = noticed(build)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            missed += not failed
            print(f"| {name} | {test} | {failed[0] if failed else 'NOT NOTICED'} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
