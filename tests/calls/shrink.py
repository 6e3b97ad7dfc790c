# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Make a program that fails smaller: leave out epochs, then calls, as long as it still fails."""
import os
import tempfile
import time

import job


class Shrinker:
    def __init__(self, program, epochs, seconds, hang, tries):
        self.program = program
        self.epochs = epochs
        self.end = time.monotonic() + seconds
        self.hang = hang
        self.tries = tries
        self.runs = 0
        self.output = ""

    def fails(self, keep, calls):
        """Does the program fail with these calls alone? A race may take several tries."""
        with tempfile.NamedTemporaryFile("w", suffix=".skip", delete=False) as f:
            whole = {e for e, _ in calls} - {e for e, _ in keep}
            for e in sorted(whole):
                f.write(f"{e} *\n")
            for e, n in sorted(set(calls) - set(keep)):
                if e not in whole:
                    f.write(f"{e} {n}\n")
        try:
            for _ in range(self.tries):
                self.runs += 1
                status, output = self.program.run(self.epochs, self.hang, ["-l", "-k", f.name])
                if status != 0:
                    self.output = output
                    return True
                if time.monotonic() > self.end:
                    break
            return False
        finally:
            os.unlink(f.name)

    def reduce(self, groups, calls):
        """Delta debugging over groups of calls."""
        parts = 2
        while len(groups) > 1 and time.monotonic() < self.end:
            size = max(1, len(groups) // parts)
            for at in range(0, len(groups), size):
                rest = groups[:at] + groups[at + size:]
                if time.monotonic() > self.end:
                    break
                if rest and self.fails([c for g in rest for c in g], calls):
                    groups = rest
                    parts = max(parts - 1, 2)
                    break
            else:
                if size == 1:
                    break
                parts = min(parts * 2, len(groups))
        return groups

    def shrink(self):
        """@return calls that are left, by (epoch, number), with their text; None: does not fail
        any more"""
        status, output = 0, ""
        for _ in range(3 * self.tries):
            status, output = self.program.run(self.epochs, self.hang, ["-l"])
            if status != 0:
                break
        if status == 0:
            return None
        self.output = output
        at = job.failed_at(output)
        if at:
            self.epochs = max(at) + 1
        calls = job.calls_of(output)
        calls = {c: text for c, text in calls.items() if c[0] < self.epochs}
        by_epoch = {}
        for c in sorted(calls):
            by_epoch.setdefault(c[0], []).append(c)
        groups = self.reduce(list(by_epoch.values()), calls)
        left = self.reduce([[c] for g in groups for c in g], calls)
        return {c: calls[c] for g in left for c in g}
