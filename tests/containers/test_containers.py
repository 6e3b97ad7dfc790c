#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Jobs in the surroundings of rows.py. Each must run right or end with the expected message, and
leave nothing. No other PE may be killed.
Usage: test_containers.py OSHRUN LIBSHMEM CONFINED CABLE [--all] [WORD-OF-A-ROW...]"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import rows

HERE = os.path.dirname(os.path.abspath(__file__))
USER = 654321  # that no machine has, and no passwd names
LIMIT = 60
SKIP = 77


def marked(mark):
    """Processes that were started with this mark in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                if mark.encode() in f.read():
                    found.append(f"process {pid}")
        except OSError:
            continue
    return found


def still_there(mark):
    """The guard of the telemetry sockets ends a moment after the job."""
    end = time.monotonic() + LIMIT
    while (found := marked(mark)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


class Result:
    def __init__(self, status, out, err, left):
        self.status, self.out, self.err, self.left = status, out, err, left

    def verdict(self, row, job):
        """What is wrong with it, None: nothing."""
        expect = row.expected(job)
        if self.left:
            return f"left {', '.join(self.left)}"
        if expect == rows.RIGHT:
            if self.status != 0:
                return f"status {self.status}"
            if "right" not in self.out:
                return "does not say that it is right"
            if not self.err or row.notes and re.match(row.notes, self.err):
                return None
            return "says something"
        if self.status == 0:
            return "ends well"
        if (self.status >= 128) != ("was killed" in expect) or self.status == 124:
            return f"status {self.status}"
        return None if re.search(expect, self.err) else f"no word of {expect!r}"


class Rig:
    def __init__(self, folder, programs):
        self.folder = folder
        os.chmod(folder, 0o755)
        oshrun, lib, *others = programs
        for path in (oshrun, *others):
            shutil.copy(path, folder)
        shutil.copy(os.path.realpath(lib), f"{folder}/libshmem.so.1")
        shutil.copy(f"{folder}/confined", f"{folder}/unreadable")
        os.chmod(f"{folder}/unreadable", 0o111)

    def command(self, row, job):
        if row.command:
            return [word.replace("{}", self.folder) for word in row.command]
        program = "unreadable" if row.spec.get("unreadable") else "confined"
        return [f"{self.folder}/oshrun", "--timeout", str(LIMIT), *rows.JOBS[job],
                f"{self.folder}/{program}", *row.args]

    def spec(self, row, user, mark):
        env = {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": self.folder, "HOME": "/root",
               "RINGBELL_ROW": mark, **row.env}
        return dict(row.spec, env={k: v for k, v in env.items() if v is not None},
                    watch=["/dev/shm", "/run", "/tmp"], user=USER if user == "user" else None)

    def run(self, row, user, job):
        """A result, or why there is none."""
        mark = f"{os.getpid()}-{time.monotonic_ns()}"
        read, write = os.pipe()
        os.set_inheritable(write, True)
        r = subprocess.run([sys.executable, f"{HERE}/confine.py", str(write),
                            json.dumps(self.spec(row, user, mark)), *self.command(row, job)],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True, check=False, timeout=2 * LIMIT, pass_fds=[write])
        os.close(write)
        with os.fdopen(read, "rb") as f:
            report = f.read()
        if r.returncode == SKIP:
            return r.stderr.strip()
        if r.returncode != 0:
            raise AssertionError(f"confine.py: {r.stderr}")
        report = json.loads(report)
        return Result(report["status"], r.stdout, r.stderr.strip(),
                      report["left"] + still_there(f"RINGBELL_ROW={mark}"))


def choose(everything, words):
    for row in rows.ROWS:
        if words and not any(w in row.name for w in words):
            continue
        jobs = ["-"] if row.command else row.jobs
        if everything:
            yield from ((row, user, job) for user in row.users for job in jobs)
        elif row.ci or row.command:
            yield row, row.users[-1], jobs[0] if row.command else row.ci


def main():
    programs, words = sys.argv[1:5], sys.argv[5:]
    everything = "--all" in words
    counts = {"good": 0, "wrong": 0, "skipped": 0}
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        rig = Rig(folder, programs)
        for row, user, job in choose(everything, [w for w in words if w != "--all"]):
            if user == "root" and os.getuid() != 0:
                continue
            began = time.monotonic()
            result = rig.run(row, user, job)
            if isinstance(result, str):
                kind, text = "skipped", result
            else:
                wrong = result.verdict(row, job)
                kind = "wrong" if wrong else "good"
                said = result.err if kind == "good" else f"{wrong}\n{result.out}{result.err}"
                text = said or "runs"
            counts[kind] += 1
            print(f"{kind:7} | {row.name} | {user} | {job} | {time.monotonic() - began:.1f} s | {text}",
                  flush=True)
    print(", ".join(f"{n} {kind}" for kind, n in counts.items()))
    if counts["wrong"]:
        return 1
    return 0 if counts["good"] else SKIP


if __name__ == "__main__":
    sys.exit(main())
