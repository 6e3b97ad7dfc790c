#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What tools/repeat_failed.py says of a project whose tests pass, fail, skip, and pass the second
time only; and of a whole run that ended before its last test. Usage: test_repeat.py REPEAT"""
import subprocess
import sys
import tempfile
from pathlib import Path

ONCE = "test -e met && exit 0; touch met; echo not yet; exit 1"
TESTS = {"good": "exit 0", "absent": "exit 77", "bad one": "echo reason of the bad; exit 1"}


def project(folder, tests):
    folder.mkdir()
    lines = ["project('sample')", "sh = find_program('sh')"]
    for name, body in tests.items():
        # without it Meson runs a test in the build folder
        lines.append(f"test('{name}', sh, args: ['-c', '{body}'], suite: 'some',"
                     f" workdir: '{folder}')")
    (folder / "meson.build").write_text("\n".join(lines) + "\n", encoding="utf-8")
    build = folder / "build"
    subprocess.run(["meson", "setup", build, folder], stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["meson", "test", "-C", build, "--no-rebuild"], check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return build


def said(repeat, build):
    out = subprocess.run([repeat, build], stdout=subprocess.PIPE, text=True, check=False)
    return out.returncode, out.stdout.splitlines()


def expect(what, got, status, *lines):
    # before a test's name Meson may put its project and suite
    missing = [line for line in lines
               if not any(said.startswith(line.split(": ")[0]) and
                          said.endswith(line.split(": ")[-1]) for said in got[1])]
    if got[0] != status or missing or got[1][-1] != lines[-1]:
        sys.exit(f"{what}: status {got[0]} of {status}, without {missing}:\n" + "\n".join(got[1]))


def main():
    repeat = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        build = project(top / "whole", {"good": TESTS["good"], "absent": TESTS["absent"]})
        expect("all good", said(repeat, build), 0, "skipped: absent",
               "1 passed, 0 failed, 1 skipped")
        build = project(top / "once", TESTS | {"once": ONCE})
        expect("one bad, one that passes later", said(repeat, build), 1,
               "    reason of the bad", "    not yet", "FAILED: bad one",
               "FAILED, but passes alone: once", "1 passed, 2 failed, 1 skipped")
        build = project(top / "alone", {"good": TESTS["good"], "once": ONCE})
        expect("one that passes later", said(repeat, build), 1, "FAILED, but passes alone: once",
               "1 passed, 1 failed, 0 skipped")
        build = project(top / "four", {f"bad{n}": "exit 1" for n in range(4)} | {"good": "exit 0"})
        expect("too many", said(repeat, build), 1, "FAILED: bad3",
               "1 passed, 4 failed, 0 skipped")
        assert not (build / "meson-logs/repeated.json").exists()
        build = project(top / "cut", {"good": "exit 0", "other": "exit 0"})
        log = build / "meson-logs/testlog.json"
        log.write_text(log.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
        expect("cut off", said(repeat, build), 1, "1 of 2 tests ran", "1 passed, 0 failed, 0 skipped")
    print("repeat_failed.py: passes, failures, skips, repeats and a cut run told apart")


main()
