#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Repeat the few tests that failed in a whole run, each alone, and say which pass then.

A test of several hosts that fails in a whole run and passes alone points at a race or at a bound
that a busy machine exceeds. It is named, with what it printed, and remains a fault to be found; but
it does not hide whether the other thousand pass. More failures than LIMIT are not repeated.

Usage: tools/repeat_failed.py BUILD, after "meson test" there. Status 0: all passed in the end."""
import json
import subprocess
import sys
from pathlib import Path

LIMIT = 3
GOOD = {"OK", "EXPECTEDFAIL"}
FINE = GOOD | {"SKIP"}


def read_log(path):
    with open(path, encoding="utf-8") as log:
        return [json.loads(line) for line in log]


def passes_alone(build, test, names):
    # the log has project and suite before the name, in a form that depends on Meson's version
    name = max((name for name in names if test["name"].endswith(name)), key=len)
    subprocess.run(["meson", "test", "-C", build, "--no-rebuild", "--logbase", "repeated", name],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    results = read_log(build / "meson-logs/repeated.json")
    return bool(results) and all(result["result"] in GOOD for result in results)


def show(test):
    print(f"\n--- {test['name']}: {test['result']} after {test['duration']:.1f} s")
    for stream in ("stdout", "stderr"):
        for line in test.get(stream, "").splitlines()[-40:]:
            print(f"    {line}")


def main():
    build = Path(sys.argv[1])
    tests = read_log(build / "meson-logs/testlog.json")
    known = json.loads(subprocess.run(["meson", "introspect", "--tests", build], check=True,
                                      stdout=subprocess.PIPE).stdout)
    names = [test["name"] for test in known]
    failed = [test for test in tests if test["result"] not in FINE]
    skipped = [test for test in tests if test["result"] == "SKIP"]
    for test in failed:
        show(test)
    print()
    for test in skipped:
        print(f"skipped: {test['name']}")
    again = [test for test in failed
             if len(failed) <= LIMIT and passes_alone(build, test, names)]
    for test in failed:
        print(f"{'passed only when repeated' if test in again else 'FAILED'}: {test['name']}")
    if len(tests) != len(known):
        print(f"{len(tests)} of {len(known)} tests ran")
    bad = len(failed) - len(again)
    print(f"{len(tests) - bad - len(skipped)} passed, {bad} failed, {len(skipped)} skipped")
    return 1 if bad or len(tests) != len(known) or len(tests) == len(skipped) else 0


sys.exit(main())
