#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""libshmem exports its own names only, and all of those that it promised.

Each shmem_ name of the list stands for its pshmem_ name too.
Usage: test_symbols.py LIBRARY LIST PREFIX...
"""
import re
import subprocess
import sys

import abi
import tree

# what sanitizers and the linker add
FOREIGN = re.compile(r"^(__asan_|__odr_asan|__ubsan_|__lsan_|__tsan_|__sanitizer_|_init$|_fini$)")
SONAME = "libshmem.so.1"


def main():
    library, path, *prefixes = sys.argv[1:]
    out = subprocess.run(["nm", "-D", "--defined-only", "--without-symbol-versions", library],
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    # kind A is the name of a symbol version
    names = {line.split()[-1] for line in out.splitlines() if line.split()[-2] != "A"}
    own = {name for name in names if not FOREIGN.match(name)}
    promised = abi.names(path)
    promised |= {"p" + name for name in promised if name.startswith("shmem_")}
    problems = [f"{library}: exports {name}" for name in sorted(own)
                if not name.startswith(tuple(prefixes))]
    problems += [f"{library}: lacks {name}, which {path} promises; without it the library is "
                 f"another one than {SONAME}" for name in sorted(promised - own)]
    problems += [f"{library}: exports {name}, which {path} does not promise; add it there"
                 for name in sorted(own - promised)]
    dynamic = subprocess.run(["readelf", "-d", library], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    if f"soname: [{SONAME}]" not in dynamic:
        problems.append(f"{library}: its soname is not {SONAME}")
    if not names:
        problems.append(f"{library}: exports nothing")
    return tree.verdict(problems, f"{len(names)} symbols")


sys.exit(main())
