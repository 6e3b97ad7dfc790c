#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The sizes that tests/multi/sizes_test.c moves data on both sides of are those of the code: what
tests/thresholds.def quotes stands there, and comes to the value beside it."""
import re
import sys

import tree

DEF = "tests/thresholds.def"
STRING = r'"([^"]*)"'
ROW = re.compile(rf"^THRESHOLD\((\w+), {STRING}, {STRING}, (\d+), (?:BYTES|ALL|COUNT), {STRING}\)$", re.M)
UNITS = {"K": " * 1024", "M": " * 1024 * 1024"}


def value_of(code, known):
    """Of what comes behind the name or the comparison; None: it has a sizeof."""
    text = re.split(r" (?:=|==|<=|>) |, (?=')", code)[-1].strip("'")
    text = re.sub(r"(?<=\d)[KM]$", lambda m: UNITS[m.group()], text)
    text = re.sub(r"\b[A-Z_]\w+", lambda m: known.get(m.group(), m.group()), text)
    return eval(text, {}) if re.fullmatch(r"[\d *]+", text) else None  # numbers only


def main():
    rows = ROW.findall(tree.read(DEF))
    known = {name: value for name, _, _, value, _ in rows}
    problems = []
    for name, file, code, value, _ in rows:
        if code.replace("'", '"') not in " ".join(tree.read(file).split()):
            problems.append(f"{DEF}: {name}: {file} has no {code}")
        if value_of(code, known) not in (None, int(value)):
            problems.append(f"{DEF}: {name}: {code} is not {value}")
    return tree.verdict(problems, f"{len(rows)} thresholds")


sys.exit(main())
