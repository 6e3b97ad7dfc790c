#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-eeprom on adapters: on the register model, and on made-up folders of sysfs.

Usage: test_adapter.py RINGBELL-EEPROM MODEL
"""
import fcntl
import os
import struct
import subprocess
import sys
import unittest
from unittest import mock

import tool
from tool import FINE, FOUND, NT0_VIRTUAL, NT_CONFIG, TROUBLE

TOOL, MODEL = (os.path.abspath(arg) for arg in sys.argv[1:3])
del sys.argv[1:3]
PART = 8192
READ, WRITE, READ_STATUS, WRITE_ENABLE = 3, 2, 5, 6
VENDORS = [(0, 0x300, 4), (0, NT_CONFIG, 0x001A1A00), (8, 0x208, 1)] # no NT port

sys.path.insert(0, TOOL)
import command  # noqa: E402  of the archive
import device  # noqa: E402
from controller import BUFFER, BUSY, CRC_ERROR, CTL, ENABLED, GONE, WRITING  # noqa: E402


class Model:
    """In place of device.Device: the register model, a process."""

    def __init__(self, name):
        self.name = name
        self.model = subprocess.Popen([MODEL, name], stdin=subprocess.PIPE, text=True, stdout=subprocess.PIPE)
        ready = self.model.stdout.readline().strip()
        if ready != "ready":
            self.close()
            raise device.Trouble(f"{name}: {ready}")

    def read(self, off):
        print("r", off, file=self.model.stdin, flush=True)
        return int(self.model.stdout.readline())

    def write(self, off, value):
        print("w", off, value, file=self.model.stdin)

    def close(self):
        self.model.communicate()


class OnModel(tool.Inside):
    """The device is a file, the contents of the part behind the model's registers."""
    main = staticmethod(command.main)

    def setUp(self):
        super().setUp()
        given = mock.patch("device.Device", Model)
        given.start()
        self.addCleanup(given.stop)

    def part(self, data, size=PART):
        self.put("part", data + b"\xff" * (size - len(data)))
        return data

    def trace(self):
        with open(self.path("trace"), encoding="ascii") as f:
            return [tuple(map(int, line.split())) for line in f]


class Read(OnModel):
    def test_as_it_is(self):
        for records in ([], VENDORS, tool.RINGBELL, [(0, 0x600, i) for i in range(1000)]):
            data = self.part(tool.image(records))
            self.assertIn(f"saved {len(data)} bytes", self.fine("read", "part", "-o", "out"))
            self.assertEqual(self.get("out"), data)
            os.unlink(self.path("out"))

    def test_beyond_half_of_a_large_part(self):
        """The last bit of the address is apart from the others."""
        data = self.part(tool.image([(0, 0x600, i) for i in range(6000)]), 65536)
        self.fine("read", "part", "-o", "out")
        self.assertEqual(self.get("out"), data)

    def test_changes_nothing(self):
        data = self.part(tool.image(VENDORS))
        self.fine("read", "part", "-o", "out", EEPROM_TRACE=self.path("trace"))
        self.assertEqual(self.get("part"), data + b"\xff" * (PART - len(data)))
        self.assertEqual({command for command, _ in self.trace()}, {READ, READ_STATUS})

    def test_damaged(self):
        """A checksum error at power-on is printed; the bytes are saved all the same."""
        data = self.part(tool.image(VENDORS, crc=7))
        done = self.run_tool("read", "part", "-o", "out")
        self.assertEqual((done.returncode, self.get("out")), (FOUND, data))
        self.assertIn("the checksum is 0x00000007", done.stderr)

    def test_blank(self):
        self.part(b"")
        self.fails("--address-bytes 2", "read", "part", "-o", "out")
        done = self.run_tool("read", "part", "-o", "out", "--address-bytes", "2")
        self.assertEqual((done.returncode, self.get("out")), (FOUND, b"\xff" * 256))
        self.assertIn("a blank EEPROM?", done.stderr)
        self.part(b"", 256)
        done = self.run_tool("read", "part", "-o", "out2", "--address-bytes", "1")
        self.assertEqual((done.returncode, self.get("out2")), (FOUND, b"\xff" * 256))

    def test_not_there(self):
        self.put("part", b"")
        self.fails("finds no EEPROM", "read", "part", "-o", "out")
        self.part(tool.image(VENDORS))
        self.fails("has been busy for 100 ms", "read", "part", "-o", "out", EEPROM_FAULT="stuck 1")
        self.put("out", b"mine")
        self.fails("exists already", "read", "part", "-o", "out")
        self.assertEqual(self.get("out"), b"mine")


