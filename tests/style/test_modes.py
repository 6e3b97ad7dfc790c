#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Each word of runtime/base/modes.h stands in the help of its variable, and those of --notify also
in the help of oshrun. No code but the table spells them."""
import re
import sys

import tree

TABLE = "runtime/base/modes.h"
# the variable, and what else names all words: a file and the part of it to look at
MODES = {
    "WAIT": [],
    "NOTIFY": [("apps/oshrun/opts.c", r"\"notify\", .*?(?=\n[^\n]*\"eal\")")],
    "STATICS": [],
}
VARIABLE = {"STATICS": "STATIC"}


def main():
    problems = []
    table = tree.read(TABLE)
    spelled = {}
    for mode, places in MODES.items():
        entries = re.search(rf"#define RB_{mode}_MODES\(MODE\).*?\n\n", table, re.S)
        words = re.findall(r'"(\w+)"', entries.group()) if entries else []
        if len(words) < 2:
            problems.append(f"{TABLE}: no table RB_{mode}_MODES")
        variable = VARIABLE.get(mode, mode)
        for file, part in [("runtime/base/env.def", rf"RB_ENV\({variable}, .*")] + places:
            text = re.search(part, tree.read(file), 0 if file.endswith(".def") else re.S)
            missing = [w for w in words if text is None or not re.search(rf"\b{w}\b", text.group())]
            problems += [f"{file}: {word}, a word of RB_{mode}_MODES, is not in {part!r}"
                         for word in missing]
        spelled[mode] = words
    for file in tree.files(".c", ".h"):
        if file == TABLE or not file.startswith(("runtime/", "apps/")):
            continue
        strings = set(re.findall(r'"(\w+)"', tree.read(file)))
        problems += [f"{file}: spells the words of RB_{mode}_MODES anew"
                     for mode, words in spelled.items() if len(strings & set(words)) > 1]
    return tree.verdict(problems, f"{sum(map(len, spelled.values()))} words of modes")


sys.exit(main())
