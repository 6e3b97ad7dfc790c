# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The report as one page of HTML that needs no other file and can be mailed."""
from html import escape

import findings
import pci
import peer
import plot
import text
import units

STYLE = """
body { font: 15px/1.45 "DejaVu Sans", Verdana, sans-serif; color: #1c2430; background: #fff;
  max-width: 66em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin-bottom: 0; } h2 { font-size: 1.15em; margin-top: 2em; }
p.when { color: #5b6675; margin-top: .3em; }
p.verdict { padding: .6em 1em; border-left: .4em solid; font-weight: bold; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; color: #5b6675; }
th, td { text-align: left; vertical-align: top; padding: .35em .7em; border-bottom: 1px solid #d5dae1; }
th { background: #f1f3f6; } td.number { text-align: right; white-space: nowrap; }
svg { max-width: 100%; height: auto; }
.error { color: #a11525; } .warn { color: #8a5200; } .note { color: #24589c; } .ok { color: #23713a; }
code { font-family: "DejaVu Sans Mono", monospace; font-size: .93em; }
svg text { font: 12px "DejaVu Sans", Verdana, sans-serif; }
"""


def cell(value, kind=""):
    return f"<td{f' class={kind}' if kind else ''}>{escape(str(value))}</td>"


def table(head, rows):
    """Rows of cells that are HTML already."""
    yield "<table><tr>" + "".join(f"<th>{escape(name)}</th>" for name in head) + "</tr>"
    for row in rows:
        yield "<tr>" + "".join(row) + "</tr>"
    yield "</table>"


def link_words(link):
    if link["width"] is None:
        return "not known"
    if not link["width"]:
        return "none"
    return (f"{pci.generation(link['speed'])} x{link['width']} of "
            f"{pci.generation(link['most_speed'])} x{link['most_width']}")


def bar_words(port, number):
    for bar in port["bars"]:
        if bar["bar"] == number:
            return (f"{units.size(bar['size'])}, {64 if bar['wide'] else 32}-bit" +
                    (", prefetchable" if bar["prefetchable"] else ""))
    return "off"


def finding_rows(found):
    for one in found:
        fix = f"<br><b>Fix:</b> {escape(one['fix'])}" if one["fix"] else ""
        yield [cell(one["severity"], one["severity"]), cell(one["check"]),
               f"<td><code>{escape(one['where'])}</code></td>",
               f"<td>{escape(one['what'])}{fix}</td>"]


def port_rows(adapter):
    for port in adapter["ports"]:
        yield [f"<td><code>{escape(port['address'])}</code></td>", cell(port["nt"], "number"),
               cell(port["driver"] or "none"), cell(link_words(port["link"])),
               cell(bar_words(port, 0)), cell(bar_words(port, 2)), cell(bar_words(port, 4)),
               cell(port["payload"] or "not known", "number")]


def adapter_part(adapter):
    place = f", below <code>{escape(adapter['below'])}</code>" if adapter["below"] else ""
    yield (f"<h2>Adapter <code>{escape(adapter['address'])}</code>, "
           f"PEX {escape(adapter['part'] or '?')}</h2><p>Slot: {escape(link_words(adapter['link']))}{place}</p>")
    yield from table(["port", "NT", "driver", "cable", "BAR0", "BAR2", "BAR4", "payload, bytes"],
                     port_rows(adapter))
    for port in adapter["ports"]:
        path = " - ".join(reversed(port["path"]))
        yield f"<p>Path to NT{port['nt']}: <code>{escape(path)}</code></p>"


def outcome(test):
    if test is None:
        return cell("not reached", findings.NOTE)
    bad = test["violations"] + test["lost"] and not test["control"]
    kind = findings.ERROR if bad else findings.NOTE if test["control"] else findings.OK
    return cell(text.test_words(test), kind)


def test_rows(met):
    """A row for both directions of a test."""
    ways = {}
    for test in met["tests"]:
        ways.setdefault(test["name"], {})[test["direction"]] = test
    for both in ways.values():
        one = next(iter(both.values()))
        yield [cell(one["title"]), cell(one["rounds"], "number"), outcome(both.get("out")),
               outcome(both.get("in"))]


def rate_rows(met):
    curves = {method: peer.rates(met, method) for method in peer.methods(met)}
    for size in sorted({size for curve in curves.values() for size in curve}):
        yield [cell(units.size(size))] + [
            cell(units.rate(curve[size]) if size in curve else "", "number")
            for curve in curves.values()]


def peer_part(met):
    latency = met["latency"]
    yield f"<h2>With the peer, at the cable of <code>{escape(met['port'])}</code></h2>"
    yield from table(["test", "rounds", text.WAYS["out"], text.WAYS["in"]],
                     test_rows(met))
    if met["bandwidth"]:
        yield "<h2>Bandwidth, from here to the peer</h2>"
        yield plot.bandwidth({name: peer.rates(met, name) for name in peer.methods(met)})
        yield from table(["block"] + peer.methods(met), rate_rows(met))
    if latency["count"]:
        yield (f"<h2>Latency of a word, one way</h2><p>Median "
               f"{units.duration(latency['median'])}, minimum {units.duration(latency['min'])}, "
               f"99 % below {units.duration(latency['p99'])}; {latency['count']} samples</p>")
        yield plot.latency(latency["bins"], max(latency["min"], 1))


def verdict(report):
    if report["errors"]:
        return findings.ERROR, f"{units.plural(report['errors'], 'error')}: a job would not run."
    return findings.OK, "Nothing found that keeps a job from running."


def page(report):
    """The whole page, of what data.report() gives."""
    told = [one for one in report["findings"] if one["severity"] != findings.OK]
    clean = [one for one in report["findings"] if one["severity"] == findings.OK]
    kind, words = verdict(report)
    title = f"ringbell-doctor: {escape(report['host'])}"
    yield ("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
           f"<title>{title}</title><style>{STYLE}</style></head><body>")
    yield (f"<h1>{title}</h1><p class=\"when\">{escape(report['time'])}, Linux "
           f"{escape(report['kernel'])}</p>")
    yield f"<p class=\"verdict {kind}\">{escape(words)}</p>"
    if told:
        yield "<h2>Findings</h2>"
        yield from table(["severity", "check", "where", "problem, and what to do"],
                         finding_rows(told))
    for adapter in report["adapters"]:
        yield from adapter_part(adapter)
    if report["xeons"]:
        yield "<h2>NTBs of Xeons</h2>"
        yield from table(["address", "id", "driver", "mode", "BAR2"],
                         [[cell(x["address"]), cell(x["id"]), cell(x["driver"] or "none"),
                           cell(x["mode"] or "not known"), cell(units.size(x["window"]))]
                          for x in report["xeons"]])
    if report["peer"]:
        yield from peer_part(report["peer"])
    yield f"<h2>{units.plural(len(clean), 'check')} passed</h2>"
    yield from table(["check", "result"],
                     [[cell(one["check"]), cell(one["what"])] for one in clean])
    yield "</body></html>"
