# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""What OpenSHMEM 1.6 names, as api.tsv says."""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
TYPED = "{TYPENAME}"


def expanded(types, tns, row):
    """The calls of a row of api.tsv: for each type or size, without and with a context."""
    kind, name, _, status, ret, args = row
    for tn in tns:
        ctype = types.get(tn, "TYPE")
        for ctx in ("", "ctx_") if "{ctx}" in name else ("",):
            template = name.replace("{ctx}", ctx)
            own = re.sub(r"\bTYPE\b", ctype, ("shmem_ctx_t ctx, " if ctx else "") + args)
            yield {"kind": kind, "template": template, "status": status, "ctype": ctype,
                   "name": template.replace(TYPED, tn).replace("{SIZE}", tn),
                   "return": ret.replace("TYPE", ctype), "returns_data": ret == "TYPE",
                   "arguments": own}


def generic_of(name, _, status, ret, args):
    """The generic form of a typed call, and with a context where that has one."""
    forms = f"({args})" + (f" | (shmem_ctx_t ctx, {args})" if "{ctx}" in name else "")
    return ["generic", name.replace("{ctx}", "").replace(TYPED + "_", ""), "-", status, ret, forms]


def calls():
    """All calls and generic forms."""
    types, sets, rows = {}, {"-": ["-"], "size": ["8", "16", "32", "64", "128"]}, []
    with open(os.path.join(HERE, "api.tsv"), encoding="utf-8") as f:
        for row in (line.rstrip("\n").split("\t") for line in f if not line.startswith("#")):
            if row[0] == "type":
                types[row[1]] = row[2]
            elif row[0] == "set":
                sets[row[1]] = row[2].split()
            elif row[0] == "both":
                rows += expanded(types, sets[row[2]], ["call", *row[1:]])
                rows += expanded(types, sets["-"], generic_of(*row[1:]))
            else:
                rows += expanded(types, sets[row[2]], row)
    return rows
