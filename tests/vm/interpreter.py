#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""This machine's Python, to take along into a guest for a program that is an archive of modules."""
import json
import os
import subprocess

import initrd
import rig

PYTHON = "/usr/bin/python3"
# run here: what a program loads, by the names of files
LOADED = """
import contextlib, encodings.ascii, encodings.latin_1, io, json, runpy, sys
sys.argv = sys.argv[1:]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    runpy.run_path(sys.argv[0], run_name="__main__")
files = [getattr(m, "__file__", None) or "" for m in list(sys.modules.values())]
print(json.dumps([f for f in files if f.startswith(sys.prefix + "/lib")]))
"""


def files(program, *words):
    """The interpreter, and what it loads for this command: name in the guest -> file here."""
    if not os.path.exists(PYTHON):
        rig.skip(f"no {PYTHON} to take along")
    done = subprocess.run([PYTHON, "-I", "-c", LOADED, program, *words], stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    for name in [PYTHON, *(f for f in found if f.endswith(".so"))]:
        found += initrd.libraries(name)
    return {PYTHON: os.path.realpath(PYTHON), **{f: f for f in found}}
