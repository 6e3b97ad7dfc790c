#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Programs traced on the emulated ring, and replayed on the same ring and on adapters.

Usage: bench/replay.py BUILD-FOLDER [HOSTS...]

Writes replay.md into the build folder; the site shows it. Exit status 1 where a
replay on the ring of the trace is more than 25 % away from what the trace took.
"""
import json
import os
import subprocess
import sys
import tempfile

import runs

PROGRAMS = (("heat", "examples/heat"), ("matmul", "examples/matmul"),
            ("all-to-all", "examples/alltoall"), ("random puts", "examples/randput"))
LIMIT = 0.25


def call(line):
    result = subprocess.run([str(word) for word in line], stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                            timeout=runs.LIMIT)
    if result.returncode != 0:
        raise runs.Failed(f"{line}: {result.stderr.strip()}")
    return result.stdout


def trace(build, program, hosts, path):
    call([os.path.join(build, "apps", "oshrun"), "--hosts", hosts, "--trace", path,
          os.path.join(build, program)])


def replay(build, path, link):
    return json.loads(call([os.path.join(build, "lab", "sim", "ringbell-sim"), "--replay", path, "--link",
                            link, "--json", "-"]))


def main():
    build = os.path.abspath(sys.argv[1])
    lines = ["| program | hosts | traced, ms | replayed | difference | on gen3x8, ms | on gen4x16, ms |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    missed = 0
    for hosts in sys.argv[2:] or ["2", "3", "4", "5"]:
        for name, program in PROGRAMS:
            runs.say(f"{name} on {hosts} hosts")
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "trace.json")
                trace(build, program, hosts, path)
                here, gen3, gen4 = (replay(build, path, link)
                                    for link in ("trace", "gen3x8", "gen4x16"))
            off = here["predicted_us"] / here["traced_us"] - 1
            missed += abs(off) > LIMIT
            lines.append(f"| {name} | {hosts} | {here['traced_us'] / 1e3:.1f} | "
                         f"{here['predicted_us'] / 1e3:.1f} | {off * 100:+.0f} % | "
                         f"{gen3['predicted_us'] / 1e3:.2f} | {gen4['predicted_us'] / 1e3:.2f} |")
    runs.say("")
    text = runs.machine() + ".\n\n" + "\n".join(lines) + "\n"
    with open(os.path.join(build, "replay.md"), "w", encoding="utf-8") as f:
        f.write(text)
    print(text)
    return missed > 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except runs.Failed as e:
        sys.exit(f"replay: {e}")
