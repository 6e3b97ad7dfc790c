# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Both sides of a cable, each with the agent there, and how they come to a link that is up."""
import os
import select
import shlex
import signal
import subprocess
import tempfile
import time

from check import OR_UP, Skip, Wrong, expect

PROGRAM = "ringbell-port"
ANSWER_S = 60
UP_MS = 20000
LOG_MOST = 1 << 20
NOT_SUPPORTED = -95  # ENOTSUP
KNOWN = 0xa5a5a5a5a5a5a5a5  # of the first word of each region, and all bytes of a painted one
EMULATED = "raw_ntb_plx_emu"
SHARED = "raw_ntb_shared"  # its window is memory that nothing shuts
HERE, WINDOW = 0, 1  # memory of a side
WORD = 1 << 64


class Gone(Wrong):
    """The agent ended, or does not answer."""


class Unfit(Exception):
    """An agent that does not start; with the line to print."""


def words_of(port, options):
    """The command of an agent: PORT, or HOST/PORT by the remote shell."""
    host, slash, name = port.partition("/")
    eal = ["--eal", options.eal] if options.eal else []
    if not slash or "," in host or "=" in host:
        return [options.program, "agent", *eal, port]
    if not host or host.startswith("-"):
        raise Unfit(f"{port}: no name of a host")
    return [*shlex.split(options.rsh), host, shlex.join([PROGRAM, "agent", *eal, name])]


