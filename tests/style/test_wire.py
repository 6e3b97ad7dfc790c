#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What crosses a cable (runtime/base/wire.h) does not change without its version."""
import hashlib
import re
import sys

import tree

WIRE, LIMITS, RECORD = "runtime/base/wire.h", "runtime/base/deal.h", "tests/style/wire_versions.tsv"


def code(text):
    """Without comments and layout of the text."""
    return " ".join(re.sub(r"/\*.*?\*/", " ", text, flags=re.S).split())


def main():
    wire = code(tree.read(WIRE))
    version = re.search(r"\bRB_VERSION = (\d+)", wire).group(1)
    limits = re.search(r"enum \{ RB_MAX_HOSTS [^}]*\}", code(tree.read(LIMITS))).group()
    digest = hashlib.sha256(f"{wire}\n{limits}".encode()).hexdigest()[:16]
    recorded = [line.split("\t") for line in tree.read(RECORD).splitlines()]
    problems = []
    if recorded[-1] != [version, digest]:
        problems.append(f"{WIRE} has changed since version {recorded[-1][0]}: raise RB_VERSION, "
                        f"which is {version}, and add a line to {RECORD}: VERSION tab {digest} (with "
                        "the new version in place, this test prints the digest anew)")
    if len({v for v, _ in recorded}) != len(recorded):
        problems.append(f"{RECORD}: two lines for one version")
    return tree.verdict(problems, f"version {version}")


sys.exit(main())
