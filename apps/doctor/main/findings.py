# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What a check found, and the run of all checks."""
from collections import namedtuple

ERROR, WARN, NOTE, OK = "error", "warn", "note", "ok"
ORDER = (ERROR, WARN, NOTE, OK)

# check: its name; where: a PCI address, or "" for the machine; fix: what to do, in words
Finding = namedtuple("Finding", "check severity where what fix")


class Check:
    """A rule: a generator of (severity, where, what, fix) over the facts."""

    def __init__(self, name, title, rule, ports=True, of="ports"):
        self.name, self.title, self.rule = name, title, rule
        self.ports = ports  # does it look at NT ports, so that without any it says nothing?
        self.of = of  # those of which family


def run(checks, facts):
    """Findings of all checks, worst first; one that is "ok" for each check that found nothing."""
    found = []
    for check in checks:
        if check.ports and not getattr(facts, check.of):
            continue
        own = [Finding(check.name, *found_now) for found_now in check.rule(facts)]
        found += own or [Finding(check.name, OK, "", check.title, "")]
    return ordered(found)


def ordered(found):
    """The worst first."""
    return sorted(found, key=lambda finding: ORDER.index(finding.severity))


def count(found, severity):
    return sum(finding.severity == severity for finding in found)
