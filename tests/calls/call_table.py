#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Make a function of each call of ../shmem/api.tsv, with its arguments from a struct call.

Usage: call_table.py OUTPUT
"""
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shmem"))
import api  # noqa: E402

# parameter: where its argument is; T stands for its type
ARGUMENTS = {
    "ctx": "c->ctx", "team": "c->team", "pe": "c->pe", "PE_root": "c->root",
    "dest": "c->dest", "source": "c->source", "fetch": "c->fetch",
    "value": "*(const T *)c->source", "cond": "*(const T *)c->cond",
    "nelems": "c->n", "nblocks": "c->n", "nreduce": "(T)c->n", "bsize": "c->bsize",
    "dst": "c->dst", "sst": "c->sst",
    "sig_addr": "c->sig", "signal": "c->signal", "sig_op": "c->sig_op",
    "ivar": "c->dest", "ivars": "c->dest", "cmp": "c->cmp", "cmp_value": "*(const T *)c->source",
    "cmp_values": "c->source", "indices": "c->indices", "status": "c->status",
    "PE_start": "c->start", "logPE_stride": "c->log_stride", "PE_size": "c->size",
    "pWrk": "c->work", "pSync": "c->psync",
}
DATA = {"dest", "source", "ivar", "ivars"}  # calls without any of these are none of data


def function(row):
    """The C function that makes the call of a row."""
    args = []
    for param in row["arguments"].split(", "):
        ctype, what = re.fullmatch(r"(.*?)(\w+)", param).groups()
        args.append(ARGUMENTS[what].replace("T", ctype.strip()))
    call = f"({row['name']})({', '.join(args)})"
    if row["returns_data"]:
        call = f"*({row['return']} *)c->fetch = {call}"
    elif row["return"] != "void":
        call = f"c->ret = (size_t){call}"
    return f"static void\ndo_{row['name']}(struct call *c)\n{{\n\t{call};\n}}\n"


def moves_data(row):
    params = [p.split(" ")[-1].strip("*") for p in row["arguments"].split(", ")]
    return row["kind"] == "call" and DATA & {*params} and {*params} <= {*ARGUMENTS}


def main():
    rows = sorted(filter(moves_data, api.calls()), key=lambda row: row["name"])
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        f.write('#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n#include "call.h"\n')
        f.write("".join(map(function, rows)))
        f.write("const struct call_row call_rows[] = {\n")
        f.write("".join(f'\t{{"{row["name"]}", do_{row["name"]}}},\n' for row in rows))
        f.write(f"}};\nconst size_t call_count = {len(rows)};\n")


main()
