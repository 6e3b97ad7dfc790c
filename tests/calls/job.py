# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""One run of the fuzzer's program, or of one that it printed."""
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
HEAP = "48M"
CALL = re.compile(r"^  \[(\d+)\.(\d+)[^\]]*\] (.*)$", re.M)
WHERE = re.compile(r"(FAILED|HANGS) seed \d+ epoch (-?\d+) call (-?\d+)")
INCLUDE = re.compile(r'^#include "(.*)"\n', re.M)
SLACK = 30  # seconds until what oshrun was to end is ended from here


def inline(text, seen):
    """Put headers of this folder in their places, each once."""
    def header(found):
        if found.group(1) in seen:
            return ""
        seen.add(found.group(1))
        with open(os.path.join(HERE, found.group(1)), encoding="utf-8") as f:
            return inline(f.read(), seen)
    return INCLUDE.sub(header, text)


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

    def pes(self):
        count = "-n" if "-n" in self.options else "--hosts"
        return int(self.options[self.options.index(count) + 1])

    def arguments(self, epochs, hang):
        line = ["-s", str(self.seed), "-e", str(epochs), "-a", str(hang)]
        if "-n" in self.options and self.settings.get("RINGBELL_STATIC") == "copy":
            line.append("-d")
        return line

    def launch(self, limit, *program):
        """The command line, and the environment that goes with it."""
        environment = {"SHMEM_SYMMETRIC_SIZE": HEAP, **self.settings}
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

    def source(self, epochs, hang, more=()):
        """The same calls as a C program that needs nothing else."""
        line = [self.program, *self.arguments(epochs, hang), "-c", str(self.pes()), *more]
        done = subprocess.run(line, stdout=subprocess.PIPE, check=True)
        return inline(done.stdout.decode(), set())

    def run_source(self, path, hang, more):
        """Compile the C program, with files of @p more, and run it. @return exit status, output"""
        oshcc = os.path.join(os.path.dirname(self.oshrun), "oshcc")
        program = os.path.splitext(path)[0]
        done = subprocess.run([oshcc, "-pthread", "-Wall", "-Werror", path, *more, "-o", program],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            return done.returncode, "does not compile: " + done.stdout.decode(errors="replace")
        limit = self.limit(1, hang)
        line, environment = self.launch(limit, program)
        return execute(line, environment, limit)


def failed_at(output):
    """Epochs in which something went wrong, as far as PEs could tell."""
    return [int(epoch) for _, epoch, _ in WHERE.findall(output) if int(epoch) >= 0]


def calls_at(output):
    """Calls in which something went wrong: (epoch, number)."""
    return [(int(e), int(n)) for _, e, n in WHERE.findall(output) if int(e) >= 0 and int(n) >= 0]


def calls_of(output):
    """All calls that were listed: (epoch, number) and text."""
    return {(int(e), int(n)): text for e, n, text in CALL.findall(output)}
