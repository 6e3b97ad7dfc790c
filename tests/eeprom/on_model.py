#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-eeprom with the register model, a process, as the device.

Usage: on_model.py RINGBELL-EEPROM MODEL ARGUMENT...
"""
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
import command  # noqa: E402  of the archive
import device  # noqa: E402
from image import Trouble  # noqa: E402


class Model:
    def __init__(self, name):
        self.name = name
        self.model = subprocess.Popen([sys.argv[2], name], stdin=subprocess.PIPE, text=True,
                                      stdout=subprocess.PIPE)
        ready = self.model.stdout.readline().strip()
        if ready != "ready":
            raise Trouble(f"{name}: {ready}")

    def read(self, off):
        print("r", off, file=self.model.stdin, flush=True)
        return int(self.model.stdout.readline())

    def write(self, off, value):
        print("w", off, value, file=self.model.stdin)

    def close(self):
        self.model.communicate()


device.Device = Model
sys.exit(command.main(sys.argv[3:]))
