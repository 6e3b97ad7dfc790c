#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Each lesson's checker takes the finished program, and says of others what is wrong, in words of the lesson.
Usage: test_course.py BUILD COURSE PAGES"""
import concurrent.futures
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD, COURSE, PAGES = (pathlib.Path(arg).resolve() for arg in sys.argv[1:4])
del sys.argv[1:4]
spec = importlib.util.spec_from_file_location("lesson", COURSE / "lesson.py")
lesson = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lesson)

# lesson, what replaces what in its finished program, words of the checker
WRONG = (
    (1, "(me + n - 1) % n", "me - 1", r"PE -1 is at its left: the ring is closed"),
    (1, "(me + 1) % n", "me + 1", r"PE \d thinks that PE \d is at its right: after PE n - 1 comes PE 0"),
    (2, "shmem_calloc", "calloc", r"private memory"),
    (2, "&box[me], number, pe", "&box[me], number, me", r"has nothing from another PE"),
    (2, "int pe = 0; pe < n; pe++)\n\t\tshmem", "int pe = 0; pe < n; pe++)\n\t\tif (pe != me)\n\t\t\tshmem", r"its own box"),
    (2, "&box[me], number", "(long[1]){0}, number", r"an address must be in symmetric memory.*\n.*not symmetric"),
    (3, "shmem_quiet();", "", r"nothing between put and get"),
    (3, "got, theirs, N, right", "got, theirs, N, me", r"theirs of the right neighbour"),
    (3, "back, place, N, right", "back, place, N, me", r"numbers came back to PE"),
    (4, "\t\tshmem_barrier_all();", "", r"all have to meet once in each round"),
    (4, "\t\tshmem_barrier_all();", "shmem_sync_all();", r"does not wait for their puts"),
    (4, "\t\tshmem_barrier_all();", "if (me)\n\t\t\tshmem_barrier_all();", r"a PE waits in a round"),
    (5, "\tif (me != 0) {", "\tif (me > 1) {", r"a row that nobody sends(.*\n)*.*shmem_signal_wait_until"),
    (5, "row[i] += me", "row[i] += 1", r"the row comes home"),
    (6, "shmem_long_atomic_inc(&done[task], 0)", "done[task]++", r"more than one PE: that takes an atomic"),
    (6, "shmem_long_atomic_fetch_inc(&next_task, 0)", "shmem_long_g(&next_task, 0), shmem_long_p(&next_task, task + 1, 0)",
     r"one task twice"),
    (7, "reduce(team, &ours", "reduce(SHMEM_TEAM_WORLD, &ours", r"reduce part over team"),
    (7, "WORLD, 1, 2, n / 2", "WORLD, 0, 2, n / 2", r"team of PE 1 is no team"),
    (8, "get_nbi(ctx, next, block, N, pe)", "get(ctx, next, block, N, pe)", r"no block is on its way"),
    (8, "shmem_ctx_quiet(ctx);\n\t\t/*", "\n\t\t/*", r"nothing waits for the get"),
    (8, "next, block, N, pe)", "next, block, N, me)", r"block of pe comes into next"),
    (9, "shmem_set_lock(&locks[owner]);", "", r"nobody holds a lock"),
    (9, "\t\tbreak;\n", "", r"slots are used for 40 keys"),
    (9, "owner) + 1,", "owner) + 2,", r"all counts are"),
    (10, "shmem_int_p(&queue[next]", "shmem_int_p(&queue[!next]", r"vertices were found, not 300|levels, not 10"),
    (10, "shmem_long_atomic_fetch_inc(&length[next], owner)", "length[next]++", r"gives each its own"),
)


class Course(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="ringbell-course-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, status, *rows):
        """Lesson, program, and words of the checker. Some at once: two of them hang until their limit."""
        def run(row):
            with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                path = pathlib.Path(folder, f"{row[0]}.c")
                path.write_text(row[1])
                return subprocess.run([sys.executable, COURSE / "lesson.py", BUILD, str(row[0]), path], text=True, cwd=folder,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240, check=False)
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            for (number, _, words), done in zip(rows, pool.map(run, rows)):
                with self.subTest(f"{number}: {words}"):
                    self.assertRegex(done.stdout, words)
                    self.assertEqual(done.returncode, status, done.stdout)

    def source(self, number):
        return next(COURSE.glob(f"{number}-*.c"))

    def test_finished(self):
        self.check(0, *((number, self.source(number).read_text(), rf"PE 2 +[.pgawBsr]{{80}}\n(.*\n)*lesson {number}: right")
                        for number in lesson.LESSONS))

    def test_own_copy(self):
        """The first call makes the learner's file, without the lines that are his."""
        for number in lesson.LESSONS:
            with self.subTest(number):
                done = subprocess.run([sys.executable, COURSE / "lesson.py", BUILD, str(number)], text=True, cwd=self.folder,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240, check=False)
                self.assertRegex(done.stdout, rf"is yours(.*\n)+lesson {number}: the gap is empty. To do: \w+")
                self.assertEqual(done.returncode, 1)
                own = (self.folder / "lessons" / self.source(number).name).read_text()
                self.assertEqual(own, lesson.template(self.source(number).read_text()))
                self.assertLess(len(own), len(self.source(number).read_text()))

    def test_wrong(self):
        rows = []
        for number, old, new, words in WRONG:
            source = self.source(number).read_text()
            gap = lesson.GAP.search(source)[0]
            self.assertIn(old, gap)
            rows.append((number, source.replace(gap, gap.replace(old, new)), rf"lesson {number}: (.*\n)*.*(?:{words})"))
        self.check(1, *rows)

    def test_not_c(self):
        source = self.source(1).read_text()
        self.check(1, (1, source.replace("% n;", "% n"), r"lesson 1: it does not compile:\n(.*\n)*.*error"),
                   (1, source.replace("END OF YOURS", ""), r"the comments YOURS and END OF YOURS must stay"))

    def test_pages(self):
        """Each lesson has a page with its picture and its command."""
        for number in lesson.LESSONS:
            page = (PAGES / self.source(number).with_suffix(".md").name).read_text()
            self.assertIn(f"make lesson-{number}\n", page)
            picture = self.source(number).with_suffix(".svg").name
            self.assertIn(f"]({picture})", page)
            self.assertTrue((PAGES / picture).is_file(), picture)


if __name__ == "__main__":
    unittest.main(verbosity=2)
