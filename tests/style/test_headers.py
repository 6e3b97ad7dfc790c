#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Each header compiles as the only include, without a warning: in C, public ones in C++ too. What some .c
file includes before all others is left to the build, which compiles just that.

Usage: test_headers.py CC CXX|none FLAG...
"""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import tree

WARNINGS = ["-Wall", "-Wextra", "-Wundef", "-Werror", "-fsyntax-only"]
FOLDERS = ("compat/", "drivers/", "runtime/", "shmem/", "apps/", "lab/")
PUBLIC = {"shmem/include/shmem.h", "shmem/include/shmemx.h", "shmem/include/pshmem.h",
          "shmem/include/pshmemx.h", "shmem/include/mpp/shmem.h", "shmem/include/mpp/shmemx.h", "shmem/include/shmemx_nb.h",
          "shmem/include/shmemx_more.h", "shmem/include/shmemx_instead.h", "shmem/include/shmemx_peers.h", "shmem/include/shmemx_space.h",
          "drivers/raw/ntb_port/rte_pmd_ntb_port.h",
          "drivers/raw/plx_ntb/model/plxm.h"}
# parts of another header, which includes them at its end
PARTS = {"shmem/include/shmem_generic.h", "shmem/include/shmem_inline.h",
         "shmem/include/shmem_overloads.h", "shmem/include/shmemx_generic.h",
         "shmem/include/shmemx_overloads.h"}


def compile_one(job):
    compiler, language, std, flags, name = job
    source = f'#include "{os.path.join(tree.TOP, name)}"\n'
    with tempfile.NamedTemporaryFile("w", suffix="." + language) as f:
        # twice: the include guard works
        f.write(source * 2)
        f.flush()
        command = [*compiler.split(), f"-std={std}", *WARNINGS, *flags, f.name]
        out = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    return "" if out.returncode == 0 else f"{name} ({std}):\n{out.stderr[:1000]}"


def included_first():
    """Paths, or their ends."""
    found = (re.search(r'^#include "(.+)"', tree.read(name), re.M) for name in tree.files(".c"))
    return tuple("/" + match[1] for match in found if match)


def main():
    cc, cxx, *flags = sys.argv[1:]
    flags += [f"-I{os.path.join(tree.TOP, folder)}" for folder in
              ("apps/common", "compat", "runtime", "shmem", "shmem/include", "drivers/dma/plx", "drivers/raw/ntb_port",
               "drivers/raw/plx_ntb", "drivers/raw/plx_ntb/model", "lab/intel", "lab/serial")]
    flags += ["-D_GNU_SOURCE", "-DALLOW_INTERNAL_API"]
    jobs, by_build = [], included_first()
    for name in tree.files(".h"):
        if not name.startswith(FOLDERS) or name in PARTS:
            continue
        if name in PUBLIC or not name.endswith(by_build):
            jobs.append((cc, "c", "gnu11", flags, name))
        if name in PUBLIC:
            jobs.append((cc, "c", "c99", flags, name))
            if cxx != "none":
                jobs.append((cxx, "cc", "c++11", flags, name))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [text for text in pool.map(compile_one, jobs) if text]
    return tree.verdict(problems, f"{len(jobs)} compilations")


sys.exit(main())
