#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Put the results of peers.py, bars.py, figures.py, simulate.py, hardware.py and replay.py
into doc/performance.md and doc/figures/.

Usage: bench/document.py BUILD-FOLDER

A table that is not in the build folder stays as it is in the page. Tables stand between
<!-- NAME --> and <!-- /NAME -->. The text around them is not changed, so read it again: it gives
the reasons for the former figures.
"""
import os
import re
import shutil
import sys

import runs

TABLES = ("peers", "bars", "figures", "sim", "published", "compare", "replay")


def main():
    build = sys.argv[1]
    doc = os.path.join(runs.TOP, "doc")
    path = os.path.join(doc, "performance.md")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    for name in TABLES:
        if not os.path.exists(os.path.join(build, name + ".md")):
            print(f"document: no {name}.md in {build}: left as it is")
            continue
        with open(os.path.join(build, name + ".md"), encoding="utf-8") as f:
            table = f.read().strip()
        text, n = re.subn(f"<!-- {name} -->.*?<!-- /{name} -->",
                          lambda _, t=table, n=name: f"<!-- {n} -->\n\n{t}\n\n<!-- /{n} -->",
                          text, flags=re.S)
        if n != 1:
            sys.exit(f"document: {path} has {n} places for {name}")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    figures = os.path.join(doc, "figures")
    os.makedirs(figures, exist_ok=True)
    wanted = set(re.findall(r"\(figures/(\w+\.svg)\)", text))
    for name in sorted(wanted):
        if os.path.exists(os.path.join(build, "figures", name)):
            shutil.copyfile(os.path.join(build, "figures", name), os.path.join(figures, name))
    for name in set(os.listdir(figures)) - wanted:
        os.remove(os.path.join(figures, name))


if __name__ == "__main__":
    main()
