# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A running job with telemetry, and a client of its sockets."""
import concurrent.futures
import glob
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
import unittest

LIMIT = 60  # seconds for what takes a moment, on a busy machine


# of this test's jobs: DPDK puts the folders of its processes there
FOLDER = tempfile.TemporaryDirectory(prefix="ringbell-observe-")
os.environ["RUNTIME_DIRECTORY"] = FOLDER.name


def socket_of(prefix):
    return f"{FOLDER.name}/dpdk/{prefix}/dpdk_telemetry.v2"


def prefixes():
    """Hosts of jobs with telemetry: ringbell-JOB-HOST. Others have no second number."""
    return {os.path.basename(p) for p in glob.glob(FOLDER.name + "/dpdk/ringbell-*-*")}


def until(what, condition):
    """Wait for a change that another process makes."""
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {LIMIT} s for {what}")
        time.sleep(0.01)


def at_once(*cases):
    """All tests of some classes at once: their jobs sleep most of the time. @return has one failed?"""
    tests = [t for case in cases for t in unittest.defaultTestLoader.loadTestsFromTestCase(case)]
    with concurrent.futures.ThreadPoolExecutor(len(tests)) as pool:
        results = list(pool.map(lambda test: test.run(), tests))
    for test, result in zip(tests, results):
        wrong = result.failures + result.errors
        print(f"{test}: {'FAILED' if wrong else result.skipped[0][1] if result.skipped else 'ok'}")
        print("".join(text for _, text in wrong), end="")
    return any(not result.wasSuccessful() for result in results)


class Client:
    """As dpdk-telemetry.py talks."""

    def __init__(self, prefix):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # blocking: DPDK lets one client wait for a place, and rejects a second one at once
        self.sock.connect(socket_of(prefix))
        self.sock.settimeout(LIMIT)
        try:
            self.hello = json.loads(self.sock.recv(1024))
        except (OSError, ValueError):
            self.sock.close()
            raise

    def ask(self, command):
        self.sock.send(command.encode())
        reply = json.loads(self.sock.recv(self.hello["max_output_len"]))
        (answer,) = reply.values()
        return answer

    def close(self):
        self.sock.close()


class Job:
    """oshrun with a program that says ready, done, and reads its input in between."""

    def __init__(self, oshrun, *args):
        before = prefixes()
        self.job = subprocess.Popen([oshrun, "--timeout", "200", *args], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for("ready")
        self.prefixes = sorted(prefixes() - before, key=lambda p: int(p.rsplit("-", 1)[1]))

    def wait_for(self, word):
        """Within the time limit of oshrun."""
        line = self.job.stdout.readline().decode().strip()
        if line != word:
            raise AssertionError(f"{line!r} instead of {word}: {self.end()[1]}")

    def go(self):
        self.job.stdin.write(b"\n")
        self.job.stdin.flush()

    def end(self):
        """Let it end. Status and what it said."""
        _, err = self.job.communicate(timeout=LIMIT)
        return self.job.returncode, err.decode()

    def pids(self):
        pid = self.job.pid
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return [int(p) for p in f.read().split()]

    def kill(self):
        """In any case."""
        if self.job.poll() is None:
            self.job.send_signal(signal.SIGKILL)
        self.job.communicate()
