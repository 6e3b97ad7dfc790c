#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Each wrong history is found and its calls are named; its neighbour, which differs in one number, is right.

Usage: test_wrong.py RINGBELL-HISTORY
"""
import contextlib
import io
import os
import random
import sys
import tempfile
import unittest

import write

HISTORY = os.path.abspath(sys.argv[1])
sys.path.insert(0, HISTORY)
import judge  # noqa: E402
import read  # noqa: E402


def call(t0, t1, kind, **words):
    return t0, t1, kind, words


def add(t0, t1, result):
    return call(t0, t1, "atomic_fetch_add", a=1, result=result)


def fetch(t0, t1, result):
    return call(t0, t1, "atomic_fetch", result=result)


def barrier(t0, t1):
    return call(t0, t1, "barrier_all", a=2)


def look(result=0):
    return call(1, 2, "look", result=result)


# name, kind, calls of PE 0 and PE 1 that are wrong, those that are right, how many are named
CASES = [
    ("lost add", "atomics", [[add(10, 20, 0)], [add(30, 40, 0)]], [[add(10, 20, 0)], [add(30, 40, 1)]], 2),
    ("doubled add", "atomics", [[add(10, 20, 0)], [fetch(30, 40, 2)]], [[add(10, 20, 0)], [fetch(30, 40, 1)]], 2),
    ("stale fetch", "atomics", [[call(10, 20, "atomic_swap", a=7, result=5)], [fetch(30, 40, 5)]],
     [[call(10, 20, "atomic_swap", a=7, result=5)], [fetch(15, 40, 5)]], 2),
    # 9.12: complete by the quiet, and at any time before
    ("add after its quiet", "atomics",
     [[fetch(1, 2, 0), call(10, 11, "atomic_add", a=1), call(12, 20, "quiet")], [fetch(30, 40, 0)]],
     [[fetch(1, 2, 0), call(10, 11, "atomic_add", a=1), call(12, 35, "quiet")], [fetch(30, 40, 0)]], 3),
    ("nonblocking fetch after its quiet", "atomics",
     [[call(10, 11, "atomic_fetch_add_nbi", a=1, result=1), call(12, 20, "quiet")], [add(30, 40, 0)]],
     [[call(10, 11, "atomic_fetch_add_nbi", a=1, result=1), call(12, 35, "quiet")], [add(30, 40, 0)]], 2),
    ("sets on the wrong side of a fence", "atomics",
     [[call(10, 11, "atomic_set", a=1), call(12, 13, "fence"), call(14, 15, "atomic_set", a=2), call(90, 95, "quiet")],
      [fetch(1, 2, 0), fetch(20, 30, 2), fetch(40, 50, 1)]],
     [[call(10, 11, "atomic_set", a=1), call(14, 15, "atomic_set", a=2), call(90, 95, "quiet")],
      [fetch(1, 2, 0), fetch(20, 30, 2), fetch(40, 50, 1)]], 3),
    # of another thread, which noted its call later
    ("set before a fence of another thread", "atomics",
     [[call(10, 11, "atomic_set", a=1), call(12, 13, "fence"), call(16, 17, "atomic_set", a=2), call(90, 95, "quiet")],
      [fetch(1, 2, 0), fetch(20, 30, 2), fetch(40, 50, 1)]],
     [[call(14, 15, "atomic_set", a=1), call(12, 13, "fence"), call(16, 17, "atomic_set", a=2), call(90, 95, "quiet")],
      [fetch(1, 2, 0), fetch(20, 30, 2), fetch(40, 50, 1)]], 3),
    ("two compare_swaps that took", "atomics",
     [[call(10, 20, "atomic_compare_swap", a=0, b=1, result=0)], [call(10, 20, "atomic_compare_swap", a=0, b=2, result=0)]],
     [[call(10, 20, "atomic_compare_swap", a=0, b=1, result=0)], [call(10, 20, "atomic_compare_swap", a=0, b=2, result=1)]], 2),
    ("signal never sent", "waits", [[look(), call(2, 30, "wait_until", a=1, b=1)], []],
     [[look(), call(2, 30, "wait_until", a=1, b=1)], [call(10, 20, "signal_set", a=1)]], 2),
    ("signal sent after it was seen", "waits",
     [[look(), call(2, 30, "signal_wait_until", a=1, b=3, result=3)], [call(40, 50, "signal_set", a=3)]],
     [[look(), call(2, 45, "signal_wait_until", a=1, b=3, result=3)], [call(40, 50, "signal_set", a=3)]], 2),
    ("signal counted twice", "waits",
     [[look(), call(2, 30, "signal_wait_until", a=3, b=1, result=3)], [call(10, 20, "signal_add", a=1)] * 2],
     [[look(), call(2, 30, "signal_wait_until", a=3, b=1, result=2)], [call(10, 20, "signal_add", a=1)] * 2], 2),
    ("two PEs with a lock", "locks",
     [[call(10, 20, "set_lock", result=0), call(50, 60, "clear_lock", result=0)], [call(15, 40, "set_lock", result=0)]],
     [[call(10, 20, "set_lock", result=0), call(50, 60, "clear_lock", result=0)], [call(15, 55, "set_lock", result=0)]], 3),
    ("a free lock that is busy", "locks",
     [[call(10, 20, "set_lock", result=0), call(50, 60, "clear_lock", result=0)], [call(70, 80, "test_lock", result=1)]],
     [[call(10, 20, "set_lock", result=0), call(50, 60, "clear_lock", result=0)], [call(60, 80, "test_lock", result=1)]], 1),
    ("early leave of a barrier", "barriers", [[barrier(10, 20), barrier(30, 40)], [barrier(10, 20), barrier(41, 50)]],
     [[barrier(10, 20), barrier(30, 42)], [barrier(10, 20), barrier(41, 50)]], 2),
    ("a barrier of one PE", "barriers", [[barrier(10, 20), barrier(30, 40)], [barrier(10, 20)]],
     [[barrier(10, 20), barrier(30, 0)], [barrier(10, 20)]], 1),
]


def checked(folder):
    """What the program says and returns, without the start of a process."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            status = judge.check(read.load(folder)).write()
        except read.Bad as e:
            return 2, f"{e}\n"
    return status, out.getvalue()


