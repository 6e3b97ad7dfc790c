#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A table of doc/memory-model.md from what shmem-litmus --json wrote.

Usage: table.py NAME=FILE...   a column for each; files of the same NAME are added up

A cell says how often the outcome of a family was seen, of how many instances.
"""
import json
import sys


def families(path):
    """Of each family in the order of the file: its description, instances, seen."""
    with open(path, encoding="utf-8") as f:
        tests = json.load(f)["tests"]
    found = {}
    for t in tests:
        row = found.setdefault(t["family"], {"test": t, "instances": 0, "seen": 0})
        row["instances"] += t["instances"]
        row["seen"] += t["seen"]
    return found


def forbidden_by(test):
    if test["standard_forbids"]:
        return "1.6"
    return "Ringbell" if test["ringbell_forbids"] else "nobody"


def cell(row):
    if row is None or row["instances"] == 0:
        return ""
    return f"{row['seen']} of {row['instances']}"


def main():
    columns, known = {}, {}
    for argument in sys.argv[1:]:
        name, path = argument.split("=", 1)
        column = columns.setdefault(name, {})
        for family, row in families(path).items():
            known.setdefault(family, row["test"])
            if family in column:
                for key in ("instances", "seen"):
                    column[family][key] += row[key]
            else:
                column[family] = row
    if not columns:
        sys.exit(__doc__)
    print("| family | outcome | forbidden by | " + " | ".join(columns) + " |")
    print("|---|---|---|" + "---:|" * len(columns))
    for family, test in known.items():
        cells = [cell(column.get(family)) for column in columns.values()]
        print(f"| `{family}` | {test['outcome']} | {forbidden_by(test)} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
