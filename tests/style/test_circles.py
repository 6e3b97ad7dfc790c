#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Files use each other in one direction: no circle, and no arrow from a lower room to a higher one.

A unit is a .c file with its header, or a table. There is an arrow from one unit to another where it includes a
file of that, or its object needs a symbol that an object of that defines.

Usage: test_circles.py BUILD
"""
import collections
import json
import os
import re
import subprocess
import sys

import tree

# Each tree by its rooms, from the lowest to the highest. A room is a folder, without those in it
# that are rooms themselves.
TREES = [
    [f"runtime/{room}" for room in ("base", "observe", "mem", "host", "link", "relay", "survive", "op", "job")],
    ["shmem/include", "shmem/core", "shmem/id", "shmem/coll", "shmem"],
    ["drivers/raw/ntb_port", "drivers/raw/plx_ntb/model", "drivers/raw/plx_ntb", "drivers/raw/shared_ntb",
     "drivers/raw/ether_ntb", "drivers/dma/plx"],
    ["apps/oshrun"],
    ["apps/perf"],
    ["apps/port"],
    ["lab/sim"],
    ["lab/litmus"],
    ["lab/intel", "lab/serial", "lab/device"],
]
# How closed the rooms of runtime/ are. survive/ stands beside the others, behind hooks that are NULL when it is off: its
# own arrows are not counted.
ARROWS = 26  # from room to room
HEADERS = 30  # that open.c includes
BASE = 37  # files of base/
# Headers that a room shows the others: three. These show more, and no more than this: base/ has the words of all rooms,
# and the others would hide theirs behind headers that only include them.
SHOWN = {"base": 22, "observe": 5, "mem": 11, "host": 11, "link": 9, "relay": 8, "op": 4}
# one of these is built, or the first two
EITHER = {"runtime/job/bootstrap.c", "runtime/job/pmix.c", "runtime/job/pmix_none.c"}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)


def unit_of(name):
    return name if name.endswith(".def") else os.path.splitext(name)[0]


def room_of(rooms, name):
    """Index of the room that the file is in, -1: none."""
    best = -1
    for i, room in enumerate(rooms):
        if name.startswith(room + "/") and (best < 0 or len(room) > len(rooms[best])):
            best = i
    return best


def included(name, header, names):
    """The file of @p names that a line of @p name includes, or None."""
    beside = os.path.normpath(os.path.join(os.path.dirname(name), header))
    if beside in names:
        return beside
    if os.path.exists(os.path.join("/usr/include", header)):
        return None  # <poll.h> is the system's
    # as the compiler finds it below one of its folders: there the shortest path is the right one
    found = [n for n in names if n.endswith("/" + header)]
    return min(found, key=len) if found else None


def compiled(build):
    """Objects that are there, with their sources."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        commands = json.load(f)
    objects = {}
    for c in commands:
        path = os.path.join(c["directory"], c["output"])
        if os.path.exists(path):
            source = os.path.normpath(os.path.join(c["directory"], c["file"]))
            objects[path] = os.path.relpath(source, tree.TOP)
    return objects


