#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-port test over emulated ports: good ones pass, and each fault of broken.c is found.

Usage: test_port_test.py RINGBELL-PORT BROKEN-PORT [TEST...]
"""
import os
import re
import subprocess
import sys
import unittest

PROGRAM, BROKEN = sys.argv[1:3]
AGENT = PROGRAM
del sys.argv[1:3]

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
    "mask-none": ("wake", "a masked doorbell changed"),
    "mask-all": ("wake", "did not change the wake word"),
    "scratchpads-two": ("scratchpads", "scratchpad"),
    "scratchpads-cut": ("scratchpads", "scratchpad"),
    "scratchpads-own": ("scratchpads", "read as the peer's"),
    "up-early": ("early", "up although"),
    "breaks-none": ("cable", "is not counted"),
    "breaks-more": ("counter", "then"),
    "once-again": ("once", "it is up again"),
    "once-always": ("once", "no link within"),
    "align-odd": ("found", "to be aligned to"),
    "file-moved": ("window-file", "does not arrive"),
    "refuses-nothing": ("refusals", "not refused"),
    "stop-late": ("stop", "does not notice"),
    "stop-loses": ("last-store", "it did not"),
    "killed-unseen": ("killed", "does not notice"),
}


def run(*words, agent=AGENT, fault=None, stderr=subprocess.STDOUT):
    env = {k: v for k, v in os.environ.items() if k != "PORT_FAULT"}
    if fault:
        env["PORT_FAULT"] = fault
    return subprocess.run([PROGRAM, "test", "--agent", agent, *words], env=env, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr,
                          timeout=280, check=False)


def failed(text):
    """Lines of checks that failed, by name."""
    return {line.split()[1]: line for line in text.splitlines() if line.startswith("FAIL")}


class Good(unittest.TestCase):
    def whole(self, agent):
        done = run("--rounds", "2000", agent=agent)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("FAIL", done.stdout)
        self.assertNotIn("skip", done.stdout.replace("0 skipped", ""))
        names = run("--list").stdout
        for name in (line.split()[0] for line in names.splitlines()):
            self.assertRegex(done.stdout, rf"ok +{name} ")

    def test_emulated_ports(self):
        self.whole(AGENT)

    def test_no_fault(self):
        self.whole(BROKEN)  # the wrapper itself does no harm

    def test_few_doorbells(self):
        """Fewer than rounds could be under way."""
        done = run("--rounds", "2000", "--checks", "order-doorbell,doorbells", agent=BROKEN,
                   fault="bells-few")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("2 doorbells", done.stdout)

    def test_bare_ports(self):
        cable = f"/dev/shm/ringbell-port-test-{os.getpid()}"
        with open(cable, "wb"):
            pass
        try:
            ports = [f"raw_ntb_plx_emu{end},cable={cable},end={end},bar2=2M,"
                     "mask=doorbells+scratchpads+flush+files" for end in (0, 1)]
            done = run("--rounds", "500", "--region", "1M", *ports)
        finally:
            os.unlink(cable)
        self.assertEqual(done.returncode, 0, done.stdout)
        for name in ("doorbells", "wake", "scratchpads", "order-doorbell", "window-file"):
            self.assertRegex(done.stdout, rf"skip +{name} .*the port has no")
        self.assertIn("of 2097152", done.stdout)


class Faulty(unittest.TestCase):
    def test_faults(self):
        for fault, (check, words) in FAULTS.items():
            with self.subTest(fault=fault):
                done = run("--rounds", "2000", "--checks", check, agent=BROKEN, fault=fault)
                self.assertEqual(done.returncode, 1, f"{fault}: {done.stdout}")
                self.assertIn(check, failed(done.stdout), done.stdout)
                self.assertRegex(done.stdout, r"\n\d+ passed, \d+ failed, \d+ skipped\n$")
                self.assertRegex(failed(done.stdout)[check], words)

    def test_agent_that_dies(self):
        """A crash of a driver is a failure, and the checks after it go on."""
        done = run("--checks", "up,last-store", agent=BROKEN, fault="crash")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("SIGSEGV", failed(done.stdout)["last-store"])


class Agent(unittest.TestCase):
    """What it is told is checked."""

    def answers(self, *commands):
        cable = f"/dev/shm/ringbell-port-agent-{os.getpid()}"
        with open(cable, "wb"):
            pass
        try:
            done = subprocess.run([AGENT, "agent", f"raw_ntb_plx_emu0,cable={cable},end=0"], text=True,
                                  input="".join(f"{c}\n" for c in commands), timeout=60,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        finally:
            os.unlink(cable)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout.splitlines()[1:]  # the first one says that it is ready

    def test_places(self):
        last = 2 ** 64 - 8
        for command in ("fill 8 1 0 8 1", "match 8 1 0 8 1", "put 0 1", f"get {last}"):
            self.assertRegex(self.answers(command)[0], "^no ")  # there is no region yet
        whole = 1 << 20
        answers = self.answers(f"region {whole}", f"put {last} 1", f"store {last} 1",
                               f"put {whole - 8} 7", f"get {whole - 8}", f"get {whole}", "put 4 1")
        self.assertEqual(answers, ["ok 0", "no offset", "no offset", "ok 0", "ok 7", "no offset",
                                   "no offset"])


class Words(unittest.TestCase):
    def refused(self, words, *args):
        done = run(*args)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(words, done.stdout)
        self.assertEqual(done.stdout.count("\n"), 1, done.stdout)

    def test_arguments(self):
        self.refused("two ports are needed", "05:00.0")
        self.refused("no check nothing", "--checks", "nothing")
        self.refused("whole pages", "--region", "3")
        self.refused("--rounds", "--rounds", "1")
        self.refused("no name of a host", "-c", "up", "--", "-x/05:00.0", "-x/06:00.0")

    def test_no_agent(self):
        done = run("--checks", "up", agent="/nowhere/agent")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nowhere/agent: No such file", done.stdout)

    def test_no_port(self):
        done = run("--checks", "up", "raw_ntb_plx_emu0,cable=/nowhere/cable,end=0",
                   "raw_ntb_plx_emu1,cable=/nowhere/cable,end=1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the agent of the near port does not start", done.stdout)

    def test_remote_shell(self):
        """HOST/PORT goes to the remote shell as one command."""
        done = run("--checks", "up", "--rsh", "echo ok", "a/05:00.0", "b/05:00.0",
                   stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)

    def test_help(self):
        for command in ([PROGRAM], [PROGRAM, "test"], [PROGRAM, "agent"]):
            for option, words in (("--help", "PORT"), ("--version", "(Ringbell)")):
                done = subprocess.run([*command, option], text=True, stdout=subprocess.PIPE,
                                      timeout=30, check=True)
                self.assertTrue(re.search(re.escape(words), done.stdout), done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
