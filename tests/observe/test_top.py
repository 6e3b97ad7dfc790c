#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What ringbell-top shows. Usage: test_top.py OSHRUN TRAFFIC RINGBELL-TOP"""
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

from job import LIMIT, Job, until

OSHRUN, TRAFFIC, TOP = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))


def top(*args, **env):
    return subprocess.run([TOP, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=LIMIT, check=False, env={**os.environ, **env})


def terminals():
    """Whether tmux is here, and pseudo-terminals for it."""
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        return False
    return shutil.which("tmux") is not None


class Terminal:
    """A tmux of our own with ringbell-top in it."""

    def __init__(self, folder, width, height, *args):
        # a server of its own: one that is ending takes no new session, and says so by failing
        self.tmux = ["tmux", "-S", tempfile.mktemp(dir=folder, prefix="tmux-"), "-f", "/dev/null"]
        self.run("new-session", "-d", "-x", str(width), "-y", str(height), TOP, *args)

    def run(self, *args, check=True):
        return subprocess.run([*self.tmux, *args], stdout=subprocess.PIPE, text=True, check=check,
                              stderr=subprocess.PIPE, timeout=LIMIT)

    def lines(self):
        return self.run("capture-pane", "-p").stdout.split("\n")

    def until_line(self, what, condition):
        until(what, lambda: any(condition(line) for line in self.lines()))

    def ended(self):
        return self.run("has-session", check=False).returncode != 0

    def close(self):
        self.run("kill-server", check=False)


class Live(unittest.TestCase):
    """A job of four hosts to look at."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.job = Job(OSHRUN, "--telemetry", "--hosts", "4", "-n", "5", TRAFFIC, "0")
        self.addCleanup(self.job.kill)
        self.id = self.job.prefixes[0].split("-")[1]
        self.job.go()

    def end(self):
        self.assertEqual(self.job.end()[0], 0)

    def terminal(self, width, height):
        t = Terminal(self.folder, width, height, "--job", self.id, "--interval", "0.2")
        self.addCleanup(t.close)
        t.until_line("a rate on the screen", lambda line: "MB/s" in line or "kB/s" in line)
        return t

    def check_screen(self, t, width):
        lines = t.lines()
        self.assertIn(f"job {self.id}  4 hosts  5 PEs", lines[0])
        self.assertTrue(lines[0].rstrip().endswith("arrows: move"))
        self.assertEqual(len(lines[0].rstrip()), width - 1)
        text = "\n".join(lines)
        for host in range(4):
            self.assertRegex(text, rf"host {host}\b")
            self.assertRegex(text, rf"(?m)^ {host} - {(host + 1) % 4} .*/s .*/s .*/s .*/s .*%")
        for pe in range(5):
            self.assertRegex(text, rf"(?m)^ +{pe} +\d (starting|running|waiting|barrier|left) .*%")
        # the ring: boxes of four hosts in two rows, the right ones at the right edge
        self.assertEqual(len(lines[1]), width)
        self.assertEqual(lines[1], lines[7])
        self.assertEqual(lines[4], lines[10])
        self.assertNotEqual(lines[1][0], " ")
        self.assertIn("> ", lines[2])
        self.assertIn("< ", lines[3])
        self.assertIn("v ", lines[5])
        self.assertIn("^ ", lines[6])

    @unittest.skipUnless(terminals(), "no tmux, or no pseudo-terminals (/dev/pts)")
    def test_screen(self):
        for width, height in ((80, 24), (200, 50)):
            with self.subTest(f"{width}x{height}"):
                t = self.terminal(width, height)
                self.check_screen(t, width)
                t.run("send-keys", "q")
                until("ringbell-top to quit on q", t.ended)
        self.end()

    @unittest.skipUnless(terminals(), "no tmux, or no pseudo-terminals (/dev/pts)")
    def test_resizes_and_scrolls(self):
        t = self.terminal(80, 24)
        t.run("resize-window", "-x", "100", "-y", "30")
        t.until_line("the new width", lambda line: line.startswith("ringbell-top") and
                     len(line.rstrip()) == 99)
        self.check_screen(t, 100)
        t.run("resize-window", "-x", "40", "-y", "8")  # no room for the ring
        t.until_line("the tables alone", lambda line: line.startswith(" 0 - 1"))
        t.run("send-keys", "NPage", "NPage")
        t.until_line("the last PE", lambda line: line.startswith("   4    3 "))
        self.end()
        until("ringbell-top to end after the job", t.ended)

    def test_once(self):
        done = top("--once", "--job", self.id, "--interval", "0.3")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("4 hosts  5 PEs", done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.split("\n"))), 80)
        self.assertTrue(done.stdout.isascii())
        for word in ("host 3", " 3 - 0 ", "relayed", "barriers"):
            self.assertIn(word, done.stdout)
        self.end()

    def test_json(self):
        done = top("--json", "--job", self.id)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        got = json.loads(done.stdout)
        self.assertEqual(got["job"], self.id)
        self.assertEqual([h["host"] for h in got["hosts"]], list(range(4)))
        self.assertEqual([p["pe"] for p in got["pes"]], list(range(5)))
        self.assertEqual(got["warnings"], [])
        for link in got["links"]:
            self.assertTrue(link["up"])
            self.assertGreater(link["to_the_right"]["bytes_per_s"], 0)
            self.assertGreater(link["to_the_right"]["messages_per_s"], 0)
        self.assertGreater(sum(h["relayed_share"] for h in got["hosts"]), 0)
        self.end()


class Many(unittest.TestCase):
    """A ring that takes boxes without frames in 80 columns."""

    def check(self, lines, hosts):
        self.assertIn(f"{hosts} hosts  {hosts} PEs", lines[0])
        above = (hosts + 1) // 2
        self.assertEqual(re.findall(r"\[ ?(\d+)\]", lines[1]), list(map(str, range(above))))
        self.assertEqual(re.findall(r"\[ ?(\d+)\]", lines[5]),
                         list(map(str, range(hosts - 1, above - 1, -1))))
        # from edge to edge, and closed at both
        for line in (1, 5):
            self.assertEqual((lines[line].index("["), lines[line].rindex("]")), (0, 79))
        for line, arrow in ((3, "v"), (4, "^")):
            self.assertEqual(lines[line].count(arrow), 2)
        for line, arrow in ((1, ">"), (2, "<")):
            self.assertEqual(len(re.findall(arrow + r"[\d.]+[kMGT]?", lines[line])), above - 1)
            self.assertEqual(len(re.findall(arrow + r"[\d.]+[kMGT]?", lines[line + 4])),
                             hosts - above - 1)
        self.assertTrue(any(line.startswith(" 0 - 1 ") for line in lines))

    def test_folded(self):
        for hosts in (8, 9, 16):
            with self.subTest(hosts=hosts), tempfile.TemporaryDirectory() as folder:
                job = Job(OSHRUN, "--telemetry", "--hosts", str(hosts), TRAFFIC, "0")
                self.addCleanup(job.kill)
                name = job.prefixes[0].split("-")[1]
                job.go()
                done = top("--once", "--job", name, "--interval", "0.2")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.check(done.stdout.split("\n"), hosts)
                if terminals():
                    t = Terminal(folder, 80, 24, "--job", name, "--interval", "0.2")
                    self.addCleanup(t.close)
                    t.until_line("the ring", lambda line: line.startswith("[ 0]"))
                    self.check(t.lines(), hosts)
                    t.close()
                job.kill()


class Line(unittest.TestCase):
    """A ring that has lost a cable."""

    def lost(self, hosts, cable):
        """Its picture, and the same as JSON."""
        job = Job(OSHRUN, "--telemetry", "--survive", "--hosts", str(hosts), "--fault",
                  f"cut {cable}-{(cable + 1) % hosts} at 0s", TRAFFIC, "0")
        self.addCleanup(job.kill)
        name = job.prefixes[0].split("-")[1]
        job.go()
        got = {}

        def shows():
            got.update(json.loads(top("--json", "--job", name, "--interval", "0.1").stdout))
            return any(link["lost"] for link in got["links"])

        until("ringbell-top to show the loss", shows)
        picture = top("--once", "--job", name, "--interval", "0.1").stdout.split("\n")
        job.kill()
        return picture, got

    def check(self, hosts, cable):
        lines, got = self.lost(hosts, cable)
        right = (cable + 1) % hosts
        self.assertEqual([link["host"] for link in got["links"] if link["lost"]], [cable])
        self.assertEqual(len(got["warnings"]), 1)
        self.assertRegex(got["warnings"][0], f"between host {cable} and host {right} is lost")
        self.assertRegex(lines[1], f"! the cable between host {cable} and host {right} is lost ")
        table = [line for line in lines if re.match(rf" *{cable} - {right} ", line)]
        self.assertRegex(table[0], "lost [0-9]+ s$")
        return lines[2:]

    def test_boxes(self):
        for hosts, cable in ((2, 0), (2, 1), (3, 2), (4, 1), (6, 0)):
            with self.subTest(hosts=hosts, cable=cable):
                lines = self.check(hosts, cable)
                above = hosts if hosts == 2 else (hosts + 1) // 2
                line = [(cable + 1 + i) % hosts for i in range(hosts)]
                self.assertEqual(re.findall(r"host (\d)", lines[1]), list(map(str, line[:above])))
                self.assertRegex(lines[4], "lost [0-9]+ s")
                if hosts > 2:
                    self.assertEqual(re.findall(r"host (\d)", lines[7]),
                                     list(map(str, line[:above - 1:-1])))
                    self.assertEqual(lines[4].count(" v "), hosts > 3)
                for at in (1, 7)[:1 + (hosts > 3)]:
                    self.assertIn(" > ", lines[at])

    def test_folded(self):
        lines = self.check(9, 3)
        self.assertEqual(re.findall(r"\[ ?(\d+)\]", lines[0]), list("45678"))
        self.assertEqual(re.findall(r"\[ ?(\d+)\]", lines[4]), list("3210"))
        self.assertRegex(lines[2], "lost [0-9]+ s")
        self.assertEqual(lines[2].count("v"), 1)


class Liar(threading.Thread):
    """A socket like that of a host, which answers anything."""

    def __init__(self, folder, seed):
        super().__init__(daemon=True)
        os.makedirs(folder)
        self.random = random.Random(seed)
        self.door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.door.bind(folder + "/dpdk_telemetry.v2")
        self.door.listen()
        self.start()

    def answer(self, command):
        name = command.split(",")[0]
        if name == "/ringbell/info" and self.random.random() < 0.8:
            return json.dumps({name: {"host": 0, "hosts": self.random.choice([1, 2, 64, 65, -1]),
                                      "pes": self.random.choice([1, 1024, 1025, "x"])}}).encode()
        return self.random.choice([
            b"", b"{", b"null", b"\xff\xfe", b"[" * 16000, b'{"' + name.encode() + b'": 1e999}',
            json.dumps({name: None}).encode(), json.dumps({name: [[], {}, -5, 10**18]}).encode(),
            json.dumps({name: list(range(2000))}).encode(),
            json.dumps({name: {"state": "\x1b[2J\x07%s" * 9, "puts": -1, "up": []}}).encode()])

    def run(self):
        while True:
            client, _ = self.door.accept()
            with client:
                try:
                    client.send(b'{"version":"x","pid":1,"max_output_len":16384}')
                    while command := client.recv(1024):
                        client.send(self.answer(command.decode()))
                except OSError:
                    pass


class Alone(unittest.TestCase):
    def test_liars(self):
        for seed in range(40):
            with tempfile.TemporaryDirectory() as folder:
                Liar(folder + "/dpdk/ringbell-0badbad-0", seed)
                for how in ("--once", "--json"):
                    done = top(how, "--interval", "0.1", RUNTIME_DIRECTORY=folder)
                    self.assertIn(done.returncode, (0, 1), (seed, done))
                    self.assertNotIn("\x1b", done.stdout)
                    if how == "--json" and done.returncode == 0:
                        json.loads(done.stdout)

    def test_nobody(self):
        with tempfile.TemporaryDirectory() as folder:
            done = top(RUNTIME_DIRECTORY=folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn("oshrun --telemetry", done.stderr)

    def test_arguments(self):
        self.assertEqual(top("--help").returncode, 0)
        self.assertEqual(top("--version").returncode, 0)
        for wrong in (["--interval", "0"], ["--interval", "x"], ["x"], ["--nix"]):
            done = top(*wrong)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertTrue(done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
