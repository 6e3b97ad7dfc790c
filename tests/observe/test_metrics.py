#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-top --openmetrics is what Prometheus reads, and has the counters of the job.

Usage: test_metrics.py OSHRUN TRAFFIC RINGBELL-TOP PROMTOOL(where it is if not on PATH)
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from job import LIMIT, Job

OSHRUN, TRAFFIC, TOP, UNPACKED = (os.path.abspath(sys.argv.pop(1)) for _ in range(4))
PROMTOOL = shutil.which("promtool") or shutil.which(UNPACKED)
SAMPLE = re.compile(r'(ringbell_\w+)\{((?:\w+="[^"\\\n]*",?)*)\} (\d+(?:\.\d+)?)$')


def top(*args):
    return subprocess.run([TOP, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=LIMIT, check=False)


class Metrics(unittest.TestCase):
    def setUp(self):
        self.job = Job(OSHRUN, "--telemetry", "--hosts", "3", TRAFFIC, "0")
        self.addCleanup(self.job.kill)
        self.id = self.job.prefixes[0].split("-")[1]
        self.job.go()

    def text(self):
        result = top("--job", self.id, "--openmetrics")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def parse(self, text):
        """{name: {labels: value}}, as OpenMetrics demands it: one family after the other, each with
        its type and help before its samples, counters ending with _total, a last line."""
        lines = text.split("\n")
        self.assertEqual(lines[-2:], ["# EOF", ""])
        kinds, family, found = {}, None, {}
        for line in lines[:-2]:
            if line.startswith("# TYPE "):
                _, _, family, kind = line.split(" ")
                self.assertNotIn(family, kinds)
                kinds[family] = kind
            elif line.startswith("# UNIT "):
                _, _, name, unit = line.split(" ")
                self.assertEqual(name, family)
                self.assertTrue(name.endswith("_" + unit))
            elif line.startswith("# HELP "):
                self.assertEqual(line.split(" ")[2], family)
            else:
                name, labels, value = SAMPLE.fullmatch(line).groups()
                self.assertEqual(name, family + ("_total" if kinds[family] == "counter" else ""))
                self.assertNotIn(labels, found.setdefault(name, {}))
                found[name][labels] = float(value)
        self.assertTrue(set(kinds.values()) <= {"gauge", "counter"})
        return found

    def test_counters(self):
        first = self.parse(self.text())
        second = self.parse(self.text())
        self.assertEqual(set(first["ringbell_host_answers"].values()), {1.0})
        self.assertEqual(len(first["ringbell_host_answers"]), 3)
        self.assertEqual(len(first["ringbell_link_up"]), 6)
        self.assertEqual(len(first["ringbell_pe_puts_total"]), 3)
        self.assertIn(f'job_id="{self.id}",host="0",pe="0"', first["ringbell_pe_puts_total"])
        self.assertGreater(sum(second["ringbell_pe_put_bytes_total"].values()), 0)
        for name in (n for n in first if n.endswith("_total")):
            for labels, value in first[name].items():
                self.assertLessEqual(value, second[name][labels], name)

    @unittest.skipIf(PROMTOOL is None, "promtool is missing: apt-get install prometheus")
    def test_promtool(self):
        """Its reader of OpenMetrics wants a time with each sample."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "metrics")
            with open(path, "w", encoding="ascii") as f:
                f.write(re.sub(r"^(ringbell_.*)$", r"\1 1700000000", self.text(), flags=re.M))
            result = subprocess.run([PROMTOOL, "tsdb", "create-blocks-from", "openmetrics", path,
                                     os.path.join(folder, "blocks")], stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True, timeout=LIMIT, check=False)
            self.assertEqual(result.returncode, 0, result.stdout)
            os.mkdir(os.path.join(folder, "blocks", "wal"))  # without it there is no database
            dump = subprocess.run([PROMTOOL, "tsdb", "dump", os.path.join(folder, "blocks")],
                                  stdout=subprocess.PIPE, text=True, timeout=LIMIT, check=True).stdout
        self.assertIn("ringbell_pe_put_bytes_total", dump)
        self.assertIn(self.id, dump)

    def test_no_job(self):
        result = top("--job", "none", "--openmetrics")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("none", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
