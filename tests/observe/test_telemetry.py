#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What a job shows while it runs. Usage: test_telemetry.py OSHRUN TRAFFIC"""
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import unittest

from job import LIMIT, Client, Job, prefixes, socket_of, until

OSHRUN = os.path.abspath(sys.argv.pop(1))
TRAFFIC = os.path.abspath(sys.argv.pop(1))
NEAR, FAR, TIMES = 4096, 20000, 5  # of traffic.c
ROUNDS = 10

PLAIN, ASKING = ["info", "pes", "wiring"], ["link", "pe"]
WRONG = ["link", "link,", "link,up", "link,port 0 ", "link,port 0port 0", "pe", "pe,-1", "pe,1", "pe,0x0", "pe,0 ",
         "pe,99999999999999999999", "info,x", "pes,left", "pe," + "9" * 900, "none"]
JUNK = [b"\0" * 10, b",,,,", b"/" * 1023, os.urandom(1000), b'"}{', b"%n%s%n", b"/ringbell/pe," + b"\xff" * 900,
        b"/ringbell/link,port 0\0port 1", b"A" * 100000]


def commands(client):
    """Every command with every parameter that it takes."""
    yield from ("/ringbell/" + name for name in PLAIN)
    yield from (f"/ringbell/pe,{pe}" for pe in client.ask("/ringbell/pes"))
    if client.ask("/ringbell/info")["hosts"] > 1:
        yield from ("/ringbell/link,port 0", "/ringbell/link,port 1")


