#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Frames of the same puts on each link, in a job and simulated: the same numbers. And collectives relay nothing.

Usage: test_counts.py OSHRUN PUTS RINGBELL-SIM WIRING HOSTS
"""
import json
import subprocess
import sys
import tempfile
import unittest

from job import LIMIT, Client, Job

OSHRUN, PUTS, SIM, WIRING, HOSTS = *sys.argv[1:5], int(sys.argv[5])
CHUNK, MESSAGES, SEED = 4096, 20, 7
WHOLE = 2**64 - 1


def draw(host, i):
    """As lab/sim/scene.c draws."""
    z = (SEED << 40) + (host << 20) + i + 0x9e3779b97f4a7c15
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & WHOLE
    z = (z ^ z >> 27) * 0x94d049bb133111eb & WHOLE
    return (host + 1 + (z ^ z >> 31) % (HOSTS - 1)) % HOSTS


def links(clients):
    for host, client in enumerate(clients):
        for port in range(8):
            link = client.ask(f"/ringbell/link,port {port}")
            if link is not None:
                yield f"{host}.{port}", link


def requests(link):
    """Without what it answers: that depends on times."""
    return link["tx_frames"] - link["tx_answers"] + link["stores"] + link["relay_stores"]


def relayed(link):
    return link["forwarded_bytes"] + link["relay_store_bytes"]


class Counts(unittest.TestCase):
    def in_job(self, name, size, count):
        """What a job adds to count(link) of each host and port."""
        job = Job(OSHRUN, "--telemetry", "--hosts", str(HOSTS), f"--wiring={WIRING}", "-x", f"RINGBELL_CHUNK={CHUNK}",
                  "-x", "SHMEM_SYMMETRIC_SIZE=8M", PUTS, name, str(size))
        self.addCleanup(job.kill)
        clients = [Client(prefix) for prefix in job.prefixes]
        before = {end: count(link) for end, link in links(clients)}
        job.go()
        job.wait_for("done")
        after = {end: count(link) for end, link in links(clients)}
        for client in clients:
            client.close()
        self.assertEqual(job.end()[0], 0)
        return {end: n - before[end] for end, n in after.items() if n != before[end]}

    def compare(self, scene, targets, size):
        args = ["-n", str(HOSTS), "-W", WIRING, "-s", str(size), "-K", str(CHUNK), "-m", str(MESSAGES), "-r", str(SEED)]
        done = subprocess.run([SIM, *args, "-j", "-", scene], stdout=subprocess.PIPE, check=True, timeout=LIMIT)
        simulated = json.loads(done.stdout)["rows"][0]["requests"]
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("".join(f"{host} {target}\n" for host, targets in enumerate(targets) for target in targets))
            file.flush()
            self.assertEqual(self.in_job(file.name, size, requests), simulated)
        print(f"{scene}, {size} bytes: {sum(simulated.values())} frames, {max(simulated.values())} on the busiest link")

    def test_all_to_all(self):
        self.compare("alltoall", [[t for t in range(HOSTS) if t != host] for host in range(HOSTS)], 2000)

    def test_by_lot(self):
        """Three frames of each, from the second hop on; a neighbour's memory takes one store."""
        self.compare("uniform", [[draw(host, i) for i in range(MESSAGES)] for host in range(HOSTS)], 10000)

    def test_collectives(self):
        """Each step leads to a neighbour, by every cable of a torus as by those of a ring."""
        for size in 40, 3000, 20000:
            self.assertEqual(self.in_job("-", size, relayed), {})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
