#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-port over DPDK's own raw_ntb, on modelled NTBs of Intel's: test with the ends at two hosts,
speed with both in one process.

Usage: test_intel.py BUILD 3|4. As a remote shell: test_intel.py --rsh BUILD FOLDER GEN HOST COMMAND
"""
import json
import os
import subprocess
import sys
import tempfile

PORTS = {"a": "0000:16:00.0", "b": "0000:17:00.0"}
WINDOW = 4  # MiB
EAL = "--no-huge --no-shconf --iova-mode=pa -m 64"
# what this driver has not, and no more
SKIPS = {"order-doorbell", "order-scratchpad", "doorbells", "scratchpads",
         "again", "once"}
SPEEDS = {"write", "read", "flush", "link_poll", "both"}
LEFT_OUT = {"db_ring": "doorbells", "peer_spad_write": "scratchpads"}
SKIPPED = 77


def made_up(build, folder, gen, *hosts):
    """The environment of a process on these machines: intel_shim.c makes them up."""
    files = " ".join(os.path.join(folder, name) for name in ("model", "memory"))
    return {"INTEL_PORTS": ";".join(f"{PORTS[host]} {gen} {files} {list(PORTS).index(host)} {WINDOW}"
                                    for host in hosts),
            "LD_PRELOAD": os.path.join(build, "tests/multi/libintel_shim.so")}


def remote_shell(build, folder, gen, host, command):
    env = made_up(build, folder, gen, host)
    env["PATH"] = os.path.join(build, "apps/port") + ":" + os.environ["PATH"]
    shim = env.pop("LD_PRELOAD")  # not for the shell
    os.environ.update(env)
    os.execvp("sh", ["sh", "-c", f"export LD_PRELOAD={shim}; exec {command}"])


def ringbell_port(build, *words, **env):
    done = subprocess.run([os.path.join(build, "apps/port/ringbell-port"), *words],
                          env={**os.environ, **env}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=280)
    print(done.stdout)
    if "intel_shim: Operation not permitted" in done.stdout:
        sys.exit(SKIPPED)
    return done


def test_both_ends(build, folder, gen):
    done = ringbell_port(
        build, "test", "--rounds", "2000", "--eal", EAL + " --no-telemetry",
        "--rsh", f"{sys.executable} {os.path.abspath(__file__)} --rsh {build} {folder} {gen}",
        "--cable", f"{build}/tests/multi/intel_cable {folder}/model",
        *(f"{host}/{port}" for host, port in PORTS.items()))
    skips = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("skip ")}
    return [f"test: status {done.returncode}"] * (done.returncode != 0) + [
        f"test: {name} skipped, or not" for name in skips ^ SKIPS]


def test_speed(build, folder, gen):
    out = os.path.join(folder, "json")
    done = ringbell_port(
        build, "speed", "--eal", " ".join([EAL] + [f"-a {port}" for port in PORTS.values()]), "-T", "1",
        "-r", "1", "--sizes", "8,4K", "--json", out, *SPEEDS, *LEFT_OUT,
        **made_up(build, folder, gen, *PORTS))
    if done.returncode:
        return [f"speed: status {done.returncode}"]
    with open(out, encoding="utf-8") as f:
        found = json.load(f)
    wrong = [f"speed: {name} measured, or not"
             for name in {row["bench"] for row in found["rows"]} ^ SPEEDS]
    wrong += [f"speed: no words of {name}" for name, what in LEFT_OUT.items()
              if f"ringbell-port: {name} needs ports with {what}" not in done.stdout]
    return wrong if found["settings"].get("port") in PORTS.values() else wrong + ["ports of another driver"]


def test_dump(build, folder, gen):
    done = ringbell_port(build, "dump", "--eal", EAL, PORTS["a"], **made_up(build, folder, gen, "a"))
    return ["dump: no reason"] * ("not started (the link's status reads 0x" not in done.stdout)


def main():
    build, gen, wrong = os.path.abspath(sys.argv[1]), sys.argv[2], []
    for test in (test_both_ends, test_speed, test_dump):
        with tempfile.TemporaryDirectory() as folder:
            wrong += test(build, folder, gen)
    print("\n".join(wrong))
    return len(wrong) > 0


if __name__ == "__main__":
    if sys.argv[1] == "--rsh":
        remote_shell(*sys.argv[2:])
    sys.exit(main())
