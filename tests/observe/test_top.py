#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What ringbell-top shows: rings and lines that are made up, and jobs.

Usage: test_top.py OSHRUN TRAFFIC BLOCKED RINGBELL-TOP
"""
import contextlib
import io
import json
import os
import random
import re
import runpy
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import types
import unittest

from job import LIMIT, Job, until

OSHRUN, TRAFFIC, BLOCKED, TOP = (os.path.abspath(sys.argv.pop(1)) for _ in range(4))
os.environ["PATH"] = f"{os.path.dirname(OSHRUN)}:{os.environ['PATH']}"
inside = types.SimpleNamespace(**runpy.run_path(TOP, run_name="ringbell-top"))


def top(*args, **env):
    return subprocess.run([TOP, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=LIMIT, check=False, env={**os.environ, **env})


class Drawn(unittest.TestCase):
    """Rings without a job: each link carries something, and a cable may be lost."""

    def picture(self, hosts, lost=None):
        job = inside.Job("made-up", [])
        job.size = job.n_pes = hosts
        job.hosts = dict.fromkeys(range(hosts))
        for pe in range(hosts):
            job.now[pe] = {**inside.metrics_of({}, "pe"), "host": pe, "state": "running"}
            for i, side in enumerate(inside.PORTS[:2]):
                link = {"up": 1, "lost": int((pe - 1 + i) % hosts == lost), "tx_frame_bytes": 5000}
                far = (pe - 1 + 2 * i) % hosts, inside.PORTS[1 - i]
                job.before[pe, side] = inside.metrics_of({}, "link")
                job.now[pe, side] = {**inside.metrics_of(link, "link"), "far": far}
        lines = [line for line, _ in inside.picture(job, 80, 100)]
        self.assertIn(f"{hosts} hosts  {hosts} PEs", lines[0])
        self.assertLessEqual(max(map(len, lines)), 80)
        if lost is not None:
            right = (lost + 1) % hosts
            self.assertEqual(lines.pop(1), f"! the cable between host {lost} and host {right} is lost: "
                                           "the ring is a line")
            row = next(line for line in lines if re.match(rf" *{lost} - {right} ", line))
            self.assertRegex(row, "lost$")
        return lines[1:]

    def test_boxes(self):
        for hosts, lost in ((2, None), (3, None), (4, None), (6, None), (2, 0), (2, 1), (3, 2), (4, 1), (6, 0)):
            with self.subTest(hosts=hosts, lost=lost):
                lines = self.picture(hosts, lost)
                above = hosts if hosts == 2 else (hosts + 1) // 2
                order = [((-1 if lost is None else lost) + 1 + i) % hosts for i in range(hosts)]
                self.assertEqual(re.findall(r"host (\d)", lines[1]), list(map(str, order[:above])))
                self.assertEqual(lines[1].count(" > 5.00 kB/s"), above - 1)
                self.assertEqual(lines[2].count(" < 5.00 kB/s"), above - 1)
                if hosts > 2:
                    self.assertEqual(re.findall(r"host (\d)", lines[7]), list(map(str, order[:above - 1:-1])))
                self.assertEqual("lost" in lines[4], lost is not None)
                if hosts > 3:  # the upright cables
                    self.assertEqual((lines[4].count("v"), lines[5].count("^")), (1, 1) if lost is not None else (2, 2))

    def test_tables_alone(self):
        """Of rings without room for boxes, and of other wirings."""
        self.assertRegex(self.picture(8)[0], "^cable +there +back")


class Terminal:
    """A tmux of our own with ringbell-top in it."""

    def __init__(self, folder, width, height, *args):
        # a server of its own: one that is ending takes no new session, and says so by failing
        self.tmux = ["tmux", "-S", tempfile.mktemp(dir=folder, prefix="tmux-"), "-f", "/dev/null"]
        self.run("new-session", "-d", "-x", str(width), "-y", str(height), TOP, *args)

    def run(self, *args, check=True):
        return subprocess.run([*self.tmux, *args], stdout=subprocess.PIPE, text=True, check=check,
                              stderr=subprocess.PIPE, timeout=LIMIT)

    def until_line(self, what, pattern):
        until(what, lambda: re.search(pattern, self.run("capture-pane", "-p").stdout, re.M))

    def ended(self):
        return self.run("has-session", check=False).returncode != 0


class Live(unittest.TestCase):
    """Jobs to look at."""

    def start(self, *args):
        job = Job(OSHRUN, "--telemetry", *args)
        self.addCleanup(job.kill)
        job.go()
        return job, job.prefixes[0].split("-")[1]

    def show(self, name, how, interval="0.2"):
        done = top(how, "--job", name, "--interval", interval)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_screen(self):
        """Two terminals: one is resized and scrolled and ends with the job, the other by q."""
        try:
            for end in os.openpty():
                os.close(end)
        except OSError as e:
            self.skipTest(f"no pseudo-terminals: {e}")
        if shutil.which("tmux") is None:
            self.skipTest("no tmux")
        job, name = self.start("--hosts", "4", "-n", "5", TRAFFIC, "0")
        title = rf"^ringbell-top  job {name}  4 hosts  5 PEs +q: quit  arrows: move$"
        with tempfile.TemporaryDirectory() as folder:
            first, second = (Terminal(folder, *size, "--job", name, "--interval", "0.2")
                             for size in ((80, 24), (200, 50)))
            self.addCleanup(first.run, "kill-server", check=False)
            self.addCleanup(second.run, "kill-server", check=False)
            second.until_line("a rate", "[kM]B/s")
            second.until_line("the boxes at both edges", r"^\S.{198}\S$")
            second.run("send-keys", "q")
            until("ringbell-top to quit on q", second.ended)
            first.until_line("title, boxes and tables", title + r"\n\S.{78}\S\n(.*\n)*   4    3 ")
            first.run("resize-window", "-x", "100", "-y", "30")
            first.until_line("the new width", title + r"\n\S.{98}\S\n")
            first.run("resize-window", "-x", "40", "-y", "8")  # no room for the ring
            first.until_line("the tables alone", "^ 0 - 1 ")
            first.run("send-keys", "NPage", "NPage")
            first.until_line("the last PE", "^   4    3 ")
            self.assertEqual(job.end()[0], 0)
            until("ringbell-top to end after the job", first.ended)

    def test_text(self):
        job, name = self.start("--hosts", "4", "-n", "5", TRAFFIC, "0")
        once = self.show(name, "--once")
        self.assertLessEqual(max(map(len, once.split("\n"))), 80)
        self.assertTrue(once.isascii())
        for word in ("4 hosts  5 PEs", "host 3", " 3 - 0 ", "relayed", "barriers"):
            self.assertIn(word, once)
        got = json.loads(self.show(name, "--json", "1"))
        self.assertEqual((got["job"], got["warnings"]), (name, []))
        self.assertEqual([h["host"] for h in got["hosts"]], list(range(4)))
        self.assertEqual([p["pe"] for p in got["pes"]], list(range(5)))
        for link in got["links"]:
            self.assertTrue(link["up"])
            self.assertEqual((link["port"], link["neighbour"]), ("port 1", (link["host"] + 1) % 4))
            self.assertGreater(min(link["there"].values()), 0)
        self.assertGreater(sum(h["relayed_share"] for h in got["hosts"]), 0)
        self.assertEqual(job.end()[0], 0)

    def test_other_wiring(self):
        """A full mesh without a cable."""
        job, name = self.start("--hosts", "4", "--wiring", "0-1 0-2 0-3 1-2 1-3", TRAFFIC, "0")
        got = json.loads(self.show(name, "--json"))
        self.assertEqual(got["warnings"], ["host 2, port 2 is where a full mesh needs host 3, port 2"])
        self.assertEqual([(x["host"], x["port"], x["neighbour"], x["neighbour_port"]) for x in got["links"]][-2:],
                         [(1, "port 1", 2, "port 1"), (1, "port 2", 3, "port 1")])
        for link in got["links"]:
            self.assertTrue(link["up"])
        self.assertRegex(self.show(name, "--once"), r"(?m)^ 0\.2 - 3\.0 ")
        # and the doctor, whose other findings depend on the machine
        doctor = subprocess.run([os.path.join(os.path.dirname(TOP), "ringbell-doctor")], stdout=subprocess.PIPE, text=True,
                                timeout=LIMIT, check=False).stdout
        self.assertRegex(doctor, f"(?m)^job {name} found these cables between its 4 hosts:\n"
                         "  host 0:  0 to 1.0  1 to 2.0  2 to 3.0\n(.*\n){3}  host 2, port 2 is where a full mesh ")
        self.assertEqual(job.end()[0], 0)

    def test_lost_cable(self):
        _, name = self.start("--survive", "--hosts", "4", "--fault", "cut 1-2 at 0s", TRAFFIC, "0")

        def lost():
            got = json.loads(self.show(name, "--json", "0.1"))
            return got["warnings"] and [link["host"] for link in got["links"] if link["lost"]]

        until("ringbell-top to show the loss", lost)
        self.assertEqual(lost(), [1])
        self.assertRegex(self.show(name, "--once"), "(?m)^! the cable between host 1 and host 2 is lost: the ring is a line")

    def test_blocked(self):
        """PE 1 computes, and the others are in a barrier."""
        job = subprocess.Popen([OSHRUN, "--hosts", "3", "--telemetry", "--timeout", "200", BLOCKED,
                                "shmem_barrier_all"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(job.wait, LIMIT)
        self.addCleanup(job.terminate)

        def blocked():
            done = top("--json", "--interval", "0.2")  # of the youngest job
            pes = json.loads(done.stdout)["pes"] if done.returncode == 0 else []
            return [bool(re.fullmatch("shmem_barrier_all for (PE|host) 1",
                                      f"{p['blocked_in']} for {p['blocked_for']}") and p["blocked_s"] > 1)
                    for p in pes] == [True, False, True]

        until("all PEs but 1 to be in the barrier", blocked)
        self.assertRegex(top("--once", "--interval", "0.2").stdout,
                         r"\n +in shmem_barrier_all for \d+ s, for (PE|host) 1\n")


class Liar(threading.Thread):
    """A socket like that of a host, which answers anything."""

    def __init__(self, path, seed):
        super().__init__(daemon=True)
        self.random = random.Random(seed)
        self.door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.door.bind(path)
        self.door.listen()
        self.start()

    def answer(self, command):
        name = command.split(",")[0]
        if name == "/ringbell/info" and self.random.random() < 0.8:
            return json.dumps({name: {"host": 0, "hosts": self.random.choice([1, 2, 64, 65, -1]),
                                      "pes": self.random.choice([1, 1024, 1025, "x"])}}).encode()
        if name == "/ringbell/pes" and self.random.random() < 0.8:
            return json.dumps({name: [0, 1, 2000, -1, "x", [], 10**18]}).encode()
        return self.random.choice([
            b"", b"{", b"null", b"\xff\xfe", b"[" * 16000, b'{"' + name.encode() + b'": 1e999}',
            json.dumps({name: None}).encode(), json.dumps({name: list(range(2000))}).encode(),
            json.dumps({name: {"state": "\x1b[2J\x07%s" * 9, "puts": -1, "up": []}}).encode()])

    def run(self):
        client, _ = self.door.accept()
        with client, contextlib.suppress(OSError):
            client.send(b'{"version":"x","pid":1,"max_output_len":16384}')
            while command := client.recv(1024):
                client.send(self.answer(command.decode()))


class Alone(unittest.TestCase):
    def test_liars(self):
        """What comes over a socket neither stops it nor gets to the terminal as it is."""
        shown = 0
        for seed in range(200):
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                Liar(folder + "/socket", seed)
                job = inside.Job("liar", [folder + "/socket"])
                if not job.hosts or not job.sample() or not job.sample():
                    continue
                for show in inside.print_picture, inside.print_json:
                    with contextlib.redirect_stdout(io.StringIO()) as said:
                        show(job)
                    self.assertNotIn("\x1b", said.getvalue())
                json.loads(said.getvalue())
                shown += 1
        self.assertGreater(shown, 15)

    def test_nobody(self):
        with tempfile.TemporaryDirectory() as folder:
            done = top(RUNTIME_DIRECTORY=folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn("oshrun --telemetry", done.stderr)
        done = top("--job", "none", "--json")
        self.assertEqual((done.returncode, done.stdout), (1, ""))

    def test_arguments(self):
        self.assertEqual(top("--help").returncode, 0)
        self.assertEqual(top("--version").returncode, 0)
        for wrong in (["--interval", "0"], ["--interval", "x"], ["x"], ["--nix"]):
            done = top(*wrong)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertTrue(done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
