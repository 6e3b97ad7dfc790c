# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-port agent of one side, and what it answers."""
import os
import select
import shlex
import signal
import subprocess
import time

from check import Wrong

PROGRAM = "ringbell-port"
ANSWER_S = 60


class Gone(Wrong):
    """The agent ended, or does not answer."""


class Unfit(Exception):
    """An agent that does not start; with the line to print."""


def words_of(port, options):
    """The command of a side: PORT, or HOST/PORT by the remote shell."""
    host, slash, name = port.partition("/")
    eal = ["--eal", options.eal] if options.eal else []
    if not slash or "," in host or "=" in host:
        return [options.agent or options.program, "agent", *eal, port]
    if not host or host.startswith("-"):
        raise Unfit(f"{port}: no name of a host")
    return [*shlex.split(options.rsh), host, shlex.join([options.agent or PROGRAM, "agent", *eal,
                                                                name])]


class Agent:
    """@p log: a file for what the process says beside its answers."""

    def __init__(self, name, words, log):
        self.name = name
        self.rest = b""
        self.asked = ""
        self.owes = False  # an answer, where a check ended between
        try:
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=log)
        except OSError as why:
            raise Unfit(f"{words[0]}: {why.strerror}") from why
        try:
            self.end()
        except Gone as why:
            raise Unfit(f"the agent of the {name} port does not start") from why

    def line(self):
        until = time.monotonic() + ANSWER_S
        out = self.process.stdout.fileno()
        while b"\n" not in self.rest:
            left = until - time.monotonic()
            ready = select.select([out], [], [], left)[0] if left > 0 else []
            if not ready:
                self.kill()
                raise Gone(f"the {self.name} side does not answer within {ANSWER_S} s: {self.asked}")
            got = os.read(out, 65536)
            if not got:
                raise Gone(f"the {self.name} side {self.how()} in: {self.asked}")
            self.rest += got
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode("ascii", "replace")

    def how(self):
        """How it ended."""
        status = self.process.wait()
        if status < 0:
            return "died of " + signal.Signals(-status).name
        return f"ended with status {status}"

    def begin(self, *words):
        if self.owes:
            self.line()
        self.owes = True
        self.asked = " ".join(str(word) for word in words)
        try:
            self.process.stdin.write(self.asked.encode("ascii") + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer says so

    def end(self):
        """Words of the answer."""
        kind, _, text = self.line().partition(" ")
        self.owes = False
        if kind != "ok":
            raise Gone(f"the {self.name} side refuses: {self.asked}: {text}")
        return text.split()

    def ask(self, *words):
        """A number, or several."""
        self.begin(*words)
        found = [int(word) for word in self.end()]
        return found[0] if len(found) == 1 else found

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
