# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-eeprom: images for the EEPROM of adapters."""
import getopt
import os
import sys
from types import SimpleNamespace

import commands
import device
import registers
import settings
from image import Trouble
from version import VERSION

TROUBLE = 2  # exit status
USAGE = """\
Usage: ringbell-eeprom make -o FILE [--chip PART] [--base OLD] SETTING=VALUE...
       ringbell-eeprom show FILE
       ringbell-eeprom diff FILE FILE
       ringbell-eeprom check [--chip PART] FILE
       ringbell-eeprom read [DEVICE] -o FILE
       ringbell-eeprom write [DEVICE] FILE --save OLD --write
       ringbell-eeprom loaded [DEVICE] FILE

Images for the EEPROM of adapters with a PEX 87xx: NT ports, windows, DMA.

make    write a new image; --base takes all that is not named from an old one
show    each record in words
diff    what differs between two images, in words
check   faults: settings that Ringbell needs and the image lacks
read    save the image of an adapter
write   save the image of an adapter, then write another; without --write, only
        save it and print the difference; with --dry-run, only print
loaded  do the registers of an adapter have the values of the image?

Settings: upstream=PORT nt0=PORT|off nt1=PORT|off bar0=32|64 bar2=SIZE
          bar4=SIZE|off alut=on|off dma=four|two|one crc=on|off
DEVICE is the PCI address of the upstream port or of an NT port (0000:03:00.0);
without one, and where --chip is needed, the only chip of this machine is meant.

  -o, --output FILE      the new file; an existing one is not overwritten
  -c, --chip PART        8749, 8733, 8725, 8717, 8713, 8748, 8747, 8732, 8724,
                         8716 or 8712
  -b, --base OLD         start from this image
  -s, --save OLD         the adapter's image goes here before it is changed
      --write            write the image into the adapter
  -n, --dry-run          write nothing, nor OLD
      --new-upstream     also write an image with another upstream port
      --address-bytes N  1, 2 or 3: for an EEPROM without signature
  -h, --help             this text
      --version          the version

Exit status: 0 done, 1 faults or a difference found, 2 failed.
"""
OPTIONS = {"-o": "--output", "-c": "--chip", "-b": "--base", "-s": "--save", "-n": "--dry-run", "-h": "--help"}
LONG = ["output=", "chip=", "base=", "save=", "write", "dry-run", "new-upstream", "address-bytes=", "help", "version"]
# the options that each command knows besides help, how many operands (None: settings) and which
COMMANDS = {
    "make": (commands.make, "--output --chip --base", None, ""),
    "show": (commands.show, "", 1, "one FILE"),
    "diff": (commands.diff, "", 2, "two FILEs"),
    "check": (commands.check_file, "--chip", 1, "one FILE"),
    "read": (commands.read, "--output --address-bytes", 1, "one DEVICE"),
    "write": (commands.write, "--save --write --dry-run --new-upstream --address-bytes", 2, "a DEVICE and a FILE"),
    "loaded": (commands.loaded, "", 2, "a DEVICE and a FILE"),
}


def complain(line):
    print(f"ringbell-eeprom: {line}", file=sys.stderr)


def take_option(o, name, value):
    if name == "--chip":
        o.part = registers.PARTS.get(int(value, 16)) if value in map("{:04x}".format, registers.PARTS) else None
        if o.part is None:
            known = ", ".join(map("{:04x}".format, registers.PARTS))
            raise Trouble(f"--chip {value}: unknown part; known are {known}")
    elif name == "--address-bytes":
        if value not in ("1", "2", "3"):
            raise Trouble(f"--address-bytes {value}: 1, 2 or 3")
        o.address_bytes = int(value)
    else:
        setattr(o, name[2:].replace("-", "_"), value or True)


def part_here():
    try:
        return registers.PARTS[device.part_of(device.only_chip())]
    except (Trouble, OSError, ValueError, KeyError) as why:
        raise Trouble("make needs --chip PART: which chip is on the adapter?") from why


def check_needs(o, command, knows, count, want):
    if "DEVICE" in want and len(o.operands) == count - 1 and not any(map(device.ADDRESS.fullmatch, o.operands)):
        o.operands.insert(0, device.only_chip())
    if count is not None and len(o.operands) != count:
        raise Trouble(f"{command} takes {want}")
    if "--output" in knows and o.output is None:
        raise Trouble(f"{command} needs --output FILE")
    if command == "make" and o.part is None:
        o.part = part_here()
    if "--save" in knows and (o.save is None) != o.dry_run:
        raise Trouble("write needs --save OLD, into which the adapter's image is saved before anything, or "
                      "--dry-run")
    if o.dry_run and o.write:
        raise Trouble("--dry-run and --write exclude each other")


def run(words):
    command = words.pop(0) if words and words[0][:1] != "-" else None
    o = SimpleNamespace(output=None, part=None, base=None, save=None, write=False, dry_run=False, new_upstream=False,
                        address_bytes=0, settings={}, complain=complain)
    names = ", ".join(COMMANDS).replace(", loaded", "")
    if command is not None and command not in COMMANDS:
        raise Trouble(f"{command}: unknown command; commands are {names} and loaded")
    try:
        given, o.operands = getopt.gnu_getopt(words, "o:c:b:s:nh", LONG)
    except getopt.GetoptError as why:
        raise Trouble(why.msg) from why
    act, knows, count, want = COMMANDS[command or "make"]
    for name, value in ((OPTIONS.get(name, name), value) for name, value in given):
        if name == "--help":
            print(USAGE, end="")
            return commands.FINE
        if name == "--version":
            print(f"ringbell-eeprom {VERSION}")
            return commands.FINE
        if name not in knows.split():
            raise Trouble(f"{command or 'make'} does not take {name}")
        take_option(o, name, value)
    if command is None:
        raise Trouble(f"the command is missing: {names} or loaded; --help explains them")
    for text in o.operands if count is None else ():
        settings.take(o.settings, text)
    check_needs(o, command, knows.split(), count, want)
    return act(o)


def main(words):
    """The exit status."""
    try:
        status = run(words)
        sys.stdout.flush()
        return status
    except Trouble as why:
        text = str(why)
        print(text, file=sys.stderr) if text.startswith("fault: ") else complain(text)
    except OSError:  # all others are Trouble
        complain("standard output: not all could be written")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return TROUBLE
