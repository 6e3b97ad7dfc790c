#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Check the form of commit messages. Usage: tools/check_commits.py [RANGE], default all of HEAD"""
import re
import subprocess
import sys

SUBJECT_CHARS = 60
SUBJECT = re.compile(r"^[a-z0-9_./+, -]+: [^A-Z\s].*[^.]$|^[a-z0-9_./+, -]+: [A-Z]{2,}.*[^.]$")
BODY_WORDS = 3


def main():
    out = subprocess.run(["git", "log", "--no-merges", "--format=%h%x01%s%x01%b%x02",
                          *(sys.argv[1:] or ["HEAD"])],
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    bad = 0
    for entry in out.split("\x02"):
        if not entry.strip():
            continue
        commit, subject, body = entry.strip().split("\x01")
        problems = []
        if len(subject) > SUBJECT_CHARS:
            problems.append(f"subject has {len(subject)} characters")
        if not SUBJECT.match(subject):
            problems.append("subject is not 'area: what it does'")
        if len(body.split()) < BODY_WORDS:
            problems.append("no body that says why")
        for problem in problems:
            print(f"{commit} {subject}: {problem}")
        bad += bool(problems)
    return 1 if bad else 0


sys.exit(main())
