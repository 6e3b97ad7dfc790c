# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The files that other programs wrote. All of their content is untrusted."""
import json
import math
import os

LIMIT = 256 << 20  # bytes of a file
SPANS = ("put", "get", "atomic", "wait", "barrier", "relay", "serve")


class Bad(Exception):
    """A file cannot be used: its text says why."""


def number(row, name, default=None):
    value = row.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise Bad(f"{name} is not a number")
    return value


def text(row, name):
    value = row.get(name)
    if not isinstance(value, str):
        raise Bad(f"{name} is not a text")
    return value[:200]


def rows_of(data, name="rows"):
    rows = data.get(name)
    if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
        raise Bad(f"{name} is not a list of rows")
    return rows


def perf_row(row):
    return {"bench": text(row, "bench"), "buffer": text(row, "buffer"),
            "hops": number(row, "hops", -1), "target": number(row, "target", -1),
            "size": number(row, "size"), "value": number(row, "value"), "unit": text(row, "unit"),
            "min": number(row, "min"), "max": number(row, "max")}


def scene_row(row):
    return {"scene": text(row, "scene"), "topology": text(row, "topology"),
            **{name: number(row, name) for name in ("hosts", "hops", "size", "us", "mbs", "limit")}}


def compare_row(row):
    found = {"what": text(row, "what"),
             **{name: number(row, name) for name in ("hosts", "hops", "size", "threads",
                                                     "papers_us", "ringbell_us")}}
    if found["papers_us"] <= 0 or found["ringbell_us"] <= 0:
        raise Bad("a time is not above 0")
    return found


def paper_row(row):
    return {"figure": text(row, "figure"), "value": number(row, "value")}


def replay(data):
    calls = ("compute", "put", "get", "atomic", "quiet", "wait", "barrier")
    return {"traced_us": number(data, "traced_us"), "predicted_us": number(data, "predicted_us"),
            "hosts": number(data, "hosts"), "bandwidth": number(data, "bandwidth"),
            "calls": calls,
            "pes": [{name: number(r, name) for name in ("pe", *calls)} for r in rows_of(data, "pes")],
            "links": [{name: number(r, name) for name in ("host", "left", "right")}
                      for r in rows_of(data, "links")],
            "changes": [{"what": text(r, "what"), "us": number(r, "us")}
                        for r in rows_of(data, "changes")]}


def place(data):
    found = {}
    for name in ("order", "busiest", "byte_hops"):
        values = data.get(name)
        if not isinstance(values, list) or not values:
            raise Bad(f"{name} is not a list of numbers")
        found[name] = [number({name: v}, name) for v in values]
    if len(found["busiest"]) != 2 or len(found["byte_hops"]) != 2:
        raise Bad("not the load before and after")
    return found


def span(event, names):
    """A span of a trace, or None for other events."""
    if not isinstance(event, dict):
        raise Bad("an event is no object")
    if event.get("ph") == "M" and event.get("name") == "thread_name":
        args = event.get("args")
        if isinstance(args, dict):
            names[number(event, "tid")] = text(args, "name")
        return None
    if event.get("ph") != "X" or event.get("name") not in SPANS:
        return None
    args = event.get("args", {})
    if not isinstance(args, dict):
        raise Bad("args is no object")
    found = {"name": event["name"], "tid": number(event, "tid"), "ts": number(event, "ts"),
             "dur": number(event, "dur"), "pe": number(args, "pe", -1),
             "bytes": number(args, "bytes", 0)}
    if found["tid"] < 0 or found["dur"] < 0 or found["bytes"] < 0 or found["pe"] != int(found["pe"]):
        raise Bad("a span whose numbers make no sense")
    return found


def trace(data):
    if not isinstance(data["traceEvents"], list):
        raise Bad("traceEvents is not a list")
    names = {}
    spans = [s for s in (span(e, names) for e in data["traceEvents"]) if s]
    if not spans:
        raise Bad("a trace without spans")
    return {"spans": spans, "names": names}


def peers(data):
    scenes = []
    for title, both in data.items():
        if not isinstance(both, dict):
            raise Bad("not a file of a program of Ringbell")
        theirs = {(r["bench"], r["buffer"], r["size"]): r
                  for r in map(perf_row, rows_of(both, "openmpi"))}
        rows = []
        for r in map(perf_row, rows_of(both, "ringbell")):
            other = theirs.get((r["bench"], r["buffer"], r["size"]))
            if other and r["value"] > 0 and other["value"] > 0:
                ratio = r["value"] / other["value"]
                rows.append({**r, "ratio": 1 / ratio if r["unit"] == "us" else ratio})
        scenes.append((title[:200], rows))
    if not any(rows for _, rows in scenes):
        raise Bad("not a file of a program of Ringbell")
    return scenes


EXPERIMENTS = {
    "papers": lambda data: [paper_row(r) for r in rows_of(data)],
    "compare": lambda data: [compare_row(r) for r in rows_of(data)],
    "replay": replay,
    "place": place,
}


def classify(data):
    """(kind, checked content)"""
    if not isinstance(data, dict):
        raise Bad("not a file of a program of Ringbell")
    tool, experiment = data.get("tool"), data.get("experiment")
    if "traceEvents" in data:
        return "trace", trace(data)
    if tool in ("shmem-perf", "ringbell-perf"):
        return "perf", {"tool": tool, "rows": [perf_row(r) for r in rows_of(data)]}
    if tool == "ringbell-sim" and experiment in EXPERIMENTS:
        return experiment, EXPERIMENTS[experiment](data)
    if tool == "ringbell-sim" and experiment is None:
        return "scenes", [scene_row(r) for r in rows_of(data)]
    if tool is None:
        return "peers", peers(data)
    raise Bad("not a file of a program of Ringbell")


def not_finite(word):
    raise Bad(f"{word} is not a number")


def load(path):
    try:
        if os.path.getsize(path) > LIMIT:
            raise Bad("too large: at most 256 MiB")
        with open(path, encoding="utf-8") as f:
            return classify(json.load(f, parse_constant=not_finite))
    except OSError as e:
        raise Bad(e.strerror) from e
    except (ValueError, RecursionError) as e:
        raise Bad(f"not JSON: {str(e)[:100]}") from e
