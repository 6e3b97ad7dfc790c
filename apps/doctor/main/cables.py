# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The cables that RINGBELL_CABLES or --cable names, what the machine has of each, and who is heard on it."""
import os
import re
import select
import socket
import stat
import struct
import time

import units

ETHER_TYPE, BROADCAST = 0x88b5, b"\xff" * 6
# of the driver's packets (drivers/raw/ether_ntb/eth_packet.h), and of those that doctors exchange: a job takes the
# latter for a stranger's. In both the sender's number and MTU have the same places.
JOB, DOCTOR, HEAD = b"RBE3", b"RBD1", struct.Struct("<4s4xQ26xH4x")
SELF = int.from_bytes(os.urandom(8), "little")  # a broadcast by UDP comes back
ETHER, UDP = 14, 28  # bytes of heads: in a packet beside its MTU, and in the MTU
MTU_MOST = 9000
SAY_S, LINGER_S = 0.2, 1.0  # between packets; how long those at the other end may still hear them


class Cable:
    def __init__(self, root, text):
        self.text = text
        self.name, *words = text.split(",")
        self.options = dict(word.partition("=")[::2] for word in words)
        shared = self.name.startswith("raw_ntb_shared")
        self.path = self.options.get("path", "") if shared else None
        packets = self.name.startswith(("net_af_packet", "raw_ntb_ether")) and "port" not in self.options
        self.iface = self.options.get("iface", "") if packets else None
        self.udp = self.options.get("udp") if packets else None  # by a socket of the kernel
        self.address = None
        if re.match(r"[0-9a-fA-F]+:", self.name):
            self.address = ("0000:" * (self.name.count(":") == 1) + self.name).lower()
        self.heard = None  # who was: {} nobody, None: there was no listening
        self.refused = ""  # why there was none
        self.look(root)

    def look(self, root):
        if self.iface:
            folder = f"sys/class/net/{self.iface}"
            self.there, self.up = root.stat(folder) is not None, bool((root.number(folder, "flags") or 0) & 1)
            self.carrier, self.most = root.number(folder, "carrier"), root.number(folder, "mtu") or 0
            self.mtu = number(self.options.get("mtu")) or min(self.most, MTU_MOST)
        elif self.path:
            self.hosts = number(self.options.get("hosts")) or 2
            st = root.stat(self.path)
            self.there, self.size = st is not None, st.st_size if st and stat.S_ISREG(st.st_mode) else None
            self.system = None if self.size is None else file_system(root, self.path)
            folder = os.path.dirname(self.path)  # of a PCI function, which vfio-pci enables for a program; None: it is none
            self.enabled = root.link(folder, "driver") == "vfio-pci" or root.number(folder, "enable")

    @property
    def is_complete(self):
        """Does the runtime take it for one?"""
        return bool(re.fullmatch(r"[\w:.,=/@-]{1,127}", self.text, re.A)) and "" not in (self.iface, self.path)

    def state(self):
        if self.iface and self.there:
            return f"{'down' if not self.up else 'up' if self.carrier else 'no carrier'}, MTU {self.mtu}"
        return f"{units.size(self.size)}, {self.hosts} hosts" if self.path and self.size else ""


def file_system(root, path):
    """Type of the one that has a file; None: not known."""
    found, at = None, os.path.realpath(path)
    for line in (root.text("proc/mounts") or "").splitlines():
        place, kind = (*line.split(), "?", "?", "?")[1:3]
        if at.startswith(place.rstrip("/") + "/") and (found is None or len(place) >= len(found[0])):
            found = place, kind
    return found and found[1]


def number(text):
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text or "", re.A) else None


def named(root, text):
    return [Cable(root, cable) for cable in text.split("+")] if text else []


def may_open_packets(root):
    """CAP_NET_RAW of this process; None: not known."""
    found = re.search(r"^CapEff:\s*([0-9a-f]+)", root.text("proc/self/status") or "", re.M)
    return bool(int(found.group(1), 16) >> 13 & 1) if found else None


def open_socket(cable):
    if cable.udp:
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, cable.iface.encode())
        s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        s.bind(("", number(cable.udp) or 0))
        return s
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW | socket.SOCK_NONBLOCK, socket.htons(ETHER_TYPE))
    s.bind((cable.iface, ETHER_TYPE))
    return s


def say(cable, s, length):
    packet = HEAD.pack(DOCTOR, SELF, cable.mtu).ljust(length, b"\0")
    try:
        if cable.udp:
            s.sendto(packet[:cable.mtu - UDP], (cable.options.get("peer", "255.255.255.255"), number(cable.udp)))
        else:
            s.send(BROADCAST + s.getsockname()[4][:6] + struct.pack("!H", ETHER_TYPE) + packet)
    except OSError:
        pass  # no buffer, no address, or an MTU that was changed


def take(cable, s):
    """Kind of sender, its MTU, and whether large packets get through."""
    try:
        packet, sender = s.recvfrom(1 << 16)
    except OSError:
        return  # the interface went down
    at, whole = (0, cable.mtu - UDP) if cable.udp else (ETHER, ETHER + cable.mtu)
    if len(packet) < at + HEAD.size or (not cable.udp and sender[2] == socket.PACKET_OUTGOING):
        return
    magic, sender, mtu = HEAD.unpack_from(packet, at)
    if magic in (JOB, DOCTOR) and sender != SELF:
        large = cable.heard.get((magic, mtu), False)
        cable.heard[magic, mtu] = large or len(packet) == whole


def is_known(cable):
    """Is all known that a packet can tell?"""
    return any(magic == JOB or mtu != cable.mtu or large for (magic, mtu), large in cable.heard.items())


def listen(cables, seconds):
    """Say something on each cable, and hear who else does: a job, or a doctor that runs at the other end."""
    sockets, spoken, begin = {}, 0, time.monotonic()
    for cable in cables:
        try:
            if cable.up and cable.carrier:
                sockets[open_socket(cable)] = cable
                cable.heard = {}
        except (OSError, OverflowError) as why:
            cable.refused = os.strerror(why.errno) if isinstance(why, OSError) else str(why)
    end = begin + seconds if sockets else begin
    while (now := time.monotonic()) < end:
        if now - spoken > SAY_S:
            for s, cable in sockets.items():
                say(cable, s, HEAD.size)
                # a larger packet than the other end takes would hold up a job there
                if (DOCTOR, cable.mtu) in cable.heard:
                    say(cable, s, cable.mtu)
            spoken = now
            if all(map(is_known, sockets.values())):
                end = min(end, now + LINGER_S)
        for s in select.select(list(sockets), [], [], SAY_S)[0]:
            take(sockets[s], s)
    for s in sockets:
        s.close()
