#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-port speed over DPDK's own raw_ntb: both ends of a cable of modelled NTBs of Intel's in one process.

Usage: test_raw_ntb.py BUILD RINGBELL-PORT 3|4
"""
import json
import os
import subprocess
import sys
import tempfile

PORTS = ("0000:16:00.0", "0000:17:00.0")
WINDOW = 4  # MiB
RUN = {"write", "read", "flush", "link_poll", "both"}
# what ports of this driver have not
LEFT_OUT = {"db_ring": "doorbells", "peer_spad_write": "scratchpads"}
SKIPPED = 77


def main():
    build, program, gen = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("model", "memory")]
        made = ";".join(f"{port} {gen} {files[0]} {files[1]} {end} {WINDOW}"
                        for end, port in enumerate(PORTS))
        done = subprocess.run(
            [program, "speed", "--eal", " ".join(["--no-huge --no-shconf --iova-mode=pa -m 64"] +
                                                 [f"-a {port}" for port in PORTS]), "-T", "1", "-r", "1", "--sizes", "8,4K",
             "--json", os.path.join(folder, "json"), *RUN, *LEFT_OUT],
            env={**os.environ, "INTEL_PORTS": made,
                 "LD_PRELOAD": os.path.join(build, "tests/multi/libintel_shim.so")},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=200, check=False)
        if "intel_shim: Operation not permitted" in done.stdout:
            print(done.stdout)
            return SKIPPED
        wrong = [f"status {done.returncode}"] if done.returncode else []
        found = {}
        if not wrong:
            with open(os.path.join(folder, "json"), encoding="utf-8") as f:
                found = json.load(f)
    wrong += [f"no words of {name}" for name, what in LEFT_OUT.items()
              if f"ringbell-port: {name} needs ports with {what}" not in done.stdout]
    text = json.dumps(found)
    wrong += [f"no figures of {name}" for name in RUN if f'"{name}"' not in text]
    wrong += [] if '"adapter"' in text else ["ports of another driver were measured"]
    # a device that is not there: nothing is measured in its place
    bad = subprocess.run([program, "speed", "--eal", "-a 0000:7f:1f.7 --no-huge --no-shconf -m 64", "-T",
                          "1", "-r", "1", "--sizes", "8", "write"],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, timeout=100, check=False)
    if bad.returncode == 0 or "no NT port among the devices" not in bad.stdout:
        wrong.append(f"a device that is not there: status {bad.returncode}\n{bad.stdout}")
    if wrong:
        print(done.stdout, "\n".join(wrong), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
