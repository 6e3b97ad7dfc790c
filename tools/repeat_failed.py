#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Say what the failed tests of a whole run printed, and which of few pass when each is repeated alone.

A test that fails beside others and passes alone points at a race, or at a bound that a busy machine
exceeds. That helps to find the fault; the run has failed all the same. More failures than LIMIT are
not repeated.

Usage: tools/repeat_failed.py BUILD, after "meson test" there. Status 0: all tests ran, none failed."""
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
        print(f"{'FAILED, but passes alone' if test in again else 'FAILED'}: {test['name']}")
    if len(tests) != len(known):
        print(f"{len(tests)} of {len(known)} tests ran")
    passed = len(tests) - len(failed) - len(skipped)
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or passed == 0 or len(tests) != len(known) else 0


sys.exit(main())
