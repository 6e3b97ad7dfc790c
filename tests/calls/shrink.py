# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Make a program that fails smaller: leave out epochs, then calls, then make calls shorter, as long
as it still fails."""
import os
import re
import tempfile
import time

import job

# calls that others need: teams and contexts come of them
MAKERS = re.compile(r"^(SPLIT|SPLIT_2D|CTX) ")
LENGTH = re.compile(r" n (\d+),")


class Shrinker:
    def __init__(self, program, epochs, seconds, hang, tries):
        self.program = program
        self.epochs = epochs
        self.end = time.monotonic() + seconds
        self.hang = hang
        self.tries = tries
        self.runs = 0
        self.output = ""
        self.calls = {}
        self.lengths = {}
        self.keep = []

    def late(self):
        return time.monotonic() > self.end

    def selection(self, keep, lengths):
        """Lines for the option -k that leave these calls, some of them shorter."""
        whole = {e for e in range(self.epochs)} - {e for e, _ in keep}
        lines = [f"{e} *" for e in sorted(whole)]
        lines += [f"{e} {n}" for e, n in sorted(set(self.calls) - set(keep)) if e not in whole]
        lines += [f"{e} {n} {length}" for (e, n), length in sorted(lengths.items())]
        return "\n".join(lines) + "\n"

    def fails(self, keep, lengths=None):
        """Does the program fail with these calls alone? A race may take several tries."""
        with tempfile.NamedTemporaryFile("w", suffix=".skip") as f:
            f.write(self.selection(keep, lengths or {}))
            f.flush()
            for _ in range(self.tries):
                self.runs += 1
                status, output = self.program.run(self.epochs, self.hang, ["-l", "-k", f.name])
                if status != 0:
                    self.output = output
                    return True
                if self.late():
                    break
        return False

    def guess(self):
        """What fails is often what was named, or the epoch it stands in: that saves most runs."""
        named = {c for c in job.calls_at(self.output) if c in self.calls}
        makers = {c for c, text in self.calls.items() if MAKERS.search(text)}
        epochs = {e for e, _ in named} or set(job.failed_at(self.output)[:1])
        for keep in (named, named | makers, {c for c in self.calls if c[0] in epochs}):
            if keep and len(keep) < len(self.calls) and not self.late() and self.fails(keep):
                return sorted(keep)
        return sorted(self.calls)

    def reduce(self, groups):
        """Delta debugging over groups of calls."""
        parts = 2
        while len(groups) > 1 and not self.late():
            size = max(1, len(groups) // parts)
            for at in range(0, len(groups), size):
                rest = groups[:at] + groups[at + size:]
                if self.late():
                    break
                if rest and self.fails([c for g in rest for c in g]):
                    groups = rest
                    parts = max(parts - 1, 2)
                    break
            else:
                if size == 1:
                    break
                parts = min(parts * 2, len(groups))
        return groups

    def shorten(self, keep):
        """Bisect the length of each call, between one that fails and one that does not."""
        for call in keep:
            found = LENGTH.search(self.calls[call])
            high, low = int(found.group(1)) if found else 0, 0
            while high - low > max(1, high // 16) and not self.late():
                # often the length has nothing to do with it
                middle = (low + high) // 2 if low > 0 else 1
                if self.fails(keep, {**self.lengths, call: middle}):
                    high = middle
                    self.lengths[call] = middle
                else:
                    low = middle

    def shrink(self):
        """@return whether it failed again; then calls has what is left"""
        for _ in range(3 * self.tries):
            self.runs += 1
            status, self.output = self.program.run(self.epochs, self.hang, ["-l"])
            if status != 0:
                break
        else:
            return False
        at = job.failed_at(self.output)
        if at:
            self.epochs = max(at) + 1
        self.calls = {c: text for c, text in job.calls_of(self.output).items()
                      if c[0] < self.epochs}
        keep = self.guess()
        by_epoch = {}
        for c in keep:
            by_epoch.setdefault(c[0], []).append(c)
        groups = self.reduce(list(by_epoch.values()))
        keep = [c for g in self.reduce([[c] for g in groups for c in g]) for c in g]
        self.shorten(keep)
        self.keep = keep
        return True

    def left(self):
        """The calls that are left, as the program lists them."""
        listed = job.calls_of(self.output)
        return {c: listed.get(c, self.calls[c]) for c in self.keep}