class Telemetry(unittest.TestCase):
    def setUp(self):
        self.before = prefixes()

    def start(self, *args, telemetry=True):
        """@return the job, and a client of each host"""
        job = Job(OSHRUN, *(["--telemetry"] if telemetry else []), *args)
        self.addCleanup(job.kill)
        clients = [Client(p) for p in job.prefixes]
        for client in clients:
            self.addCleanup(client.close)
        return job, clients

    def ends_well(self, job):
        status, err = job.end()
        self.assertEqual(status, 0, err)
        self.assertEqual(prefixes() - self.before, set(), "folders are left behind")

    def check_answers(self, client):
        for command in commands(client):
            self.assertIsNotNone(client.ask(command), command)

    def test_answers(self):
        job, clients = self.start("--hosts", "3", TRAFFIC, "0")
        job.go()
        for host, client in enumerate(clients):
            listed = [c for c in client.ask("/") if c.startswith("/ringbell/")]
            self.assertEqual(sorted(listed), sorted("/ringbell/" + c for c in [*PLAIN, *ASKING]))
            for command in listed:
                self.assertIn("arameter", client.ask("/help," + command)[command])
            info = client.ask("/ringbell/info")
            self.assertEqual((info["host"], info["hosts"], info["pes"]), (host, 3, 3))
            self.assertEqual(client.ask("/ringbell/pes"), [host])
            self.assertEqual(client.ask("/ringbell/link,port 1")["neighbour"], (host + 1) % 3)
            self.assertIn("link_ups", client.ask("/rawdev/xstats,0"))
            self.check_answers(client)
        for bad in WRONG:
            self.assertIsNone(clients[0].ask("/ringbell/" + bad), bad)
        self.check_answers(clients[0])
        if shutil.which("dpdk-telemetry.py"):
            self.check_script_of_dpdk(job.prefixes[1], list(commands(clients[1])))
        self.ends_well(job)

    def check_script_of_dpdk(self, prefix, asked):
        done = subprocess.run(["dpdk-telemetry.py", "-f", prefix], text=True, timeout=LIMIT, check=True,
                              input="\n".join(["/", *asked]) + "\n", stdout=subprocess.PIPE)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([list(answer) for answer in answers[1:]], [[c.split(",")[0]] for c in asked])
        self.assertNotIn(None, [value for answer in answers for value in answer.values()])

    def counts(self, *args):
        """What each PE counts in some rounds is what it has done. @return clients, and the end of the job"""
        job, clients = self.start(*args, TRAFFIC, str(ROUNDS))
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
                "puts": ROUNDS * 2 * TIMES, "put_bytes": ROUNDS * TIMES * (NEAR + FAR),
                "gets": ROUNDS, "get_bytes": ROUNDS * NEAR, "atomics": ROUNDS}, f"PE {pe}")
            self.assertIn(counts["state"], ("running", "waiting", "barrier"))
        return job, clients

    def test_counts(self):
        job, clients = self.counts("--hosts", "4")
        # each host relays what one neighbour sends to the other
        stored = sum(c.ask(f"/ringbell/link,port {port}")["relay_store_bytes"] for c in clients for port in (0, 1))
        self.assertEqual(stored, 4 * ROUNDS * TIMES * FAR)
        for c in clients:
            links = [c.ask(f"/ringbell/link,port {port}") for port in (0, 1)]
            self.assertGreaterEqual(links[1]["store_bytes"], ROUNDS * TIMES * NEAR)
            self.assertGreaterEqual(links[0]["load_bytes"], ROUNDS * NEAR)
            self.assertEqual([(x["dropped"], x["up"]) for x in links], [(0, 1)] * 2)
        self.ends_well(job)

    def test_counts_of_an_adapter(self):
        """Several PEs on a host, and windows that are not memory."""
        job, clients = self.counts("--hosts", "3", "-n", "6", "-x", "RINGBELL_EMU=bridge")
        for c in clients:
            for port in (0, 1):
                self.assertEqual(c.ask(f"/ringbell/link,port {port}")["load_bytes"], 0, "gets of 4 KiB are requests")
            flushes = sum(c.ask(f"/rawdev/xstats,{i}")["flushes"] for i in range(2))
            self.assertGreaterEqual(flushes, ROUNDS, "flushes of puts before barriers")
        status, err = job.end()
        self.assertEqual(status, 0, err)
        self.assertRegex(err, "static data: .*by frames to other hosts")

    def test_counts_without_ring(self):
        job, (client,) = self.counts("-n", "3")
        self.assertIsNone(client.ask("/ringbell/link,port 0"))
        self.check_answers(client)
        self.ends_well(job)

    def test_lost_cable(self):
        """Both ends of the cable show it."""
        job, clients = self.start("--survive", "--hosts", "4", "--fault", "cut 1-2 at 0.3s", TRAFFIC, "0")

        def lost():
            return [(host, port) for host, c in enumerate(clients) for port in (0, 1)
                    if c.ask(f"/ringbell/link,port {port}")["lost"]]

        self.assertEqual(lost(), [])
        job.go()
        until("both ends to know of the loss", lambda: lost() == [(1, 1), (2, 0)])
        self.assertIn("is lost; the job goes on", job.end()[1])

    def hostile(self, prefix):
        """Junk, clients that go before the answer, one that is deaf, and a crowd, which stays."""
        def connect():
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.addCleanup(sock.close)
            sock.connect(socket_of(prefix))
            sock.settimeout(LIMIT)
            return sock

        for junk in JUNK:
            with connect() as sock, contextlib.suppress(OSError):  # ten clients are the limit
                sock.recv(1024)
                sock.send(junk)
                sock.recv(1 << 17)
        for _ in range(50):
            with connect() as sock, contextlib.suppress(OSError):
                sock.send(b"/ringbell/info")
        deaf = connect()
        deaf.setblocking(False)
        with contextlib.suppress(OSError):
            while True:
                deaf.send(b"/ringbell/pes")
        return [connect() for _ in range(12)] + [deaf]

    def test_hostile(self):
        job, clients = self.start("--hosts", "3", TRAFFIC, "0")
        job.go()
        clients[1].close()
        held = self.hostile(job.prefixes[1])
        # the others do not notice, and neither does this one once the crowd is gone
        self.check_answers(clients[0])
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
        job, clients = self.start("--hosts", "2", TRAFFIC, "1", telemetry=False)
        self.assertEqual(clients, [])
        job.go()
        self.ends_well(job)

    def test_nothing_left_of_the_killed(self):
        for whom in ("PE", "oshrun"):
            with self.subTest(whom):
                job, _ = self.start("--hosts", "3", TRAFFIC, "0")
                job.go()
                os.kill(job.pids()[1] if whom == "PE" else job.job.pid, signal.SIGKILL)
                status, _ = job.end()
                self.assertNotEqual(status, 0)
                until(f"the folders to go after {whom} was killed",
                      lambda: not prefixes() - self.before)


if __name__ == "__main__":
    unittest.main(verbosity=2)