def symbols(paths):
    """What each object defines for others, and what it needs."""
    out = subprocess.run(["nm", "-A", "-P", *paths], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    defined, needed = collections.defaultdict(set), collections.defaultdict(set)
    for line in out.splitlines():
        path, symbol = line.split(": ", 1)
        name, kind = symbol.split()[:2]
        if kind == "U":
            needed[path].add(name)
        elif kind.isupper():
            defined[path].add(name)
    return defined, needed


def shown(rooms, names):
    """{room: headers of it that other rooms include}, and {(room, room)} of these includes."""
    headers, arrows = collections.defaultdict(set), set()
    for name in names:
        user = rooms[room_of(rooms, name)]
        for header in INCLUDE.findall(tree.read(name)):
            used = included(name, header, names)
            if used and rooms[room_of(rooms, used)] != user:
                headers[rooms[room_of(rooms, used)]].add(used)
                arrows.add((user, rooms[room_of(rooms, used)]))
    return headers, arrows


def closed(rooms):
    """What is wrong with the rooms of runtime/."""
    names = {n for n in tree.files(".c", ".h", ".def") if room_of(rooms, n) >= 0}
    headers, arrows = shown(rooms, names)
    counted = {a for a in arrows if "runtime/survive" not in a}
    print(f"runtime: {len(arrows)} arrows between rooms; headers shown: "
          + ", ".join(f"{room.split('/')[1]} {len(headers[room])}" for room in rooms))
    problems = []
    if len(counted) > ARROWS:
        problems.append(f"{len(counted)} arrows between the rooms of runtime/, at most {ARROWS}: "
                        + ", ".join(f"{a}->{b}" for a, b in sorted(counted)))
    count = len(INCLUDE.findall(tree.read("runtime/job/open.c")))
    if count > HEADERS:
        problems.append(f"runtime/job/open.c includes {count} headers, at most {HEADERS}")
    files = [n for n in os.listdir(os.path.join(tree.TOP, "runtime/base")) if not n.startswith(".")]
    if len(files) > BASE:
        problems.append(f"runtime/base has {len(files)} files, at most {BASE}")
    for room in rooms:
        most = SHOWN.get(room.split("/")[1], 3)
        if len(headers[room]) > most:
            problems.append(f"{room} shows {len(headers[room])} headers, at most {most}: "
                            + " ".join(sorted(os.path.basename(h) for h in headers[room])))
    return problems


class Graph:
    def __init__(self, rooms, objects):
        self.rooms = rooms
        self.problems = []
        self.why = collections.defaultdict(set)  # of each arrow
        self.names = {n for n in tree.files(".c", ".h", ".def") if room_of(rooms, n) >= 0}
        self.units = {unit_of(n) for n in self.names}
        for i, room in enumerate(rooms):
            if not any(room_of(rooms, n) == i for n in self.names):
                self.problems.append(f"{room}: no file is there")
        self.add_includes()
        self.add_symbols({o: s for o, s in objects.items() if s in self.names})

    def add(self, user, used, why):
        if unit_of(user) != unit_of(used):
            self.why[unit_of(user), unit_of(used)].add(why)

    def add_includes(self):
        for name in self.names:
            for header in INCLUDE.findall(tree.read(name)):
                used = included(name, header, self.names)
                if used:
                    self.add(name, used, f"includes {header}")

    def add_symbols(self, objects):
        defined, needed = symbols(list(objects))
        definers = collections.defaultdict(list)
        for path, names in defined.items():
            for symbol in names:
                definers[symbol].append(path)
        for path, names in needed.items():
            for symbol in names:
                found = definers.get(symbol, [])
                # of the same program, if it has one: each has a main()
                same = [p for p in found if os.path.dirname(p) == os.path.dirname(path)]
                for used in same or found:
                    self.add(objects[path], objects[used], symbol)
        built = set(objects.values())
        for name in sorted(self.names - built):
            if name.endswith(".c") and not (name in EITHER and built & EITHER):
                self.problems.append(f"{name}: the build has no object of it")

    def describe(self, user, used):
        why = sorted(self.why[user, used])
        return f"{user} -> {used}: {', '.join(why[:4])}{', ...' if len(why) > 4 else ''}"

    def upwards(self):
        return sorted((a, b) for a, b in self.why
                      if room_of(self.rooms, a) < room_of(self.rooms, b))

    def reach(self, unit):
        """All units that this one uses, directly or not."""
        seen, todo = set(), [unit]
        while todo:
            user = todo.pop()
            found = {used for a, used in self.why if a == user} - seen
            seen |= found
            todo += found
        return seen

    def circles(self):
        """Sets of units that all use each other."""
        reach = {unit: self.reach(unit) for unit in self.units}
        found = {frozenset(b for b in reach[a] if a in reach[b]) for a in self.units
                 if a in reach[a]}
        return sorted(found, key=sorted)

    def judge(self):
        up, circles = self.upwards(), self.circles()
        print(f"{os.path.commonpath(self.rooms)}: {len(self.names)} files, {len(self.rooms)} rooms, "
              f"{len(self.why)} arrows, {len(up)} upwards, {len(circles)} circles")
        self.problems += [f"upwards: {self.describe(*arrow)}" for arrow in up]
        for circle in circles:
            self.problems.append(f"circle of {len(circle)}: {' '.join(sorted(circle))}")
            self.problems += ["  " + self.describe(a, b) for a, b in sorted(self.why)
                              if a in circle and b in circle]
        return self.problems


def main():
    objects = compiled(sys.argv[1])
    problems = []
    for rooms in TREES:
        problems += Graph(rooms, objects).judge()
    problems += closed(TREES[0])
    return tree.verdict(problems, f"{len(TREES)} trees")


sys.exit(main())
