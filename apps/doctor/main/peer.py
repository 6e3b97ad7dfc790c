# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The part with a peer: ringbell-port order at both ends of a cable, and what it found."""
import json
import os
import shutil
import subprocess
import sys

EMULATED = "raw_ntb"
PROGRAM = "ringbell-port"
NOTE_MOST = 8191  # bytes, as in apps/port/session.h


class Failed(Exception):
    """With the line to print."""


def program():
    """ringbell-port lies beside this program, or in PATH."""
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
    """What ringbell-port order found with those options, or None; port: the data of the port with that
    name, or None."""
    text = json.dumps(settings(port))
    # files without names: nothing is left, however this program ends
    note, result = os.memfd_create("note"), os.memfd_create("result")
    try:
        os.write(note, (text if len(text) <= NOTE_MOST else "{}").encode("ascii"))
        # what it has to say beside its result comes on stderr
        subprocess.run([program(), "order", "--json", f"/proc/self/fd/{result}", "--note",
                        f"/proc/self/fd/{note}", *options, name], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, pass_fds=(note, result), check=False)
        found = json.loads(os.pread(result, 1 << 20, 0))
    except ValueError:
        return None
    finally:
        os.close(note)
        os.close(result)
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