class Write(OnModel):
    def setUp(self):
        super().setUp()
        self.new = tool.image(tool.RINGBELL)
        self.put("new.bin", self.new)
        self.old = self.part(tool.image(VENDORS))

    def write(self, *args, **env):
        return self.fine("write", "part", "new.bin", "--save", "old.bin", *args, **env)

    def assert_part(self, data):
        self.assertEqual(self.get("part")[:len(data)], data)

    def assert_saved(self):
        self.assertEqual(self.get("old.bin")[:len(self.old)], self.old)

    def test_without_the_word(self):
        """No --write: the old image is saved, the difference printed, nothing changed."""
        out = self.write(EEPROM_TRACE=self.path("trace"))
        for words in ("saved", "NT0: off -> on, port 8", "0x300 widths of the ports: 0x00000004 -> "
                      "none", "not written"):
            self.assertIn(words, out)
        self.assert_part(self.old)
        self.assert_saved()
        self.assertEqual({command for command, _ in self.trace()}, {READ, READ_STATUS})

    def test_saved_first(self):
        """The file of the old image is complete before the first word is written."""
        self.put("old.bin", b"mine")
        self.fails("exists already", "write", "part", "new.bin", "--save", "old.bin", "--write")
        self.assert_part(self.old)
        self.fails("No such file", "write", "part", "new.bin", "--save", "no/old.bin", "--write")
        self.assert_part(self.old)
        os.unlink(self.path("old.bin"))
        self.fails("not an image", "write", "part", "/etc/passwd", "--save", "old.bin", "--write")
        self.assertFalse(os.path.exists(self.path("old.bin")))

    def test_written(self):
        out = self.write("--write", EEPROM_TRACE=self.path("trace"))
        self.assertIn("read all 80 bytes back", out)
        self.assert_part(self.new)
        self.assert_saved()
        # beyond the image nothing is touched
        self.assertEqual(self.get("part")[len(self.new):], b"\xff" * (PART - len(self.new)))
        trace = self.trace()
        writes = [at for command, at in trace if command == WRITE]
        self.assertEqual((writes[0], writes[-1]), (0, 0), "the signature goes first, comes last")
        self.assertEqual(len(writes), trace.count((WRITE_ENABLE, 0)))

    def test_written_twice(self):
        self.write("--write")
        out = self.fine("write", "part", "new.bin", "--save", "again.bin", "--write",
                        EEPROM_TRACE=self.path("trace"))
        self.assertIn("nothing to write", out)
        self.assertNotIn(WRITE, [command for command, _ in self.trace()])
        self.assertEqual(self.get("again.bin"), self.new)

    def test_and_back(self):
        """The saved file is an image that goes back as it was."""
        self.write("--write")
        self.fine("write", "part", "old.bin", "--save", "new2.bin", "--write")
        self.assert_part(self.old)
        self.assertEqual(self.get("new2.bin"), self.new)

    def test_all_lengths(self):
        """Images that end in the midst of a dword, longer and shorter than what was there."""
        for old, new in (0, 1), (1, 0), (1, 3), (2, 2), (3, 8), (8, 2), (9, 3), (9, 8):
            self.old = self.part(tool.image([(1, 0x98, i) for i in range(old)]))
            self.new = tool.image([(2, 0x98, i) for i in range(new)])
            self.put("new.bin", self.new)
            self.fine("write", "part", "new.bin", "--save", f"{old}-{new}.bin", "--write")
            kept = (self.old + b"\xff" * PART)[len(self.new):PART]
            self.assertEqual(self.get("part"), self.new + kept)

    def test_blank(self):
        self.part(b"")
        self.fails("--address-bytes 2", "write", "part", "new.bin", "--save", "o", "--write")
        done = self.run_tool("write", "part", "new.bin", "--save", "o", "--write",
                             "--address-bytes", "2")
        self.assertEqual(done.returncode, FINE, done.stderr)
        self.assert_part(self.new)

    def test_dry_run(self):
        said = self.fine("write", "part", "new.bin", "--dry-run", EEPROM_TRACE=self.path("trace"))
        self.assertIn("not written: a dry run", said)
        self.assertIn(" -> ", said)
        self.assertEqual({command for command, _ in self.trace()}, {READ, READ_STATUS})
        for more in ("--write",), ("--save", "o"):
            self.assertEqual(self.run_tool("write", "part", "new.bin", "-n", *more).returncode, TROUBLE)

    def test_other_upstream(self):
        self.put("new.bin", tool.image([(0, NT_CONFIG, tool.config(9, 8)), *tool.bars(NT0_VIRTUAL)]))
        done = self.run_tool("write", "part", "new.bin", "--save", "o", "--write")
        self.assertEqual(done.returncode, TROUBLE)
        self.assertIn("the upstream port is 0, the image makes it 9", done.stderr)
        self.assert_part(self.old)
        self.fine("write", "part", "new.bin", "--save", "o2", "--write", "--new-upstream")
        self.assert_part(self.get("new.bin"))

    def test_faults_are_told(self):
        self.put("new.bin", tool.image([(0, NT_CONFIG, tool.config(0, 6))]))
        self.assertIn("NT0 is port 6, which a PEX 8749 does not have", self.write())

    def fails_in(self, words, fault):
        done = self.run_tool("write", "part", "new.bin", "--save", "old.bin", "--write",
                             EEPROM_FAULT=fault)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (TROUBLE, 2), done.stderr)
        self.assertIn(words, done.stderr)
        self.assertIn("The old image is in old.bin", done.stderr)
        self.assert_saved()
        os.unlink(self.path("old.bin"))

    def test_writes_that_fail(self):
        """Whichever write fails: told, never called done, and no half image has a signature."""
        for n in (1, 2, 3, 10, 19, 20):
            for fault in ("lost", "flip"):
                with self.subTest(f"{fault} {n}"):
                    self.part(self.old)
                    self.fails_in("was written", f"{fault} {n}")
                    now = self.get("part")
                    if now[:len(self.old)] != self.old:
                        self.assertNotEqual(now[0], 0x5A)

    def test_a_part_that_does_not_end(self):
        self.fails_in("not ready within a second", "slow 1")

    def test_after_a_failure(self):
        """The old image goes back into an EEPROM without signature."""
        self.run_tool("write", "part", "new.bin", "--save", "old.bin", "--write",
                      EEPROM_FAULT="lost 5")
        self.assertNotEqual(self.get("part")[0], 0x5A)
        done = self.run_tool("write", "part", "old.bin", "--save", "wreck.bin", "--write",
                             "--address-bytes", "2")
        self.assertEqual(done.returncode, FINE, done.stderr)
        self.assert_part(self.old)

    def test_too_long(self):
        self.part(tool.image([]), 256)
        self.put("new.bin", tool.image([(0, 0x600, i) for i in range(50)]))
        self.fails("do not fit", "write", "part", "new.bin", "--save", "o", "--write")


