#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Each test is in a row of some meson.build; where rows name classes of a file, each of its tests is in one."""
import re
import sys

import tree

ROWS = {file.rpartition("/")[0]: re.sub(r"#.*", "", tree.read(file)) for file in tree.files("meson.build")}


def left_out(file, name):
    """Tests of a file that no row runs; the file itself, if none does."""
    folder, _, last = file.rpartition("/")
    if not re.search(rf"['/]({re.escape(last)}|{name})'", "".join(ROWS.values())):
        return [file]
    rows = ROWS.get(folder, "")
    parts = re.split(r"^class (\w+)", tree.read(file), flags=re.M)[1:] if file.endswith(".py") else []
    tests = [(one, re.findall(r"^    def (test_\w+)", body, re.M)) for one, body in zip(parts[::2], parts[1::2])]
    named = [one for one, cases in tests if cases and re.search(rf"'{one}[.']", rows)]
    return [f"{file}: {one}.{case}" for one, cases in tests for case in cases
            if named and not re.search(rf"'{one}(\.{case})?'", rows)]


def main():
    found = re.compile(r"tests/(?:.*/)?(?:test_(\w+)\.(?:py|sh)|(\w+)_test\.c\w*)")
    matches = filter(None, map(found.fullmatch, tree.files(".py", ".sh", ".c", ".cpp")))
    files = [(match.group(), match.group(1) or match.group(2)) for match in matches]
    problems = [f"{what} is in no row of a meson.build" for file, name in files for what in left_out(file, name)]
    return tree.verdict(problems, f"{len(files)} files of tests")


sys.exit(main())
