# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A job that runs, as others see it: its PEs, its cables, what it has printed and left."""
import os
import re
import shutil
import subprocess
import tempfile
import time

MARK = "RINGBELL_FAULTS_JOB" # in the environment of all that a job starts
START_LIMIT = 60 # seconds until the cables are there, and all PEs
GONE_LIMIT = 10  # until the processes of a job are gone that has ended
STEP = 0.002
# of each PE, as it leaves shmem_init (SHMEM_DEBUG)
READY = re.compile(r"shmem_init_thread: PE \d+ of (\d+)")


def environment(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as f:
            words = f.read().split(b"\0")
    except OSError:
        return {}
    return dict(w.decode(errors="replace").split("=", 1) for w in words if b"=" in w)


class Job:
    """A program under oshrun, and a folder for what it makes."""

    def __init__(self, command, env):
        self.folder = tempfile.mkdtemp(prefix="ringbell-faults-")
        self.mark = os.path.basename(self.folder)
        self.out = open(os.path.join(self.folder, "out"), "w+b")
        run_dir = os.path.join(self.folder, "run")
        os.mkdir(run_dir, 0o700)
        self.process = subprocess.Popen(
            command, env={**os.environ, **env, "RUNTIME_DIRECTORY": run_dir, MARK: self.mark},
            stdin=subprocess.DEVNULL, stdout=self.out, stderr=subprocess.STDOUT)
        self.since = time.monotonic()
        self.ready = None # when all PEs had left shmem_init, where somebody looked

    def runs(self):
        return self.process.poll() is None

    def children(self):
        """(process, environment) of what oshrun runs."""
        pid = self.process.pid
        try:
            with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
                return [(int(word), environment(word)) for word in f.read().split()]
        except OSError:
            return []

    def pes(self):
        """PE: process, of those that are running."""
        return {int(env["RINGBELL_PE"]): pid for pid, env in self.children() if "RINGBELL_PE" in env}

    def is_ready(self):
        found = READY.findall(self.output())
        if found and len(found) == int(found[0]) and self.ready is None:
            self.ready = time.monotonic()
        return self.ready is not None

    def wait(self, early, seconds):
        """So long, from when all PEs have left shmem_init or, early, from now. @return does it run?"""
        end = time.monotonic() + START_LIMIT
        while not early and self.runs() and not self.is_ready() and time.monotonic() < end:
            time.sleep(STEP)
        end = time.monotonic() + seconds
        while self.runs() and time.monotonic() < end:
            time.sleep(STEP)
        return self.runs()

    def output(self):
        with open(self.out.name, "rb") as f: # of two threads
            return f.read().decode(errors="replace")

    def left(self, limit=GONE_LIMIT):
        """What is left of a job that has ended: processes, files."""
        end = time.monotonic() + limit
        while True:
            alive = [f"process {pid}" for pid in filter(str.isdigit, os.listdir("/proc"))
                     if environment(pid).get(MARK) == self.mark] # zombies have none
            if not alive or time.monotonic() > end:
                break
            time.sleep(0.05)
        return alive + [os.path.join(folder, name) for folder, _, names
                        in os.walk(os.path.join(self.folder, "run")) for name in names]

    def close(self):
        if self.runs():
            self.process.kill()
            self.process.wait()
        self.out.close()
        shutil.rmtree(self.folder, ignore_errors=True)
