# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Both sides of a cable, and how they come to a link that is up."""
import os
import subprocess
import sys
import tempfile

import agent
from check import Skip, Wrong, expect

UP_MS = 20000
LOG_MOST = 1 << 20
NOT_SUPPORTED = -95  # ENOTSUP
KNOWN = 0xa5a5a5a5a5a5a5a5  # of the first word of each region, and all bytes of a painted one
EMULATED = "raw_ntb_plx_emu"


class Side:
    """An agent that may be replaced, and what its port is."""

    def __init__(self, name, words):
        self.name, self.words = name, words
        # what its processes say is shown where a check fails
        self.log = tempfile.TemporaryFile(buffering=0)
        self.shown = 0
        try:
            self.agent = agent.Agent(name, words, self.log)
        except agent.Unfit:
            print("\n".join(self.said()), file=sys.stderr)
            raise
        self.configured = False
        self.learn()

    def learn(self):
        self.agent.begin("info")
        words = self.agent.end()
        self.location, self.driver = words[0], words[1]
        (self.window, self.most, self.align, self.bus, self.caps, self.bells, self.pads, self.flushes,
         self.once, self.wakes, self.files) = (int(word) for word in words[2:])

    def ask(self, *words):
        return self.agent.ask(*words)

    def said(self):
        """Lines since the last call."""
        text = os.pread(self.log.fileno(), LOG_MOST, self.shown)
        self.shown += len(text)
        return text.decode("utf-8", "replace").splitlines()

    @property
    def emulated(self):
        return self.driver.startswith(EMULATED)

    def renew(self):
        """Another process."""
        if self.agent.alive():
            self.agent.close()
        self.agent = agent.Agent(self.name, self.words, self.log)
        self.configured = False
        self.learn()

    def configure(self, region=0):
        """0 or an error, as the port says."""
        if not self.configured:
            for _ in range(2):
                self.ask("region", self.length)
            self.configured = True
        return self.ask("configure", region)

    def mark(self):
        """The word that the other side's flushes read."""
        self.ask("put", 0, KNOWN)
        self.ask("known", KNOWN)

    def start(self, region=0):
        found = self.configure(region)
        if found == NOT_SUPPORTED:
            raise Skip("the driver cannot be configured again after a stop")
        expect(found == 0, f"{self.name}: configure gives {found}")
        self.mark()
        found = self.ask("start")
        expect(found == 0, f"{self.name}: start gives {found}")


class Pair:
    def __init__(self, options):
        words = [agent.words_of(port, options) for port in options.ports]
        self.options = options
        self.near = Side("near", words[0])
        self.away = Side("away", words[1])
        self.sides = (self.near, self.away)
        self.up = False
        self.fresh = True
        for side in self.sides:
            side.length = min(options.region, *(s.window for s in self.sides))

    @property
    def length(self):
        return self.near.length

    def anew(self):
        for side in self.sides:
            side.renew()
        self.fresh, self.up = True, False

    def link(self, sides=None):
        """Wait until both see the link: milliseconds of each."""
        took = []
        for side in sides or self.sides:
            side.agent.begin("link", 1, UP_MS)
        for side in sides or self.sides:
            state, ms = (int(word) for word in side.agent.end())
            expect(state != 2, f"{side.name}: the cable leads back to its own adapter")
            took.append(ms if state == 1 else None)
        for side, ms in zip(sides or self.sides, took):
            expect(ms is not None, f"{side.name}: no link within {UP_MS // 1000} s")
        self.up = True
        return took

    def start(self, region=0):
        """Stop what runs, and start both again."""
        for side in self.sides:
            if not self.fresh:
                side.ask("stop")
        self.fresh, self.up = False, False
        for side in self.sides:
            side.start(region)
        return self.link()

    def ready(self, fresh):
        """As the next check wants it."""
        alive = all(side.agent.alive() for side in self.sides)
        if fresh and not (alive and self.fresh) or not alive:
            self.anew()
        if not fresh and not self.up:
            try:
                self.start()
            except (Wrong, Skip):
                self.anew()
                self.start()
        if not fresh:
            for side in self.sides:
                side.mark()

    def passes(self, me, peer):
        """A word gets there, and a flush succeeds."""
        value = 0x0123456789abcdef
        peer.ask("put", 64, 0)
        me.ask("store", 64, value)
        found = me.ask("flush")[0]
        expect(found == 0, f"{me.name}: a flush gives {found} although the link is up")
        expect(peer.ask("get", 64) == value,
               f"a store of the {me.name} side does not arrive although the link is up")

    def cable(self, what):
        """Pull the cable, or plug it in."""
        if self.near.emulated:
            found = self.near.ask("fault", "fault_cable", int(what == "pull"))
            expect(found == 0, f"the emulated port does not let its cable be {what}ed: {found}")
        elif self.options.cable:
            done = subprocess.run([*self.options.cable, what], stdin=subprocess.DEVNULL, check=False)
            expect(done.returncode == 0, f"{self.options.cable[0]} {what}: status {done.returncode}")
        else:
            raise Skip("nobody pulls the cable: --cable names a command that does")

    def close(self):
        for side in self.sides:
            if side.agent.alive():
                side.agent.close()
