#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What QEMU's ivshmem-doorbell functions get from their server: a number, the memory, and an eventfd for each other
function and for themselves, as docs/specs/ivshmem-spec of QEMU says. It serves until it is killed.

Usage: ivshmem_server.py SOCKET FILE
"""
import os
import socket
import struct
import sys
import threading

VERSION = 0
MEMORY = -1  # in place of a number, with the memory


class Server(threading.Thread):
    """With one vector for each function. One that is gone is not taken back: its number is not given again, and who
    rings it rings nobody."""

    def __init__(self, path, memory):
        super().__init__(daemon=True)
        self.memory = memory
        self.peers = []  # by number: connection, eventfd
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(path)
        self.listener.listen()

    @staticmethod
    def tell(connection, number, fd=None):
        try:
            socket.send_fds(connection, [struct.pack("<q", number)], [] if fd is None else [fd])
        except OSError:
            pass  # it is gone

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            number, event = len(self.peers), os.eventfd(0)
            self.tell(connection, VERSION)
            self.tell(connection, number)
            self.tell(connection, MEMORY, self.memory)
            for other, (peer, ring) in enumerate(self.peers):
                self.tell(peer, number, event)
                self.tell(connection, other, ring)
            self.tell(connection, number, event)
            self.peers.append((connection, event))


if __name__ == "__main__":
    Server(sys.argv[1], os.open(sys.argv[2], os.O_RDWR)).run()
