# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What a check found, and the run of all checks."""
from collections import namedtuple

ERROR, WARN, NOTE, OK = "error", "warn", "note", "ok"
ORDER = (ERROR, WARN, NOTE, OK)

# check: its name; where: a PCI address, or "" for the machine; fix: what to do, in words
Finding = namedtuple("Finding", "check severity where what fix")
# rule: a generator of (severity, where, what, fix) over the facts; of: what it looks at, without which it says nothing
Check = namedtuple("Check", "name title rule of", defaults=("ports",))


def run(checks, facts):
    """Findings of all checks, worst first; one that is "ok" for each check that found nothing."""
    found = []
    for check in checks:
        if check.of and not getattr(facts, check.of):
            continue
        own = [Finding(check.name, *found_now) for found_now in check.rule(facts)]
        found += own or [Finding(check.name, OK, "", check.title, "")]
    return ordered(found)


def ordered(found):
    """The worst first."""
    return sorted(found, key=lambda finding: ORDER.index(finding.severity))


def count(found, severity):
    return sum(finding.severity == severity for finding in found)
