#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A message that a table of a page quotes is in the source: four consecutive words of it, or all
three between two values, are in one string. A user finds a line in the page only by its words."""
import re
import sys

import tree

PAGES = ("doc/containers.md", "doc/hardware.md", "doc/troubleshooting.md")
WORDS = 4
# of the system and of DPDK, commands, and values of registers
OTHERS = re.compile(r"error while loading shared libraries|Cannot open \.\.\./resource0|"
                    r"Operation not permitted$|^ulimit |^cat |NT0 Port Virtual Interface")

COMMENT = re.compile(r"/\*.*?\*/", re.S)
# strings beside each other are one; macros of formats between them stand for a value
STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*(?:PRI\w+\s*)?"(?:[^"\\\n]|\\.)*")*')
VALUE = re.compile(r"%[-+ #0-9.*]*(?:hh|h|ll|l|z|j|t)?[a-zA-Z]|%\"|\\n")
# placeholders of values in a page: ..., numbers, single letters, names of files and of groups
# or an errno
PLACE = re.compile(r"\.\.\.|\b[A-Z]\b|\bFILE\b|\S*/\S*|\S*\d\S*|\(Killed\)|"
                   r"No space left on device|No such file or directory")


def strings():
    """All strings of the C sources, values replaced by line ends."""
    text = "\n".join(COMMENT.sub("", tree.read(name)) for name in tree.files(".c", ".h", ".def")
                     if not name.startswith("tests/"))
    found = []
    for literal in STRINGS.findall(text):
        literal = re.sub(r'"\s*PRI\w+\s*"|"\s*"', "", literal)[1:-1]
        found.append(VALUE.sub("\n", literal).replace('\\"', '"'))
    return "\n".join(found)


def known(message, source):
    most = 0
    for part in PLACE.sub("\n", message).split("\n"):
        words = part.strip(" ,:;").split()
        most = max(most, len(words))
        if len(words) == WORDS - 1 and " ".join(words) in source:
            return True
        for first in range(len(words) - WORDS + 1):
            if " ".join(words[first:first + WORDS]) in source:
                return True
    return most < WORDS


def main():
    source = strings()
    problems = []
    count = 0
    for page in PAGES:
        for row in re.findall(r"^\|.*\|$", tree.read(page), re.M):
            for message in re.findall(r"`([^`]+)`", row):
                if len(message.split()) < WORDS or OTHERS.search(message):
                    continue
                count += 1
                if not known(message, source):
                    problems.append(f"{page}: no string has the words of {message!r}")
    return tree.verdict(problems, f"{count} messages")


sys.exit(main())
