#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""oshrun reports a job that hangs, without the checked mode.
Usage: test_blocked.py OSHRUN BLOCKED"""
import concurrent.futures
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from job import at_once

OSHRUN, BLOCKED = map(os.path.abspath, sys.argv[1:3])
del sys.argv[1:3]
# ignored where tests run in a script's background; oshrun would leave it so
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
ENV = dict(os.environ, SHMEM_SYMMETRIC_SIZE="16M")
LIMIT = 60  # seconds for what takes a few, on a busy machine
SHAPES = (["-n", "3"], ["--hosts", "3"], ["-n", "6", "--hosts", "3"])


def run(*args):
    return subprocess.run([OSHRUN, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=LIMIT, text=True, check=False, env=ENV)


def pes_in(lines, call):
    """PEs that a report has in a call."""
    found = set()
    for line in lines.splitlines():
        m = re.match(rf"oshrun: PEs? ([0-9,-]+): in {call} for [0-9.]+ s, ", line)
        for part in m.group(1).split(",") if m else ():
            first, _, last = part.partition("-")
            found |= set(range(int(first), int(last or first) + 1))
    return found


class Blocked(unittest.TestCase):
    @staticmethod
    def hang(row):
        """The report at the time limit, while all PEs but 1 are in the call."""
        call, shape, _ = row
        for seconds in ("1.5", "6", "40"):  # a busy machine needs longer to come so far
            r = run(*shape, "--timeout", seconds, BLOCKED, call)
            if pes_in(r.stderr, call) == set(range(int(shape[1]))) - {1}:
                break
        return r

    def test_time_limit(self):
        pe = "(PE 1|host 1)\n"
        word = "its word at offset 0x[0-9a-f]+ of "
        rows = (("shmem_barrier_all", SHAPES[0], pe), ("shmem_sync_all", SHAPES[1], pe),
                ("shmem_malloc", SHAPES[2], pe), ("shmem_long_sum_reduce", SHAPES[0], pe),
                ("shmem_long_sum_reduce", SHAPES[2], pe),
                ("shmem_int_wait_until", SHAPES[0], word + "the heap"),
                ("shmem_int_wait_until_any", SHAPES[2], word + "static data"),
                ("shmem_set_lock", SHAPES[1], "PE 1\n"))
        with concurrent.futures.ThreadPoolExecutor(4) as pool:  # they sleep most of the time
            for (call, shape, whom), r in zip(rows, pool.map(self.hang, rows)):
                with self.subTest(call=call, shape=" ".join(shape)):
                    self.assertEqual(r.returncode, 124, r.stderr)
                    self.assertIn("the job did not end within", r.stderr)
                    self.assertEqual(pes_in(r.stderr, call), set(range(int(shape[1]))) - {1}, r.stderr)
                    self.assertRegex(r.stderr, r"PE 1: in no call that waits")
                    self.assertRegex(r.stderr, rf"in {call} for [0-9.]+ s, waits? for {whom}")

    def test_programs_of_other_kinds_have_no_report(self):
        r = run("-n", "2", "--timeout", "0.5", "sleep", "60")
        # on a busy machine one may not have come to run until then, which is said of it
        self.assertRegex(r.stderr, r"\Aoshrun: the job did not end within 0.5 s\n"
                         r"(oshrun: PE \d \(process \d+\) did not come to run sleep: .*\n)*\Z")

    def quit(self, pause, terminal):
        """The report of a job that SIGQUIT ends after a while; Ctrl-\\ in a terminal kills the PEs at
        once, and what they waited for is known all the same."""
        try:
            ours, theirs = os.openpty() if terminal else os.pipe()
        except OSError as e:
            self.skipTest(f"no pseudo-terminals (is /dev/pts mounted?): {e}")
        stdin = theirs if terminal else subprocess.DEVNULL
        session = ["setsid", "--ctty"] if terminal else ["setsid"]
        with subprocess.Popen([*session, OSHRUN, "-n", "3", BLOCKED, "shmem_barrier_all"], env=ENV,
                              stdin=stdin, stderr=theirs) as p:
            os.close(theirs)
            time.sleep(pause)
            if terminal:
                os.write(ours, b"\x1c")
            else:
                p.send_signal(signal.SIGQUIT)
            with os.fdopen(ours, "rb", 0) as f:
                said = b""
                with contextlib.suppress(OSError):  # the terminal is gone with the last of its users
                    while piece := f.read(4096):
                        said += piece
            self.assertEqual(p.wait(LIMIT), 128 + signal.SIGQUIT)
        return said.decode().replace("\r", "").replace("^\\", "")

    def test_quit(self):
        for terminal in (False, True):
            for pause in (1.5, 6, 30):  # a busy machine needs longer to come so far
                said = self.quit(pause, terminal)
                if pes_in(said, "shmem_barrier_all") == {0, 2}:
                    break
            else:
                self.fail(said)

    def says(self, shape, how, pattern):
        """Run until oshrun has reported it by itself; then end the job, with a report. It is said once."""
        with subprocess.Popen([OSHRUN, *shape, "--timeout", str(LIMIT), BLOCKED, how], env=ENV,
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as p:
            self.assertRegex(p.stderr.readline(), pattern)
            time.sleep(1.5)  # it must not report it again
            p.send_signal(signal.SIGQUIT)
            rest = p.stderr.read()
            self.assertEqual(p.wait(LIMIT), 128 + signal.SIGQUIT)
        self.assertNotRegex(rest, pattern)
        return rest

    def test_finalize(self):
        self.says(SHAPES[1], "finalize",
                  "PEs wait in shmem_finalize and in other calls: all PEs have to make the same "
                  "collective calls")

    def test_late(self):
        rest = self.says(SHAPES[0], "late", "PEs 0,2 wait in shmem_init for PE 1, which has not "
                                            "called it yet")
        self.assertIn("PE 1: not in the job: no shmem_init so far", rest)

    def test_never(self):
        for shape in SHAPES[:2]:
            with self.subTest(shape=" ".join(shape)):
                r = run(*shape, "--timeout", "30", BLOCKED, "never")
                self.assertEqual(r.returncode, 1, r.stderr)
                self.assertRegex(r.stderr, r"PE 1 \(process \d+\) exited without calling "
                                           r"shmem_init, while PEs? [02,]+ waits? for it")


if __name__ == "__main__":
    sys.exit(at_once(Blocked))
