#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Words have one meaning, and doc/glossary.md has those with a sense of our own.

A file of runtime/ is named by words of the glossary, or by plain words of the field, listed here. The glossary
defines a word once, and code uses it. The words of OWN are in it whatever files are called: each has another
sense in English or elsewhere in the field."""
import collections
import os
import re
import sys

import tree

PLAIN = set("""
ack amo atomic available background barrier bootstrap cable chan choose claim client cmd copy counts cpu deal
describe dev dir dispatch dma eal env error exchange exit file fit fork get handover hang hash heap hint host id init
launcher layout limit loss mapping memory modes monitor msg none numa open order place pmix poll preflight put
queue rb region request reroute retransmit rules run save segments send server settings sleep span state
stats symmetric table target telemetry thread trace tsan types wait wire word
""".split())
OWN = """host PE lead proxy link neighbour hop route relay window channel ring slot credit frame request reply transit
stored executed acknowledgement polling instrumented hello handshake watchdog flush post space group step stream""".split()
USERS = ("runtime/", "shmem/", "drivers/", "apps/", "lab/")


def terms():
    """Each term of the glossary and how many rows define it."""
    rows = re.findall(r"^\| ([^|]+) \|", tree.read("doc/glossary.md"), re.M)
    return collections.Counter(term.strip() for row in rows if row != "word" for term in row.split(","))


def named_by(stem, known):
    return [word for word in stem.split("_") if word not in known and word.rstrip("s") not in known]


def main():
    defined = terms()
    problems = [f"doc/glossary.md: {term} stands in {n} rows" for term, n in defined.items() if n > 1]
    problems += [f"doc/glossary.md: does not define {word}" for word in OWN if word not in defined]
    text = "\n".join(tree.read(n) for n in tree.files(".c", ".h", ".def", ".py") if n.startswith(USERS)).lower()
    text = re.sub(r"[\s*]+", " ", text)
    for term in defined:
        # stored and executed are stores and executes in places
        if re.sub(r"(ed|ing)$", "", term.lower()) not in text:
            problems.append(f"doc/glossary.md: no code says {term}")
    known = PLAIN | {word for term in defined for word in term.split()}
    names = [n for n in tree.files(".c", ".h", ".def") if n.startswith("runtime/")]
    for name in names:
        for word in named_by(os.path.splitext(os.path.basename(name))[0], known):
            problems.append(f"{name}: the glossary has no {word}, and it is no plain word of tests/style/test_words.py")
    return tree.verdict(problems, f"{len(defined)} words, {len(names)} files")


sys.exit(main())
