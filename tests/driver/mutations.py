#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Break driver and runtime where a model forgives and an adapter does not: do the tests notice?

Works in a copy of the sources, as --help says; a word may be a finding, too. First all tests run on
the copy as it is, and have to pass. Prints a row of README.md's table for each mutation: all tests
that are named with it have to fail.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import mutate  # noqa: E402

LIMIT = 100  # seconds of a test; a hang is noticed too
CHIP = "drivers/raw/plx_ntb/plx_chip.c"
PEER = "drivers/raw/plx_ntb/plx_peer.c"
LINK = "drivers/raw/plx_ntb/plx_link.c"
OPS = "drivers/raw/plx_ntb/plx_ops.c"
PCI = "drivers/raw/plx_ntb/plx_io_pci.c"
RAWDEV = "drivers/raw/plx_ntb/plx_rawdev.c"
MODEL = "drivers/raw/plx_ntb/model/"
CABLE = "runtime/link/cable.c"
HANDSHAKE = "runtime/link/handshake.c"
DOCTOR = "apps/doctor/main/rules_system.py"
INTEL = "drivers/raw/ntb_port/ntb_intel.c"
DPDK = "drivers/raw/ntb_port/ntb_dpdk.c"

# name, file, what is there, what is put in its place, finding, tests that turn red
MUTATIONS = [
    ("the peer's NT index is one's own", PEER,
     "find = !(c->io->skips & PLX_SKIP_FIND)", "find = false", "F1", ["driver/pairs"]),
    ("all ports offer their registers at slot 0", CHIP,
     "slot = c->io->skips & PLX_SKIP_FIND ? 0 : c->nt;", "slot = 0;",
     "F1", ["driver/pairs"]),
    ("doorbells ring at one's own index", OPS,
     "plx_peer_write32(dev->io, plx_peer_virt(&dev->chip, PLX_DB_SET), bits",
     "plx_peer_write32(dev->io, dev->chip.virt + PLX_DB_SET, bits",
     "F1", ["driver/pairs"]),
    ("a cable into the own adapter is taken", "runtime/link/hello.c",
     "if (host == me->host)", "if (0)", "F1", ["runtime/link hello"]),

    ("ports are not asked for an alignment", "runtime/link/links.c",
     "*ret_align = RTE_MAX(*ret_align, ntb->ops->region_align(ntb, rb_mem.lay.size));", ";",
     "F2", ["runtime/mem region"]),
    ("the alignment of one port counts", "runtime/link/links.c",
     "for (port = 0; ret == 0 && port < rb.ports; port++) {\n\t\tstruct ntb_port *ntb",
     "for (port = 1; ret == 0 && port < rb.ports; port++) {\n\t\tstruct ntb_port *ntb",
     "F2", ["runtime/mem region"]),
    ("virtual addresses are aligned, not those of the bus", "runtime/mem/region.c",
     "lead = to_next(mz->iova, align);", "lead = to_next((uintptr_t)mz->addr, align);",
     "F2", ["runtime/mem region"]),
    ("the chip is given a virtual address", "runtime/mem/region.c",
     "region_bus = mz->iova + lead;", "region_bus = (uintptr_t)mz->addr + lead;",
     "F2", ["runtime/mem region"]),
    ("the Link BAR is as large as the window", CHIP,
     "return RTE_MAX(rte_align64pow2(len), PLX_WIN_MIN_SIZE);", "return c->window_size;",
     "F2", ["driver/pci"]),
    ("a region without alignment is taken", RAWDEV,
     "uint64_t align = plx_chip_align(&dev->chip, r->len + lead);", "uint64_t align = 1;",
     "F2", ["driver/pci", "driver/life"]),
    ("a heap that is too large for the window is taken", "runtime/mem/layout_fit.c",
     "return rb_layout_fit_refuse(window, setting);", "return 0;", "F2", ["runtime/mem layout_fit"]),

    ("device 0 of the captured bus is not let in", CHIP,
     "if (captured >> 8 != 0)", "if (0)", "F3", ["driver/pci"]),
    ("the root port is not let in", CHIP,
     "if (c->io->root_rid != 0) {", "if (0) {", "F3", ["driver/pci"]),
    ("the root port is looked for at the wrong end", PCI,
     "id_at(at == NULL ? NULL : strchr(at + 1, '/'))",
     "id_at(at == NULL ? NULL : strrchr(at + 1, '/'))", "F3", ["driver/pci"]),
    ("link-up proves no store", LINK,
     "plx_chip_prove_stores(c);", ";", "F3", ["driver/pairs", "driver/pci"]),
    ("a refused requester id is not learned", PEER,
     "if (id != 0 && c->learned != id) {", "if (0) {", "F3", ["driver/pairs"]),
    ("a learned id is forgotten with the link", CHIP,
     "if (c->learned != 0)", "if (c->learned == 1)", "F3", ["driver/pairs"]),
    ("the hello proves no store into memory", HANDSHAKE,
     "if (__atomic_load_n(&link->mine->token, __ATOMIC_ACQUIRE) == g->peer_token)", "if (1)",
     "F3", ["runtime/link handshake"]),

    ("a flush that fails is taken for one", CABLE,
     "if (unlikely(ret < 0))\n\t\trb_cable_end", "if (ret > 0)\n\t\trb_cable_end",
     "F4", ["runtime/link cable"]),
    ("any answer to a flush by a read counts", "drivers/raw/ntb_port/rte_pmd_ntb_port.h",
     "return *ret == UINT64_MAX ? -EIO : 0;", "return 0;",
     "F4", ["driver/raw_ntb"]),
    ("a flush over a link that broke counts", CABLE,
     "if (unlikely(rb.link[port].up && link_broke(port)))", "if (0)", "F4", ["runtime/link cable"]),
    ("nobody looks at the cable", CABLE,
     "if (unlikely(++looks % LOOKS == 0))", "if (looks)", "F4", ["runtime/link cable"]),
    ("a farewell is ignored", CABLE,
     "link_broke(port) && !said_farewell(port);", "link_broke(port);", "F4", ["runtime/link cable"]),
    ("no farewell is said", CABLE,
     "rb_win_store64(&link->theirs->farewell, 1);", ";", "F4", ["runtime/link cable"]),
    ("a break in the middle of the hello does not count", HANDSHAKE,
     "rb_cable_watch(port, breaks);", "rb_cable_watch(port, rb_cable_breaks(port));",
     "F4", ["runtime/link handshake"]),
    ("breaks are not counted", LINK,
     "== NTB_LINK_UP) {\n\t\tplx_stat_inc(dev, PLX_STAT_LINK_DOWNS);",
     "== NTB_LINK_UP) {", "F4", ["driver/life"]),
    ("a break that nobody polled for is not seen", OPS,
     "if (unlikely(plx_virt_read(&dev->chip, PLX_LINK_EVENT) & PLX_LINK_EVENT_CHANGE))", "if (0)",
     "F4", ["driver/life"]),
    ("the driver's flush does not fail", OPS,
     "return -EIO;", "return 0;", "F4", ["driver/life", "driver/pairs"]),
    ("a link that is to be used once opens again", LINK,
     "if (dev->once)", "if (0)", "F4", ["driver/life"]),
    ("ones that were loaded are data where the link answers again", CABLE,
     "if (unlikely(rb.link[port].up && link_broke(port)))", "if (0)", "F4", ["runtime/link cable"]),
    ("ones of a dead chip are doorbells", OPS,
     "return unlikely(bits == PLX_GONE) ? 0 : bits & PLX_DB_BITS;", "return bits & PLX_DB_BITS;",
     "F4", ["driver/pci"]),
    ("the Link block is not written after a loss", LINK,
     "if (now.changed || !plx_chip_is_open(c)) {", "if (0) {", "F4", ["driver/life", "driver/pci"]),

    ("the EAL maps all registers write combining", "drivers/raw/plx_ntb/plx_probe.c",
     ".drv_flags = RTE_PCI_DRV_NEED_MAPPING,",
     ".drv_flags = RTE_PCI_DRV_NEED_MAPPING | RTE_PCI_DRV_WC_ACTIVATE,", "F5", ["driver/pci"]),
    ("registers in a shared BAR2 are write combining", PCI,
     "ret = map_window(pci, off, &wc);", "ret = map_window(pci, 0, &wc);", "F5", ["driver/pci"]),
    ("nobody is warned of prefetchable registers", CHIP,
     "if (plx_virt_read(c, PLX_BAR(0)) & PLX_BAR_PREF)", "if (0)", "F5", ["driver/pci"]),

    ("a get has no load fence", "runtime/op/get.c",
     "\trb_win_rmb(&rb.link[t->port]);\n", "", "F6", ["style/fences"]),
    ("the load fence is empty", "runtime/base/window.h",
     "\tif (link->wc)\n\t\trte_rmb();", "\t(void)link;", "F6", ["runtime/link fences"]),
    ("the fence before a descriptor is for plain memory", "runtime/base/window.h",
     "\tif (link->wc)\n\t\trte_wmb();\n\telse\n", "", "F6", ["runtime/link fences"]),

    ("a BAR2 of 32 bits is taken", CHIP,
     "if ((bar & PLX_BAR_TYPE) == PLX_BAR_64BIT)", "if ((bar & 1) == 0)", "F7", ["driver/pci"]),
    ("BAR2 alone is refused", PCI,
     "res[PLX_WIN_DATA].len < PLX_WIN_SHARED_MIN", "true", "F7", ["driver/pci"]),
    ("a BAR2 that is too small is shared", PCI,
     "res[PLX_WIN_DATA].len < PLX_WIN_SHARED_MIN", "false", "F7", ["driver/pci"]),
    ("the data of a shared BAR2 begin at its start", CHIP,
     "PLX_SEGMENT_ADDR(PLX_WIN_DATA) + c->io->data_off);",
     "PLX_SEGMENT_ADDR(PLX_WIN_DATA));", "F7", ["driver/pci", "driver/pairs"]),

    ("all bits of an A-LUT word have to be right", CHIP,
     "if ((last & (PLX_ALUT_READ | PLX_ALUT_WRITE)) != perm)", "if (last != perm)",
     "F8", ["driver/pairs"]),

    ("the selftest wants bits that no chip has", "drivers/raw/plx_ntb/plx_selftest.c",
     "const uint64_t bits = ~(c->io->data_off + c->window_size - 1);",
     "const uint64_t bits = UINT64_MAX;", "F9", ["driver/ports"]),

    ("the cable keeps the smallest payload", CHIP,
     "plx_link_write(c, PLX_DEVCTL, ctl | host);", "plx_link_write(c, PLX_DEVCTL, ctl | 0 * host);",
     "F10", ["dma/dmadev"]),
    ("nobody is warned of a peer with a smaller payload", PEER,
     "if (mine <= peer)", "if (1)", "F10", ["driver/pairs"]),

    ("a stop takes what is under way", RAWDEV,
     "(void)plx_chip_peer_answers(&dev->chip);", ";", "F11", ["driver/life"]),

    ("an MTRR's write combining has no fences", "runtime/base/link.h",
     "link->wc = !link->memory;", "link->wc = (caps & NTB_CAP_WINDOW_WC) != 0;",
     "F12", ["runtime/link fences"]),
    ("a locked kernel is not told", DOCTOR,
     "if m.lockdown in (", "if m.lockdown in () and m.lockdown in (", "F12", ["doctor/doctor"]),
    ("a slot on another node is not told", DOCTOR,
     "not m.cpus & m.nodes[port.node]", "False", "F12", ["doctor/doctor"]),
    ("an MTRR over registers is not told", DOCTOR,
     "for number in (0, 4):", "for number in ():", "F12", ["doctor/doctor"]),

    ("registers of a program that was killed stay", INTEL,
     "rte_pci_register(&guard);", "(void)guard;", "X", ["driver/raw_ntb"]),
    ("the port of another program is shut", INTEL,
     "return (command & (COMMAND_MASTER | COMMAND_MEM)) == COMMAND_MEM;", "return true;", "X", ["driver/raw_ntb"]),
    ("a window is shut by its limit alone", INTEL,
     "rte_write64(NOWHERE - size_of(pci, w), regs + XBASE + 16 * w);", ";", "X", ["driver/raw_ntb"]),
    ("a shut window leads to address 0", INTEL,
     "rte_write64(NOWHERE - size_of(pci, w),", "rte_write64(0,", "X", ["driver/raw_ntb"]),
    ("the second window stays as it was", INTEL, "w < WINDOWS", "w < 1", "X", ["driver/raw_ntb"]),
    ("a limit is below the translation", INTEL,
     "RTE_MAX(bar_of(pci, 0), bus)", "bar_of(pci, 0)", "X", ["driver/raw_ntb"]),
    ("SPCICMD is not written", INTEL,
     "if (is_gen3(pci))\n\t\trte_write16(", "if (0)\n\t\trte_write16(", "X", ["driver/raw_ntb"]),
    ("BASEIDX stays as it was", INTEL, "\telse\n\t\trte_write16(", "\telse if (0)\n\t\trte_write16(",
     "X", ["driver/raw_ntb"]),
    ("BASEIDX is rounded down", INTEL,
     "rte_log2_u64(size_of(pci, window))", "rte_log2_u64(size_of(pci, window) / 2)", "X", ["driver/raw_ntb"]),
    ("the limit of the link's side stays as it was", INTEL,
     "if (is_gen3(pci))\n\t\trte_write64(", "if (0)\n\t\trte_write64(", "X", ["driver/raw_ntb"]),
    ("the state of the link is not read", INTEL,
     "return (status & LINK_ACTIVE) != 0 && status != UINT16_MAX;", "return true;", "X", ["driver/raw_ntb"]),
    ("a loss between two looks is not seen", INTEL,
     "if ((rte_read64(regs + STATUS) & LINK_CHANGED) == 0)", "if (1)", "X", ["driver/raw_ntb"]),
    ("a port that met no peer stays open", DPDK,
     "\tntb_intel_shut(d->pci);\n\t/* waits", "\t/* waits", "X", ["driver/raw_ntb"]),
    ("a port whose peer has stopped stays open", DPDK,
     "if (d->met && !met) {\n\t\tntb_intel_shut(d->pci);", "if (d->met && !met) {", "X", ["driver/raw_ntb"]),
    ("a port is open before its start", DPDK, "if (d->enabled)\n\t\tntb_intel_open", "ntb_intel_open",
     "X", ["driver/raw_ntb"]),
    ("limits of the model count from the BAR alone", "lab/intel/intm_link.c",
     "(to->reading & INTM_LIMIT_XBASE) != 0", "0", "X", ["driver/raw_ntb"]),
    ("what follows the region is others' memory", "runtime/mem/region.c",
     "RTE_ALIGN_CEIL((uint64_t)rb_mem.lay.size, align)", "rb_mem.lay.size", "X", ["runtime/mem region"]),

    ("a store that is not seen keeps the link down", LINK,
     "plx_chip_prove_stores(c);",
     "plx_chip_prove_stores(c);\n\tif (c->reason.why != PLX_WHY_NONE)\n\t\treturn NTB_LINK_DOWN;",
     "R1", ["driver/pairs", "driver/pci", "launch/ring"]),
    ("the selftest has no note of a mask that is not there", "drivers/raw/plx_ntb/plx_selftest.c",
     "if (set != PLX_DB_BITS || clear != 0xff0f)", "if (0)", "R1", ["driver/pairs"]),
    ("a mask that is not there is hidden from other hosts alone", MODEL + "plxm_regs.c",
     "plxm_is_hidden(p, off) ? 0 : plxm_chip_read", "plxm_chip_read", "R1", ["model/xlat"]),
    ("an older error stays in the log of errors", PEER,
     "plx_virt_write(c, PLX_AER_UNCORR, plx_virt_read(c, PLX_AER_UNCORR));",
     "plx_virt_write(c, PLX_AER_UNCORR, PLX_AER_UR);", "R4", ["driver/pairs"]),
    ("refused stores are masked in the log", PEER,
     "plx_virt_write(c, PLX_AER_MASK, mask & ~PLX_AER_UR);", ";", "R4", ["driver/pairs"]),
    ("the mask of errors stays as it was needed", PEER,
     "plx_virt_write(c, PLX_AER_MASK, mask);", ";", "R4", ["driver/pairs"]),
    ("the log has the last error", MODEL + "plxm_xlat.c",
     "if ((status & ~mask) == 0 && !(mask & bit)) {", "if (!(mask & bit)) {", "R4", ["model/xlat"]),
    ("another program undoes that the link is switched on", CHIP,
     "++tries < LINK_TRIES", "++tries < 1", "R7", ["driver/find"]),
    ("a write of a register stays in the CPU", PCI,
     "write could then sit in the CPU's buffer for any time. */\n\trte_wmb();", "*/", "R9", ["driver/find"]),
    ("threads that poll a port of raw_ntb exclude none", "drivers/raw/ntb_port/ntb_dpdk.c",
     "pthread_mutex_lock(&d->lock);\n\tbefore = d->why;", "before = d->why;", "R10", ["driver/provider"]),
    ("a rawdev that was removed is called", "drivers/raw/ntb_port/ntb_port.c",
     "port->provider != NULL && rte_rawdev_info_get(port->dev_id, &dev, 0) == 0",
     "port->provider != NULL", "closed", ["driver/provider"]),
    ("safe=1 keeps the look-up table", CHIP,
     "if (!(c->io->skips & PLX_SKIP_ALUT))", "if (1)", "safe", ["driver/pci", "driver/pairs"]),
    ("safe=1 keeps the proofs", LINK,
     "if (!(c->io->skips & PLX_SKIP_PROOF)) {", "if (1) {",
     "safe", ["driver/pairs"]),
    ("a reason is told at each look", LINK,
     "if (why == before && !changed)", "if (0)", "why", ["driver/pairs"]),
    ("a port that is disabled is called untrained", "drivers/raw/plx_ntb/plx_why.c",
     "else if (plx_chip_is_disabled(c))", "else if (0)", "why", ["driver/pci"]),
    ("a job does not say why", HANDSHAKE,
     "return g->port[2] == '\\0' ? \"\" : g->port;", "return \"\";", "why", ["launch/start"]),
]


