#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-eeprom on files: images from settings, shown, compared, checked, and damaged ones.

Usage: test_image.py RINGBELL-EEPROM
"""
import os
import random
import struct
import subprocess
import sys
import unittest

import tool
from tool import DMA, FINE, FOUND, NT0_VIRTUAL, NT1_VIRTUAL, NT_CONFIG, TROUBLE

PROGRAM = os.path.abspath(sys.argv.pop(1))
GIB, MIB = 1 << 30, 1 << 20

sys.path.insert(0, PROGRAM)
import command  # noqa: E402  of the archive


class Case(tool.Inside):
    main = staticmethod(command.main)


class Make(Case):
    def made(self, *args):
        self.fine("make", "-o", "new.bin", *args)
        data = self.get("new.bin")
        os.unlink(self.path("new.bin"))
        return tool.records(data)

    def test_defaults(self):
        self.assertEqual(self.made("--chip", "8749", "upstream=0", "nt0=8", "nt1=16"),
                         tool.RINGBELL)

    def test_each_setting(self):
        """Each by itself changes its own registers."""
        want = dict((r[:2], r[2]) for r in tool.RINGBELL)
        one_nt = {k: v for k, v in want.items() if k[0] != NT1_VIRTUAL}
        cases = {
            "upstream=9": {(0, NT_CONFIG): tool.config(9, 8, 16)},
            "nt0=20": {(0, NT_CONFIG): tool.config(0, 20, 16)},
            "nt1=1": {(0, NT_CONFIG): tool.config(0, 8, 1)},
            "bar0=64": {(nt, 0xE4): 3 for nt in (NT0_VIRTUAL, NT1_VIRTUAL)},
            "bar0=32": {},
            "alut=off": {(0, NT_CONFIG): tool.config(0, 8, 16, alut=False)},
            "alut=on": {},
            "dma=one": {(DMA, 0x1F8): 1},
            "dma=two": {(DMA, 0x1F8): 2},
            "dma=four": {},
            "crc=off": {},
            "bar4=off": {r[:2]: r[2] for nt in (NT0_VIRTUAL, NT1_VIRTUAL)
                         for r in tool.bars(nt, bar4=0)},
        }
        for shift in range(20, 41):
            cases[f"bar2={1 << shift - 20}M"] = {r[:2]: r[2] for nt in (NT0_VIRTUAL, NT1_VIRTUAL)
                                                 for r in tool.bars(nt, bar2=1 << shift)}
            cases[f"bar4={1 << shift - 20}M"] = {r[:2]: r[2] for nt in (NT0_VIRTUAL, NT1_VIRTUAL)
                                                 for r in tool.bars(nt, bar4=1 << shift)}
        for setting, changed in cases.items():
            with self.subTest(setting):
                made = self.made("--chip", "8749", "upstream=0", "nt0=8", "nt1=16", setting)
                self.assertEqual({r[:2]: r[2] for r in made}, {**want, **changed})
        made = self.made("--chip", "8749", "nt0=8", "nt1=off")
        self.assertEqual({r[:2]: r[2] for r in made},
                         {**one_nt, (0, NT_CONFIG): tool.config(0, 8)})

    def test_flag_of_the_checksum(self):
        for setting, flags in ("crc=on", 0x80), ("crc=off", 0):
            self.fine("make", "-o", setting, "--chip", "8733", "nt0=8", setting)
            self.assertEqual(self.get(setting)[1], flags)

    def test_first_parts_have_less(self):
        """No A-LUT, no DMA engine, no checksum; one NT port, or none."""
        for chip in "8748", "8732":
            self.assertEqual(self.made("--chip", chip, "nt0=8"),
                             [(0, NT_CONFIG, tool.config(0, 8, alut=False))] +
                             tool.bars(NT0_VIRTUAL))
        self.fails("no DMA engine", "make", "-o", "x", "--chip", "8748", "nt0=8", "dma=four")
        for words, *args in (("8748 has 1 NT port", "8748", "nt0=8", "nt1=16"),
                             ("8747 has 0 NT ports", "8747", "nt0=8"),
                             ("8748 has none", "8748", "nt0=8", "alut=on"),
                             ("which a PEX 8732 does not have", "8732", "nt0=4"),
                             ("which is the upstream port", "8749", "nt0=0"),
                             ("are both port 8", "8749", "nt0=8", "nt1=8"),
                             ("upstream port is 6", "8749", "upstream=6", "nt0=8"),
                             ("needs 2 or more", "8749", "nt0=8", "bar2=1M", "bar4=off"),
                             ("no NT port is on", "8749")):
            done = self.run_tool("make", "-o", "x", "--chip", *args)
            self.assertEqual(done.returncode, TROUBLE, args)
            self.assertIn(words, done.stderr)
            self.assertFalse(os.path.exists(self.path("x")))

    def test_base(self):
        """All that is not named stays, in its place."""
        lanes, gpio = (0, 0x300, 4), (16, 0x208, 2)
        old = [lanes, (0, NT_CONFIG, tool.config(4, 8) | 1 << 24), gpio,
               *tool.bars(NT0_VIRTUAL, bar0=3, bar2=2 * GIB)]
        self.put("old.bin", tool.image(old, flags=0))
        self.assertEqual(self.made("--chip", "8749", "--base", "old.bin"), old + [(DMA, 0x1F8, 0)])
        made = self.made("--chip", "8749", "-b", "old.bin", "nt1=16", "bar4=4M")
        self.assertEqual(made, [lanes, (0, NT_CONFIG, tool.config(4, 8, 16) | 1 << 24), gpio,
                                *tool.bars(NT0_VIRTUAL, bar0=3, bar2=2 * GIB, bar4=4 * MIB),
                                *tool.bars(NT1_VIRTUAL, bar4=4 * MIB), (DMA, 0x1F8, 0)])
        # without an NT port, a base says nothing of the lookup table
        self.put("none.bin", tool.image([(0, NT_CONFIG, tool.config())]))
        self.assertEqual(self.made("--chip", "8749", "-b", "none.bin", "nt0=8")[0],
                         (0, NT_CONFIG, tool.config(0, 8, alut=True)))
        without = tool.image([(0, NT_CONFIG, tool.config(0, 8, alut=False))])
        self.put("without.bin", without)
        self.assertEqual(self.made("--chip", "8749", "-b", "without.bin", "nt1=9")[0],
                         (0, NT_CONFIG, tool.config(0, 8, 9, alut=False)))
        # an NT port that goes off takes its records along
        self.put("both.bin", tool.image(tool.RINGBELL))
        made = self.made("--chip", "8749", "-b", "both.bin", "nt1=off")
        self.assertEqual(made, [(0, NT_CONFIG, tool.config(0, 8)), *tool.bars(NT0_VIRTUAL),
                                (DMA, 0x1F8, 0)])
        self.fine("make", "-o", "twin", "--chip", "8749", "-b", "old.bin")
        self.assertEqual(self.get("twin")[1], 0)
        # a register that is set twice: the last value decides, so that is the one that changes
        twice = tool.RINGBELL + [(0, NT_CONFIG, tool.config(0, 9, 17))]
        self.put("twice.bin", tool.image(twice))
        made = self.made("--chip", "8749", "-b", "twice.bin", "nt0=10")
        self.assertEqual((made[0], made[-1]), (twice[0], (0, NT_CONFIG, tool.config(0, 10, 17))))

    def test_words(self):
        """Each wrong value is named, with what is right."""
        for value, words in (("nt0=", "port number"), ("nt0=on", "port number"),
                             ("nt0=24", "port number"), ("nt0=-1", "port number"),
                             ("nt1", "port number"), ("upstream=off", "port number"),
                             ("bar0=16", "32 or 64"), ("bar2=3M", "power of two"),
                             ("bar2=off", "power of two"), ("bar2=512K", "power of two"),
                             ("bar2=2T", "power of two"), ("bar2=-1M", "power of two"),
                             ("bar2=99999999999999999999", "power of two"), ("bar2=1MB", "power"),
                             ("bar4=0", "power of two"), ("alut=yes", "on or off"),
                             ("dma=3", "four, two or one"), ("crc=1", "on or off"),
                             ("speed=3", "unknown setting"), ("=", "unknown setting"),
                             ("", "unknown setting")):
            self.assertIn(words, self.fails(value, "make", "-o", "x", "-c", "8749", value).stderr)
        self.fails("needs --output", "make", "--chip", "8749", "nt0=8")
        self.fails("needs --chip", "make", "-o", "x", "nt0=8")
        for part in ("8764", "100008749", "8749x", ""):
            self.fails(f"--chip {part}: unknown part", "make", "-o", "x", "--chip", part, "nt0=8")
        self.put("x", b"mine")
        self.fails("x: exists already", "make", "-o", "x", "--chip", "8749", "nt0=8")
        self.assertEqual(self.get("x"), b"mine")

    def test_an_image_that_is_full(self):
        full = [(0, 0x600, 0)] * 10921
        self.put("full.bin", tool.image(full))
        self.fails("do not fit", "make", "-o", "x", "--chip", "8749", "-b", "full.bin", "nt0=8")
        self.fine("show", "full.bin")


class CommandLine(Case):
    def test_misuse(self):
        for words, *args in (("unknown command", "burn"), ("the command is missing", "--chip", "8749"),
                             ("show does not take --chip", "show", "-c", "8749", "x"),
                             ("diff takes two FILEs", "diff", "x"),
                             ("check takes one FILE", "check", "x", "y"),
                             ("write takes a DEVICE and a FILE", "write", "--save", "o"),
                             ("write needs --save", "write", "--write", "0000:05:00.0", "x"),
                             ("read needs --output", "read", "0000:05:00.0"),
                             ("--address-bytes 4", "read", "--address-bytes", "4", "d", "-o", "x"),
                             ("make does not take --write", "make", "--write")):
            self.fails(words, *args)
        self.fails("ringbell-eeprom: the command is missing")
        self.fails("ringbell-eeprom: option --nonsense not recognized", "show", "--nonsense")
        self.fails("ringbell-eeprom: option --chip requires", "make", "--chip")
        for args in (["--help"], ["make", "--help"]):
            self.assertIn("Usage: ringbell-eeprom", self.fine(*args))

    def test_full_disk(self):
        self.put("a", tool.image(tool.RINGBELL))
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "show", "a"], cwd=self.folder, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=tool.LIMIT, check=False)
        self.assertEqual(done.returncode, TROUBLE)
        self.assertIn("not all could be written", done.stderr)


class Show(Case):
    def test_records_in_words(self):
        self.put("a", tool.image(tool.RINGBELL + [
            (17, 0x2C, 0x874910B5), (8, 0x208, 1), (0x21, 4, 5), (0x2C, 0, 6), (0x31, 0x354, 7),
            (0x38, 4, 6), (0x3A, 4, 6), (0x1F, 0, 1), (0x2A, 0x22C, 9)]))
        out = self.fine("show", "a")
        for words in ("records: 21, checksum: on, right", "upstream: port 0", "NT0: on, port 8",
                      "NT1: on, port 16", "A-LUT of NT1: on", "BAR0: 32-bit",
                      "BAR2/3: 1 GiB, 64-bit, prefetchable", "not certain",
                      "BAR4/5: 1 MiB, 64-bit, not prefetchable", "port 17", "subsystem ids",
                      "port 8                 0x208", "A-LUT RAM 1", "DMA RAM", "NT0 Link",
                      "NT1 Link", "virtual switch, st. 1", "block 0x1f", "DMA channel 2",
                      "unknown register", "four functions"):
            self.assertIn(words, out)

    def test_what_is_odd_is_said(self):
        self.put("a", tool.image([(NT0_VIRTUAL, 0xE8, 0xFFF00008), (NT0_VIRTUAL, 0xF0, 0xF0F00004),
                                  (NT0_VIRTUAL, 0xE4, 0xA)], flags=3, crc=1) + b"rest")
        out = self.fine("show", "a")
        for words in ("checksum: off, wrong", "4 bytes follow", "flags: 0x03",
                      "BAR2: 1 MiB, 32-bit, prefetchable", "mask is not contiguous",
                      "BAR0: 32-bit, prefetchable"):
            self.assertIn(words, out)
        self.put("b", tool.image([], flags=0)[:4])
        self.assertIn("checksum: off, none", self.fine("show", "b"))


class Diff(Case):
    def differ(self, a, b, **flags):
        self.put("a", tool.image(a))
        self.put("b", tool.image(b, **flags))
        done = self.run_tool("diff", "a", "b")
        self.assertEqual((done.returncode, done.stderr), (FOUND, ""))
        return done.stdout

    def test_same(self):
        self.put("a", tool.image(tool.RINGBELL))
        self.assertEqual(self.fine("diff", "a", "a"), "")

    def test_in_words(self):
        old = [(0, NT_CONFIG, tool.config(0, 8)), *tool.bars(NT0_VIRTUAL)]
        new = [(0, NT_CONFIG, tool.config(0, 9, 16)),
               *tool.bars(NT0_VIRTUAL, bar2=8 * GIB, bar4=0), (3, 0x98, 2)]
        out = self.differ(old, new)
        for words in ("NT0: on, port 8 -> on, port 9", "NT1: off -> on, port 16",
                      "BAR2/3: 1 GiB, 64-bit, prefetchable -> 8 GiB, 64-bit, prefetchable",
                      "not prefetchable -> off", "port 3, 0x098", "none -> 0x00000002"):
            self.assertIn(words, out)
        self.assertNotIn("BAR0", out)
        self.assertNotIn("upstream:", out)
        self.assertIn("0x00000002 -> none", self.differ(new, old))

    def test_beside_the_records(self):
        self.assertIn("checksum on -> off", self.differ(tool.RINGBELL, tool.RINGBELL, flags=0))
        turned = [tool.RINGBELL[1], tool.RINGBELL[0], *tool.RINGBELL[2:]]
        self.assertIn("another order", self.differ(tool.RINGBELL, turned))
        self.assertIn("set more than once", self.differ(tool.RINGBELL,
                                                        tool.RINGBELL[:1] + tool.RINGBELL))


class Check(Case):
    def verdict(self, records, *args, **flags):
        self.put("a", tool.image(records, **flags))
        done = self.run_tool("check", *args, "a")
        self.assertEqual(done.stderr, "")
        faults = [line[7:] for line in done.stdout.splitlines() if line.startswith("fault: ")]
        notes = [line[6:] for line in done.stdout.splitlines() if line.startswith("note: ")]
        self.assertEqual(done.returncode, FOUND if faults else FINE)
        return faults, notes

    def test_right_ones(self):
        for chip in ("8749", "8733"):
            self.assertEqual(self.verdict(tool.RINGBELL, "--chip", chip), ([], []))
        self.assertEqual(self.verdict(tool.RINGBELL), ([], []))

    def test_single_faults(self):
        """Each wrong record is named, and nothing else."""
        def with_record(place, reg, value):
            return [(p, r, value if (p, r) == (place, reg) else v) for p, r, v in tool.RINGBELL]
        nt = NT1_VIRTUAL
        cases = {
            "no NT port is on": [(0, NT_CONFIG, tool.config())],
            "no record of port 0, 0x360": tool.RINGBELL[1:],
            "NT1 is port 0, which is the upstream": with_record(0, NT_CONFIG, tool.config(0, 8, 0)),
            "NT0 and NT1 are both": with_record(0, NT_CONFIG, tool.config(0, 8, 8)),
            "NT1 is port 6, which a PEX": with_record(0, NT_CONFIG, tool.config(0, 8, 6)),
            "upstream port is 7": with_record(0, NT_CONFIG, tool.config(7, 8, 16)),
            "NT1: BAR0 is off": with_record(nt, 0xE4, 0),
            "NT1: BAR0, the registers, is prefetchable": with_record(nt, 0xE4, 0xA),
            "NT1: BAR2, the data window, is off": [r for r in with_record(nt, 0xE8, 0)
                                                   if r[:2] != (nt, 0xEC)],
            "NT1: no record for BAR2": [r for r in tool.RINGBELL
                                        if r[:2] not in ((nt, 0xE8), (nt, 0xEC))],
            "NT1: BAR2 is a BAR of 32 bits": with_record(nt, 0xE8, 0xC0000008),
            "NT1: BAR2 is not prefetchable": with_record(nt, 0xE8, 0xC0000004),
            "NT1: the size mask of BAR2 is not contiguous": with_record(nt, 0xE8, 0xA000000C),
            "NT1: BAR2 is larger than 1 TiB": [r for r in tool.RINGBELL if r[0] != nt] +
                                              tool.bars(nt, bar2=1 << 41),
            "NT1: BAR4 is a BAR of 32 bits": with_record(nt, 0xF0, 0xFFF00000),
            "NT1: BAR4, the peer's registers, is prefetchable": with_record(nt, 0xF0, 0xFFF0000C),
            "NT1: the size mask of BAR4 is not contiguous": with_record(nt, 0xF4, 0xFFFFFFF1),
        }
        for words, records in cases.items():
            with self.subTest(words):
                faults, _ = self.verdict(records, "-c", "8749")
                self.assertEqual(len(faults), 1, faults)
                self.assertIn(words, faults[0])

    def test_notes(self):
        cases = (
            ("checksum is off", tool.RINGBELL, {"flags": 0}),
            ("A-LUT of NT0 is off", [(0, NT_CONFIG, tool.config(0, 8, 16) & ~(1 << 30))] +
             tool.RINGBELL[1:], {}),
            ("one NT port", [(0, NT_CONFIG, tool.config(0, 8)), *tool.bars(NT0_VIRTUAL)], {}),
            ("NT1: no record for BAR0", [r for r in tool.RINGBELL if r[:2] != (NT1_VIRTUAL, 0xE4)],
             {}),
            ("is set again by a later record", tool.RINGBELL[-1:] + tool.RINGBELL, {}),
            ("8749 has no port 7", tool.RINGBELL + [(7, 4, 1)], {}),
            ("block 0x3d is unknown", tool.RINGBELL + [(0x3D, 4, 1)], {}),
        )
        for words, records, flags in cases:
            with self.subTest(words):
                faults, notes = self.verdict(records, "-c", "8749", **flags)
                self.assertEqual((faults, len(notes)), ([], 1), notes)
                self.assertIn(words, notes[0])
        off = [r for r in tool.RINGBELL if r[1] not in (0xF0, 0xF4)]
        self.assertEqual(len(self.verdict(off)[1]), 2)


class Damage(Case):
    COMMANDS = ("show", "check")

    def refused(self, words, data):
        self.put("bad", data)
        self.put("good", tool.image(tool.RINGBELL))
        for command in self.COMMANDS:
            self.fails(words, command, "bad")
        self.fails(words, "diff", "bad", "good")
        self.fails(words, "diff", "good", "bad")
        self.fails(words, "make", "-o", "x", "-c", "8749", "-b", "bad", "nt0=8")
        self.assertFalse(os.path.exists(self.path("x")))

    def test_kinds(self):
        good = tool.image(tool.RINGBELL)
        self.refused("0 bytes: too short", b"")
        self.refused("3 bytes: too short", good[:3])
        self.refused("a blank EEPROM?", b"\xff" * 256)
        self.refused("begins with 0x00", bytes(256))
        self.refused("begins with 0x5b", b"\x5b" + good[1:])
        self.refused("not a multiple of 6", good[:2] + b"\x47\0" + good[4:])
        self.refused("only 76 follow", good[:2] + struct.pack("<H", 6 * 20) + good[4:])
        self.refused("more than fit into 64 KiB", good[:2] + struct.pack("<H", 6 * 10922) + good[4:])
        self.refused("larger than 64 KiB", good + bytes(65536))
        self.refused("ends before it", good[:-1])
        self.refused("that of the bytes is 0x", good[:-1] + bytes([good[-1] ^ 1]))
        for command in self.COMMANDS:
            self.fails("No such file", command, "absent")
            self.fails("Is a directory", command, "/")

    def test_each_bit(self):
        """One bit of an image with its checksum on: found, wherever it is."""
        good = tool.image([(0, NT_CONFIG, tool.config(0, 8))])
        for bit in range(len(good) * 8):
            data = bytearray(good)
            data[bit // 8] ^= 1 << bit % 8
            self.put("bad", data)
            # flags have no checksum: the bit that turns it off, and seven without a meaning
            if bit // 8 == 1:
                self.fine("show", "bad")
            else:
                self.fails("bad: ", "show", "bad")

    def test_random(self):
        """Anything: an answer or one line, never a signal."""
        seed = random.randrange(1 << 32)
        draw = random.Random(seed)
        for _ in range(60):
            data = bytearray(tool.image(tool.RINGBELL, flags=draw.choice((0, 0, 0x80))))
            for _ in range(draw.randrange(1, 8)):
                data[draw.randrange(len(data))] = draw.randrange(256)
            data = data[:draw.randrange(len(data) + 1)] if draw.random() < 0.3 else data
            self.put("bad", data)
            for command in (["show", "bad"], ["check", "-c", "8749", "bad"]):
                done = self.run_tool(*command)
                self.assertIn(done.returncode, (FINE, FOUND, TROUBLE), f"seed {seed}")
                self.assertEqual(done.stderr.count("\n"), done.returncode == TROUBLE,
                                 f"seed {seed}: {done.stderr}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
