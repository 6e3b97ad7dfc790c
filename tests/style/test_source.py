#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Rules that a reader of the tree can rely on: sizes of files and functions, licence lines, no
promises of later work."""
import os
import re
import sys

import tree

C_LINES = 500
H_LINES = 200
FUNCTION_LINES = 60
ARGUMENTS = 6
# one does what OpenSHMEM does in a call of nine arguments, the other has the signature of PMIx
MANY_ARGUMENTS = {"rb_put_signal", "connection_lost"}
# public headers: their length is the standard's, or their readers'
LONG_HEADERS = {"shmem/include/shmem.h", "shmem/include/shmemx.h", "shmem/include/pshmem.h",
                "shmem/include/shmem_generic.h", "shmem/include/shmem_overloads.h",
                "shmem/include/shmem_types.h",
                "runtime/rb.h", "drivers/raw/plx_ntb/model/plxm.h",
                "drivers/raw/ntb_port/rte_pmd_ntb_port.h"}
WORDS = re.compile(r"\b(TODO|FIXME|XXX|HACK|stub|not implemented|for now)\b")
# not =======, which underlines titles of text
MARKER = re.compile(r"^(?:<{7}|\|{7}|>{7}) .*$", re.M)
# a definition by the tree's style: name at the start of a line, brace alone at the start of one
FUNCTION = re.compile(r"^(\w+)\(([^;{}]*?)\)\n\{\n(.*?)^\}", re.M | re.S)


def arguments(text):
    depth = 0
    count = 1
    for c in text:
        depth += (c in "([") - (c in ")]")
        count += c == "," and depth == 0
    return count


def check_c(name, text):
    problems = []
    lines = text.count("\n")
    if name.endswith(".c") and lines > C_LINES:
        problems.append(f"{name}: {lines} lines, more than {C_LINES}")
    if name.endswith(".h") and lines > H_LINES and name not in LONG_HEADERS:
        problems.append(f"{name}: {lines} lines, more than {H_LINES}")
    for function in FUNCTION.finditer(text):
        if function.group(1).isupper():
            continue  # a macro that opens a definition
        length = function.group(3).count("\n")
        if length > FUNCTION_LINES:
            problems.append(f"{name}: {function.group(1)}() has {length} lines, more than "
                            f"{FUNCTION_LINES}")
        if arguments(function.group(2)) > ARGUMENTS and function.group(1) not in MANY_ARGUMENTS:
            problems.append(f"{name}: {function.group(1)}() takes more than {ARGUMENTS} arguments")
    if re.search(r"^\s*//", text, re.M):
        problems.append(f"{name}: // comment")
    return problems


def check_merges():
    """No text file has lines that an unfinished merge leaves."""
    problems = []
    for name in tree.files(""):
        try:
            text = tree.read(name)
        except UnicodeDecodeError:
            continue  # a picture
        problems += [f"{name}: conflict marker {line!r}" for line in MARKER.findall(text)]
    return problems


def check_links():
    """What the pages of the project point to is there."""
    problems = []
    for name in tree.files(".md"):
        for target in re.findall(r"\]\(([^)#\s]+)", tree.read(name)):
            path = os.path.join(tree.TOP, os.path.dirname(name), target)
            if "://" not in target and not os.path.exists(path):
                problems.append(f"{name}: points to {target}, which is not there")
    return problems


def main():
    problems = check_links() + check_merges()
    names = tree.files(".c", ".h", ".def", ".py", ".sh", ".pml", "oshcc.in", "meson.build", "Makefile")
    for name in names:
        text = tree.read(name)
        head = text[:400]
        if "SPDX-License-Identifier: BSD-3-Clause" not in head or "Copyright(c)" not in head:
            problems.append(f"{name}: no SPDX and copyright lines at its head")
        if text and not text.endswith("\n"):
            problems.append(f"{name}: no newline at the end")
        if re.search(r"[ \t]+$", text, re.M):
            problems.append(f"{name}: white space at the end of a line")
        if name != "tests/style/test_source.py":
            for word in set(WORDS.findall(text)):
                problems.append(f"{name}: says '{word}'")
        if name.endswith((".c", ".h", ".def")):
            problems += check_c(name, text)
    return tree.verdict(problems, f"{len(names)} files")


sys.exit(main())
