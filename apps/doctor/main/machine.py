# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""All that is known of the machine, as one object: what the rules look at."""
import re
from collections import namedtuple

import cables
import chip
import jobs
import pci
from root import Root

HUGE = "sys/kernel/mm/hugepages"
NODES = "sys/devices/system/node"
GROUPS = "sys/kernel/iommu_groups"
CPUS_MOST = 8192  # of Linux; a list that goes on is broken


# huge pages of one size
Pages = namedtuple("Pages", "size total free")
# a job: its name, the number of hosts, the cables that it found as words, and drawn
Running = namedtuple("Running", "name hosts wiring drawn")
# an IOMMU group: how it translates, and whose functions it has
Group = namedtuple("Group", "kind members")


class Machine:
    def __init__(self, top="/", named=""):
        root = Root(top)
        self.host = root.text("proc/sys/kernel/hostname") or "?"
        self.kernel = root.text("proc/sys/kernel/osrelease") or "?"
        self.words = (root.text("proc/cmdline") or "").split()
        self.lockdown = marked(root.text("sys/kernel/security/lockdown"))
        self.aspm = marked(root.text("sys/module/pcie_aspm/parameters/policy"))
        self.no_iommu = root.text(
            "sys/module/vfio/parameters/enable_unsafe_noiommu_mode") in ("1", "Y")
        self.groups = {name: read_group(root, name) for name in root.names(GROUPS)}
        self.cpus = cpus_allowed(root)
        self.nodes = {int(name[4:]): cpu_list(root.text(NODES, name, "cpulist"))
                      for name in root.names(NODES) if re.match(r"node[0-9]+$", name)}
        self.pages = read_pages(root, HUGE)
        self.node_pages = {node: read_pages(root, f"{NODES}/node{node}/hugepages")
                           for node in self.nodes}
        self.huge_mounts = huge_mounts(root.text("proc/mounts"))
        self.combined = combining_ranges(root.text("proc/mtrr"))
        self.functions = pci.functions(root)
        self.ports = [f for f in self.functions.values() if f.is_port]
        self.chips = {f.address: chip.read(root, f, self.functions) for f in self.ports}
        self.xeons = [f for f in self.functions.values() if f.is_xeon]
        self.cables = cables.named(root, named)
        self.packets = [cable for cable in self.cables if cable.iface and cable.there]
        self.nics = [cable for cable in self.cables if cable.address]
        self.shared = [cable for cable in self.cables if cable.path]
        self.interfaces = [name for name in root.names("sys/class/net") if name != "lo"]
        self.may_open_packets = cables.may_open_packets(root)
        self.jobs = []  # those that run, with telemetry

    def above(self, function):
        """The bridges above a function, the nearest first."""
        return [self.functions[a] for a in function.parents if a in self.functions]

    def upstream(self, function):
        """The adapter's own topmost bridge, in the slot; None where the function has none."""
        own = [f for f in self.above(function) if f.vendor == pci.PLX]
        return own[-1] if own else None

    def slot(self, function):
        """The root port, or the bridge, that the adapter sits below, or None."""
        up = self.upstream(function) or function
        above = self.above(up)
        return above[0] if above else None

    def adapters(self):
        """NT ports of each adapter, by the address of its upstream port."""
        found = {}
        for port in self.ports:
            up = self.upstream(port)
            found.setdefault(up.address if up else port.address, []).append(port)
        return found

    def path(self, port):
        """The port and all bridges above it."""
        return [port] + self.above(port)


def running_jobs():
    """Those that answer, from one of their hosts here."""
    for name, paths in jobs.sockets().items():
        try:
            client = jobs.Client(paths[0])
        except OSError:
            continue
        info, words = client.ask("/ringbell/info"), client.wiring()
        hosts = info.get("hosts") if isinstance(info, dict) else None
        if isinstance(hosts, int) and 1 < hosts <= jobs.MAX_HOSTS and words:
            yield Running(name, hosts, words, jobs.drawn(words, hosts))


def marked(text):
    """The word in brackets of "none [integrity] confidentiality"; None where there is none."""
    found = re.search(r"\[(\w+)\]", text or "")
    return found.group(1) if found else None


def read_group(root, name):
    return Group(root.text(GROUPS, name, "type"), root.names(GROUPS, name, "devices"))


def cpu_list(text):
    """Of "0-3,8" the set of those numbers."""
    found = set()
    for first, last in re.findall(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text or ""):
        found.update(range(int(first), min(int(last or first), CPUS_MOST) + 1))
    return found


def cpus_allowed(root):
    found = re.search(r"^Cpus_allowed_list:\s*(\S+)", root.text("proc/self/status") or "", re.M)
    return cpu_list(found.group(1)) if found else set()


def read_pages(root, folder):
    found = []
    for name in root.names(folder):
        size = re.match(r"hugepages-([0-9]+)kB$", name)
        if size:
            found.append(Pages(int(size.group(1)) << 10, root.number(folder, name, "nr_hugepages") or 0,
                               root.number(folder, name, "free_hugepages") or 0))
    return found


def huge_mounts(text):
    return [line.split()[1] for line in (text or "").splitlines()
            if len(line.split()) > 2 and line.split()[2] == "hugetlbfs"]


def combining_ranges(text):
    """(first byte, bytes) of each range that the MTRRs make write combining."""
    found = []
    for line in (text or "").splitlines():
        words = re.search(r"base=(0x[0-9a-f]+).*size=\s*([0-9]{1,15})(MB|KB)", line)
        if words and "write-combining" in line:
            unit = 20 if words.group(3) == "MB" else 10
            found.append((int(words.group(1), 16), int(words.group(2)) << unit))
    return found
