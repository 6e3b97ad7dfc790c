# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Files of the source tree, for the style tests."""
import os
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def tracked():
    try:
        out = subprocess.run(["git", "-C", TOP, "ls-files", "-z"], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        return []
    return [name for name in out.split("\0") if name]


def files(*endings):
    """Paths of the tracked files (of all files where git has no say), relative to TOP."""
    names = []
    # a tree without git may lie in one with it
    if os.path.exists(os.path.join(TOP, ".git")):
        names = tracked()
    if not names:
        for folder, folders, here in os.walk(TOP):
            folders[:] = [f for f in folders if not f.startswith((".", "build", "__pycache__"))]
            names += [os.path.relpath(os.path.join(folder, name), TOP) for name in here]
    return sorted(n for n in names if n.endswith(endings) and os.path.isfile(os.path.join(TOP, n)))


def read(name):
    with open(os.path.join(TOP, name), encoding="utf-8") as f:
        return f.read()


def verdict(problems, what):
    """Print the problems and give the exit status."""
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems in {what}")
    return 1 if problems else 0
