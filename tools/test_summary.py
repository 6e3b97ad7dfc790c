#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Count the results in Meson's testlog.json; fail where a test failed or none ran."""
import json
import sys

GOOD = {"OK", "EXPECTEDFAIL"}


def main():
    passed, skipped, failed = [], [], []
    try:
        with open(sys.argv[1], encoding="utf-8") as log:
            tests = [json.loads(line) for line in log]
    except FileNotFoundError:
        print(f"no test ran: there is no {sys.argv[1]}", file=sys.stderr)
        tests = []
    for test in tests:
        kind = passed if test["result"] in GOOD else failed
        if test["result"] == "SKIP":
            kind = skipped
        kind.append(test["name"])
    for name in skipped:
        print(f"skipped: {name}")
    for name in failed:
        print(f"FAILED:  {name}")
    print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


sys.exit(main())