class Wrong(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def verdict(self, *pes):
        folder = tempfile.mkdtemp(dir=self.folder.name) + "/run"
        write.history(folder, *pes)
        return checked(folder)

    def test_cases(self):
        for name, kind, wrong, right, named in CASES:
            with self.subTest(name):
                status, out = self.verdict(*right)
                self.assertEqual((status, out.count(": right\n")), (0, 5), out)
                status, out = self.verdict(*wrong)
                self.assertEqual((status, out.count(": right\n")), (1, 4), out)
                self.assertRegex(out, rf"(?m)^{kind} \(section .*\): \d+: (?!right)")
                self.assertEqual(out.count("\n    PE "), named, out)

    def test_found_among_many(self):
        """The two calls that contradict are named, of 2000 by four PEs at once."""
        calls = [[add(10 * i + pe, 10 * i + 9, 4 * i + pe) for i in range(500)] for pe in range(4)]
        self.assertEqual(self.verdict(*calls)[0], 0)
        calls[2][250] = add(2502, 2509, 1003)  # another one's
        status, out = self.verdict(*calls)
        self.assertEqual(status, 1, out)
        self.assertIn("= 0x3eb", out)
        self.assertLess(out.count("\n    PE "), 8, out)

    def test_stores_between_barriers(self):
        """Between two barriers the program may store to the word, and not elsewhere."""
        reset = [[add(1, 2, 5), barrier(3, 5), barrier(7, 9), add(10, 11, 0)], [barrier(3, 5), barrier(7, 9)]]
        self.assertEqual(self.verdict(*reset)[0], 0)
        del reset[0][2], reset[1][1]
        self.assertEqual(self.verdict(*reset)[0], 1)

    def test_words_that_overlap(self):
        """An operation on eight bytes changes the four of another word."""
        short = [call(t, t + 9, "atomic_fetch_add", a=1, result=result, place=68, size=4) for t, result in ((10, 0), (50, 9))]
        for place, status in ((64, 0), (72, 1)):
            self.assertEqual(self.verdict(short, [call(30, 39, "atomic_fetch_add", a=8 << 32, result=0, place=place)])[0], status)
            self.assertEqual(self.verdict(short)[0], 1)
        words = [call(1 + 4 * i, 3 + 4 * i, "atomic_fetch_add", a=1, result=i, place=place, size=4)
                 for place in (64, 68) for i in range(2)]
        both = [barrier(20, 25), barrier(30, 35), call(40, 45, "atomic_fetch_add", a=8 << 32, result=0)]
        self.assertEqual(self.verdict(words + both, both[:2])[0], 0)
        # one under way on the word beside keeps no store from the first
        aside = [call(18, 60, "atomic_fetch_add", a=1, result=2, place=68, size=4)]
        once, later = (call(t, t + 3, "atomic_fetch_add", a=1, result=result, size=4) for t, result in ((16, 0), (50, 9)))
        meet = [barrier(4, 6), barrier(8, 10)], [barrier(20, 25), barrier(30, 35)]
        first = [call(1, 3, "atomic_fetch_add", a=1, result=5), *meet[0], once]
        self.assertEqual(self.verdict([*first, *meet[1], later], meet[0] + meet[1] + aside)[0], 0)
        self.assertEqual(self.verdict([*first, later], meet[0] + aside)[0], 1)
        words[3] = call(5, 7, "atomic_fetch_add", a=1, result=7, place=68, size=4)
        self.assertEqual(self.verdict(words + both, both[:2])[0], 1)

    def test_stores_between_waits(self):
        """A PE that sets its word back itself: right where we are told so."""
        folder = self.folder.name + "/reset"
        write.history(folder, [look(), call(2, 30, "wait_until", a=1, b=1), call(35, 36, "look", result=0),
                               call(36, 60, "wait_until", a=1, b=1)],
                      [call(10, 20, "signal_add", a=1), call(40, 50, "signal_add", a=1)])
        self.assertEqual(write.check(HISTORY, folder)[0], 1)
        self.assertEqual(write.check(HISTORY, folder, "--stores")[0], 0)

    def bad(self, why, folder):
        status, out = write.check(HISTORY, folder)
        self.assertEqual((status, out.count("\n")), (2, 1), out)
        self.assertIn(why, out)

    def test_bad(self):
        name = self.folder.name + "/bad"
        self.bad("No such file", name)
        os.mkdir(name)
        self.bad("no histories", name)
        for content, why in ((b"x", "shorter"), (b"x" * 4096, "not a history"), (write.header(0, 2), "1 of 2 PEs"),
                             (write.header(2, 2), "PE 2 of 2"),
                             (write.header(0, 1) + write.entry(5, 4, "fence"), "returns before it is invoked")):
            with open(name + "/0.history", "wb") as f:
                f.write(content)
            self.bad(why, name)
        for pe, boot in enumerate((b"one", b"other")):
            with open(f"{name}/{pe}.history", "wb") as f:
                f.write(write.header(pe, 2, boot))
        self.bad("clocks cannot be compared", name)

    def test_noise(self):
        """Any bytes give a verdict or one line."""
        draw = random.Random(1)
        folder = self.folder.name + "/noise"
        write.history(folder, *CASES[5][2])
        with open(folder + "/0.history", "rb") as f:
            whole = f.read()
        for _ in range(300):
            bytes_now = bytearray(whole)
            for _ in range(draw.randrange(1, 9)):
                bytes_now[draw.choice((draw.randrange(64), draw.randrange(4096, len(whole))))] = draw.randrange(256)
            with open(folder + "/0.history", "wb") as f:
                f.write(bytes_now[:draw.choice((len(whole), draw.randrange(len(whole))))])
            self.assertIn(checked(folder)[0], (0, 1, 2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