class Loaded(OnModel):
    def test_registers(self):
        """The model has NT0 at port 8, BAR2 of 1 MiB and BAR4 of 1 MiB, and both A-LUT bits."""
        self.part(tool.image([]))
        same = [(0, NT_CONFIG, 0xC0002800), (NT0_VIRTUAL, 0xE4, 2), (NT0_VIRTUAL, 0xE8, 0xFFF0000C),
                (0x38, 0x00, 0x87A010B5), (8, 0, 0x874910B5), (0x31, 0, 9)]
        self.put("image", tool.image(same))
        self.assertEqual(self.fine("loaded", "part", "image"),
                         "5 of 5 registers have the value of the image\n")
        self.put("image", tool.image(same + [(NT0_VIRTUAL, 0xE8, 0xC000000C)]))
        done = self.run_tool("loaded", "part", "image")
        self.assertEqual((done.returncode, done.stderr), (FOUND, ""))
        self.assertIn("NT0 Virtual, 0x0e8: the image has 0xc000000c, the register 0xfff0000c",
                      done.stdout)
        self.assertIn("4 of 5", done.stdout)


class Strict(OnModel):
    """The part refuses what a chip's would, so that the tool cannot do without it."""

    def setUp(self):
        super().setUp()
        self.part(tool.image(VENDORS))
        self.model = Model(self.path("part"))
        self.addCleanup(self.model.close)

    def run_command(self, number, dword=0, value=0):
        """@return the control register, after it has said once that it is busy"""
        self.model.write(BUFFER, value)
        self.model.write(CTL, number << 13 | dword)
        self.assertTrue(self.model.read(CTL) & BUSY)
        return next(ctl for ctl in iter(lambda: self.model.read(CTL), None) if not ctl & BUSY)

    def read_at(self, dword):
        self.run_command(READ, dword)
        return self.model.read(BUFFER)

    def test_writes(self):
        """None is taken without permission, which ends with the first one; while it lasts, the part is deaf."""
        self.run_command(WRITE, 100, 1)
        self.assertEqual((self.run_command(READ_STATUS) & WRITING, self.read_at(100)), (0, GONE))
        self.run_command(WRITE_ENABLE)
        self.assertTrue(self.run_command(READ_STATUS) & ENABLED)
        self.run_command(WRITE, 100, 1)
        self.assertEqual(self.read_at(0), GONE)
        for done in (False, False, False, True):
            self.assertEqual(not self.run_command(READ_STATUS) & WRITING, done)
        self.run_command(WRITE, 101, 1)
        self.assertEqual((self.read_at(100), self.read_at(101)), (1, GONE))

    def test_checksum(self):
        """It is looked at when the power comes on."""
        self.assertFalse(self.model.read(CTL) & CRC_ERROR)
        self.part(tool.image(VENDORS, crc=7))
        other = Model(self.path("part"))
        self.addCleanup(other.close)
        self.assertTrue(other.read(CTL) & CRC_ERROR)
        other.write(CTL, CRC_ERROR)
        self.assertFalse(other.read(CTL) & CRC_ERROR)


