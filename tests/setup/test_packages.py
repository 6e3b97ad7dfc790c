#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""tools/setup.sh on machines where packages are missing: with sudo, without, and no Debian.

Usage: test_packages.py SETUP. The machine is made of commands in a folder that is all of PATH.
"""
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

SETUP = sys.argv[1]
OF_THIS_MACHINE = ("sh", "awk", "cat", "cut", "dirname", "env", "grep", "head", "realpath", "sed")
TO_BUILD = ("gcc", "meson", "ninja-build", "libdpdk-dev", "libcunit1-dev")
TO_TEST = ("spin", "g++", "openmpi-bin", "libopenmpi-dev", "slurm-wlm")


class Packages(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="ringbell-setup-")
        self.addCleanup(shutil.rmtree, self.dir)
        for name in OF_THIS_MACHINE:
            os.symlink(shutil.which(name), f"{self.dir}/{name}")
        self.command("id", "echo 1000")
        self.command("pkg-config", "exit 1")
        self.command("dpkg", "echo m68k")  # for which there are no guests
        self.command("dpkg-query", "exit 1")
        self.command("apt-get", 'echo "apt-get $*" >>"$0.log"')
        self.command("apt-cache", 'echo "  Candidate: 1.0"')

    def command(self, name, text):
        path = f"{self.dir}/{name}"
        with open(path, "w", encoding="ascii") as f:
            f.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)

    def run_setup(self, *args, **env):
        return subprocess.run(["/bin/sh", SETUP, "--no-headers", *args, f"{self.dir}/build"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=30, check=False,
                              env={"PATH": self.dir, **env})

    def installed(self):
        """What apt-get was told to install."""
        with open(f"{self.dir}/apt-get.log", encoding="ascii") as f:
            lines = [line.split() for line in f if " install " in line]
        self.assertEqual(len(lines), 1)
        return lines[0]

    def test_neither_root_nor_sudo(self):
        r = self.run_setup()
        self.assertEqual((r.returncode, r.stdout, len(r.stderr.splitlines())), (1, "", 1), r.stderr)
        said = "setup: you are not root and there is no sudo; as root, run: apt-get install "
        self.assertTrue(r.stderr.startswith(said), r.stderr)
        for name in TO_BUILD:
            self.assertIn(name, r.stderr.split())
        self.assertFalse(os.path.exists(f"{self.dir}/apt-get.log"))

    def test_only_tests_want_more(self):
        """Tests whose packages are missing are skipped, and one line says so."""
        self.command("dpkg-query", f'case $4 in {"|".join(TO_TEST)}) exit 1 ;; esac; echo "installed "')
        r = self.run_setup("--tests")
        self.assertEqual((r.returncode, r.stderr, len(r.stdout.splitlines())), (0, "", 1), r.stdout)
        self.assertTrue(r.stdout.startswith("setup: tests are skipped for want of packages: "))
        self.assertEqual(sorted(r.stdout.rpartition("apt-get install ")[2].split()), sorted(TO_TEST))

    def test_sudo(self):
        self.command("sudo", 'exec "$@"')
        r = self.run_setup("--tests")
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        for name in TO_BUILD + TO_TEST:
            self.assertIn(name, self.installed())

    def test_cross_pkg_config(self):
        """PKG_CONFIG says which DPDK is asked for, for example that of another architecture."""
        self.command("sudo", 'exec "$@"')
        self.command("cross-pkg-config", "exit 0")
        r = self.run_setup(PKG_CONFIG="cross-pkg-config")
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        self.assertNotIn("libdpdk-dev", self.installed())
        self.assertIn("meson", self.installed())

    def test_unknown_to_apt(self):
        """A package that tests want and apt does not know is left out, and named."""
        self.command("sudo", 'exec "$@"')
        self.command("apt-cache", '[ "$2" = spin ] || echo "  Candidate: 1.0"')
        r = self.run_setup("--tests")
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        self.assertIn("apt has no package spin: tests that need it are skipped", r.stdout)
        self.assertNotIn("spin", self.installed())
        self.assertIn("g++", self.installed())

    def kernel(self, packages):
        """What is in build/guest-kernel where apt has these: name -> (Depends, files)."""
        for name in ("chmod", "cp", "find", "mkdir", "mktemp", "rm", "tar", "tr"):
            if not os.path.lexists(f"{self.dir}/{name}"):
                os.symlink(shutil.which(name), f"{self.dir}/{name}")
        self.command("dpkg-query", 'echo "installed "')
        self.command("dpkg", 'case $1 in --fsys-tarfile) cat "$2" ;; *) echo amd64 ;; esac')
        self.command("apt-cache", 'for name; do :; done; cat "${0%/*}/$name.show"')
        self.command("apt-get", 'shift 2; for p; do cp "${0%/*}/$p.tar" "./$p.deb"; done')
        for name, (depends, files) in packages.items():
            with open(f"{self.dir}/{name}.show", "w", encoding="ascii") as f:
                f.write(f"Package: {name}\nDepends: {depends}\nSize: 1\n")
            with tarfile.open(f"{self.dir}/{name}.tar", "w") as tar:
                for file in files:
                    tar.addfile(tarfile.TarInfo("./" + file))
        r = self.run_setup("--tests")
        self.assertEqual(r.returncode, 0, r.stderr)
        guests = f"{self.dir}/build/guest-kernel"
        return r.stderr, sorted(os.path.relpath(os.path.join(folder, name), guests)
                                for folder, _, names in os.walk(guests) for name in names)

    def test_kernel_in_one_package(self):
        """Debian 12 and 13: image and modules in the package that the known name depends on."""
        said, files = self.kernel({
            "linux-image-cloud-amd64": ("linux-image-6-cloud (= 6.1)", []),
            "linux-image-6-cloud": ("kmod, linux-base (>= 4.3~), initramfs-tools | dracut",
                                    ["boot/vmlinuz-6-cloud", "boot/config-6-cloud",
                                     "lib/modules/6/kernel/drivers/uio/uio.ko",
                                     "lib/modules/6/kernel/drivers/net/virtio_net.ko",
                                     "lib/modules/6/kernel/drivers/ata/ahci.ko"])})
        self.assertEqual(files, ["boot/vmlinuz-6-cloud", "lib/modules/6/kernel/drivers/net/virtio_net.ko",
                                 "lib/modules/6/kernel/drivers/uio/uio.ko", "version"], said)

    def test_kernel_of_before(self):
        """One that was unpacked when guests had less of it gets the rest; another one makes place."""
        guests = f"{self.dir}/build/guest-kernel"
        for had, stays in (("6", True), ("5", False)):
            with self.subTest(had):
                os.makedirs(f"{guests}/lib/modules/{had}/kernel/drivers/ntb", exist_ok=True)
                with open(f"{guests}/lib/modules/{had}/kernel/drivers/ntb/ntb.ko", "w", encoding="ascii"):
                    pass
                with open(f"{guests}/version", "w", encoding="ascii") as f:
                    f.write(f"linux-image-{had}-cloud \n")
                said, files = self.kernel({
                    "linux-image-cloud-amd64": ("linux-image-6-cloud (= 6.1)", []),
                    "linux-image-6-cloud": ("kmod", ["boot/vmlinuz-6-cloud",
                                                     "lib/modules/6/kernel/drivers/uio/uio.ko"])})
                self.assertIn("lib/modules/6/kernel/drivers/uio/uio.ko", files, said)
                self.assertEqual(f"lib/modules/{had}/kernel/drivers/ntb/ntb.ko" in files, stays, said)

    def test_kernel_in_two_packages(self):
        """After Debian 13: that package is empty and depends on two more."""
        said, files = self.kernel({
            "linux-image-cloud-amd64": ("linux-base-cloud (= 7.2), linux-image-7-cloud (= 7.2)", []),
            "linux-image-7-cloud": ("dracut | initramfs-tools (>= 0.120), linux-base-7 (= 7.2), "
                                    "linux-binary-7-cloud (= 7.2), linux-modules-7-cloud (= 7.2)",
                                    []),
            "linux-binary-7-cloud": ("kmod", ["usr/lib/modules/7/vmlinuz"]),
            "linux-modules-7-cloud": ("kmod", ["usr/lib/modules/7/kernel/drivers/uio/uio.ko"])})
        self.assertEqual(files, ["usr/lib/modules/7/kernel/drivers/uio/uio.ko",
                                 "usr/lib/modules/7/vmlinuz", "version"], said)

    def test_kernel_without_modules(self):
        """A package without a kernel is not taken; the tests then say that there is no kernel."""
        said, files = self.kernel({
            "linux-image-cloud-amd64": ("linux-image-8-cloud (= 8.0)", []),
            "linux-image-8-cloud": ("kmod", ["boot/vmlinuz-8-cloud"])})
        self.assertIn("there is no uio.ko in it", said)
        self.assertNotIn("version", files)

    def test_no_debian(self):
        os.unlink(f"{self.dir}/dpkg-query")
        r = self.run_setup()
        self.assertEqual((r.returncode, r.stdout, len(r.stderr.splitlines())), (1, "", 1), r.stderr)
        for word in ("no Debian system", "DPDK 22.11", "Meson", "Ninja"):
            self.assertIn(word, r.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
