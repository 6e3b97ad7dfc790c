#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The page of ringbell-report has all that its files have, is sound, and needs nothing else. Bad files
are named.

Usage: test_report.py RINGBELL-REPORT
"""
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

REPORT = os.path.abspath(sys.argv[1])
BAD_NAME = "<script>alert(1)</script> & $x^2$"
SINGLE = {"br", "meta", "link", "img", "input", "hr"}


class Nesting(html.parser.HTMLParser):
    """Each element closes, within the one that it began in."""
    open = ()

    def handle_starttag(self, tag, attrs):
        if tag not in SINGLE:
            self.open += (tag,)

    def handle_endtag(self, tag):
        if tag not in SINGLE and (*self.open[:-1], tag) != self.open:
            raise AssertionError(f"</{tag}> within {self.open}")
        self.open = self.open[:-1] if tag not in SINGLE else self.open


def perf_rows(*rows):
    return [{"bench": b, "buffer": "heap", "target": 1, "hops": 1, "size": s, "value": v, "min": v / 2,
             "max": v * 2, "unit": u} for b, s, v, u in rows]


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.page = os.path.join(self.folder, "page.html")

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def report(self, *args):
        return subprocess.run([sys.executable, REPORT, *args, "-o", self.page],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, timeout=120,
                              cwd=self.folder)

    def all_files(self):
        rows = perf_rows(("put_lat", 8, 0.1, "us"), ("put_lat", 4096, 0.5, "us"),
                         ("barrier", 0, 1.5, "us"), (BAD_NAME, 64, 10, "MB/s"))
        return [self.file(f"perf{i}.json", {"tool": "shmem-perf", "rows": rows}) for i in range(2)]

    def test_page(self):
        result = self.report("--title", BAD_NAME, *self.all_files())
        self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))
        with open(self.page, encoding="utf-8") as f:
            text = f.read()
        ids = re.findall(r"""\bid=["']([^"']+)""", text)
        self.assertEqual(len(ids), len(set(ids)))
        used = re.findall(r"""(?:url\(|(?:href|src)=["'])([^)"']*)""", text)
        self.assertEqual({name for name in used if name[:1] != "#" or name[1:] not in ids}, set())
        self.assertNotIn("<script", text)
        self.assertNotIn("<image", text)  # dots, which the page's policy forbids
        nesting = Nesting()
        nesting.feed(text)
        self.assertEqual(nesting.open, ())
        for tag, least in (("section", 2), ("svg", 4), ("table", 2)):
            self.assertGreaterEqual(text.count(f"<{tag}"), least)
        for words in ("put_lat", "&lt;script&gt;alert(1)"):
            self.assertIn(words, text)

    def test_bad_files(self):
        good = {"tool": "shmem-perf", "rows": perf_rows(("a", 8, 1, "us"))}
        bad = [("", "not JSON"), ("{", "not JSON"), ("[" * 100000, "not JSON"),
               ('{"tool": NaN}', "NaN is not a number"), ("[]", "not a file of shmem-perf"),
               ({}, "not a file of shmem-perf"), ({"tool": "cat", "rows": []}, "not a file of shmem-perf"),
               ({**good, "rows": []}, "not a list of rows"), ({**good, "rows": [1]}, "not a list of rows"),
               ({**good, "rows": [{**good["rows"][0], "value": "x"}]}, "value is not a number"),
               ({**good, "rows": [{**good["rows"][0], "bench": 5}]}, "bench is not a text"),
               ({"tool": "ringbell-sim", "rows": [{}]}, "not a file of shmem-perf")]
        for i, (content, words) in enumerate(bad):
            with self.subTest(i=i, words=words):
                result = self.report(self.file("bad.json", content))
                self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr[-300:])
                self.assertIn("ringbell-report: ", result.stderr)
                self.assertIn("bad.json: ", result.stderr)
                self.assertIn(words, result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1)
                self.assertFalse(os.path.exists(self.page))
        self.assertIn("No such file", self.report("/nowhere/x").stderr)
        self.assertEqual(self.report().returncode, 2)
        good = self.file("perf.json", good)
        self.page = "/nowhere/page.html"
        result = self.report(good)
        self.assertEqual((result.returncode, result.stderr), (1, "ringbell-report: cannot write "
                         "/nowhere/page.html: No such file or directory\n"))


if __name__ == "__main__":
    if shutil.which("gnuplot") is None:
        print("gnuplot is missing: apt-get install gnuplot-nox")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
