# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The site and the man pages: sphinx-build -b html|man. meson compile -C build docs runs both."""

import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parent.parent

project = "Ringbell"
copyright = "2026 The Ringbell authors"
author = "The Ringbell authors"
release = re.search(r"version: '([^']+)'", (TOP / "meson.build").read_text()).group(1)

extensions = ["myst_parser"]
myst_enable_extensions = ["deflist", "colon_fence"]
myst_heading_anchors = 3
source_suffix = [".md"]
exclude_patterns = []
nitpicky = True
highlight_language = "text"

html_theme = "alabaster"
html_theme_options = {
    "description": "OpenSHMEM over a switchless ring of PCI Express bridges",
    "page_width": "72em",
    "body_max_width": "54em",
}
html_copy_source = False
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}

man_pages = [
    ("man/" + name, name.rsplit(".", 1)[0], text, author, int(name[-1]))
    for name, text in (
        ("oshrun.1", "run an OpenSHMEM program on a ring of hosts"),
        ("oshcc.1", "compile an OpenSHMEM program"),
        ("shmem-perf.1", "measure OpenSHMEM operations"),
        ("shmem-litmus.1", "see which orders an OpenSHMEM library keeps"),
        ("ringbell-perf.1", "measure NT ports"),
        ("ringbell-sim.1", "simulate rings that no machine holds"),
        ("ringbell-top.1", "show what a running job does"),
        ("ringbell-devbind.1", "bind adapters to a DPDK-compatible driver"),
        ("ringbell-doctor.1", "say what keeps Ringbell from running over adapters"),
        ("ringbell-eeprom.1", "make and write EEPROM images of adapters"),
        ("ringbell-litmus.1", "try the cable of an NT port from both ends"),
        ("ringbell-port-agent.1", "one side of a test of NT ports"),
        ("ringbell-port-test.1", "test NT ports of any driver"),
        ("ringbell-report.1", "make a page with plots of results"),
        ("ringbell.7", "environment of Ringbell programs"),
    )
]


QUOTED = r'"((?:[^"\\]|\\.)*)"'


def rows(def_file, *fields):
    """The rows of a table of variables, the one source of these texts."""
    row = re.compile(r"_ENV\(\s*\w+,\s*" + r",\s*".join(fields))
    return row.findall((TOP / def_file).read_text())


def entry(names, default, words):
    return f"{names}\n:   {words}" + (f" (default `{default}`)" if default else "")


def of_runtime(found):
    return "\n\n".join(entry(f"`{name}`", default, words) for name, kind, default, words in
                       rows("runtime/base/env.def", QUOTED, r"(\w+)", QUOTED, QUOTED)
                       if kind == found.group(1))


def of_library(_):
    return "\n\n".join(entry(f"`{name}`" + (f", `{older}`" if older else ""), default, words)
                       for name, older, default, words in
                       rows("shmem/core/env.def", QUOTED, QUOTED, QUOTED, QUOTED))


def fill(app, docname, source):
    """@RINGBELL_ENV user@ becomes the runtime's variables of that kind, as a definition list, and
    @SHMEM_ENV@ those of the library; of two names the second is an older one."""
    source[0] = re.sub(r"@RINGBELL_ENV (\w+)@", of_runtime, source[0])
    source[0] = re.sub("@SHMEM_ENV@", of_library, source[0])


def setup(app):
    app.connect("source-read", fill)