class Only(tool.Case):
    """The chip of a machine is the function with its registers that is below no other."""

    def setUp(self):
        super().setUp()
        device.DEVICES = self.path("devices")
        os.mkdir(device.DEVICES)

    def function(self, way, ident, part=0x8749, bar=1 << 18):
        folder, name = self.path(way), os.path.basename(way)
        os.makedirs(folder)
        for file, text in (("vendor", "0x10b5"), ("device", hex(ident)), ("subsystem_device", hex(part)),
                           ("resource", f"0x10000000 {0x10000000 + bar - 1:#x} 0x40200")):
            with open(f"{folder}/{file}", "w", encoding="ascii") as f:
                f.write(text + "\n")
        os.symlink(folder, f"{device.DEVICES}/{name}")

    def test_found(self):
        with self.assertRaisesRegex(device.Trouble, "none is there"):
            device.only_chip()
        self.function("0000:01:00.0", 0x8749)
        self.function("0000:01:00.0/0000:02:01.0", 0x8749, bar=4096)
        self.function("0000:01:00.0/0000:02:01.0/0000:03:00.0", 0x87b0)
        self.assertEqual(device.only_chip(), "0000:01:00.0")
        self.assertEqual(device.part_of("0000:01:00.0"), 0x8749)
        self.function("0000:05:00.0", 0x87b0, part=0x8733)
        self.assertEqual(device.part_of("0000:05:00.0"), 0x8733)
        with self.assertRaisesRegex(device.Trouble, "0000:01:00.0, 0000:05:00.0 are there"):
            device.only_chip()


