# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The command line of ringbell-report."""
import argparse
import os
import shutil
import sys

import inputs
import page
from version import VERSION

ABOUT = """\
Make one HTML page with plots and tables from the JSON of shmem-perf and ringbell-port. The page needs
no network and no other file.
"""


def write(path, text):
    """The whole page or none."""
    part = path + ".part"
    try:
        with open(part, "w", encoding="utf-8") as f:
            f.write(text)
        os.replace(part, path)
        return None
    except OSError as e:
        if os.path.exists(part):
            os.remove(part)
        return f"cannot write {path}: {e.strerror}"


def main(args):
    parser = argparse.ArgumentParser(prog="ringbell-report", description=ABOUT)
    parser.add_argument("files", metavar="FILE", nargs="+", help="a JSON file of one of the programs")
    parser.add_argument("-o", "--output", metavar="FILE", default="report.html",
                        help="the page (report.html)")
    parser.add_argument("-t", "--title", default="Ringbell", help="its title (Ringbell)")
    parser.add_argument("--version", action="version", version=f"ringbell-report (Ringbell) {VERSION}")
    options = parser.parse_args(args)
    found = []
    for name in options.files:
        try:
            found.append((os.path.basename(name), inputs.load(name)))
        except inputs.Bad as e:
            return f"{name}: {e}"
    if not shutil.which("gnuplot"):
        return "gnuplot is missing: apt-get install gnuplot-nox"
    return write(options.output, page.make(options.title, found))


try:
    WRONG = main(sys.argv[1:])
    sys.exit(WRONG and f"ringbell-report: {WRONG}")
except KeyboardInterrupt:
    sys.exit(130)
