# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Jobs of the tests here: started with an environment of their own, bounded, and looked for after."""
import os
import re
import select
import subprocess
import time
import unittest

LIMIT = 60     # seconds for anything, on a busy machine
END_LIMIT = 5  # seconds until all of a job is gone, as doc/reliability.md promises
MACHINE = ("unshare", "-p", "-f", "--mount-proc", "--kill-child")  # for the library, one of its own
OTHERS = ("RINGBELL_", "PMI", "OMPI_", "SLURM_")  # variables of a job that this test is in


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith(OTHERS)}
    return {**env, "SHMEM_SYMMETRIC_SIZE": "16M", **more}


def children(pid):
    """In the order in which they were started, which for oshrun's PEs is that of their numbers."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
        return [int(child) for child in f.read().split()]


def running(*programs):
    """Those that run one of the programs: PEs, and the watchdogs beside them."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") in programs:
                found.append(int(pid))
        except OSError:
            pass
    return found


class Case(unittest.TestCase):
    def start(self, *command, env=None, **more):
        kwargs = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                  **more}
        job = subprocess.Popen(command, text=True, env=env or environment(), **kwargs)
        for stream in filter(None, (job.stdin, job.stdout, job.stderr)):
            self.addCleanup(stream.close)
        self.addCleanup(job.wait)
        self.addCleanup(job.kill)
        return job

    def run_all(self, commands):
        """All at once. @return of each (status, output, errors)"""
        jobs = [self.start(*command, env=env) for command, env in commands]
        said = [job.communicate(timeout=2 * LIMIT) for job in jobs]
        return [(job.returncode, *texts) for job, texts in zip(jobs, said)]

    def job(self, *command, **env):
        return self.run_all([(command, environment(**env))])[0]

    def check(self, command, status, out="", err="", **env):
        """One job: its status, and patterns of its output and of its errors; "": there are none."""
        with self.subTest(" ".join([*(f"{k}={v}" for k, v in env.items()), *command[1:]])):
            code, *said = self.job(*command, **env)
            self.assertEqual(code, status, said)
            for text, pattern in zip(said, (out, err)):
                self.assertRegex(text, pattern or r"\A\Z")

    def reads(self, stream, *words):
        """Read until all patterns came, in this order. @return what was read"""
        end = time.monotonic() + LIMIT
        pattern, text = re.compile(".*".join(words), re.S), ""
        while not pattern.search(text):
            ready, _, _ = select.select([stream], [], [], max(0, end - time.monotonic()))
            self.assertTrue(ready, f"no '{words}' in {LIMIT} s, but: {text}")
            more = os.read(stream.fileno(), 4096).decode()
            self.assertTrue(more, f"no '{words}' but: {text}")
            text += more
        return text

    def wait_until(self, what, condition, limit=END_LIMIT):
        end = time.monotonic() + limit
        while not condition():
            self.assertLess(time.monotonic(), end, f"waited {limit} s until {what}")
            time.sleep(0.01)
