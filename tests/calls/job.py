# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""One run of the fuzzer's program."""
import os
import re
import subprocess

HEAP = "48M"
CALL = re.compile(r"^  \[(\d+)\.(\d+)[^\]]*\] (.*)$", re.M)
WHERE = re.compile(r"(FAILED|HANGS) seed \d+ epoch (-?\d+) call (-?\d+)")


class Program:
    """calls, on a layout, with a seed."""

    def __init__(self, oshrun, program, layout, seed):
        self.oshrun = oshrun
        self.program = program
        self.options, self.settings = layout
        self.seed = seed

    def command(self, epochs, hang, more=()):
        """The command line, and the environment that goes with it."""
        # an epoch that hangs says so itself; oshrun ends what cannot even do that
        limit = epochs * 5 + 4 * hang
        environment = {"SHMEM_SYMMETRIC_SIZE": HEAP, **self.settings}
        line = [self.oshrun, *self.options, "--timeout", str(limit), self.program, "-s",
                str(self.seed), "-e", str(epochs), "-a", str(hang), *more]
        if "-n" in self.options and self.settings.get("RINGBELL_STATIC") == "copy":
            line.append("-d")
        return line, environment

    def run(self, epochs, hang=60, more=()):
        """@return exit status, output"""
        line, environment = self.command(epochs, hang, more)
        done = subprocess.run(line, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode(errors="replace")

    def text(self, epochs, hang=60):
        line, environment = self.command(epochs, hang)
        return " ".join([f"{k}={v}" for k, v in environment.items()] + line)


def failed_at(output):
    """Epochs in which something went wrong, as far as PEs could tell."""
    return [int(epoch) for _, epoch, _ in WHERE.findall(output) if int(epoch) >= 0]


def calls_of(output):
    """All calls that were listed: (epoch, number) and text."""
    return {(int(e), int(n)): text for e, n, text in CALL.findall(output)}
