#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A box between two network interfaces: it passes packets on, and of each fault gives PERCENT of them by SEED: lost,
doubled, changed in one bit, or kept back for up to 20 ms while others pass. Ends when its input does.

Usage: ether_box.py SEED PERCENT INTERFACE INTERFACE
"""
import heapq
import random
import select
import socket
import sys
import time

ALL, OUTGOING, LARGEST, BURST = 3, 4, 1 << 14, 64


class Box:
    def __init__(self, seed, percent, names):
        self.draw, self.percent = random.Random(seed), percent
        self.sides = [socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL)) for _ in names]
        for side, name in zip(self.sides, names):
            side.bind((name, ALL))
            side.setblocking(False)
        self.late = []  # (when, number, side, packet)
        self.counts = dict.fromkeys(("lost", "doubled", "changed", "late", "all"), 0)

    def happens(self, what):
        hit = self.draw.random() * 100 < self.percent
        self.counts[what] += hit
        return hit

    def send(self, side, packet):
        try:
            side.send(packet)
        except OSError:
            pass  # a side that is full or down loses it, too

    def passes(self, side, packet):
        self.counts["all"] += 1
        if self.happens("lost"):
            return
        if packet[12:14] == b"\x08\0" and packet[23] == socket.IPPROTO_UDP:
            packet = packet[:40] + bytes(2) + packet[42:]  # a veth pair leaves the checksum to hardware that it has not
        if self.happens("changed"):
            at = self.draw.randrange(14, len(packet))
            packet = packet[:at] + bytes([packet[at] ^ 1 << self.draw.randrange(8)]) + packet[at + 1:]
        for _ in range(1 + self.happens("doubled")):
            if self.happens("late"):
                when = time.monotonic() + self.draw.random() * 0.02
                heapq.heappush(self.late, (when, self.counts["all"], self.sides.index(side), packet))
            else:
                self.send(side, packet)

    def turn(self):
        ready = select.select([*self.sides, sys.stdin], [], [], 0.002 if self.late else None)[0]
        for side, other in zip(self.sides, reversed(self.sides)):
            for _ in range(BURST if side in ready else 0):
                try:
                    packet, address = side.recvfrom(LARGEST)
                except OSError:
                    break
                if address[2] != OUTGOING:
                    self.passes(other, packet)
        while self.late and self.late[0][0] <= time.monotonic():
            _, _, side, packet = heapq.heappop(self.late)
            self.send(self.sides[side], packet)
        return sys.stdin not in ready


def main():
    box = Box(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:5])
    print("ready", flush=True)
    while box.turn():
        pass
    print(*(f"{what}={n}" for what, n in box.counts.items()))


main()
