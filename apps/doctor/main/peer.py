# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The part with a peer: ringbell-litmus at both ends of a cable, and what it found."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

EMULATED = "raw_ntb"
PROGRAM = "ringbell-litmus"
NOTE_MOST = 8191  # bytes, as in apps/doctor/litmus/session.h


class Failed(Exception):
    """With the line to print."""


def program():
    """ringbell-litmus lies beside this program, or in PATH."""
    beside = os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])), PROGRAM)
    found = beside if os.access(beside, os.X_OK) else shutil.which(PROGRAM)
    if found is None:
        raise Failed(f"no {PROGRAM} beside this program or in PATH, which --with-peer needs")
    return found


def is_emulated(name):
    return name.startswith(EMULATED)


def settings(port):
    """What the two ends of a cable must have alike, or the other end should know."""
    if port is None:
        return {}
    return {name: port[name] for name in ("driver", "link", "bars", "payload", "registers")}


def read_note(text):
    """The peer's settings; nothing where its note is not what it should be."""
    try:
        note = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(note, dict) or not isinstance(note.get("registers") or {}, dict):
        return {}
    return note


def run(name, port, options):
    """What ringbell-litmus found with those options, or None; port: the data of the port with that
    name, or None."""
    with tempfile.TemporaryDirectory(prefix="ringbell-doctor-") as folder:
        note, result = os.path.join(folder, "note"), os.path.join(folder, "result")
        text = json.dumps(settings(port))
        with open(note, "w", encoding="ascii") as f:
            f.write(text if len(text) <= NOTE_MOST else "{}")
        # what it has to say beside its result comes on stderr
        subprocess.run([program(), "--json", result, "--note", note, *options, name],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
        try:
            with open(result, encoding="utf-8") as f:
                found = json.load(f)
        except (OSError, ValueError):
            return None
    found["settings"] = settings(port)
    found["peer_settings"] = read_note(found.pop("note"))
    return found


def rates(found, method):
    """Bytes a second by size."""
    return {row["size"]: row["bytes_per_s"] for row in found["bandwidth"]
            if row["method"] == method}


def methods(found):
    """In the order of measuring."""
    return list(dict.fromkeys(row["method"] for row in found["bandwidth"]))
