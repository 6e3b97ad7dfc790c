# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The cables that the user names: network interfaces, network adapters, memory that hosts share."""
import cables
import units
from findings import ERROR, NOTE, WARN, Check
from rules_system import UIO, VFIO

MTU_LEAST = 1500
OWN_DRIVERS = ("mlx4_core", "mlx5_core")  # DPDK works beside them
ALIGN = 2 << 20  # of the regions in shared memory, and the place before them
REGION = 544 << 20  # of one host: the default heap and the channels
MEMORY = ("tmpfs", "ramfs", "hugetlbfs", "sysfs")
REMOTE = ("nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "fuse", "virtiofs")


def names(m):
    seen = set()
    for cable in m.cables:
        if not cable.is_complete:
            yield (ERROR, "", f"\"{cable.text}\" is no cable",
                   "net_af_packet,iface=eth1 or 0000:05:00.0 or raw_ntb_shared,path=FILE, joined by +")
        elif cable.iface and not cable.there:
            yield (ERROR, cable.iface, "there is no interface of this name; there are: " +
                   (", ".join(m.interfaces) or "none"), "name one of them in iface=; a container has interfaces "
                   "of its own, and an adapter that is bound to vfio-pci has none")
        elif (place := cable.iface or cable.address) and (place, cable.udp) in seen:
            yield ERROR, place, "two cables have it", "each cable takes an interface, or a UDP port, of its own"
        seen.add((cable.iface or cable.address, cable.udp))


def carrier(m):
    for cable in m.packets:
        if not cable.up:
            yield ERROR, cable.iface, "the interface is down", f"ip link set {cable.iface} up, at both ends"
        elif not cable.carrier:
            yield (ERROR, cable.iface, "the interface has no carrier", "plug the cable in, and switch the interface "
                   "at the other end on: ip link set IFACE up")


def mtu(m):
    for cable in m.packets:
        least = max(MTU_LEAST, cable.mtu)
        if cable.most < least:
            yield (ERROR, cable.iface, f"its MTU is {cable.most}, and {least} is wanted",
                   f"ip link set {cable.iface} mtu {least}, at both ends" +
                   (", or another mtu=" if cable.most >= MTU_LEAST else ""))
        others = {far for _, far in cable.heard or () if far != cable.mtu}
        if others:
            yield (ERROR, cable.iface, f"its MTU is {cable.mtu}, the other end has {', '.join(map(str, others))}",
                   f"ip link set {cable.iface} mtu N, the same at both ends")
        elif (cable.heard or {}).get((cables.DOCTOR, cable.mtu)) is False:
            yield (ERROR, cable.iface, f"packets of its MTU, {cable.mtu}, do not get through, small ones do",
                   "what is between the ends, such as a switch, has a smaller MTU: raise it, or lower both ends'")


def nic(m):
    for cable in m.nics:
        function = m.functions.get(cable.address)
        bind = f"ringbell-devbind -b vfio-pci {cable.address}"
        if function is None:
            yield ERROR, cable.address, "there is no PCI function of this address", "ringbell-devbind -s lists them"
        elif function.driver is None:
            yield ERROR, cable.address, "it is not bound to a kernel driver", f"modprobe vfio-pci; {bind}"
        elif function.driver not in (VFIO,) + UIO + OWN_DRIVERS:
            iface = ", ".join(function.interfaces)
            yield (ERROR, cable.address, f"the kernel driver {function.driver} has it" +
                   (f", as interface {iface}" if iface else ""), bind +
                   (f"; or leave it there, and name the cable net_af_packet,iface={iface}" if iface else ""))


def sockets(m):
    if m.may_open_packets is False and not all(cable.udp for cable in m.packets):
        yield (ERROR, "", "this process may open no packet socket: it has not CAP_NET_RAW",
               "run doctor and jobs as root, or give them that capability; containers: --cap-add NET_RAW")
    for cable in m.packets:
        if cable.udp and cable.refused:
            yield (ERROR, cable.iface, f"UDP port {cable.udp} cannot be opened: {cable.refused}",
                   "another udp=, at both ends, where another program or job has the port")


def shared(m):
    for cable in m.shared:
        room = ((cable.size or 0) - ALIGN) // cable.hosts // ALIGN * ALIGN
        wanted = f"truncate -s {(ALIGN + cable.hosts * REGION) >> 20}M {cable.path}"
        if not cable.there:
            yield ERROR, cable.path, "there is no such file", f"{wanted}, on one of the hosts"
        elif cable.enabled == 0:
            yield (ERROR, cable.path, "no driver has enabled its PCI function",
                   f"echo 1 > {cable.path.rpartition('/')[0]}/enable")
        elif cable.size is not None and room <= 0:
            yield (ERROR, cable.path, f"it has {units.size(cable.size)}, {cable.hosts} hosts take at least "
                   f"{units.size(ALIGN * (cable.hosts + 1))}", wanted)
        elif cable.size is not None and room < REGION:
            yield (WARN, cable.path, f"it has {units.size(room)} for each of {cable.hosts} hosts: the default heap of "
                   "512 MiB does not fit", f"{wanted}, or a smaller SHMEM_SYMMETRIC_SIZE")


def medium(m):
    for cable in m.shared:
        if cable.system and cable.system.startswith(REMOTE):
            yield (ERROR, cable.path, f"it lies on {cable.system}, which is no memory that machines share",
                   "Ethernet joins machines, ivshmem guests of one machine: doc/ntb-families.md")
        elif cable.system not in MEMORY + (None,):
            yield (WARN, cable.path, f"it lies on {cable.system}, which writes it to a disk",
                   "a file in /dev/shm; docker run -v /dev/shm:/dev/shm gives one to containers")


def far_end(m):
    for cable in m.packets:
        if cable.heard == {} and cable.udp:
            yield (NOTE, cable.iface, f"nobody is heard on UDP port {cable.udp} of this cable",
                   "run ringbell-doctor --listen 60 with the other end's cable there, then here again; where both hear "
                   "nobody, an end has no address (ip addr), or a firewall drops that port; past a router peer= is wanted")
        elif cable.heard == {}:
            yield (NOTE, cable.iface, "nobody is heard on this cable",
                   "run ringbell-doctor --listen 60 with the other end's cable there, then here again; where both hear "
                   f"nobody, it is the wrong interface, or a switch drops EtherType {cables.ETHER_TYPE:#x}: join the "
                   f"ends without it, or look with tcpdump -e -i {cable.iface} ether proto {cables.ETHER_TYPE:#x}")


CHECKS = [
    Check("cable-names", "the cables that are named are there", names, of="cables"),
    Check("carrier", "their interfaces are up", carrier, of="packets"),
    Check("mtu", "one MTU, of 1500 or more, at both ends", mtu, of="packets"),
    Check("nic", "the network adapters are bound to a driver for DPDK", nic, of="nics"),
    Check("sockets", "their sockets can be opened", sockets, of="packets"),
    Check("shared", "shared memory is there, and large enough", shared, of="shared"),
    Check("medium", "shared memory is memory", medium, of="shared"),
    Check("far-end", "no cable on which it listened is silent", far_end, of="packets"),
]
