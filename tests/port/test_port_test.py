#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-port test over emulated ports: good ones pass, and each fault of broken.c is found. Over Ethernet and shared
memory what there is passes, and what there is not is skipped in words.

Usage: test_port_test.py RINGBELL-PORT PORT-TEST BROKEN-PORT [TEST...]
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, CHECKS, BROKEN = (sys.argv.pop(1) for _ in range(3))

sys.path.insert(0, CHECKS)
import command  # noqa: E402  of the archive
import link  # noqa: E402
import pair as pairs  # noqa: E402
import register  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import namespaces  # noqa: E402

# fault: a check that finds it, and words of its line
FAULTS = {
    "bytes-whole": ("store-8", "places are wrong|bytes changed"),
    "halves-swapped": ("store-16", "places are wrong"),
    "words-twice": ("store-32", "places are wrong|bytes changed"),
    "words-cut": ("store-64", "places are wrong"),
    "loads-cut": ("load-32", "places are wrong"),
    "bytes-signed": ("load-8", "places are wrong"),
    "folded": ("places", "places are wrong"),
    "tail": ("places", "places are wrong"),
    "copies-short": ("copies", "copies are wrong"),
    "flag-first": ("order-flag", "came before their data"),
    "stream-last": ("order-stream", "came before their data"),
    "doorbell-first": ("order-doorbell", "came before their data"),
    "scratchpad-first": ("order-scratchpad", "came before their data"),
    "flush-nothing": ("order-flush", "came before their data"),
    "flush-blind": ("cable", "a flush succeeds"),
    "bells-lost": ("doorbells", "was rung, and heard: none"),
    "bells-moved": ("doorbells", "was rung, and heard"),
    "clear-all": ("doorbells", "of all but the first are left"),
    "read-clears": ("doorbells", "gone before it was cleared"),
    "scratchpads-two": ("scratchpads", "scratchpad"),
    "scratchpads-cut": ("scratchpads", "scratchpad"),
    "scratchpads-own": ("scratchpads", "read as the peer's"),
    "up-early": ("early", "up although"),
    "breaks-none": ("cable", "is not counted"),
    "breaks-more": ("counter", "then"),
    "once-again": ("once", "it is up again"),
    "align-odd": ("found", "to be aligned to"),
    "refuses-nothing": ("refusals", "not refused"),
    "stop-late": ("stop", "does not notice"),
    "stop-loses": ("last-store", "it did not"),
    "killed-unseen": ("killed", "does not notice"),
}

# what a port without doorbells, scratchpads and flush does in another way, or cannot do
BARE = "found,up,places,order-*,doorbells,scratchpads,last-store,stop,again,cable,flap,killed"


def run(*words, program=PROGRAM, fault=None, stderr=subprocess.STDOUT):
    env = {k: v for k, v in os.environ.items() if k != "PORT_FAULT"}
    if fault:
        env["PORT_FAULT"] = fault
    return subprocess.run([CHECKS, "test", "--program", program, *words], env=env, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr,
                          timeout=280, check=False)


def ports_of(folder, more=""):
    cable = os.path.join(folder, "cable")
    with open(cable, "wb"):
        pass
    return [f"raw_ntb_plx_emu{end},cable={cable},end={end}{more}" for end in (0, 1)]


