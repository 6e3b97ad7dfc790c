# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The command line of ringbell-report."""
import argparse
import os
import sys

import inputs
from version import VERSION

ABOUT = """\
Make one HTML page with plots and tables from what Ringbell's programs have written: JSON of
shmem-perf, ringbell-perf, ringbell-sim and bench-peers, and traces of oshrun. The page needs no
network and no other file.
"""


def say(text):
    print(f"ringbell-report: {text}", file=sys.stderr)


def load_all(names):
    found = []
    for name in names:
        try:
            kind, content = inputs.load(name)
        except inputs.Bad as e:
            say(f"{name}: {e}")
            return None
        found.append((os.path.basename(name), kind, content))
    return found


def write(path, text):
    """The whole page or none."""
    part = path + ".part"
    try:
        with open(part, "w", encoding="utf-8") as f:
            f.write(text)
        os.replace(part, path)
    except OSError as e:
        say(f"cannot write {path}: {e.strerror}")
        if os.path.exists(part):
            os.remove(part)
        return False
    return True


def main(args):
    parser = argparse.ArgumentParser(prog="ringbell-report", description=ABOUT)
    parser.add_argument("files", metavar="FILE", nargs="+", help="a JSON file of one of the programs")
    parser.add_argument("-o", "--output", metavar="FILE", default="report.html",
                        help="the page (report.html)")
    parser.add_argument("-t", "--title", default="Ringbell", help="its title (Ringbell)")
    parser.add_argument("--version", action="version", version=f"ringbell-report (Ringbell) {VERSION}")
    options = parser.parse_args(args)
    found = load_all(options.files)
    if found is None:
        return 1
    try:
        import page  # with matplotlib, which not every machine has
    except ImportError as e:
        say(f"{e.name or e} is missing: apt-get install python3-matplotlib")
        return 1
    return 0 if write(options.output, page.make(options.title, found)) else 1
