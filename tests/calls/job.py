# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""One run of the fuzzer's program."""
import os
import re
import subprocess

HEAP = "48M"
CALL = re.compile(r"^  \[(\d+)\.(\d+)[^\]]*\] (.*)$", re.M)
WHERE = re.compile(r"(FAILED|HANGS) seed \d+ epoch (-?\d+) call (-?\d+)")
SLACK = 30  # seconds until what oshrun was to end is ended from here


def execute(line, environment, limit):
    """@return exit status, output"""
    done = subprocess.Popen(line, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        output, _ = done.communicate(timeout=limit + SLACK)
    except subprocess.TimeoutExpired:
        done.kill()
        output, _ = done.communicate()
        output += f"\nstill ran after {limit + SLACK} s\n".encode()
    except BaseException:
        done.kill()
        done.wait()
        raise
    return done.returncode, output.decode(errors="replace")


class Program:
    """calls, on a layout, with a seed."""

    def __init__(self, oshrun, program, layout, seed):
        self.oshrun = oshrun
        self.program = program
        self.options, self.settings = layout
        self.seed = seed

    def arguments(self, epochs, hang):
        return ["-s", str(self.seed), "-e", str(epochs), "-a", str(hang)]

    def launch(self, limit, *program):
        """The command line, and the environment that goes with it."""
        environment = {**self.settings, "SHMEM_SYMMETRIC_SIZE": HEAP}
        return [self.oshrun, *self.options, "--timeout", str(limit), *program], environment

    def limit(self, epochs, hang):
        # an epoch that hangs says so itself; oshrun ends what cannot even do that
        return epochs * 5 + 4 * hang

    def run(self, epochs, hang=60, more=()):
        """@return exit status, output"""
        limit = self.limit(epochs, hang)
        line, environment = self.launch(limit, self.program, *self.arguments(epochs, hang), *more)
        return execute(line, environment, limit)

    def text(self, epochs, hang=60):
        line, environment = self.launch(self.limit(epochs, hang), self.program,
                                        *self.arguments(epochs, hang))
        return " ".join([f"{k}={v}" for k, v in environment.items()] + line)


def failed_at(output):
    """Epochs in which something went wrong, as far as PEs could tell."""
    return [int(epoch) for _, epoch, _ in WHERE.findall(output) if int(epoch) >= 0]


def calls_at(output):
    """Calls in which something went wrong: (epoch, number)."""
    return [(int(e), int(n)) for _, e, n in WHERE.findall(output) if int(e) >= 0 and int(n) >= 0]


def calls_of(output):
    """All calls that were listed: (epoch, number) and text."""
    return {(int(e), int(n)): text for e, n, text in CALL.findall(output)}