class Good(unittest.TestCase):
    def test_emulated_ports(self):
        done = subprocess.run([PROGRAM, "test", "--rounds", "2000"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, timeout=280, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("FAIL", done.stdout)
        self.assertNotIn("skip", done.stdout.replace("0 skipped", ""))
        self.assertRegex(done.stdout, r"ok +up .*; Gen3 x8 and Gen3 x8")
        for name in (line.split()[0] for line in run("--list").stdout.splitlines()):
            self.assertRegex(done.stdout, rf"ok +{name} ")

    def test_few_doorbells(self):
        """Fewer than rounds could be under way."""
        done = run("--rounds", "2000", "--checks", "order-doorbell,doorbells", program=BROKEN,
                   fault="bells-few")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("2 doorbells", done.stdout)

    def test_bare_ports(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("--rounds", "500", "--region", "1M", "--checks", BARE, *ports_of(
                folder, ",bar2=2M,mask=doorbells+scratchpads+flush"))
        self.assertEqual(done.returncode, 0, done.stdout)
        for name in ("doorbells", "scratchpads", "order-doorbell"):
            self.assertRegex(done.stdout, rf"skip +{name} .*the port has no")
        self.assertIn("of 2097152", done.stdout)


PACKETS = "net_af_packet,iface=eth1"
ETHER = ("found,refusals,early,up,store-8,load-64,places,both-ways,order-*,bandwidth,latency,doorbells,last-store,stop,again,"
         "scratchpads,cable,flap,once,killed")
# the first word after a script is its $0
RSH = """sh -c 'exec ip netns exec "$0" sh -c "$*"'"""
PULL = "sh -c 'ip link set eth1 $([ $0 = pull ] && echo down || echo up)'"


@unittest.skipUnless(namespaces.are_allowed(), namespaces.REFUSED)
class Ether(namespaces.Namespaces, unittest.TestCase):
    def setUp(self):
        self.add(0, 1)
        self.join(("eth1", 0), ("eth1", 1))

    def run_inside(self, *command):
        path = {"PATH": f"{os.path.dirname(os.path.abspath(PROGRAM))}:{os.environ['PATH']}"}
        return subprocess.run(self.inside(0, *command), env={**os.environ, **path}, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=280, check=False)

    def words(self, checks, *more):
        return ["test", "-n", "500", "-r", "1M", "--rsh", RSH, "--cable", PULL, "-c", checks, *more, PACKETS,
                f"{self.name(1)}/{PACKETS}"]

    def test(self):
        done = self.run_inside(PROGRAM, *self.words(ETHER))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(set(re.findall(r"skip +(\S+)", done.stdout)), {
            "order-stream", "order-doorbell", "doorbells", "flap"})

    def test_mtu(self):
        """Waited for less long than a user's test does, since nothing comes."""
        self.set(1, "eth1", "mtu", "9000")
        done = self.run_inside(sys.executable, "-c", f"import sys; sys.path.insert(0, {CHECKS!r}); import command, pair; "
                               "pair.UP_MS = 2000; sys.exit(command.main(sys.argv[1:]))", *self.words("up", "--program", PROGRAM))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("the MTU of net_af_packet_eth1 is 1500, the other end has 9000", done.stdout)

    def test_speed(self):
        self.join(("eth2", 0), ("eth3", 0))
        done = self.run_inside(PROGRAM, "speed", "-s", "64", "-r", "1", "-T", "1", "--eal", "-l 0 --no-huge --no-pci "
                               "--no-shconf -m 64 " + " ".join(f"--vdev=raw_ntb_ether{i},iface=eth{i}" for i in (2, 3)))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, "# Window Write by memcpy[^#]*\n# Size.*\n64 +[1-9]")
        for words in ("write_nt needs a window that takes stores", "db_ring needs ports with doorbells"):
            self.assertIn(words, done.stdout)


class Shared(unittest.TestCase):
    def test(self):
        with tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
            file.truncate(64 << 20)
            done = run("-n", "500", "-r", "1M", *(f"raw_ntb_shared,path={file.name},host={k}" for k in (0, 1)))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("; memory that is shared has no port that would keep stores out", done.stdout)


class Lines(command.Report):
    def line(self, how, name, way, text):
        self.last = how, str(text)


class Faulty(unittest.TestCase):
    def check(self, pair, name):
        """What its line says of the first direction."""
        report = Lines()
        one = next(one for one in command.CHECKS if one.name == name)
        command.run(pair, report, one, pair.near, pair.away)
        return report.last

    def test_faults(self):
        """A check passes, and fails as soon as the ports have its fault."""
        patient, link.DOWN_MS = (pairs.UP_MS, link.NOTICE_MS, register.HEAR_MS), 300
        with tempfile.TemporaryDirectory() as folder:
            fault_file = os.environ["PORT_FAULT"] = os.path.join(folder, "fault")
            with open(fault_file, "wb") as f:
                f.truncate(4096)
            self.addCleanup(os.environ.pop, "PORT_FAULT")
            pair = pairs.Pair(command.arguments("test", ["--rounds", "2000", "--program", BROKEN,
                                                 *ports_of(folder, ",bar2=4M")]))
            self.addCleanup(pair.close)
            for fault, (name, words) in FAULTS.items():
                with self.subTest(fault=fault), open(fault_file, "r+b", buffering=0) as f:
                    how, text = self.check(pair, name)
                    self.assertEqual(how, "ok", text)
                    # what does not come is not waited for as long as what should
                    pairs.UP_MS, link.NOTICE_MS, register.HEAR_MS = 1000, 500, 500
                    f.write(fault.encode() + bytes(1))
                    how, text = self.check(pair, name)
                    f.seek(0)
                    f.write(bytes(64))
                    pairs.UP_MS, link.NOTICE_MS, register.HEAR_MS = patient
                    self.assertEqual(how, "FAIL", text)
                    self.assertRegex(text, words)

    def test_status(self):
        done = run("--rounds", "2000", "--checks", "store-8", program=BROKEN, fault="bytes-whole")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"\n0 passed, 2 failed, 0 skipped\n$")

    def test_agent_that_dies(self):
        """A crash of a driver is a failure, and the checks after it go on."""
        done = run("--checks", "up,last-store", program=BROKEN, fault="crash")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, "FAIL +last-store .*SIGSEGV")


