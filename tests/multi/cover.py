# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Rows of settings in which each combination of so many of them occurs that may be. Greedy, as in
AETG (Cohen and others, 1997): of some candidates for the next row the one that has most
combinations that no row has yet."""
import itertools
import random


class Space:
    """factors: {name: levels}. forbidden: [(reason, {name: levels, ...})]; a row that has one of the
    levels for each of these names cannot be."""

    def __init__(self, factors, forbidden):
        self.factors = {name: list(levels) for name, levels in factors.items()}
        self.forbidden = [rule for _, rule in forbidden]
        self.rules = {name: [r for r in self.forbidden if name in r] for name in self.factors}

    def allows(self, row, name, level):
        """May a row that has these settings have this one, too?"""
        for rule in self.rules[name]:
            if level in rule[name] and all(
                    other == name or row.get(other) in levels for other, levels in rule.items()):
                return False
        return True

    def complete(self, row, names, order):
        """The row with a level for each of the names, or None. order(row, name): levels to try."""
        if not names:
            return row
        left = {n: [v for v in self.factors[n] if self.allows(row, n, v)] for n in names}
        name = min(names, key=lambda n: min(len(left[n]), 2))  # what has no choice comes first
        for level in order(row, name):
            if level in left[name]:
                done = self.complete({**row, name: level}, [n for n in names if n != name], order)
                if done:
                    return done
        return None

    def combinations(self, strength):
        """All that may be: each has a row."""
        found = set()
        for names in itertools.combinations(self.factors, strength):
            rest = [n for n in self.factors if n not in names]
            for levels in itertools.product(*(self.factors[n] for n in names)):
                row = {}
                if all(self.allows(row, n, v) and not row.update({n: v})
                       for n, v in zip(names, levels)) and \
                        self.complete(row, rest, lambda _, name: self.factors[name]):
                    found.add(tuple(zip(names, levels)))
        return found


def having(row, strength, names):
    """The combinations that a row has."""
    return itertools.combinations([(n, row[n]) for n in names if n in row], strength)


def rows(space, strength, seed, candidates):
    """@return the rows, and the combinations that they have."""
    draw = random.Random(seed)
    names = list(space.factors)
    wanted = space.combinations(strength)
    missing, made = set(wanted), []

    def gain(row, name, level):
        others = [(n, row[n]) for n in names if n in row]
        return sum(tuple(sorted(rest + ((name, level),), key=lambda s: names.index(s[0]))) in missing
                   for rest in itertools.combinations(others, strength - 1))

    def best_first(row, name):
        levels = draw.sample(space.factors[name], len(space.factors[name]))
        return sorted(levels, key=lambda level: -gain(row, name, level))

    while missing:
        best = []
        seeds = sorted(missing)
        for _ in range(candidates):
            row = dict(draw.choice(seeds))
            rest = [n for n in names if n not in row]
            row = space.complete(row, draw.sample(rest, len(rest)), best_first)
            new = missing.intersection(having(row, strength, names))
            if len(new) > len(best):
                best, chosen = new, row
        made.append({n: chosen[n] for n in names})
        missing -= best
    return made, wanted
