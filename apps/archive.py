#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Make an archive of Python modules that runs by itself: archive.py ARCHIVE VERSION MODULE...

One more module in it is called version.
"""
import os
import shutil
import sys
import tempfile
import zipapp


def main():
    target, version, *modules = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for module in modules:
            # with its time, so that the same sources make the same archive
            shutil.copy2(module, os.path.join(folder, os.path.basename(module)))
        made = os.path.join(folder, "version.py")
        with open(made, "w", encoding="ascii") as f:
            f.write(f"VERSION = {version!r}\n")
        shutil.copystat(modules[0], made)
        zipapp.create_archive(folder, target, interpreter="/usr/bin/env python3", compressed=True)


main()
