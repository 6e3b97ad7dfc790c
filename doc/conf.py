# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The site and the man pages: sphinx-build -b html|man. meson compile -C build docs runs both."""

import os
import pathlib
import re
import subprocess

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
        ("ringbell-sim.1", "simulate rings that no machine holds"),
        ("ringbell-top.1", "show what a running job does"),
        ("ringbell-devbind.1", "bind adapters to a DPDK-compatible driver"),
        ("ringbell-doctor.1", "say what keeps Ringbell from running over adapters"),
        ("ringbell-eeprom.1", "make and write EEPROM images of adapters"),
        ("ringbell-port.1", "test and measure NT ports"),
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


# what the scripts of bench/ write into a build folder, each with the command that measures it
FIGURES = {
    "peers": ("Against Open MPI", "make bench-peers"),
    "bars": ("Ratios that have to hold", "bench/bars.py build"),
    "figures": ("The papers' experiments", "make figures"),
    "sim": ("Larger rings, simulated", "make figures"),
    "replay": ("Traced programs on adapters", "bench/replay.py build"),
}


def figures(build, name):
    """The tables of a script, their pictures from where html_static_path puts them."""
    title, command = FIGURES[name]
    head = f"### {title}\n\n"
    try:
        text = (build / f"{name}.md").read_text()
    except (FileNotFoundError, TypeError): # not measured, or no build folder
        return head + f"Not measured in this build folder: `{command}`"
    text = re.sub(r"^### ", "#### ", text, flags=re.M)
    return head + re.sub(r"!\[(.*?)\]\(figures/(\w+\.svg)\)", r'<img src="_static/\2" alt="\1">', text)


def build_of(app):
    """The build folder: it has the folder of the output, or RINGBELL_BUILD names it."""
    given = os.environ.get("RINGBELL_BUILD")
    folders = [pathlib.Path(given)] if given else pathlib.Path(app.outdir).parents
    return next((folder for folder in folders if (folder / "build.ninja").is_file()), None)


# "  -s, --sizes LIST      bytes", the text perhaps in the lines below, far to the right
HELP_OPTION = re.compile(r"^ {2,6}(-.*?)(?: {2,}(.*))?$")
HELP_MORE = re.compile(r"^ {16,}(\S.*)$")


def option_head(words):
    """`-s`, `--sizes` *LIST*"""
    return re.sub(r"(--?[\w-]+)|([^\s,]+)", lambda f: f"`{f[1]}`" if f[1] else f"*{f[2]}*", words)


def options(build, program, command):
    """What --help of a program, or of a command of it, says of each option."""
    found = []
    try:
        path = next(path for where in ("apps", "apps/*", "lab/*") for path in build.glob(f"{where}/{program}")
                    if path.is_file())
        text = subprocess.run([path, *command, "--help"], text=True, check=True, timeout=60,
                              stdout=subprocess.PIPE).stdout
    except (AttributeError, OSError, StopIteration): # no build folder; another machine's program; an optional one
        return f"`{' '.join([program, *command])} --help` lists them."
    for line in text.splitlines():
        option, more = HELP_OPTION.match(line), HELP_MORE.match(line)
        if option:
            found.append([option_head(option[1]), [option[2] or ""]])
        elif more and found:
            found[-1][1].append(more[1])
    return "\n\n".join(f"{head}\n:   " + re.sub(r"([*_`<|'])", r"\\\1", " ".join(words).strip())
                       for head, words in found)


def fill(app, docname, source):
    """@RINGBELL_ENV user@ becomes the runtime's variables of that kind, as a definition list, and
    @SHMEM_ENV@ those of the library; of two names the second is an older one. @FIGURES name@
    becomes what was measured in the build folder, @OPTIONS program command@ what its --help says."""
    build = build_of(app)
    source[0] = re.sub(r"@FIGURES (\w+)@", lambda found: figures(build, found.group(1)), source[0])
    source[0] = re.sub(r"@OPTIONS (\S+)((?: \w+)*)@",
                       lambda found: options(build, found[1], found[2].split()), source[0])
    source[0] = re.sub(r"@RINGBELL_ENV (\w+)@", of_runtime, source[0])
    source[0] = re.sub("@SHMEM_ENV@", of_library, source[0])


def add_pictures(app, config):
    pictures = build_of(app) and build_of(app) / "figures"
    if pictures and pictures.is_dir():
        config.html_static_path.append(str(pictures))


def setup(app):
    app.connect("config-inited", add_pictures)
    app.connect("source-read", fill)
