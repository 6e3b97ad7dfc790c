# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Runs of shmem-perf, for the scripts beside this one."""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIMIT = 600  # seconds a run may take


class Failed(Exception):
    """A run failed: its text says which, and how."""


def first_place():
    """Other programs of the machine must not be measured: a session is an autogroup of the
    scheduler, and this one gets most of the CPUs where that is allowed."""
    try:
        with open("/proc/self/autogroup", "w", encoding="utf-8") as f:
            f.write("-19")
    except OSError:
        pass


def run_json(command, program, args, env=None):
    """Run `command... program args...`. Returns its rows."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        line = [*command, program, *args, "--json", out]
        try:
            result = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True, check=False,
                                    timeout=LIMIT, env={**os.environ, **(env or {})},
                                    start_new_session=True, preexec_fn=first_place)
        except subprocess.TimeoutExpired as e:
            raise Failed(f"{' '.join(line)}: not finished after {LIMIT} s") from e
        if result.returncode != 0:
            raise Failed(f"{' '.join(line)}: exit status {result.returncode}\n"
                         f"{result.stdout[-1000:]}")
        with open(out, encoding="utf-8") as f:
            return json.load(f)["rows"]


def key(row):
    return (row["bench"], row["buffer"], row["target"], row["size"])


class Ours:
    """The programs of a build folder, shmem-perf started by its oshrun."""
    def __init__(self, build):
        self.driver = os.path.join(build, "apps", "port", "ringbell-port")
        self.oshrun = os.path.join(build, "apps", "oshrun")
        self.program = os.path.join(build, "apps", "perf", "shmem-perf")
        self.library = os.path.join(build, "shmem", "libshmem.so")
        if not os.path.exists(self.oshrun):
            raise Failed(f"{build} is no build folder of Ringbell's: run make first")

    @staticmethod
    def exports(settings):
        return [word for name, value in (settings or {}).items()
                for word in ("-x", f"{name}={value}")]

    def run(self, job, args, settings=None):
        return run_json([self.oshrun, *job, *self.exports(settings)], self.program, args)

    def run_beside(self, hogs, job, args):
        """The same beside this number of loops in its session, which use all CPU time that they get."""
        script = 'n=$1; shift; while [ "$n" -gt 0 ]; do (while :; do :; done) & n=$((n - 1)); ' \
                 'pids="$pids $!"; done; "$@"; status=$?; kill $pids; exit $status'
        return run_json(["sh", "-c", script, "sh", str(hogs), self.oshrun, *job], self.program,
                        args)

    def run_idle(self, job, seconds, settings=None):
        """CPU time of all PEs in per cent of a CPU, by row of idle.py."""
        line = [self.oshrun, *job, *self.exports(settings), os.path.join(TOP, "bench", "idle.py"), self.library,
                str(seconds)]
        result = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                check=False, timeout=LIMIT)
        if result.returncode != 0:
            raise Failed(f"{' '.join(line)}: exit status {result.returncode}")
        rows = [line.split() for line in result.stdout.splitlines()]
        return {name: sum(float(value) for other, value in rows if other == name) for name, _ in rows}

    def run_driver(self, args):
        return run_json([self.driver], "speed", args)


class Peer:
    """The same source under Debian's Open MPI."""
    NEED = "Open MPI's OpenSHMEM is needed: apt-get install openmpi-bin libopenmpi-dev"

    def __init__(self, build):
        # Debian's name, because a plain oshcc may be ours
        self.oshcc = shutil.which("oshcc.openmpi") or shutil.which("oshcc")
        self.oshrun = shutil.which("oshrun.openmpi") or shutil.which("oshrun")
        if not self.oshcc or not self.oshrun:
            raise Failed(self.NEED)
        common, perf = (os.path.join(TOP, "apps", name) for name in ("common", "perf"))
        sources = [os.path.join(common, n) for n in ("cli.c", "report.c")]
        sources += sorted(os.path.join(perf, n) for n in os.listdir(perf) if n.endswith(".c"))
        self.program = os.path.join(build, "shmem-perf-openmpi")
        # the options that meson gives ours
        command = [self.oshcc, "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-g", "-falign-loops=64",
                   "-I" + common, '-DRINGBELL_VERSION=""', "-o", self.program, *sources, "-ljansson"]
        if subprocess.run(command, check=False).returncode != 0:
            raise Failed(self.NEED)

    def run(self, pes, args):
        # its patched free() crashes in finalize here; more PEs than CPUs and root must be allowed
        command = [self.oshrun, "--mca", "memory", "^patcher", "--oversubscribe",
                   "--allow-run-as-root", "-n", str(pes)]
        return run_json(command, self.program, args)


def merge(rounds):
    """Rows of repeated runs: the median of the medians, the best sample of all."""
    rows = {}
    for row in (row for rows in rounds for row in rows):
        rows.setdefault(key(row), []).append(row)
    merged = {}
    for k, same in rows.items():
        row = dict(same[0])
        less = row["unit"] == "us"
        row["value"] = statistics.median(r["value"] for r in same)
        row["best"] = min(r["min"] for r in same) if less else max(r["max"] for r in same)
        row["rounds"] = len(same)
        merged[k] = row
    return merged


def speedup(ours, other, which="value"):
    """How many times faster `ours` is."""
    a, b = ours[which], other[which]
    return b / a if ours["unit"] == "us" else a / b


def size_text(size):
    if size == 0:
        return "-"
    for shift, letter in ((20, "M"), (10, "K")):
        if size >= 1 << shift and size % (1 << shift) == 0:
            return f"{size >> shift}{letter}"
    return str(size)


def say(text):
    """A progress line: replaced by the next one on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)


def machine():
    """The line of a table about the machine."""
    model = "unknown CPU"
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        for line in f:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} CPUs ({model}), load {load:.1f} at the start"
