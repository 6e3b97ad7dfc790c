#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-doctor on machines made of files: each single fault gives its finding and no other.

Cables of network interfaces are namespaces, as far as this user may make some.

Usage: test_doctor.py RINGBELL-DOCTOR
"""
import contextlib
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

from faults import BY_FILE, FAULTS, HEALTHY, PACKETS, WORDS, cables
from tree import DOWN, PORT, ROOT, UP, Tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import namespaces  # noqa: E402

DOCTOR = os.path.abspath(sys.argv.pop(1))
LIMIT = 30

sys.path.insert(0, DOCTOR)
import doctor  # noqa: E402  of the archive


def run(*args):
    return subprocess.run([DOCTOR, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=LIMIT)


class Doctor(unittest.TestCase):
    def setUp(self):
        # a tree has 177 files: a disk's file system takes 12 times as long for them
        self.top = tempfile.mkdtemp(prefix="ringbell-doctor-", dir="/dev/shm")
        self.addCleanup(shutil.rmtree, self.top)

    def tree(self):
        folder = os.path.join(self.top, "tree")
        shutil.rmtree(folder, ignore_errors=True)
        return Tree(folder)

    def look(self, tree):
        """Findings but those that are ok, and the status."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = doctor.main(["--json", "--root", tree.top, "--cable", tree.cables])
        found = json.loads(out.getvalue())["findings"]
        return [f for f in found if f["severity"] != "ok"], status

    def test_healthy(self):
        for change in HEALTHY:
            with self.subTest(change.__name__):
                tree = self.tree()
                change(tree)
                self.assertEqual(self.look(tree), ([], 0))

    def test_faults(self):
        for name, make, check, severity, where, *also in FAULTS:
            with self.subTest(name):
                tree = self.tree()
                make(tree)
                found, status = self.look(tree)
                self.assertEqual({f["check"] for f in found}, {check, *also}, found)
                own = [f for f in found if f["check"] == check]
                self.assertIn((severity, where), [(f["severity"], f["where"]) for f in own])
                self.assertIn(WORDS.get(name, ""), own[0]["what"])
                self.assertTrue(all(f["what"] and f["fix"] for f in found), found)
                self.assertEqual(status, int(any(f["severity"] == "error" for f in found)))

    def test_each_check_has_a_fault(self):
        listed = {check.name for check in doctor.CHECKS}  # test_peer.py has the others
        self.assertEqual(listed, {fault[2] for fault in FAULTS} | {"far-end"})  # which is in Cables

    def test_text(self):
        tree = self.tree()
        done = run("--root", tree.top)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "left, Linux 6.1.0-18-amd64")
        self.assertIn("below 0000:00:01.0, Gen3 x8", lines[1])
        self.assertIn(f"{PORT[0]}  NT0  uio_pci_generic; cable Gen3 x8; BAR2 1 GiB 64-bit "
                      "prefetchable; BAR4 1 MiB 64-bit", lines[2])
        self.assertTrue(lines[-1].endswith("Nothing found that keeps a job from running."), lines)
        tree.bind(PORT[0], None)
        done = run("--root", tree.top)
        self.assertEqual(done.returncode, 1)
        self.assertIn("ringbell-devbind -b uio_pci_generic " + PORT[0], done.stdout)
        self.assertIn("1 error, 0 warnings, 0 notes", done.stdout)
        self.assertIn("A job would not run.", done.stdout)

    def test_garbage(self):
        """Nothing that a file says ends the program otherwise than by its status."""
        rng = random.Random(17)
        junk = [b"", b"\0", b"-1\n", b"0x\n", b"[", b"99999999999999999999999\n", b"0-99\n",
                b"a b c d\n", b"\xff" * 300, b"1.2.3 GT/s\n", "a \u00b2\n".encode(),
                b"Cpus_allowed_list: " + b"9" * 5000, b"9" * 5000]
        tree = self.tree()
        cables(f"{PACKETS}+{BY_FILE}", bare=False)(tree)
        names = []
        for folder, _, files in os.walk(tree.top):
            paths = [os.path.join(folder, name) for name in files]
            names += [path for path in paths if not os.path.islink(path)]
        kinds = list({os.path.basename(path): path for path in names}.values())
        for text in junk:
            for first in range(6):
                self.spoil(tree, {name: text for name in kinds[first::6]})
        for _ in range(40):
            self.spoil(tree, {name: rng.choice(junk) for name in rng.sample(names, 12)})

    def spoil(self, tree, junk):
        """Look at a machine with other bytes in some files."""
        kept = {}
        for name, text in junk.items():
            with open(name, "rb") as f:
                kept[name] = f.read()
            with open(name, "wb") as f:
                f.write(text)
        self.look(tree)
        for name, data in kept.items():
            with open(name, "wb") as f:
                f.write(data)

    def test_snapshot(self):
        """Of ports that no driver has, too: each function on the way, and what registers read."""
        tree, out = self.tree(), os.path.join(self.top, "snapshot")
        tree.bind(PORT[0], None)
        tree.register(PORT[0], 0x3efb8, 0x00100020)
        tree.register(PORT[0], 0x39804, 3)
        tree.register(PORT[0], 0x8208, 0x02)
        tree.config(PORT[1], 4, 2, 0)
        done = run("--root", tree.top, "--snapshot", out)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        with open(out, encoding="ascii") as f:
            report, length = json.JSONDecoder().raw_decode(text := f.read())
        self.assertEqual([p["address"] for a in report["adapters"] for p in a["ports"]], list(PORT))
        parts = dict(part.split("\n", 1) for part in text[length:].strip().split("\n\n"))
        self.assertEqual(len(parts), 8)
        self.assertIn(f"{PORT[0]} 10b5:87b0, driver none, below {DOWN[0]} {UP} {ROOT}", parts)
        self.assertTrue(parts[f"{ROOT} 8086:2030, driver none, below nothing"].startswith("000: 86 80 30 20 "))
        lines = parts[f"{PORT[0]}: registers of its chip"].splitlines()
        for line in "0x08208 00000002", "0x00360 c0222100", "0x3efb8 00100020", "0x39804 00000003":
            self.assertIn(line, lines)
        self.assertIn("cannot be read", parts[f"{PORT[1]}: registers of its chip"])
        self.assertEqual(run("--root", tree.top, "--snapshot", self.top).returncode, 2)

    def test_bad_input(self):
        for args in (["--root", self.top], ["--root"], ["--nothing"], ["extra"]):
            done = run(*args)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("ringbell-doctor: "), done.stderr)

    def test_version(self):
        done = run("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^ringbell-doctor \(Ringbell\) \d[\d.]*\n$")

    def test_this_machine(self):
        """With or without adapters."""
        done = run("-v")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(done.stderr, "")


