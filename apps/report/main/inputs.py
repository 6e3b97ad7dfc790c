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


def rows_of(data):
    rows = data.get("rows")
    if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
        raise Bad("rows is not a list of rows")
    return rows


# fields of the rows; those with $ are texts
FIELDS = "bench$ buffer$ unit$ hops size value min max".split()


def checked(data):
    return [{field.rstrip("$"): text(r, field[:-1]) if field[-1] == "$" else number(r, field)
             for field in FIELDS} for r in rows_of(data)]


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


def classify(data):
    """(kind, checked content)"""
    if not isinstance(data, dict):
        raise Bad("not a file of a program of Ringbell")
    tool = data.get("tool")
    if "traceEvents" in data:
        return "trace", trace(data)
    if tool in ("shmem-perf", "ringbell-port"):
        return "perf", {"tool": tool, "rows": checked(data)}
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
