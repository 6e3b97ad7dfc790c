# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Does the cable keep what Ringbell relies on? Rules about the result of ringbell-port order."""
import peer
import units
from findings import ERROR, NOTE, WARN, Check
from text import WAYS

MATTER = {
    "flag": "a flag that a program waits for says that the data before it are there",
    "doorbell": "a doorbell says that the data before it are there",
    "flush": "shmem_quiet ends with a read that pushes all stores before it",
    "threads": "a thread may announce the data that another thread stored",
    "stream": "large puts are non-temporal stores, and a fence ends them",
    "descriptor": "a descriptor is there when its last word is",
}
SAMPLE = 4096  # bytes of a block by which write combining is judged


def session(f):
    if f.peer["ended"] and not f.peer["stores"]:
        yield (ERROR, f.peer["port"], f.peer["ended"],
               "run ringbell-doctor --with-peer at both ends of the cable at the same time; then "
               "see \"What failure looks like\" in doc/hardware.md")


def stores(f):
    if f.peer["stores"]:
        yield (ERROR, f.peer["port"], f"registers answer across the cable, but "
               f"{f.peer['stores']}",
               "a requester id that is not let in, or an IOMMU: look at dmesg of the host where "
               "nothing arrives, and at the driver's lines above")


def wrong(f, names):
    return [test for test in f.peer["tests"]
            if test["name"] in names and not test["control"] and test["violations"] + test["lost"]]


def places(f):
    for test in wrong(f, {"places"}):
        yield (ERROR, f.peer["port"], f"{test['violations']} of {test['rounds']} words arrive at "
               f"another place, {WAYS[test['direction']]}",
               "the translation of the receiving side: report it with this output, its BAR2 and "
               "register 0x360")


def doorbells(f):
    for test in wrong(f, {"doorbells"}):
        yield (ERROR, f.peer["port"], f"of {test['rounds']} doorbells {test['lost']} did not "
               f"arrive and {test['violations']} came wrong, {WAYS[test['direction']]}",
               "the window of BAR4 at the sending side, or a chip that loses doorbells: report it")


def order(f):
    for test in wrong(f, MATTER):
        lost = f", {test['lost']} were lost" if test["lost"] else ""
        yield (ERROR, f.peer["port"], f"order: {test['title']}: {test['violations']} of "
               f"{test['rounds']} rounds wrong{lost}, {WAYS[test['direction']]}",
               f"do not run jobs over this cable, since {MATTER[test['name']]}; report it")


def combining(f):
    """Stores that combine are fast until a fence follows each of them."""
    free, fenced = (peer.rates(f.peer, name).get(SAMPLE) for name in ("words", "fenced words"))
    if f.peer["emulated"] or not free or not fenced:
        return
    if f.peer["combining"] and free < 1.5 * fenced:
        yield (WARN, f.peer["port"], "the window is mapped write combining, but words of 8 bytes "
               f"are stored at {units.rate(free)}, with a fence after each at "
               f"{units.rate(fenced)}: nothing combines",
               "look for the window in /sys/kernel/debug/x86/pat_memtype_list; an MTRR may "
               "forbid it")
    elif not f.peer["combining"] and free > 3 * fenced:
        yield (NOTE, f.peer["port"], "the window is not mapped write combining, but its stores "
               "combine: an MTRR makes it so", "look whether that range covers registers, too")


def settings(f):
    mine, theirs = f.peer["settings"], f.peer["peer_settings"]
    if not mine or not theirs:
        return
    for name, words in (("payload", "maximum payload"), ("bars", "BARs")):
        if mine.get(name) != theirs.get(name) and None not in (mine.get(name), theirs.get(name)):
            yield (WARN, f.peer["port"], f"the two ends differ in {words}: here "
                   f"{plain(mine[name])}, there {plain(theirs[name])}",
                   "set both adapters and both hosts up alike: doc/hardware.md, sections 1 and 2")
    setup = [(s.get("registers") or {}).get("setup") for s in (mine, theirs)]
    if all(setup) and setup[0] != setup[1] and mine.get("bars") == theirs.get("bars"):
        yield (NOTE, f.peer["port"], f"the two EEPROMs differ: BAR setup here {plain(setup[0])}, "
               f"there {plain(setup[1])}", "write one image to both")


def plain(value):
    """A value of the peer's is printed as data: no control characters, and not at any length."""
    if isinstance(value, list):
        value = ", ".join(f"BAR{bar['bar']} {units.size(bar['size'])}" for bar in value
                          if isinstance(bar, dict) and isinstance(bar.get("size"), int)
                          and isinstance(bar.get("bar"), int)) or value
    return "".join(c if c.isprintable() else "?" for c in str(value)[:200])


def new_errors(f):
    for address, kind, before, after in f.risen:
        yield (WARN, address, f"{units.plural(after - before, kind + ' error')} of PCI Express "
               "during the tests", "cable, connector or slot; dmesg has the packets")


CHECKS = [
    Check("session", "both ends found each other and ran all tests", session, ports=False),
    Check("stores", "stores pass both ways", stores, ports=False),
    Check("places", "each address of the window reaches its place in the peer's memory", places,
          ports=False),
    Check("doorbells", "all doorbells arrive both ways", doorbells, ports=False),
    Check("order", "all rules of order hold", order, ports=False),
    Check("combines", "the window's stores combine as its mapping says", combining, ports=False),
    Check("settings", "both ends have the same settings", settings, ports=False),
    Check("new-errors", "no PCI Express errors during the tests", new_errors, ports=False),
]
