# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The commands. Each returns an exit status, or raises Trouble."""
import contextlib

import check
import controller
import device
import image
import registers
import settings
from image import Trouble

FINE, FOUND = 0, 1


def make(o):
    made = image.load(o.base) if o.base else image.Image()
    settings.apply(o.settings, o.part, made)
    faults = check.faults(made, o.part)
    if faults:
        raise Trouble("\n".join([*faults, f"ringbell-eeprom: {o.output} is not written"]))
    image.save(o.output, made.pack())
    return FINE


def checksum_words(of):
    if of.flags & image.CHECKED:
        return "on, right"
    return "off, none" if of.crc is None else "off, right" if of.crc == of.right_crc else "off, wrong"


def show(o):
    of = image.load(o.operands[0])
    print(f"records: {len(of.records)}, checksum: {checksum_words(of)} (0x{of.crc or 0:08x})")
    if of.rest:
        print(f"{of.rest} bytes follow that are not part of the image")
    if of.flags & ~image.CHECKED:
        print(f"flags: 0x{of.flags:02x}; only 0x80 has a known meaning")
    for i, (address, value) in enumerate(of.records):
        place = registers.place_name(image.place_of(address))
        print(f"{i:4}  {place:<22} 0x{image.reg_of(address):03x}  0x{value:08x}  "
              f"{registers.reg_name(address) or '(unknown register)'}")
        for label, words in registers.fields(of, address, value):
            print(f"       {label}: {words}")
    return FINE


def where(address):
    name = registers.reg_name(address)
    return f"{registers.place_name(image.place_of(address))}, 0x{image.reg_of(address):03x}" + \
        (f" {name}" if name else "")


def print_pair(a, b, address, before, after):
    """@p before, after: values, None: no record."""
    words = ["none" if value is None else f"0x{value:08x}" for value in (before, after)]
    print(f"{where(address)}: {words[0]} -> {words[1]}")
    old = registers.fields(a, address, before) if before is not None else []
    new = registers.fields(b, address, after) if after is not None else []
    for i in range(max(len(old), len(new))):
        label = (old + new[len(old):])[i][0]
        words = [fields[i][1] if i < len(fields) else "-" for fields in (old, new)]
        if words[0] != words[1]:
            print(f"       {label}: {words[0]} -> {words[1]}")


def print_difference(a, b):
    """What is unlike, in words. @return whether anything is"""
    switch = ["on" if of.flags & image.CHECKED else "off" for of in (a, b)]
    if a.flags != b.flags:
        print(f"flags: 0x{a.flags:02x} -> 0x{b.flags:02x} (checksum {switch[0]} -> {switch[1]})")
    # the last record of an address decides; in the order of these
    old, new = ({address: of.records[i][1] for address, i in of.deciding().items()} for of in (a, b))
    order = sorted(old, key=a.deciding().get) + [n for n in sorted(new, key=b.deciding().get) if n not in old]
    unlike = [address for address in order if old.get(address) != new.get(address)]
    for address in unlike:
        print_pair(a, b, address, old.get(address), new.get(address))
    if a.flags == b.flags and not unlike and a.records != b.records:
        print("the same registers and values, in another order or set more than once")
    return a.flags != b.flags or a.records != b.records


def diff(o):
    return FOUND if print_difference(*map(image.load, o.operands)) else FINE


def check_file(o):
    of = image.load(o.operands[0])
    faults = len(check.faults(of, o.part))
    for kind, words in check.findings(of, o.part):
        print(f"{kind}: {words}")
    print(f"{len(of.records)} records, {faults} fault{'' if faults == 1 else 's'}")
    return FOUND if faults else FINE


@contextlib.contextmanager
def opened(name):
    dev = device.Device(name)
    try:
        if dev.read(0) == 0xFFFFFFFF:
            raise Trouble(f"{name}: registers read all ones: memory decoding is off (write 1 to its file "
                          "\"enable\"), or the function sleeps in D3")
        yield dev
    finally:
        dev.close()


@contextlib.contextmanager
def eeprom_of(dev, o):
    c = controller.Controller(dev, o.address_bytes)
    try:
        yield c
    finally:
        c.close()


def save_old(c, path, complain, least=0):
    """Into a file (None: not); what is no image as well, whose bytes may be all that is left of one.
    @return the bytes, and the image or None"""
    length, data = c.read_image(least)
    if path:
        image.save(path, data[:length])
        print(f"saved {length} bytes of the EEPROM in {path}")
    try:
        return data, image.Image().parse(data[:length])
    except Trouble as why:
        complain(f"{c.device.name}: no valid image in the EEPROM: {why}")
        return data, None


def read(o):
    with opened(o.operands[0]) as dev, eeprom_of(dev, o) as c:
        return FINE if save_old(c, o.output, o.complain)[1] else FOUND


def check_upstream(dev, new):
    """An image that makes another port the upstream one takes the adapter away from its slot."""
    value = new.value(0, registers.NT_CONFIG)
    now = registers.Config(dev.read(registers.NT_CONFIG)).upstream
    if value is not None and registers.Config(value).upstream != now:
        raise Trouble(f"{dev.name}: the upstream port is {now}, the image makes it "
                      f"{registers.Config(value).upstream}: the host would not find the adapter in this "
                      "slot again (--new-upstream writes it all the same)")


def write(o):
    new = image.load(o.operands[1])
    data = new.pack()
    with opened(o.operands[0]) as dev, eeprom_of(dev, o) as c:
        old, old_image = save_old(c, o.save, o.complain, len(data))
        if old_image:
            print_difference(old_image, new)
        # faults of the image for this chip prevent no write: an old image goes back the same way
        for fault in check.faults(new, registers.PARTS.get(dev.read(0) >> 16)):
            print(fault)
        if not o.write:
            print("not written: " + ("a dry run" if o.dry_run else "--write was not given"))
            return FINE
        if not o.new_upstream:
            check_upstream(dev, new)
        try:
            written = c.write_image(old, data)
        except Trouble as why:
            o.complain(why)
            raise Trouble(f"{dev.name}: not written. The EEPROM may have no signature now; then the chip "
                          "starts with the settings of its straps. The old image is in "
                          f"{o.save}") from why
        if written:
            print(f"wrote {written} dwords and read all {len(data)} bytes back; the chip loads the image "
                  "at its next power-on")
        else:
            print("nothing to write: the EEPROM has this image")
    return FINE


def loaded(o):
    of = image.load(o.operands[1])
    unlike = asked = 0
    with opened(o.operands[0]) as dev:
        for address, i in sorted(of.deciding().items(), key=lambda item: item[1]):
            off, value = registers.offset(address), of.records[i][1]
            if off is None:
                continue
            now, asked = dev.read(off), asked + 1
            if now != value:
                unlike += 1
                print(f"{registers.place_name(image.place_of(address))}, 0x{image.reg_of(address):03x}: the "
                      f"image has 0x{value:08x}, the register 0x{now:08x}")
    print(f"{asked - unlike} of {asked} registers have the value of the image")
    return FOUND if unlike else FINE