class Agent(unittest.TestCase):
    """What it is told is checked."""

    def test_places(self):
        last, whole = 2 ** 64 - 8, 1 << 20
        asked = {"stores 0 8 1 0 8 1": "no places", "match 0 8 1 0 8 1": "no places",
                 "put 0 0 1": "no offset", f"get 0 {last}": "no offset",  # there is no region yet
                 f"region {whole}": "ok 0", f"put 0 {last} 1": "no offset",
                 f"put 1 {last} 1": "no offset", f"put 0 {whole - 8} 7": "ok",
                 f"get 0 {whole - 8}": "ok 7", f"get 0 {whole}": "no offset", "put 0 4 1": "no offset",
                 "put 0 x 1": "no not a number", "put 0": "no number of arg", "frob": "no unknown",
                 "send nothing 1 1": "no no port that is", "rate words 64": "no no port that is", "pad 0 99": "no no such scratchpad"}
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([PROGRAM, "agent", ports_of(folder)[0]], text=True, timeout=60,
                                  input="".join(f"{line}\n" for line in asked), check=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        answers = done.stdout.splitlines()[1:]  # the first one says that it is ready
        self.assertEqual([a[:len(e)] for a, e in zip(answers, asked.values())],
                         list(asked.values()), answers)


class Words(unittest.TestCase):
    def refused(self, words, *args, program=PROGRAM):
        done = run(*args, program=program)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(words, done.stdout)
        return done.stdout.count("\n")

    def test_arguments(self):
        for words, *args in (
                ("two ports are needed", "05:00.0"), ("no check nothing", "--checks", "nothing"),
                ("whole pages", "--region", "3"), ("--rounds", "--rounds", "1"),
                ("no name of a host", "-c", "up", "--", "-x/05:00.0", "-x/06:00.0")):
            self.assertEqual(self.refused(words, *args), 1)
        self.refused("/nowhere/agent: No such file", "--checks", "up", program="/nowhere/agent")
        self.refused("the agent of the near port does not start", "--checks", "up",
                     *(f"raw_ntb_plx_emu{end},cable=/nowhere/cable,end={end}" for end in (0, 1)))

    def test_remote_shell(self):
        """HOST/PORT goes to the remote shell as one command."""
        done = run("--checks", "up", "--rsh", "echo ok", "a/05:00.0", "b/05:00.0",
                   stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)

    def test_help(self):
        for words in ([PROGRAM], [PROGRAM, "test"], [PROGRAM, "order"], [PROGRAM, "agent"]):
            for option, found in (("--help", "PORT"), ("--version", "(Ringbell)")):
                done = subprocess.run([*words, option], text=True, stdout=subprocess.PIPE,
                                      timeout=30, check=True)
                self.assertTrue(re.search(re.escape(found), done.stdout), done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
