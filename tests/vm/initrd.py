# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The initramfs of a guest: busybox, some kernel modules, programs and the libraries they need."""
import glob
import os
import re
import stat
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
# Debian's DPDK loads what a program does not name from here; only packet pools need any of it
PLUGINS = "/usr/lib/x86_64-linux-gnu/dpdk/pmds-*/librte_{}.so*"
# pthread_cancel() loads it by name at the end of the EAL
UNNAMED = ["/lib/x86_64-linux-gnu/libgcc_s.so.1"]


class Archive:
    """A cpio archive of the kind the kernel unpacks ("newc")."""

    def __init__(self):
        self.parts = []
        self.names = set()
        self.inode = 0

    def _add(self, name, mode, data=b"", device=(0, 0)):
        self.inode += 1
        fields = [self.inode, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name) + 1, 0]
        head = b"070701" + b"".join(b"%08X" % f for f in fields) + name.encode() + b"\0"
        self.parts += [head, b"\0" * (-len(head) % 4), data, b"\0" * (-len(data) % 4)]

    def folder(self, name):
        if name and name not in self.names:
            self.folder(os.path.dirname(name))
            self.names.add(name)
            self._add(name, stat.S_IFDIR | 0o755)

    def text(self, name, data, mode=0o755):
        name = name.lstrip("/")
        if name in self.names:
            return
        self.folder(os.path.dirname(name))
        self.names.add(name)
        self._add(name, stat.S_IFREG | mode, data)

    def file(self, name, path):
        with open(path, "rb") as f:
            self.text(name, f.read())

    def node(self, name, major, minor):
        self.folder(os.path.dirname(name))
        self._add(name, stat.S_IFCHR | 0o600, device=(major, minor))

    def write(self, path):
        self._add("TRAILER!!!", 0)
        with open(path, "wb") as f:
            f.writelines(self.parts)


def libraries(program):
    """Files that the dynamic linker would open, by the names it uses."""
    out = subprocess.run(["ldd", program], stdout=subprocess.PIPE, check=True).stdout.decode()
    return re.findall(r"(/\S+) \(0x", out)


def make(path, busybox, modules, programs, files, drivers):
    """@p programs: name in the guest's PATH -> file here; @p files: the same by their whole names;
    @p drivers: DPDK's, by the names of their libraries."""
    a = Archive()
    a.file("init", os.path.join(HERE, "init"))
    a.file("bin/busybox", busybox)
    a.folder("run")
    a.folder("var")
    a.node("dev/console", 5, 1)
    a.node("dev/null", 1, 3)
    for module in modules:
        a.file("lib/modules/" + os.path.basename(module), module)
    wanted = [p for p in UNNAMED if os.path.exists(p)]
    for name, program in programs.items():
        a.file("bin/" + name, program)
        wanted += libraries(program)
    for name, file in files.items():
        a.file(name, file)
    for driver in ["mempool_ring", *drivers]:
        for plugin in glob.glob(PLUGINS.format(driver)):
            wanted += [plugin] + libraries(plugin)
    for library in wanted:
        # Debian's /lib is a link to /usr/lib; the guest has both as folders
        ours = not library.startswith(("/lib", "/usr/lib"))
        a.file("lib/x86_64-linux-gnu/" + os.path.basename(library) if ours else library, library)
    a.write(path)