class Side:
    """A port, by an agent that may be replaced."""

    def __init__(self, name, port, options):
        self.name, self.words = name, words_of(port, options)
        # what its processes say is shown where a check fails
        self.log = tempfile.TemporaryFile(buffering=0)
        self.shown = 0
        self.process = None

    def launch(self):
        """Another process, not waited for: it starts while the other side's does."""
        if self.process and self.alive():
            self.close()
        self.rest, self.configured, self.asked = b"", False, "start"
        self.owes = True  # an answer: the first one says that it is ready
        try:
            self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=self.log)
        except OSError as why:
            raise Unfit(f"{self.words[0]}: {why.strerror}") from why

    def attend(self):
        """Until that process is ready, and says what its port is."""
        try:
            self.answer()
        except Gone as why:
            raise Unfit("\n".join([*self.said(), f"the agent of the {self.name} port does not "
                                   "start"])) from why
        self.begin("info")
        self.location, self.driver, *numbers = self.answer()
        (self.window, self.most, self.align, self.bells, self.pads, self.flushes, self.once,
         self.emulated, self.combining, self.messages) = (int(number) for number in numbers)
        self.shares = self.driver == SHARED

    def line(self):
        until = time.monotonic() + ANSWER_S
        out = self.process.stdout.fileno()
        while b"\n" not in self.rest:
            if not select.select([out], [], [], max(0, until - time.monotonic()))[0]:
                self.kill()
                raise Gone(f"the {self.name} side does not answer within {ANSWER_S} s: {self.asked}")
            got = os.read(out, 65536)
            if not got:
                status = self.process.wait()
                how = f"died of {signal.Signals(-status).name}" if status < 0 else \
                    f"ended with status {status}"
                raise Gone(f"the {self.name} side {how} in: {self.asked}")
            self.rest += got
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode("ascii", "replace")

    def answer(self):
        """Its words."""
        kind, _, text = self.line().partition(" ")
        self.owes = False
        if kind != "ok":
            raise Gone(f"the {self.name} side refuses: {self.asked}: {text}")
        return text.split()

    def begin(self, *words):
        if self.owes:  # a check ended between
            self.line()
        self.owes = True
        self.asked = " ".join(str(word) for word in words)
        try:
            self.process.stdin.write(self.asked.encode("ascii") + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer says so

    def end(self):
        """A number, or several."""
        found = [int(word) for word in self.answer()]
        return found[0] if len(found) == 1 else found

    def ask(self, *words):
        self.begin(*words)
        return self.end()

    def put(self, at, value):
        self.ask("put", HERE, at, value)

    def get(self, at):
        return self.ask("get", HERE, at) % WORD

    def store(self, at, value):
        self.ask("put", WINDOW, at, value)

    def load(self, at):
        return self.ask("get", WINDOW, at) % WORD

    def lanes(self):
        speed, width = self.ask("lanes")
        return f"Gen{speed} x{width}" if width else "lanes unknown"

    def why(self):
        """What the driver says of a link that is down, after a semicolon, or nothing."""
        self.begin("why")
        words = " ".join(self.answer())
        return f"; {words}" if words else ""

    def said(self):
        """Lines since the last call."""
        text = os.pread(self.log.fileno(), LOG_MOST, self.shown)
        self.shown += len(text)
        return text.decode("utf-8", "replace").splitlines()

    def alive(self):
        return self.process.poll() is None

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        """Ends as a program does that has closed its port."""
        self.process.stdin.close()
        try:
            self.process.wait(ANSWER_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process.stdout.close()

    def configure(self, region=0):
        """0 or an error, as the port says."""
        if not self.configured:
            for _ in range(2):
                self.ask("region", self.length)
            self.configured = True
        return self.ask("configure", region)

    def mark(self):
        """The word that the other side's flushes read."""
        self.put(0, KNOWN)
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
        self.options = options
        self.near, self.away = self.sides = tuple(
            Side(name, port, options) for name, port in zip(("near", "away"), options.ports))
        self.anew()
        self.length = min(options.region, *(side.window for side in self.sides))
        for side in self.sides:
            side.length = self.length
        self.bandwidth, self.latency = [], {}  # figures

    def anew(self):
        for side in self.sides:
            side.launch()
        for side in self.sides:
            side.attend()
        self.fresh, self.up, self.took = True, False, []

    def link(self):
        """Wait until both see the link: milliseconds of each."""
        for side in self.sides:
            side.begin("link", 1, UP_MS)
        found = [side.end() for side in self.sides]
        for side, (state, _) in zip(self.sides, found):
            expect(state == 1, f"{side.name}: no link within {UP_MS // 1000} s" + ("" if state == 1 else side.why()))
        self.up = True
        self.took = [ms for _, ms in found]
        return self.took

    def start(self):
        """Stop what runs, and start both again."""
        for side in self.sides:
            if not self.fresh:
                side.ask("stop")
        self.fresh, self.up = False, False
        for side in self.sides:
            side.start()
        return self.link()

    def ready(self, fresh):
        """As the next check wants it."""
        alive = all(side.alive() for side in self.sides)
        as_wanted = self.fresh or fresh == OR_UP and self.up
        if fresh and not (alive and as_wanted) or not alive:
            self.anew()
        if fresh:
            return
        if not self.up:
            try:
                self.start()
            except (Wrong, Skip):
                self.anew()
                self.start()
        for side in self.sides:
            side.mark()

    def passes(self):
        """A word gets to the other side, from either, and a flush succeeds."""
        value = 0x0123456789abcdef
        for me, peer in (self.sides, self.sides[::-1]):
            peer.put(64, 0)
            me.store(64, value)
            found = me.ask("flush")
            expect(found == 0, f"{me.name}: a flush gives {found} although the link is up")
            expect(peer.get(64) == value,
                   f"a store of the {me.name} side does not arrive although the link is up")

    def cable(self, what):
        """Pull the cable, or plug it in."""
        if self.near.driver.startswith(EMULATED):
            found = self.near.ask("fault", "fault_cable", int(what == "pull"))
            expect(found == 0, f"the emulated port does not let its cable be {what}ed: {found}")
        elif self.options.cable:
            done = subprocess.run([*self.options.cable, what], stdin=subprocess.DEVNULL, check=False)
            expect(done.returncode == 0, f"{self.options.cable[0]} {what}: status {done.returncode}")
        else:
            raise Skip("nobody pulls the cable: --cable names a command that does")

    def close(self):
        for side in self.sides:
            if side.alive():
                side.close()
