# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Curves by gnuplot, as SVG and PNG, and the same figures as a table of Markdown."""
import os
import shutil
import subprocess

import runs

# Below the picture the key hides no curve; few and heavy enough lines can be read in small.
STYLE = """\
set datafile missing "-"
set grid lt 1 lw 0.6 lc rgb "#d8d8d8"
set border 3
set tics nomirror
set key bmargin center horizontal samplen 2.5 width 0 height 1.2 maxcols 3
set style data linespoints
set linetype 1 lc rgb "#0060ad" lw 2 pt 7 ps 0.7
set linetype 2 lc rgb "#c04000" lw 2 pt 5 ps 0.7
set linetype 3 lc rgb "#2e8b20" lw 2 pt 9 ps 0.8
set linetype 4 lc rgb "#8030a0" lw 2 pt 11 ps 0.8
set linetype 5 lc rgb "#a08000" lw 2 pt 13 ps 0.8
set linetype 6 lc rgb "#108080" lw 2 pt 4 ps 0.8
set linetype 7 lc rgb "#606060" lw 2 pt 6 ps 0.8
set linetype 8 lc rgb "#e080a0" lw 2 pt 8 ps 0.8
"""
AXES = {
    "bytes": 'set logscale x 2\nset xlabel "message size (bytes)"\n',
    "hosts": 'set xtics 1\nset xlabel "hosts of the ring"\n',
    "many hosts": 'set logscale x 2\nset format x "%.0f"\nset xlabel "hosts"\n',
    "step": 'set style data histogram\nset style histogram rowstacked\nset style fill solid 0.9\n'
            'set boxwidth 0.6\nset key tmargin maxcols 5\n',
}
TERMINALS = {"svg": 'svg size 720,460 dynamic background "white" font "DejaVu Sans,14"',
             "png": 'pngcairo size 900,575 font "DejaVu Sans,13"'}


def need_gnuplot():
    if not shutil.which("gnuplot"):
        raise runs.Failed("gnuplot is needed: apt-get install gnuplot-nox")


def text(value):
    return "-" if value is None else f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


class Figure:
    """Columns of {key: value}, by a first one that is an axis of AXES."""
    def __init__(self, name, title, axis, ylabel, columns, extra="set yrange [0:*]"):
        self.name, self.title, self.axis, self.ylabel = name, title, axis, ylabel
        self.columns, self.extra = columns, extra

    def rows(self):
        keys = [k for _, column in self.columns for k in column]
        keys = list(dict.fromkeys(keys)) if self.axis == "step" else sorted(set(keys))
        return [(k, [column.get(k) for _, column in self.columns]) for k in keys]

    def sizes(self):
        """A tick for each size, as our programs write sizes; with room, or the last one gets lost."""
        if self.axis != "bytes":
            return ""
        keys = [k for k, _ in self.rows()]
        ticks = ", ".join(f'"{runs.size_text(k)}" {k}' for k in keys)
        return f"set xrange [{keys[0] / 1.02}:{keys[-1] * 1.02}]\nset xtics ({ticks})\n"

    def write(self, folder):
        path = os.path.join(folder, self.name)
        with open(path + ".dat", "w", encoding="utf-8") as f:
            print("#", self.axis, *(f'"{title}"' for title, _ in self.columns), file=f)
            for k, values in self.rows():
                print(f'"{k}"' if self.axis == "step" else k,
                      *("-" if v is None else f"{v:.6g}" for v in values), file=f)
        using = "{0}:xtic(1)" if self.axis == "step" else "1:{0}"
        curves = ", ".join(f'"{path}.dat" using {using.format(i + 2)} title "{title}"'
                           for i, (title, _) in enumerate(self.columns))
        axis = AXES[self.axis] + self.sizes()
        for kind, terminal in TERMINALS.items():
            script = "\n".join([f"set terminal {terminal}", f'set output "{path}.{kind}"', STYLE,
                                axis, f'set title "{self.title}"',
                                f'set ylabel "{self.ylabel}"', self.extra, f"plot {curves}"])
            subprocess.run(["gnuplot", "-"], input=script, text=True, check=True)

    def markdown(self):
        first = {"step": "", "many hosts": "hosts"}.get(self.axis, self.axis)
        head = [first, *(title for title, _ in self.columns)]
        lines = [f"### {self.title} ({self.ylabel})", "",
                 f"![{self.title}](figures/{self.name}.svg)", "", "| " + " | ".join(head) + " |",
                 "|---:" * len(head) + "|"]
        for k, values in self.rows():
            key = runs.size_text(k) if self.axis == "bytes" else str(k)
            lines.append("| " + " | ".join([key, *map(text, values)]) + " |")
        return "\n".join(lines) + "\n"