class Tests:
    """Those of a build, by suite and name."""

    def __init__(self, tree, opt, chosen):
        self.tree, self.limit = tree, LIMIT * opt.times
        self.all = {f"{suite.split(':')[-1]}/{test['name']}": test
                    for test in mutate.introspect(tree.build, "--tests") for suite in test["suite"]}
        self.files = {target["id"]: [os.path.relpath(f, tree.build) for f in target["filename"]]
                      for target in mutate.introspect(tree.build, "--targets")}
        names = sorted({name for m in chosen for name in m[5]})
        self.make(names)
        for name in names:
            why = self.fails(name)
            if why:
                sys.exit(f"{name} fails without a mutation: {why}")

    def make(self, names):
        self.tree.make(sorted({file for name in names for needed in self.all[name]["depends"]
                               for file in self.files[needed]}))

    def fails(self, name):
        """The first line that says why, or None."""
        test = self.all[name]
        try:
            done = mutate.run(*test["cmd"], cwd=test["workdir"] or self.tree.build, timeout=self.limit,
                              env={**os.environ, **test["env"]}, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return f"no end in {self.limit} s"
        if done.returncode == 0:
            return None
        lines = done.stdout.decode(errors="replace").splitlines()
        why = [line for line in lines if re.search(r"^\s+\d+\. |^(FAIL|ERROR):|Error", line)]
        return (why or lines or [f"status {done.returncode}"])[0].strip()[:100]

    def attempt(self, mutation):
        self.make(mutation[5])
        red = {name: self.fails(name) for name in mutation[5]}
        shown = ", ".join(n if why else f"{n} NOT RED" for n, why in red.items())
        first = next((why for why in red.values() if why), "")
        return (f"| {mutation[4]} | {mutation[0]} | {shown} | {first.replace('|', '/')} |",
                None not in red.values())


if __name__ == "__main__":
    sys.exit(mutate.main(__doc__, "tests/driver/mutations.py", MUTATIONS,
                         "| finding | mutation | red | first words |\n|---|---|---|---|", Tests))
