#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A library exports its own names only. Usage: test_symbols.py LIBRARY PREFIX..."""
import re
import subprocess
import sys

import tree

# what sanitizers and the linker add
FOREIGN = re.compile(r"^(__asan_|__odr_asan|__ubsan_|__lsan_|__tsan_|__sanitizer_|_init$|_fini$)")


def main():
    library, *prefixes = sys.argv[1:]
    out = subprocess.run(["nm", "-D", "--defined-only", "--without-symbol-versions", library],
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    # kind A is the name of a symbol version
    names = [line.split()[-1] for line in out.splitlines() if line.split()[-2] != "A"]
    problems = [f"{library}: exports {name}" for name in names
                if not name.startswith(tuple(prefixes)) and not FOREIGN.match(name)]
    if not names:
        problems.append(f"{library}: exports nothing")
    return tree.verdict(problems, f"{len(names)} symbols")


sys.exit(main())
