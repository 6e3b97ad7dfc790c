#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Names in comments and pages exist: files of this tree, functions, and names with a prefix of
ours. So no sentence outlives the file or function that it names."""
import os
import re
import sys

import tree

# of other projects and of the system
OUTSIDE_FILES = {"dpdk-devbind.py", "dpdk-telemetry.py", "rte_pmd_ntb.h", "ntb_fwd.c",
                 "mpqemu-link.h", "sched.h", "stdio.h", "drivers/ntb/hw", "drivers/raw/ntb"}
OUTSIDE_NAMES = {"strtok", "dladdr", "ntb_hw_plx"}
# made by a reader or a script; standing for any
MADE = {"pi.c", "pi.py", "wrong.c", "overrun.c", "sizes.c", "hang.c", "count.c", "left.c", "bars.md", "figures.md", "peers.md",
        "sim.md", "watch.md", "replay.md"}
ANY = {"FILE.c", "MODEL.pml", "x_test.c", "test_x.py", "test_x.sh", "drivers/raw/FAMILY_ntb"}
ELSEWHERE = OUTSIDE_FILES | MADE | ANY

C_COMMENT = re.compile(r"/\*.*?\*/", re.S)
SHELL_COMMENT = re.compile(r"(?:^|\s)#(?!!)(.*)$", re.M)
PYTHON_TEXT = re.compile(r'^\s*""".*?"""', re.M | re.S)
C_FENCE = re.compile(r"^```(?:\{code-block\} )?c\n.*?^```$", re.M | re.S)

FILE = re.compile(r"(?<![\w.$<>*-])[\w./-]*\w\.(?:c|h|def|py|sh|md|pml|abi|supp)\b(?![.*-])")
TOPS = "apps|bench|compat|debian|doc|drivers|examples|runtime|shmem|lab|tests|tools"
FOLDER = re.compile(r"(?<![\w./$-])(?:" + TOPS + r")/(?:[\w-]+/)*(?:[\w-]+)?(?![\w./*{-])")
CALL = re.compile(r"\b([a-z_]\w+)\(\)")
OURS = re.compile(r"\b(?:rb|plx|plxm|ntb|shmemi|RB|PLX|PLXM|NTB|RINGBELL|OSHRUN)_\w+")
WORD = re.compile(r"[A-Za-z_]\w*")


def prose(name, text):
    """The comments of a file, or the text of a page; None where it has neither."""
    if name == "CHANGELOG.md":
        return text.split("### Gone")[0]  # what comes then is gone by its title
    if name.endswith(".md"):
        return C_FENCE.sub("", text)
    if name.endswith((".c", ".h", ".def", ".pml")):
        return "\n".join(C_COMMENT.findall(text))
    if name.endswith(".py"):
        return "\n".join(PYTHON_TEXT.findall(text) + SHELL_COMMENT.findall(text))
    if name.endswith((".sh", "meson.build", "Makefile")):
        return "\n".join(SHELL_COMMENT.findall(text))
    return None


def missing_files(text, paths):
    """Files may be named by the end of their path, folders by all of it."""
    for found in set(FILE.findall(text)):
        here = os.path.normpath(found).lstrip("./")
        if os.path.basename(found) not in ELSEWHERE and "/" + here not in paths:
            yield found
    for found in {found.rstrip("/") for found in FOLDER.findall(text)}:
        if found not in ELSEWHERE and "/" + found not in paths:
            yield found


def missing_names(text, words):
    for found in set(CALL.findall(text)):
        if found not in words and found not in OUTSIDE_NAMES:
            yield found + "()"
    for found in set(OURS.findall(text)):
        # one that ends with _ stands for all that begin so
        if found not in words and found not in OUTSIDE_NAMES and not (
                found.endswith("_") and any(word.startswith(found) for word in words)):
            yield found


def ends_of(name):
    """All ends of a path, and of its folders' paths."""
    parts = name.split("/")
    for last in range(1, len(parts) + 1):
        for first in range(last):
            yield "/" + "/".join(parts[first:last])


def main():
    texts = {name: tree.read(name) for name in
             tree.files(".md", ".c", ".h", ".def", ".pml", ".py", ".sh", ".in", ".tsv", ".abi",
                        "meson.build", "meson_options.txt", "Makefile")}
    paths = {end for name in tree.files("") for end in ends_of(name)}
    words = set()
    for name, text in texts.items():
        if name.endswith((".c", ".h", ".def", ".pml")):
            text = C_COMMENT.sub("", text)
        if not name.endswith(".md"):
            words.update(WORD.findall(text))
    problems = []
    count = 0
    for name, text in texts.items():
        said = prose(name, text)
        if said is None:
            continue
        count += 1
        problems += [f"{name}: names {missing}, which is not there"
                     for found in (missing_files(said, paths), missing_names(said, words))
                     for missing in sorted(found)]
    return tree.verdict(problems, f"{count} files")


sys.exit(main())