@unittest.skipUnless(namespaces.are_allowed(), namespaces.REFUSED)
class Cables(namespaces.Namespaces, unittest.TestCase):
    """What packets tell: a doctor at each end, at the same time."""

    def setUp(self):
        self.add(0, 1)

    def test_cables(self):
        """All at once, by packets and by UDP: one that is right, with another MTU, and with nobody, who is no fault of this
        end; and one with a box, as a switch, that lets small packets through. No adapter and no huge page is missed."""
        self.add("box")
        self.join(("eth0", 0), ("near", "box"))
        self.join(("far", "box"), ("eth0", 1))
        self.bridge("box", "near", "far")
        for n in range(1, 7):
            self.join((f"eth{n}", 0), (f"eth{n}", 1))
            for k in range(2):
                namespaces.ip("-n", self.name(k), "addr", "add", f"10.0.{n}.{k + 1}/24", "dev", f"eth{n}")
        for k, iface, mtu in ((0, "eth0", 9000), (1, "eth0", 9000), (1, "eth2", 9000), (1, "eth5", 1600)):
            self.set(k, iface, "mtu", str(mtu))
        right, other, silent, *udp = (f"net_af_packet,iface=eth{n}" + (f",udp={7000 + n}" if n > 3 else "") for n in range(1, 7))
        narrow = "net_af_packet,iface=eth0"
        ends = (right, other, silent, *udp, narrow, udp[2]), (right, other, *udp[:2], narrow)
        doctors = [subprocess.Popen(self.inside(k, DOCTOR, "--json", "--listen", "5"), text=True,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    env={**os.environ, "RINGBELL_CABLES": "+".join(ends[k])}) for k in range(2)]
        first, _ = [json.loads(d.communicate(timeout=LIMIT)[0]) for d in doctors]
        self.assertEqual([(f["check"], f["where"], f["severity"], f["what"]) for f in first["findings"]
                          if f["severity"] != "ok"], [
            ("cable-names", "eth6", "error", "two cables have it"),
            ("mtu", "eth2", "error", "its MTU is 1500, the other end has 9000"),
            ("mtu", "eth5", "error", "its MTU is 1500, the other end has 1600"),
            ("mtu", "eth0", "error", "packets of its MTU, 9000, do not get through, small ones do"),
            ("sockets", "eth6", "error", "UDP port 7006 cannot be opened: Address already in use"),
            ("far-end", "eth3", "note", "nobody is heard on this cable"),
            ("far-end", "eth6", "note", "nobody is heard on UDP port 7006 of this cable")])

    def test_rights(self):
        self.join(("eth1", 0), ("eth1", 1))
        done = subprocess.run(self.inside(0, "setpriv", "--bounding-set=-net_raw", DOCTOR, "--cable", PACKETS), text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, timeout=LIMIT)
        self.assertEqual(done.returncode, 1)
        self.assertIn("it has not CAP_NET_RAW [sockets]", " ".join(done.stdout.split()))


if __name__ == "__main__":
    unittest.main(verbosity=2)
