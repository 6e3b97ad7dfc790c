#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The ways to DPDK's driver headers, and the message where none works.

Usage: test_driver_headers.py MESON SOURCE VERSION FOLDER FLAG...: FOLDER and FLAGs, those of DPDK,
are where this build has them from.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

MESON, SOURCE, VERSION, FOLDER, *FLAGS = sys.argv[1:]

# where DPDK's source has them
HEADERS = {
    "bus_driver.h": "lib/eal/include",
    "bus_pci_driver.h": "drivers/bus/pci",
    "bus_vdev_driver.h": "drivers/bus/vdev",
    "dev_driver.h": "lib/eal/include",
    "rte_dmadev_pmd.h": "lib/dmadev",
    "rte_rawdev_pmd.h": "lib/rawdev",
}
WAYS = ('"make setup"', "-Ddriver_headers=DIR", "enable_driver_sdk")
INCLUDE = [flag[2:] for flag in FLAGS if flag.startswith("-I")] + ["/usr/include/dpdk", "/usr/include"]
SDK = any(os.path.exists(f"{folder}/bus_pci_driver.h") for folder in INCLUDE)


def find(header):
    for folder in (FOLDER, f"{FOLDER}/{HEADERS[header]}", *INCLUDE):
        if os.path.exists(f"{folder}/{header}"):
            return f"{folder}/{header}"
    raise unittest.SkipTest(f"this machine has no {header}")


class DriverHeaders(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="ringbell-headers-")
        self.addCleanup(shutil.rmtree, self.dir)

    def setup(self, *args, **env):
        """Status and output of Meson, without the parts that take time."""
        r = subprocess.run([MESON, "setup", f"{self.dir}/build", SOURCE, "-Dman=disabled",
                            "-Dpmix=disabled", "-Dtests=false", *args],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, timeout=250, check=False,
                           env=dict(os.environ, **env))
        return r.returncode, r.stdout

    def folder(self, flat):
        for header, place in HEADERS.items():
            place = f"{self.dir}/dpdk" if flat else f"{self.dir}/dpdk/{place}"
            os.makedirs(place, exist_ok=True)
            shutil.copy(find(header), f"{place}/{header}")
        return f"{self.dir}/dpdk"

    def passes(self, *args, **env):
        status, out = self.setup(*args, **env)
        self.assertEqual(status, 0, out)

    def refused(self, words, *args):
        """One line, which names the fault and then the ways."""
        if SDK:
            self.skipTest("DPDK has its driver SDK here, so nothing else is asked for")
        status, out = self.setup(*args)
        self.assertNotEqual(status, 0)
        said = [line for line in out.splitlines() if "ERROR" in line]
        self.assertEqual(len(said), 1, out)
        for word in (words, *WAYS):
            self.assertIn(word, said[0])

    def test_source_tree(self):
        with open(os.path.join(self.folder(flat=False), "VERSION"), "w", encoding="ascii") as f:
            f.write(VERSION + "\n")
        self.passes(f"-Ddriver_headers={self.dir}/dpdk")

    def test_installed_sdk(self):
        """An installation has them beside all other headers of DPDK."""
        folder = self.folder(flat=True)
        pc = subprocess.run(["pkg-config", "--variable=pcfiledir", "libdpdk"], text=True,
                            stdout=subprocess.PIPE, check=True).stdout.strip()
        with open(f"{pc}/libdpdk.pc", encoding="utf-8") as f:
            text = f.read()
        self.assertIn("\nCflags:", text)
        with open(f"{folder}/libdpdk.pc", "w", encoding="utf-8") as f:
            f.write(text.replace("\nCflags:", f"\nCflags: -I{folder}"))
        path = ":".join([folder, *filter(None, [os.environ.get("PKG_CONFIG_PATH")])])
        self.passes("-Ddriver_headers=/no/such/folder", PKG_CONFIG_PATH=path)

    def test_no_such_folder(self):
        self.refused("There is no folder /no/such/folder.", "-Ddriver_headers=/no/such/folder")

    def test_without_headers(self):
        self.refused(f"There is no bus_driver.h in {self.dir}.", f"-Ddriver_headers={self.dir}")

    def test_some_are_missing(self):
        folder = self.folder(flat=True)
        os.unlink(f"{folder}/rte_rawdev_pmd.h")
        if any(os.path.exists(f"{place}/rte_rawdev_pmd.h") for place in INCLUDE):
            self.skipTest("DPDK installs rte_rawdev_pmd.h here")
        self.refused(f"There is no rte_rawdev_pmd.h in {folder}.", f"-Ddriver_headers={folder}")

    def test_another_release(self):
        with open(os.path.join(self.folder(flat=False), "VERSION"), "w", encoding="ascii") as f:
            f.write("21.11.3\n")
        self.refused(f"{self.dir}/dpdk is of DPDK 21.11.3, installed is {VERSION}.",
                     f"-Ddriver_headers={self.dir}/dpdk")


if __name__ == "__main__":
    if MESON == "none":
        print("skipped: no meson in PATH")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
