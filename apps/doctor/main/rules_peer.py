# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Does the cable keep what Ringbell relies on? Rules about the result of ringbell-port order."""
import peer
import units
from findings import ERROR, NOTE, WARN, Check

# what a failed check means
FIXES = {
    "up": "a requester id that is not let in, an IOMMU, or no cable: look at dmesg of both hosts, at "
          "the driver's lines above, and at \"What failure looks like\" in doc/hardware.md",
    "places": "the translation of the receiving side: report it with this output, its BAR2 and "
              "register 0x360",
    "doorbells": "the window of BAR4 at the sending side, or a chip that loses doorbells: report it",
    "order-flag": "a flag that a program waits for says that the data before it are there",
    "order-doorbell": "a doorbell says that the data before it are there",
    "order-scratchpad": "a scratchpad says that the data before it are there",
    "order-flush": "shmem_quiet ends with a read that pushes all stores before it",
    "order-threads": "a thread may announce the data that another thread stored",
    "order-stream": "large puts are non-temporal stores, and a fence ends them",
    "order-descriptor": "a descriptor is there when its last word is",
}
CABLE = "its line says why: an interface, an MTU, a key=, or a switch that drops EtherType 0x88b5"
REPORT = "; do not run jobs over this cable; report it"
SAMPLE = 4096  # bytes of a block by which write combining is judged


def failed(f):
    for line in f.peer["checks"]:
        if line["outcome"] == "FAIL":
            name = line["check"]
            fix = CABLE if name == "up" and peer.is_cable(f.port) else FIXES.get(
                name, "see \"What failure looks like\" in doc/hardware.md")
            yield (ERROR, f.port, f"{name}, {line['way']}: {line['text']}",
                   fix + (REPORT if name.startswith("order-") else ""))


def combining(f):
    """Stores that combine are fast until a fence follows each of them."""
    free, fenced = (peer.rates(f.peer, name).get(SAMPLE) for name in ("words", "fenced-words"))
    near = f.peer["ports"][0]
    if near["emulated"] or near["messages"] or not free or not fenced:
        return
    if near["combining"] and free < 1.5 * fenced:
        yield (WARN, f.port, "the window is mapped write combining, but words of 8 bytes "
               f"are stored at {units.rate(free)}, with a fence after each at "
               f"{units.rate(fenced)}: nothing combines",
               "look for the window in /sys/kernel/debug/x86/pat_memtype_list; an MTRR may "
               "forbid it")
    elif not near["combining"] and free > 3 * fenced:
        yield (NOTE, f.port, "the window is not mapped write combining, but its stores "
               "combine: an MTRR makes it so", "look whether that range covers registers, too")


def new_errors(f):
    for address, kind, before, after in f.risen:
        yield (WARN, address, f"{units.plural(after - before, kind + ' error')} of PCI Express "
               "during the tests", "cable, connector or slot; dmesg has the packets")


CHECKS = [
    Check("peer", "the cable keeps what jobs rely on", failed, of=""),
    Check("combines", "the window's stores combine as its mapping says", combining, of=""),
    Check("new-errors", "no PCI Express errors during the tests", new_errors, of=""),
]
