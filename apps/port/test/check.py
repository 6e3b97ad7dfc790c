# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What a check is: a function that looks at two sides, and says what it saw."""
from collections import namedtuple


class Wrong(Exception):
    """The port does what it must not, or does not what it must."""


class Skip(Exception):
    """The port has not what the check is about, or nobody can do what it needs."""


Check = namedtuple("Check", "name title both_ways fresh stands_on run")
CHECKS = []
OR_UP = "or up"


def check(name, title, both_ways=False, fresh=False, stands_on=False):
    """Both ways: once with either side as the first. Fresh: of ports that are not configured, or
    (OR_UP) whose link is up since. Stands on: what jobs rely on at each message, which "order" tests."""
    def add(run):
        CHECKS.append(Check(name, title, both_ways, fresh, stands_on, run))
        return run
    return add


def expect(right, text):
    if not right:
        raise Wrong(text)
