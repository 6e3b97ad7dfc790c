#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""shmem4py, the Python binding of OpenSHMEM, builds with this library and passes its own tests, and
the program of the tutorial prints what the page says.

Its source has to be here: SHMEM4PY_SOURCE names the folder. Debian has no package of it.
Usage: test_shmem4py.py OSHRUN OSHCC TUTORIAL
"""
import os
import re
import subprocess
import sys
import tempfile

SKIP = 77
NEEDS = ("cffi", "numpy", "pip", "setuptools", "wheel")
LAYOUTS = (["-n", "1"], ["-n", "2"], ["--hosts", "3"])


def lacks():
    """What keeps the test from running, or None."""
    source = os.environ.get("SHMEM4PY_SOURCE", "")
    if not source:
        return "no source of shmem4py here: set SHMEM4PY_SOURCE to its folder"
    if not os.path.isdir(os.path.join(source, "test")):
        return f"SHMEM4PY_SOURCE={source}: no folder test in it"
    return None if interpreter() else f"no Python with the modules {', '.join(NEEDS)}"


def interpreter():
    """A Python that has what shmem4py needs: Debian's modules are for Debian's."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import " + ", ".join(NEEDS)], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0:
            return python
    return None


def run(what, command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)
    print(f"{'ok' if done.returncode == 0 else 'not ok'} {what}")
    if done.returncode != 0:
        print(done.stdout[-3000:])
    return done.returncode == 0


def tutorial(page):
    """Of the page: (the program, arguments of oshrun, the lines that it prints)."""
    with open(page, encoding="utf-8") as f:
        text = f.read()
    program = re.search(r"^```\{code-block\} python\n:caption: pi\.py\n\n(.*?)^```$", text, re.M | re.S)
    shown = re.search(r"^\$ oshrun ([^\n]*) python3 pi\.py\n(.*?)^```$", text, re.M | re.S)
    return program.group(1), shown.group(1).split(), shown.group(2).splitlines()


def runs_tutorial(page, oshrun, python, folder, env):
    program, layout, want = tutorial(page)
    with open(os.path.join(folder, "pi.py"), "w", encoding="utf-8") as f:
        f.write(program)
    done = subprocess.run([oshrun, *layout, "--timeout", "200", python, "pi.py"], env=env, cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    passed = done.returncode == 0 and done.stdout.splitlines() == want
    print(f"{'ok' if passed else 'not ok'} program of the tutorial")
    if not passed:
        print(f"status {done.returncode}, wanted {want}, printed:\n{done.stdout[-3000:]}")
    return passed


def main():
    oshrun, oshcc, page = (os.path.abspath(path) for path in sys.argv[1:])
    tutorial(page)  # the page has it, also where it cannot run
    why = lacks()
    if why:
        print(f"skipped: {why}")
        return SKIP
    source, python = os.path.abspath(os.environ["SHMEM4PY_SOURCE"]), interpreter()
    with tempfile.TemporaryDirectory(prefix="ringbell-shmem4py-") as folder:
        # it chooses its set of calls by macros of other libraries
        env = dict(os.environ, CC=oshcc, SHMEMCC=oshcc, LDSHARED=f"{oshcc} -shared",
                   CFLAGS="-DPySHMEM_VENDOR_Sandia=1")
        if not run("build", [python, "-m", "pip", "install", "--quiet", "--no-deps",
                             "--no-index", "--no-build-isolation", "--target", folder, source],
                   env=env):
            return 1
        env = dict(os.environ, PYTHONPATH=folder)
        tests = [python, "-m", "unittest", "discover", "-s", os.path.join(source, "test")]
        results = [run("tests on " + " ".join(layout),
                       [oshrun, *layout, "--timeout", "200", *tests], env=env, cwd=folder)
                   for layout in LAYOUTS]
        results.append(runs_tutorial(page, oshrun, python, folder, env))
        return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
