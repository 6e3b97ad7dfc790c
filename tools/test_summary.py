#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Say what failed tests printed, name those that were skipped or failed, and count the results.

Usage: tools/test_summary.py [--whole BUILD] LOG..., logs of Meson (testlog.json). Status 0: a test ran,
and none failed; with --whole also: as many tests ran as the build folder has."""
import json
import subprocess
import sys

GOOD = {"OK", "EXPECTEDFAIL"}
SHOWN = 40


def read_logs(paths):
    tests = []
    for path in paths:
        try:
            with open(path, encoding="utf-8") as log:
                tests += [json.loads(line) for line in log]
        except FileNotFoundError:
            print(f"no test ran: there is no {path}", file=sys.stderr)
    return tests


def show(test):
    print(f"\n--- {test['name']}: {test['result']} after {test['duration']:.1f} s")
    for stream in ("stdout", "stderr"):
        for line in test.get(stream, "").splitlines()[-SHOWN:]:
            print(f"    {line}")


def main():
    args = sys.argv[1:]
    build = args[1] if args[0] == "--whole" else None
    tests = read_logs(args[2:] if build else args)
    skipped = [test for test in tests if test["result"] == "SKIP"]
    failed = [test for test in tests if test["result"] not in GOOD | {"SKIP"}]
    for test in failed:
        show(test)
    for test in skipped:
        print(f"skipped: {test['name']}")
    for test in failed:
        print(f"FAILED:  {test['name']}")
    whole = len(tests)
    if build:
        whole = len(json.loads(subprocess.run(["meson", "introspect", "--tests", build], check=True,
                                              stdout=subprocess.PIPE).stdout))
        if len(tests) != whole:
            print(f"{len(tests)} of {whole} tests ran")
    passed = len(tests) - len(failed) - len(skipped)
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed or len(tests) != whole else 0


sys.exit(main())
