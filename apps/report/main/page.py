# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""One HTML page that needs nothing else."""
from html import escape

import sections

# nothing may be fetched, and no script runs
HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #1c2430; background: #fff; margin: 0 auto;
  max-width: 60rem; padding: 1rem 1.5rem 4rem; }}
h1 {{ font-size: 1.7rem; margin: 1rem 0 0.3rem; }}
h2 {{ font-size: 1.25rem; margin: 2.5rem 0 0.5rem; border-bottom: 1px solid #d5dae1; }}
nav ul {{ list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; }}
a {{ color: #0b5394; }}
figure {{ margin: 1rem 0; overflow-x: auto; }}
figure svg {{ max-width: 100%; height: auto; min-width: 34rem; }}
details {{ margin: 0.5rem 0 1.5rem; }}
summary {{ cursor: pointer; color: #0b5394; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: right; padding: 0.15rem 0.8rem 0.15rem 0; border-bottom: 1px solid #e6e9ed; }}
th:first-child, td:first-child {{ text-align: left; }}
</style>
</head>
<body>
<h1>{title}</h1>
"""


def table(title, head, rows):
    """Long ones are closed until somebody wants them."""
    lines = ["<details" + (" open" if len(rows) <= 12 else "") +
             f"><summary>{escape(title)} ({len(rows)} rows)</summary>"
             '<div class="wide"><table>',
             "<thead><tr>" + "".join(f"<th>{escape(c)}</th>" for c in head) + "</tr></thead><tbody>"]
    lines += ["<tr>" + "".join(f"<td>{escape(str(c))}</td>" for c in row) + "</tr>" for row in rows]
    return "\n".join(lines) + "</tbody></table></div></details>"


def render(part):
    what, content, rows = part
    if what == "plot":
        return f"<figure>{content}</figure>"
    if what == "table":
        return table(content[0], content[1], rows)
    return f"<p>{escape(content)}</p>"


def make(title, found):
    lines = [HEAD.format(title=escape(title)), "<nav><ul>"]
    for i, (name, _) in enumerate(found):
        lines.append(f'<li><a href="#s{i}">{escape(name)}</a></li>')
    lines.append("</ul></nav>")
    for i, (name, content) in enumerate(found):
        lines.append(f'<section id="s{i}"><h2>{escape(name)}</h2>')
        lines += [render(part) for part in sections.perf(content)]
        lines.append("</section>")
    return "\n".join(lines) + "\n</body>\n</html>\n"
