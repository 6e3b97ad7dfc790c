# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The names that shmem/libshmem.abi lists, where a line may stand for a family of calls."""
import re


def names(path):
    sets, found = {"ctx": ["", "ctx_"]}, set()
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("set "):
                _, name, *words = line.split()
                sets[name] = words
            elif line.strip() and not line.startswith("#"):
                family = [line.strip()]
                while any("{" in name for name in family):
                    family = [name.replace(m[0], word) for name in family
                              for m in [re.search(r"\{(\w+)\}", name)] for word in sets[m[1]]]
                found.update(family)
    return found
