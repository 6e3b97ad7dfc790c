#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What a job shows while it runs, and to which users. Usage: test_telemetry.py OSHRUN TRAFFIC"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import unittest

from job import LIMIT, Client, Job, prefixes, runtime_dir, until

OSHRUN = os.path.abspath(sys.argv.pop(1))
TRAFFIC = os.path.abspath(sys.argv.pop(1))
NEAR, FAR, TIMES = 4096, 20000, 5  # of traffic.c

PLAIN = ["info", "links", "channels", "relays", "credits", "retries", "heap", "barrier", "pes",
         "loss"]
ASKING = ["link", "channel", "window", "pe"]


def commands(client):
    """Every command with every parameter that it takes."""
    links = client.ask("/ringbell/links")
    yield from ("/ringbell/" + name for name in PLAIN)
    for name, params in (("link", links), ("window", links), ("pe", client.ask("/ringbell/pes")),
                         ("channel", client.ask("/ringbell/channels"))):
        yield from (f"/ringbell/{name},{p}" for p in params)


class Telemetry(unittest.TestCase):
    def setUp(self):
        self.before = prefixes()

    def start(self, *args, telemetry=True):
        job = Job(OSHRUN, *(["--telemetry"] if telemetry else []), *args)
        self.addCleanup(job.kill)
        return job

    def client(self, prefix):
        client = Client(prefix)
        self.addCleanup(client.close)
        return client

    def ends_well(self, job):
        status, err = job.end()
        self.assertEqual(status, 0, err)
        self.assertEqual(prefixes() - self.before, set(), "folders are left behind")

    def test_all_answer(self):
        job = self.start("--hosts", "3", TRAFFIC, "0")
        self.assertEqual(len(job.prefixes), 3)
        job.go()
        for host, prefix in enumerate(job.prefixes):
            client = self.client(prefix)
            listed = [c for c in client.ask("/") if c.startswith("/ringbell/")]
            self.assertEqual(sorted(listed), sorted("/ringbell/" + c for c in PLAIN + ASKING))
            for command in listed:
                self.assertIn("arameter", client.ask("/help," + command)[command])
            info = client.ask("/ringbell/info")
            self.assertEqual((info["host"], info["hosts"], info["pes"]), (host, 3, 3))
            self.assertEqual(client.ask("/ringbell/pes"), [host])
            self.assertEqual(client.ask("/ringbell/link,right")["neighbour"], (host + 1) % 3)
            for command in commands(client):
                self.assertIsNotNone(client.ask(command), command)
            self.assertIn("link_ups", client.ask("/rawdev/xstats,0"))
        client = self.client(job.prefixes[0])
        asked = list(commands(client))
        for i in range(1000):
            self.assertIsNotNone(client.ask(asked[i % len(asked)]))
        for command in asked:
            self.assertIsNotNone(client.ask(command), command)
        self.ends_well(job)

    @unittest.skipUnless(shutil.which("dpdk-telemetry.py"),
                         "no dpdk-telemetry.py: install package dpdk-dev")
    def test_script_of_dpdk(self):
        job = self.start("--hosts", "2", TRAFFIC, "0")
        job.go()
        client = self.client(job.prefixes[1])
        asked = list(commands(client))
        done = subprocess.run(["dpdk-telemetry.py", "-f", job.prefixes[1]], text=True,
                              input="\n".join(["/", *asked]) + "\n", timeout=LIMIT,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(answers), 1 + len(asked), done.stdout + done.stderr)
        for command, answer in zip(asked, answers[1:]):
            self.assertIsNotNone(answer[command.split(",")[0]], command)
        listed = subprocess.run(["dpdk-telemetry.py", "-l"], text=True, timeout=LIMIT,
                                stdout=subprocess.PIPE, check=True).stdout
        self.assertIn(job.prefixes[0], listed)
        self.ends_well(job)

    def pe_counts(self, job, rounds):
        """What each PE counts in so many rounds."""
        clients = [self.client(p) for p in job.prefixes]
        where = {pe: c for c in clients for pe in c.ask("/ringbell/pes")}

        def look():
            return {pe: c.ask(f"/ringbell/pe,{pe}") for pe, c in where.items()}

        before = look()
        job.go()
        job.wait_for("done")
        after = look()
        self.assertEqual(sorted(after), list(range(len(after))))
        for pe, counts in after.items():
            got = {k: counts[k] - before[pe][k]
                   for k in ("puts", "put_bytes", "gets", "get_bytes", "atomics")}
            self.assertEqual(got, {
                "puts": rounds * 2 * TIMES, "put_bytes": rounds * TIMES * (NEAR + FAR),
                "gets": rounds, "get_bytes": rounds * NEAR, "atomics": rounds}, f"PE {pe}")
            self.assertIn(counts["state"], ("running", "waiting", "barrier"))
        return clients

    def test_counts_ring(self):
        job = self.start("--hosts", "4", TRAFFIC, "10")
        clients = self.pe_counts(job, 10)
        # each host relays what its left or its right neighbour sends to the other
        stored = sum(c.ask("/ringbell/relays")["relay_store_bytes"] for c in clients)
        self.assertEqual(stored, 4 * 10 * TIMES * FAR)
        for c in clients:
            links = [c.ask("/ringbell/link," + side) for side in ("left", "right")]
            self.assertGreaterEqual(links[1]["store_bytes"], 10 * TIMES * NEAR)
            self.assertGreaterEqual(links[0]["load_bytes"], 10 * NEAR)
            self.assertEqual(sum(x["dropped"] for x in links), 0)
            self.assertTrue(all(x["up"] for x in links))
        self.ends_well(job)

    def test_lost_cable(self):
        """Both ends of the cable show it, and all hosts know which it is."""
        job = self.start("--survive", "--hosts", "4", "--fault", "cut 1-2 at 0.3s", TRAFFIC, "0")
        clients = [self.client(p) for p in job.prefixes]

        def losses():
            return [c.ask("/ringbell/loss") for c in clients]

        self.assertEqual([(x["survives"], x["lost"], x["losses"], x["lost_ns"])
                          for x in losses()], [(1, 0, 0, 0)] * 4)
        job.go()
        until("all hosts to know of the loss", lambda: all(x["lost"] for x in losses()))
        for x in losses():
            self.assertEqual((x["left_host"], x["right_host"], x["losses"], x["returns"]),
                             (1, 2, 1, 0))
            self.assertGreater(x["lost_ns"], 0)
        for x in losses(): # the poll loop may have settled all ways before a sender came
            self.assertLessEqual(x["longest_pause_ns"], x["pause_ns"])
            self.assertEqual(x["pauses"] > 0, x["pause_ns"] > 0)
        links = {(host, side): c.ask(f"/ringbell/link,{side}")
                 for host, c in enumerate(clients) for side in ("left", "right")}
        ends = [(1, "right"), (2, "left")]
        self.assertEqual([key for key, x in links.items() if x["lost"]], ends)
        for key, x in links.items():
            if key not in ends:
                self.assertEqual((x["held"], x["released"], x["turned"]), (0, 0, 0), key)
        until("what was held to go on", lambda: all(
            clients[host].ask(f"/ringbell/link,{side}")["held"] ==
            clients[host].ask(f"/ringbell/link,{side}")["released"] for host, side in ends))
        self.assertIn("is lost; the job goes on", job.end()[1])

    def test_ways_of_an_adapter(self):
        for pes in ([], ["-n", "6"]):
            with self.subTest(pes=pes):
                job = self.start("--hosts", "3", *pes, "-x", "RINGBELL_EMU=bridge", TRAFFIC,
                                 "10")
                for c in self.pe_counts(job, 10):
                    flushes = 0
                    for i, side in enumerate(("left", "right")):
                        window = c.ask("/ringbell/window," + side)
                        self.assertEqual((window["is_memory"], window["write_combining"]), (0, 1))
                        self.assertEqual(window["load_bytes"], 0, "gets of 4 KiB are requests")
                        flushes += c.ask(f"/rawdev/xstats,{i}")["flushes"]
                    self.assertGreaterEqual(flushes, 10, "flushes of puts before barriers")
                status, err = job.end()
                self.assertEqual(status, 0, err)
                self.assertRegex(err, "static data: .*by frames to other hosts")

    def test_counts_of_many_pes_on_a_host(self):
        job = self.start("-n", "6", "--hosts", "2", TRAFFIC, "5")
        self.assertEqual(len(job.prefixes), 2)
        self.pe_counts(job, 5)
        self.ends_well(job)

    def test_counts_without_ring(self):
        job = self.start("-n", "3", TRAFFIC, "5")
        (client,) = self.pe_counts(job, 5)
        self.assertEqual(client.ask("/ringbell/links"), [])
        for command in commands(client):
            self.assertIsNotNone(client.ask(command), command)
        self.ends_well(job)

    def test_wrong_parameters(self):
        job = self.start("--hosts", "2", TRAFFIC, "0")
        client = self.client(job.prefixes[0])
        for bad in ("link", "link,", "link,up", "link,left ", "channel,left", "channel,left/9",
                    "channel,left/0/0", "channel,/", "channel,leftleftleft/0", "window,0", "pe",
                    "pe,-1", "pe,1", "pe,0x0", "pe,0 ", "pe,99999999999999999999", "info,x",
                    "links,left", "pe," + "9" * 900, "none"):
            self.assertIsNone(client.ask("/ringbell/" + bad), bad)
        self.assertIsNotNone(client.ask("/ringbell/pe,0"))
        job.go()
        self.ends_well(job)

    def hostile(self, prefix):
        path = f"{runtime_dir()}/{prefix}/dpdk_telemetry.v2"

        def connect():
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.addCleanup(sock.close)
            sock.connect(path)
            sock.settimeout(LIMIT)
            return sock

        for junk in (b"\0" * 10, b",,,,", b"/" * 1023, os.urandom(1000), b'"}{', b"%n%s%n",
                     b"/ringbell/pe," + b"\xff" * 900, b"/ringbell/link,left\0right",
                     b"A" * 100000):
            with connect() as sock:
                try:
                    sock.recv(1024)
                    sock.send(junk)
                    sock.recv(1 << 17)
                except OSError:
                    pass  # ten clients are the limit
        for _ in range(50):  # gone before the answer
            with connect() as sock:
                try:
                    sock.send(b"/ringbell/info")
                except OSError:
                    pass
        deaf = connect()  # sends requests, and never reads an answer
        deaf.setblocking(False)
        try:
            while True:
                deaf.send(b"/ringbell/pes")
        except OSError:
            pass
        return [connect() for _ in range(12)] + [deaf]

    def test_hostile(self):
        job = self.start("--hosts", "3", TRAFFIC, "0")
        job.go()
        held = self.hostile(job.prefixes[1])
        # the others do not notice, and neither does this one once the crowd is gone
        self.assertIsNotNone(self.client(job.prefixes[0]).ask("/ringbell/info"))
        for sock in held:
            sock.close()

        def answers():
            try:
                client = Client(job.prefixes[1])
            except (OSError, ValueError):
                return False
            with client.sock:
                return client.ask("/ringbell/info")["host"] == 1

        until("an answer after the crowd left", answers)
        held = self.hostile(job.prefixes[1])
        self.ends_well(job)  # all the data was right, beside ten clients

    def test_silent_unless_asked(self):
        job = self.start("--hosts", "2", TRAFFIC, "1", telemetry=False)
        self.assertEqual(job.prefixes, [])
        job.go()
        self.ends_well(job)

    def test_nothing_left_of_the_killed(self):
        for whom in ("PE", "oshrun"):
            with self.subTest(whom):
                job = self.start("--hosts", "3", TRAFFIC, "0")
                job.go()
                os.kill(job.pids()[1] if whom == "PE" else job.job.pid, signal.SIGKILL)
                status, _ = job.end()
                self.assertNotEqual(status, 0)
                until(f"the folders to go after {whom} was killed",
                      lambda: not prefixes() - self.before)


if __name__ == "__main__":
    unittest.main(verbosity=2)
