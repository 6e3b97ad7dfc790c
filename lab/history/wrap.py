#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Write the wrappers: wrap.py OUTPUT COMPILER...

The prototypes are those of pshmem.h, of all types. RULES say by the name of a call what comes before it and
after; `r` is what it returns, `entry` what is recorded of it, and other words are its parameters.
"""
import re
import subprocess
import sys

WORD = "struct entry *entry = BEGIN(KIND{kind}, {at}, pe, {ctx}, {operands})"
RANGE = "struct entry *range = {length} == 0 ? NULL : RANGE(dest, pe, {ctx}, ({length}) * {unit})"
WORLD = "struct entry *entry = team_begin(KIND_{0}, SHMEM_TEAM_WORLD)"
SET = ("struct entry *entry = ENTRY(KIND_{0}, pSync, 0, SHMEM_CTX_DEFAULT, (uint64_t)PE_size, "
       "(uint64_t)PE_start << 32 | (uint64_t)logPE_stride << 24 | 1)")
ORDER = "struct entry *entry = ENTRY(KIND{kind}, NULL, RECORD_ALL_PES, {ctx}, 0, 0)"
LOCK = "struct entry *entry = BEGIN(KIND_{0}, lock, RECORD_ALL_PES, SHMEM_CTX_DEFAULT, 0, 0)"
END, RESULT, QUIET = "record_end(entry)", "record_result(entry, BITS(r))", "record_quiet({ctx}, RECORD_ALL_PES)"
SEEN = "SEEN({kind}, ivars[i], cmp, {value}, 0)"
BLOCK = "record_end(entry); record_block(r, {bytes}); if (entry) record_quiet(SHMEM_CTX_DEFAULT, RECORD_ALL_PES)"

# what a deprecated atomic is called now
OLD = {"finc": "fetch_inc", "fadd": "fetch_add", "cswap": "compare_swap"}
# name without ctx_: before, after
RULES = [
    (r"\w+?(?P<kind>_atomic_\w+_nbi)", WORD, "record_pending(entry, {ctx}, fetch)"),
    (r"\w+?(?P<kind>_atomic_(fetch\w*|swap|compare_swap))", WORD, RESULT),
    (r"(\w+?)?(?P<kind>_atomic_\w+|signal_set|signal_add|_p)", WORD, END),
    (r"(int|long|longlong|float|double)_(?P<old>fetch|swap|cswap|finc|fadd)", WORD, RESULT),
    (r"(int|long|longlong|float|double)_(?P<old>set|inc|add)", WORD, END),
    (r"(\w+_)?i?b?put(mem|\d+)?(_nbi)?", RANGE, "record_end(range)"),
    (r"(\w+_)?put(mem|\d+)?_signal(_nbi)?", RANGE + "; struct entry *entry = BEGIN(sig_op == SHMEM_SIGNAL_ADD ? "
     "KIND_signal_add : KIND_signal_set, sig_addr, pe, {ctx}, signal, 0)", END + "; record_end(range)"),
    (r"signal_wait_until", "LOOK(sig_addr); invoked = record_now()", "SEEN(_signal_wait_until, *sig_addr, cmp, cmp_value, r)"),
    (r"(\w+_)?wait_until", "LOOK(ivar); invoked = record_now()", "SEEN(_wait_until, *ivar, cmp, cmp_value, 0)"),
    (r"\w+_test", "", "if (r) SEEN(_test, *ivar, cmp, cmp_value, 0)"),
    (r"\w+(?P<kind>_wait_until|_test)_all(_vector)?", "",
     "for (size_t i = 0; {yes} && i < nelems; i++) if (status == NULL || !status[i]) " + SEEN),
    (r"\w+(?P<kind>_wait_until|_test)_any(_vector)?", "", "size_t i = r; if (i != SIZE_MAX) " + SEEN),
    (r"\w+(?P<kind>_wait_until|_test)_some(_vector)?", "",
     "for (size_t n = 0, i; n < r; n++) {{ i = indices[n]; " + SEEN + "; }}"),
    (r"barrier_all|finalize", WORLD, END + "; " + QUIET),
    (r"sync_all", WORLD, END),
    (r"team_sync", "struct entry *entry = team_begin(KIND_{0}, team)", END),
    (r"barrier", SET, END + "; " + QUIET),
    (r"sync", SET, END),
    (r"malloc|calloc|align|realloc|malloc_with_hints",
     "struct entry *entry = {bytes} == 0 ? NULL : team_begin(KIND_malloc, SHMEM_TEAM_WORLD)", BLOCK),
    (r"free", "struct entry *entry = ptr == NULL ? NULL : team_begin(KIND_free, SHMEM_TEAM_WORLD)",
     END + "; if (entry) " + QUIET),
    (r"(?P<kind>quiet|destroy)", ORDER, END + "; " + QUIET),
    (r"(?P<kind>fence)", ORDER, END),
    (r"set_lock", LOCK, "record_result(entry, 0)"),
    (r"clear_lock", LOCK, "record_result(entry, 0); " + QUIET),
    (r"test_lock", LOCK, RESULT),
    (r"pe_quiet", "", "for (size_t i = 0; {ctx} != SHMEM_CTX_INVALID && i < npes; i++) "
     "quiet_one({ctx}, target_pes[i], invoked)"),
    (r"team_split_strided", "", "note_team(parent_team, 0, *new_team)"),
    (r"team_split_2d", "", "note_team(parent_team, 1, *xaxis_team); note_team(parent_team, 2, *yaxis_team)"),
    (r"team_destroy", "forget_team(team)", ""),
    (r"signal_fetch", "struct entry *entry = BEGIN(KIND_{0}, sig_addr, pshmem_my_pe(), SHMEM_CTX_DEFAULT, 0, 0)", RESULT),
    (r"init", "", "record_open()"),
    (r"init_thread", "", "if (r == 0) record_open()"),
]
LENGTHS = {"iput": "(nelems ? (nelems - 1) * (size_t)dst + 1 : 0)",
           "ibput": "(nblocks ? (nblocks - 1) * (size_t)dst + bsize : 0)"}


def words_for(name, kind, returns, params):
    """What stands for the words in braces of a rule."""
    names = [re.search(r"\w+$", p).group() for p in params]
    sized = re.search(r"put(\d+|mem)", name)
    operand = next((n for n in ("value", "signal") if n in names), None)
    kind = kind if kind.startswith("_") else "_" + kind
    return {"ctx": "ctx" if "ctx" in names else "SHMEM_CTX_DEFAULT",
            "kind": "_quiet" if kind == "_destroy" else kind,
            "at": next((n for n in ("dest", "source", "sig_addr") if n in names), None),
            "operands": "BITS(cond), BITS(value)" if "cond" in names else f"BITS({operand}), 0" if operand else "0, 0",
            "length": LENGTHS.get((re.search(r"ib?put", name) or [""])[0], "nelems"),
            "unit": ({"mem": 1}.get(sized[1]) or int(sized[1]) // 8) if sized else "sizeof(*dest)",
            "value": "cmp_values[i]" if "cmp_values" in names else "cmp_value",
            "yes": "1" if returns == "void" else "r",
            "bytes": "count * size" if "count" in names else "size"}


def wrapper(returns, name, params):
    """The text of one, or nothing."""
    for pattern, before, after in RULES:
        match = re.fullmatch(pattern, re.sub("^ctx_", "", name))
        if not match:
            continue
        groups = match.groupdict()
        kind = "_atomic_" + OLD.get(groups["old"], groups["old"]) if groups.get("old") else groups.get("kind") or name
        words = words_for(name, kind, returns, [] if params == ["void"] else params)
        args = ", ".join(re.search(r"\w+$", p).group() for p in params if p != "void")
        keep, give = ("", "") if returns == "void" else (f"{returns} r = ", "return r;")
        clock = "uint64_t invoked = record_now();" if re.search("SEEN|invoked", after) else ""
        return (f"{returns} (shmem_{name})({', '.join(params)})\n{{\n\t{clock}\n"
                f"\t{before.format(name, **words)};\n\t{keep}pshmem_{name}({args});\n"
                f"\t{after.format(name, **words)};\n\t{give}\n}}\n")
    return ""


def main():
    output, *compiler = sys.argv[1:]
    text = subprocess.run(compiler + ["-E", "-P", "-x", "c", "-"], input="#include <pshmem.h>\n", text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    with open(output, "w", encoding="ascii") as f:
        f.write('#include "teams.h"\n')
        for returns, name, params in re.findall(r"([\w ]+?[\s*]*)\bpshmem_(\w+)\s*\(([^().]*)\)", text):
            f.write(wrapper(" ".join(returns.split()), name, [" ".join(p.split()) for p in params.split(",")]))


main()
