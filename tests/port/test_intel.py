#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-port test over DPDK's own raw_ntb, on modelled NTBs of Intel's at two hosts.

Usage: test_intel.py BUILD 3|4. As a remote shell: test_intel.py --rsh BUILD FOLDER GEN HOST COMMAND
"""
import os
import subprocess
import sys
import tempfile

PORTS = {"a": "0000:16:00.0", "b": "0000:17:00.0"}
WINDOW = 4  # MiB
# what this driver has not, and no more
SKIPS = {"window-file", "order-doorbell", "order-scratchpad", "doorbells", "wake", "scratchpads",
         "again", "flap", "once"}
SKIPPED = 77


def remote_shell(build, folder, gen, host, command):
    """A process on the machine of that name: intel_shim.c makes it up."""
    files = [os.path.join(folder, name) for name in ("model", "memory")]
    end = list(PORTS).index(host)
    os.environ["INTEL_PORTS"] = f"{PORTS[host]} {gen} {files[0]} {files[1]} {end} {WINDOW}"
    os.environ["PATH"] = os.path.join(build, "apps/port") + ":" + os.environ["PATH"]
    shim = os.path.join(build, "tests/multi/libintel_shim.so")
    os.execvp("sh", ["sh", "-c", f"export LD_PRELOAD={shim}; exec {command}"])


def main():
    build, gen = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [os.path.join(build, "apps/port/ringbell-port"), "test", "--rounds", "2000",
             "--rsh", f"{sys.executable} {os.path.abspath(__file__)} --rsh {build} {folder} {gen}",
             "--eal", "--no-huge --no-shconf --no-telemetry --iova-mode=pa -m 64",
             "--cable", f"{build}/tests/multi/intel_cable {folder}/model",
             *(f"{host}/{port}" for host, port in PORTS.items())],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            check=False, timeout=280)
    print(done.stdout, done.stderr)
    if "intel_shim: Operation not permitted" in done.stderr:
        return SKIPPED
    skips = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("skip ")}
    if skips != SKIPS:
        print(f"skipped: {skips ^ SKIPS} more or less than it should be")
    return done.returncode or skips != SKIPS


if __name__ == "__main__":
    if sys.argv[1] == "--rsh":
        remote_shell(*sys.argv[2:])
    sys.exit(main())