class Sysfs(tool.Case):
    """A folder as the kernel has one for each PCI function; its BAR0 is a file."""
    program = [TOOL]

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("dev"))
        self.function()

    def function(self, vendor="0x10b5\n", size=1 << 18, registers=(), length=None):
        self.put("dev/vendor", vendor.encode())
        end = 0xF0000000 + size - 1
        self.put("dev/resource", f"0x00000000f0000000 0x{end:016x} 0x0000000000040200\n".encode())
        data = bytearray(size)
        for off, value in registers:
            data[off:off + 4] = struct.pack("<I", value)
        self.put("dev/resource0", data[:length])

    def fails_at(self, words, name="./dev"):
        self.fails(words, "read", name, "-o", "out")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_which_function(self):
        for name in ("nonsense", "05:00", "0000:05:00.0.1", "05:00.0x"):
            self.fails_at("not a PCI address", name)
        self.fails_at("no PCI function", "ffff:ff:1f.7")
        self.fails_at("no PCI function", "./absent")
        self.function(vendor="0x8086\n")
        self.fails_at("vendor id 0x8086")
        self.function(size=1 << 17)
        self.fails_at("BAR0 has 131072 bytes")
        self.put("dev/resource", b"0x0 0x0 0x0\n")
        self.fails_at("BAR0 has 0 bytes")
        self.put("dev/resource", b"")
        self.fails_at("cannot read the range of BAR0")

    def test_its_file(self):
        self.function(length=4096)
        self.fails_at("shorter than BAR0")
        os.unlink(self.path("dev/resource0"))
        self.fails_at("No such file")
        self.function(registers=[(0x260, 0xFFFFFFFF)])
        self.fails_at("read all ones")
        self.function()
        self.fails_at("finds no EEPROM")
        with open(self.path("dev/resource0"), "rb") as f:
            fcntl.flock(f, fcntl.LOCK_EX)
            self.fails_at("in use by another")

    def test_read(self):
        """A file gives each dword the same: a header that counts no records, again as checksum."""
        self.function(registers=[(0x260, 1 << 16 | 2 << 22), (0x264, 0x0000005A)])
        self.assertEqual(self.fine("read", "./dev", "-o", "out"),
                         "saved 8 bytes of the EEPROM in out\n")
        self.assertEqual(self.get("out"), struct.pack("<II", 0x5A, 0x5A))

    def test_read_where_no_image_begins(self):
        """The chip reports a signature as of power-on; the EEPROM may have lost it since."""
        for header in (0xFFFFFFFF, 0x0007805A):
            self.function(registers=[(0x260, 1 << 16 | 2 << 22), (0x264, header)])
            done = self.run_tool("read", "./dev", "-o", "out")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (FOUND, 1), done.stderr)
            self.assertIn("no valid image", done.stderr)
            self.assertEqual(self.get("out"), struct.pack("<I", header) * 64)
            os.unlink(self.path("out"))

    def test_write_that_is_not_kept(self):
        self.function(registers=[(0x260, 1 << 16 | 2 << 22), (0x264, 0x0000005A)])
        self.put("new", tool.image([(0, NT_CONFIG, 0)]))
        done = self.run_tool("write", "./dev", "new", "--save", "old", "--write")
        self.assertEqual(done.returncode, TROUBLE, done.stdout)
        self.assertIn("refuses the write-enable command", done.stderr)
        self.assertIn("not written", done.stderr)
        self.assertEqual(len(self.get("old")), 14)

    def test_loaded(self):
        self.function(registers=[(0x3E0E8, 0xC000000C), (0x3D004, 6), (0x211F8, 1)])
        self.put("image", tool.image([(0x39, 0xE8, 0xC000000C), (0x3A, 4, 6), (0x28, 0x1F8, 1)]))
        self.assertIn("3 of 3", self.fine("loaded", "./dev", "image"))
        self.function(registers=[(off, 0xFFFFFFFF) for off in (0, 0x3E0E8, 0x3D004, 0x211F8)])
        self.assertEqual(self.fails("read all ones", "loaded", "./dev", "image").stdout, "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
