# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The report as lines of text."""
import textwrap

import findings
import pci
import units

WIDTH = 100


def link_text(link):
    if not link.known:
        return "link not known"
    if not link.up:
        return "no link"
    most = f" of x{link.most_width}" if link.most_width != link.width else ""
    return f"{pci.generation(link.speed)} x{link.width}{most}"


def bar_text(bar):
    if not bar.size:
        return "off"
    words = [units.size(bar.size), "64-bit" if bar.wide else "32-bit"]
    return " ".join(words + (["prefetchable"] if bar.prefetchable else []))


def adapter_lines(m):
    """The machine's adapters and their ports."""
    for address, own in m.adapters().items():
        up, above = m.functions[address], m.slot(own[0])
        part = f"{own[0].chip_id:04x}" if own[0].chip_id else "?"
        place = f", below {above.address}" if above else ""
        node = f", NUMA node {own[0].node}" if (own[0].node or 0) >= 0 and len(m.nodes) > 1 else ""
        yield f"adapter {address}: PEX {part}{place}, {link_text(up.link)}{node}"
        for port in own:
            yield (f"  {port.address}  NT{port.nt}  {port.driver or 'not bound'}; cable "
                   f"{link_text(port.link)}; BAR2 {bar_text(port.bars[2])}; BAR4 "
                   f"{bar_text(port.bars[4])}")


def cable_lines(m):
    for cable in m.cables:
        yield f"cable {cable.text}: {cable.state()}".rstrip(": ")


def job_lines(m):
    for job in m.jobs:
        yield f"job {job.name} found these cables between its {job.hosts} hosts:"
        yield from (f"  {line}" for line in job.drawn or [job.wiring])


def indented(text, first, rest):
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=rest,
                         break_long_words=False, break_on_hyphens=False)


def finding_lines(finding):
    where = f"{finding.where}: " if finding.where else ""
    yield indented(f"{where}{finding.what} [{finding.check}]", f"{finding.severity:5}  ", " " * 7)
    if finding.fix:
        yield indented(f"fix: {finding.fix}", " " * 7, " " * 12)


def peer_lines(met):
    yield "between " + " and ".join(port["location"] for port in met["ports"]) + ":"
    for line in met["checks"]:
        yield f"  {line['outcome']:4}  {line['check']:16} {line['way']:10}  {line['text']}"


def verdict(found):
    numbers = [units.plural(findings.count(found, severity), word) for severity, word in
               ((findings.ERROR, "error"), (findings.WARN, "warning"), (findings.NOTE, "note"))]
    clean = findings.count(found, findings.OK)
    end = "A job would not run." if findings.count(found, findings.ERROR) else \
        "Nothing found that keeps a job from running."
    return f"{', '.join(numbers)}; {units.plural(clean, 'check')} passed. {end}"


def report(m, met, found, verbose):
    """All lines."""
    yield f"{m.host}, Linux {m.kernel}"
    yield from adapter_lines(m)
    yield from cable_lines(m)
    yield from job_lines(m)
    if met:
        yield from peer_lines(met)
    for finding in found:
        if verbose or finding.severity != findings.OK:
            yield from finding_lines(finding)
    yield verdict(found)
