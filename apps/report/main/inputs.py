# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The files that other programs wrote. All of their content is untrusted."""
import json
import math
import os

LIMIT = 256 << 20  # bytes of a file


class Bad(Exception):
    """A file cannot be used: its text says why."""


def number(row, name):
    value = row.get(name)
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


def content(data):
    tool = data.get("tool") if isinstance(data, dict) else None
    if tool not in ("shmem-perf", "ringbell-port"):
        raise Bad("not a file of shmem-perf or ringbell-port")
    return {"tool": tool, "rows": checked(data)}


def not_finite(word):
    raise Bad(f"{word} is not a number")


def load(path):
    try:
        if os.path.getsize(path) > LIMIT:
            raise Bad("too large: at most 256 MiB")
        with open(path, encoding="utf-8") as f:
            return content(json.load(f, parse_constant=not_finite))
    except OSError as e:
        raise Bad(e.strerror) from e
    except (ValueError, RecursionError) as e:
        raise Bad(f"not JSON: {str(e)[:100]}") from e
