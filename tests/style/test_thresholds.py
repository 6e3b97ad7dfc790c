#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""tests/thresholds.def lists every size and count at which the code takes another way. Whatever
looks like one must be listed there as a threshold with its value, or as none with a reason:
constants of enums and macros, numeric settings, entries of the table of copy methods, and sizes
compared with a number. What is listed and not in the code is wrong too."""
import fnmatch
import re
import sys

import tree

DEF = "tests/thresholds.def"
FOLDERS = ("runtime/", "shmem/")
STRING = r'"([^"]*)"'
THRESHOLD = re.compile(rf"^THRESHOLD\((\w+), {STRING}, {STRING}, (\d+), (BYTES|ALL|COUNT), {STRING}\)$",
                       re.M)
NONE = re.compile(rf"^NO_THRESHOLD\({STRING}, {STRING}, {STRING}\)$", re.M)
ENUM = re.compile(r"\benum\b[^{;()]*\{([^}]*)\}")
MACRO = re.compile(r"^#define[ \t]+(\w+)[ \t]+(\(?[^\n\\]*\d[^\n\\]*)$", re.M)
SETTING = re.compile(r'^RB_ENV\(\w+, "(\w+)", \w+, "(\d+)([KM]?)",', re.M)
TABLE = re.compile(r"(draft\.\w+(?:\[\w+\])+) = ([^;]+);")
NESTED = r"\([^()]*\)"
INCLUDED = re.compile(r'^#include "([^"]+)"', re.M)
SIZEOF = rf"sizeof\((?:[^()]|\((?:[^()]|{NESTED})*\))*\)"
# names that say what they are: times, fields of a word, a mark
OTHER_UNIT = re.compile(r"_(?:NS|MS|S|BITS|SHIFT|MAGIC|TURNS|LOOKS)$")
# a size by its name, and a number: of 0 and 1 there is no other side
COMPARED = re.compile(rf"\b(?:\w+(?:->|\.))*\w*(?:len|bytes|size|nelems)\w* (?:[<>]=?|==) "
                      rf"(?:\d+ \* \w+|{SIZEOF}|0x[0-9a-f]+|[2-9]\b|\d\d+)")


def plain(text):
    """Without comments, in as many lines."""
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def constants(text):
    """(name, expression) of what has a value of its own."""
    for enum in ENUM.finditer(text):
        # commas inside of calls are none of the enum's
        for item in re.split(r",(?![^(]*\))", enum.group(1)):
            m = re.match(r"\s*(\w+)\s*=\s*(.+?)\s*$", item, re.S)
            if m:
                yield m.group(1), " ".join(m.group(2).split())
    yield from MACRO.findall(text)
    yield from TABLE.findall(text)


class Values:
    """What expressions of constants come to."""

    def __init__(self, sources):
        self.sources = sources
        self.constants = {n: e for text in sources.values() for n, e in constants(text)}

    def near(self, name):
        """The text of a file, of the headers that it includes, and of all others."""
        first = [name] + [f"runtime/{h}" for h in INCLUDED.findall(tree.read(name))]
        return [self.sources[n] for n in first + list(self.sources) if n in self.sources]

    def field(self, m, file):
        """Bytes of an array that is a field, or of an element of it."""
        name, element = re.search(r"(\w+)(\[\w+\])?\)$", m.group()).groups()
        for text in self.near(file):
            found = re.search(rf"\bu?int(\d+)_t\s+{name}\[(\w+)\]", text)
            if found:
                return str(int(found.group(1)) // 8 *
                           (1 if element else self.of(found.group(2), file)))
        raise ValueError(m.group())

    def of(self, expression, file):
        text = re.sub(SIZEOF, lambda m: self.field(m, file), expression)
        text = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", text)
        text = re.sub(r"\b[A-Z_]\w*\b", lambda m: str(self.of(self.constants[m.group()], file)),
                      text)
        if not re.fullmatch(r"[\d\s()+*<>x-]+", text):
            raise ValueError(expression)
        return eval(text, {})  # numbers and operators only


def candidates(name, text):
    """(what, expression of its value) of all that looks like a threshold."""
    if name.endswith("base/env.def"):
        for variable, number, unit in SETTING.findall(text):
            if int(number) > 1:
                yield variable, f"{number} * {({'': 1, 'K': 1024, 'M': 1048576})[unit]}"
        return
    yield from constants(text)
    for m in COMPARED.finditer(text):
        yield m.group(), re.split(r" (?:[<>]=?|==) ", m.group())[1]


def main():
    definition = tree.read(DEF)
    listed = {(f, where): (name, int(value))
              for name, f, where, value, _, _ in THRESHOLD.findall(definition)}
    none = [pair[:2] for pair in NONE.findall(definition)]
    problems = []
    entries = len(re.findall(r"^(?:NO_)?THRESHOLD\(", definition, re.M))
    if entries != len(listed) + len(none):
        problems.append(f"{DEF}: {entries - len(listed) - len(none)} entries are not of the form")
    sources = {n: plain(tree.read(n)) for n in tree.files(".c", ".h", "base/env.def")
               if n.startswith(FOLDERS)}
    values = Values(sources)
    seen = set()
    for name, text in sources.items():
        for what, expression in candidates(name, text):
            if (name, what) in listed:
                seen.add((name, what))
                want = listed[name, what][1]
                if values.of(expression, name) != want:
                    problems.append(f"{name}: {what} is {expression}, {DEF} says {want}")
            elif not OTHER_UNIT.search(what) and not any(fnmatch.fnmatchcase(name, f) and fnmatch.fnmatchcase(what, w)
                         for f, w in none):
                problems.append(f"{name}: {what} = {expression} is in neither list of {DEF}: is "
                                "it a size or count at which another way is taken?")
    for (f, where), (name, value) in listed.items():
        if (f, where) in seen:
            continue
        # code that is no constant and no comparison: what it says after a colon
        code = " ".join(sources.get(f, "").split())
        m = re.search(rf"{re.escape(where)}\s*:\s*([^;]+);", code)
        if m is None or values.of(m.group(1), f) != value:
            problems.append(f"{DEF}: {name}: {f} has no {where} of {value}")
    for f, w in none:
        if not any(fnmatch.fnmatchcase(n, f) for n in sources):
            problems.append(f"{DEF}: no file {f}")
    return tree.verdict(problems, f"{len(listed)} thresholds, {len(none)} groups of others")


sys.exit(main())
