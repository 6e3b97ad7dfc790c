#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The header and the library offer what OpenSHMEM 1.6 names (api.tsv, constants.tsv), and shmemx.h
generic names of its typed calls.

Usage: test_completeness.py INCLUDE LIBRARY NM CXX|none CC...

Prototypes are compared by the compiler. A generic call must compile for every type of its family,
with and without a context, and call the function of that type; in C++ an overload likewise.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

import api

HERE = os.path.dirname(os.path.abspath(__file__))
CALL = re.compile(r"\b(?:call|jmp|callq|jmpq|bl|b)\s+(shmemx?_\w+)")


def table(name):
    with open(os.path.join(HERE, name), newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def run(command, **kwargs):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **kwargs)


# The generic forms of these take the short types too, which single waits and tests have in 1.6 and
# sets of words have not: public suites call them so.
OF_PEERS = re.compile(r"p?shmem_(u?short_(test|wait_until)_(all|any|some)(_vector)?|"
                      r"(ctx_)?(int|long|longlong)_atomic_(fetch_)?(and|or|xor)(_nbi)?|"
                      r"(short|int|long|longlong)_(and|or|xor)_reduce)")


# Generic names of shmemx.h: types, what is returned, parameters, and operations.
AMO = {"int": "int", "long": "long", "long long": "longlong", "unsigned int": "uint",
       "unsigned long": "ulong", "unsigned long long": "ulonglong"}
FLOAT = {"float": "float", "double": "double", "long double": "longdouble"}
CHARS = {"char": "char", "signed char": "schar", "short": "short", "unsigned char": "uchar",
         "unsigned short": "ushort"}
MOVE = {**FLOAT, **CHARS, **AMO}
COMPLEX = {"float _Complex": "complexf", "double _Complex": "complexd"}
BITS = {"signed char": "int8", "short": "int16", "int": "int32", "long": "int64",
        "unsigned char": "uchar", "unsigned short": "ushort", "unsigned int": "uint",
        "unsigned long": "ulong", "unsigned long long": "ulonglong"}
TEAM = "shmem_team_t team, TYPE *dest, const TYPE *source, "
POSTED = TEAM + "size_t nelems, shmemx_req_h *request"
STRIDES = "TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, "
WAIT = "TYPE *ivars, size_t nelems, const int *status, int cmp, "
SOME = "TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, "
EXTENSIONS = [
    (MOVE, "int", POSTED,
     "collect_nb fcollect_nb alltoall_nb max_reduce_nb min_reduce_nb"),
    (MOVE, "int", TEAM + "size_t nelems, int PE_root, shmemx_req_h *request",
     "broadcast_nb"),
    (MOVE, "int",
     TEAM + "ptrdiff_t dst, ptrdiff_t sst, size_t nelems, shmemx_req_h *request", "alltoalls_nb"),
    (BITS, "int", POSTED, "and_reduce_nb or_reduce_nb xor_reduce_nb"),
    ({**MOVE, **COMPLEX}, "int", POSTED,
     "sum_reduce_nb prod_reduce_nb sum_inscan_nb sum_exscan_nb"),
    (MOVE, "void", STRIDES + "size_t nelems, int pe", "iput_nbi iget_nbi"),
    (MOVE, "void", STRIDES + "size_t bsize, size_t nblocks, int pe",
     "ibput_nbi ibget_nbi"),
    (MOVE, "void", "shmem_ctx_t ctx, " + STRIDES + "size_t nelems, int pe",
     "iput_nbi iget_nbi"),
    (MOVE, "void",
     "shmem_ctx_t ctx, " + STRIDES + "size_t bsize, size_t nblocks, int pe", "ibput_nbi ibget_nbi"),
    (AMO, "int", "TYPE *ivar, int cmp, TYPE value, uint64_t ns", "wait_until_for"),
    (AMO, "int", WAIT + "TYPE value, uint64_t ns", "wait_until_all_for"),
    (AMO, "int", WAIT + "const TYPE *values, uint64_t ns", "wait_until_all_vector_for"),
    (AMO, "size_t", WAIT + "TYPE value, uint64_t ns", "wait_until_any_for"),
    (AMO, "size_t", WAIT + "const TYPE *values, uint64_t ns", "wait_until_any_vector_for"),
    (AMO, "size_t", SOME + "TYPE value, uint64_t ns", "wait_until_some_for"),
    (AMO, "size_t", SOME + "const TYPE *values, uint64_t ns", "wait_until_some_vector_for"),
]


class Check:
    def __init__(self, include, library, nm, cxx, cc):
        self.flags = ["-I", include, "-Wall", "-Wextra", "-Werror"]
        self.library, self.nm, self.cxx, self.cc = library, nm, cxx, cc
        rows = api.calls()
        self.functions = [row for row in rows if row["kind"] == "call"]
        self.generics = [row for row in rows if row["kind"] == "generic"]
        self.problems = []
        self.folder = tempfile.TemporaryDirectory()

    def compile(self, what, lines, suffix=".c", command=None, output=None):
        """Report the lines, each of which ends with its own comment, that do not compile."""
        source = os.path.join(self.folder.name, "check" + suffix)
        with open(source, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        mode = ["-S", "-O1", "-o", output] if output else ["-fsyntax-only"]
        out = run([*(command or self.cc), *self.flags, "-ferror-limit=0", *mode, source]
                  if "clang" in (command or self.cc)[0] else
                  [*(command or self.cc), *self.flags, *mode, source])
        if out.returncode == 0:
            return True
        bad = sorted({int(n) for n in re.findall(rf"{re.escape(source)}:(\d+):\d+: error", out.stdout)})
        self.problems += [f"{what}: {lines[n - 1]}" for n in bad[:20] if n <= len(lines)]
        if not bad:
            self.problems.append(f"{what}: {out.stdout[:2000]}")
        return False

    def prototypes(self):
        lines = ['#include "pshmem.h"']
        for row in self.functions:
            name, ret, args = row["name"], row["return"], row["arguments"]
            for symbol in [name] + (["p" + name] if name.startswith("shmem_") else []):
                lines.append(f'_Static_assert(__builtin_types_compatible_p(__typeof__(({symbol})), '
                             f'{ret} ({args})), "{symbol}");')
        self.compile("prototype", lines, command=[*self.cc, "-std=gnu11"])

    def deprecated(self):
        """Each deprecated function draws a warning."""
        names = [row["name"] for row in self.functions if row["status"] == "deprecated"]
        lines = ['#include "shmem.h"'] + [f"void *p_{n} = (void *)({n});" for n in names]
        source = os.path.join(self.folder.name, "old.c")
        with open(source, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        out = run([*self.cc, *self.flags, "-DSHMEM_NO_DEPRECATED", "-Wno-error", "-fsyntax-only",
                   source])
        for number, name in enumerate(names, 2):
            if f":{number}:" not in out.stdout:
                self.problems.append(f"not marked deprecated: {name}")

    def symbols(self):
        out = run([self.nm, "-D", "--defined-only", self.library])
        kinds = {line.split()[-1].split("@")[0]: line.split()[-2] for line in out.stdout.splitlines()
                 if len(line.split()) >= 2}
        wanted = set()
        for row in self.functions:
            name = row["name"]
            wanted.add(name)
            if name not in kinds:
                self.problems.append(f"library: no {name}")
            elif name.startswith("shmem_") and kinds[name] != "W":
                self.problems.append(f"library: {name} is not weak, a user's own would clash")
            if name.startswith("shmem_"):
                wanted.add("p" + name)
                if "p" + name not in kinds:
                    self.problems.append(f"library: no p{name}")
        for name in kinds:
            if re.match(r"p?shmem_", name) and name not in wanted and not OF_PEERS.fullmatch(name):
                self.problems.append(f"library: exports {name}, which 1.6 does not name")

    def types_of(self, generic):
        """The C types of a family, and the functions that serve each."""
        types = {}
        stem = "shmem_" + api.TYPED + generic[len("shmem"):]
        for row in self.functions:
            if row["template"] == stem:
                types.setdefault(row["ctype"], set()).add(row["name"])
        return types

    def aliases(self):
        """Which names of C types are one type for this compiler: int64_t is long, and so on."""
        names = sorted({t for g in self.generics for t in self.types_of(g["name"])})
        basic = [n for n in names if not n.endswith("_t")]
        lines = ['#include "shmem.h"', "#include <stdio.h>", "int main(void) {"]
        for name in names:
            cases = ", ".join(f'{b} *: "{b}"' for b in basic)
            lines.append(f'puts(_Generic(({name} *)0, {cases}));')
        lines.append("return 0; }")
        source = os.path.join(self.folder.name, "alias.c")
        with open(source, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
        program = os.path.join(self.folder.name, "alias")
        out = run([*self.cc, *self.flags, "-std=gnu11", source, "-o", program])
        if out.returncode:
            raise SystemExit(out.stdout[:2000])
        return dict(zip(names, run([program]).stdout.splitlines()))

    def generic_calls(self):
        """(line of C, name the call must reach) for every generic, type and form."""
        same = self.aliases()
        for row in self.generics:
            name = row["name"]
            families = self.types_of(name) or {"": {name}}
            old = self.old_twin(name)
            for ctype in families:
                reach = set()
                for other, functions in families.items():
                    if same.get(other) == same.get(ctype):
                        reach |= functions
                if old:
                    reach |= {f.replace(name[len("shmem"):], old) for f in reach}
                for form in row["arguments"].split(" | "):
                    params = form.strip().strip("()")
                    yield self.one_call(row, params, ctype, reach)

    @staticmethod
    def old_twin(name):
        """A deprecated generic may reach the current function of the same meaning."""
        return {"shmem_fetch": "_atomic_fetch", "shmem_set": "_atomic_set",
                "shmem_swap": "_atomic_swap", "shmem_cswap": "_atomic_compare_swap",
                "shmem_finc": "_atomic_fetch_inc", "shmem_inc": "_atomic_inc",
                "shmem_fadd": "_atomic_fetch_add", "shmem_add": "_atomic_add"}.get(name)

    def one_call(self, row, params, ctype, reach):
        name = row["name"]
        params = re.sub(r"\bTYPE\b", ctype, params)
        names = ", ".join(re.search(r"(\w+)$", p.strip()).group(1) for p in params.split(","))
        ret = row["return"].replace("TYPE", ctype)
        if params.startswith("shmem_ctx_t ctx"):
            reach = {re.sub(r"^shmem_", "shmem_ctx_", f) for f in reach}
        if name == "shmem_sync":
            reach = {"shmem_team_sync"}
        if name == "shmem_wait_until":
            reach = reach | {name}  # of OpenSHMEM 1.0: in C++ it is the overload for long
        body = f"{name}({names});" if ret == "void" else f"return {name}({names});"
        return f"{ret} FUNCTION({params}) {{ {body} }}", reach

    def generic(self):
        calls = list(self.generic_calls())
        # names that a program may have taken must not disturb them
        head = ["#include <shmem.h>", *(f"#define {n} 0" for n in ("p", "put", "size", "int32", "test"))]
        text = [line.replace("FUNCTION", f"t{i}") for i, (line, _) in enumerate(calls)]
        declared = [line[:line.index("{")] + "; " + line for line in text]
        assembly = os.path.join(self.folder.name, "check.s")
        if self.compile("generic", [*head, *declared], command=[*self.cc, "-std=c11"],
                        output=assembly):
            self.reached(calls, assembly)
        if self.cxx != "none":
            plus = [line.replace("double _Complex", "std::complex<double>")
                    .replace("float _Complex", "std::complex<float>") for line in text]
            self.overloads("overload", calls, [*head, 'extern "C" {', *plus, "}"])
        return len(calls)

    def overloads(self, what, calls, lines):
        """As in C, the call of each function."""
        assembly = os.path.join(self.folder.name, "overloads.s")
        if self.compile(what, lines, ".cc", [self.cxx, "-std=c++11"], output=assembly):
            self.reached(calls, assembly)

    @staticmethod
    def extension_calls():
        """As generic_calls(), of shmemx.h."""
        for types, ret, params, names in EXTENSIONS:
            for op in names.split():
                for ctype, name in types.items():
                    own = re.sub(r"\bTYPE\b", ctype, params)
                    args = ", ".join(re.search(r"(\w+)$", p).group(1) for p in own.split(","))
                    ctx = "ctx_" if params.startswith("shmem_ctx_t") else ""
                    yield (f"{ret.replace('TYPE', ctype)} FUNCTION({own}) {{ "
                           f"{'' if ret == 'void' else 'return '}shmemx_{op}({args}); }}",
                           {f"shmemx_{ctx}{name}_{op}"})

    def extensions(self):
        calls = list(self.extension_calls())
        text = [line.replace("FUNCTION", f"t{i}") for i, (line, _) in enumerate(calls)]
        assembly = os.path.join(self.folder.name, "extensions.s")
        if self.compile("extension", ["#include <shmemx.h>",
                                      *(line[:line.index("{")] + "; " + line for line in text)],
                        command=[*self.cc, "-std=gnu11"], output=assembly):
            self.reached(calls, assembly)
        if self.cxx != "none":
            plus = [re.sub(r"(double|float) _Complex", r"std::complex<\1>", line) for line in text]
            self.overloads("extension", calls, ['extern "C" {', "#include <shmemx.h>", *plus, "}"])
        return len(calls)

    def reached(self, calls, assembly):
        current, reached = None, {}
        with open(assembly, encoding="utf-8") as f:
            for line in f:
                label = re.match(r"t(\d+):", line)
                call = CALL.search(line)
                if label:
                    current = int(label.group(1))
                elif call and current is not None:
                    reached.setdefault(current, call.group(1))
        for i, (line, wanted) in enumerate(calls):
            if reached.get(i) not in wanted:
                self.problems.append(f"generic: {line} calls {reached.get(i)}, not {sorted(wanted)}")

    def constants(self):
        rows = table("constants.tsv")
        lines = ['#include "shmem.h"']
        for row in rows:
            name, what = row["name"], row["type_or_class"]
            if row["kind"] == "constant":
                if not what.startswith("shmem_") :
                    lines.append(f"#ifndef {name}\n#error {name} is missing\n#endif")
                if what == "alias":
                    what = "string" if "VENDOR" in name else "int"
                if what.startswith("shmem_"):
                    lines.append(f"{what.split()[0]} v{name} = {name};")
                elif what == "string":
                    lines.append(f"_Static_assert(sizeof({name}) <= SHMEM_MAX_NAME_LEN, \"{name}\");")
                else:
                    ctype = "long" if what.startswith("long") else "int"
                    lines.append(f"_Static_assert(_Generic({name}, {ctype}: 1, default: 0), \"{name}\");")
                    lines.append(f"_Static_assert(({name}) == ({name}), \"{name}\");")
                if name.startswith("_SHMEM") and what != "string":
                    lines.append(f"_Static_assert({name} == {name[1:]}, \"{name}\");")
            elif row["kind"] == "handle":
                lines.append(f"{row['type_or_class']} v{name} = {name};")
            elif row["kind"] == "type":
                lines.append(f"{name} v_{name};")
            elif row["kind"] == "struct member":
                lines.append(f"__typeof__((({name.split('.')[0]} *)0)->{name.split('.')[1]}) "
                             f"v_{name.replace('.', '_')}; _Static_assert(__builtin_types_compatible_p("
                             f"__typeof__(v_{name.replace('.', '_')}), {row['type_or_class']}), \"{name}\");")
            elif row["kind"] == "header":
                lines.append(f"#include <{name}>")
        lines += self.relations()
        self.compile("constant", "\n".join(lines).split("\n"), command=[*self.cc, "-std=gnu11"])
        return len(rows)

    @staticmethod
    def relations():
        def distinct(names):
            return [f'_Static_assert({a} != {b}, "{a}");' for i, a in enumerate(names)
                    for b in names[:i]]
        levels = [f"SHMEM_THREAD_{t}" for t in ("SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE")]
        bits = [f"SHMEM_CTX_{b}" for b in ("SERIALIZED", "PRIVATE", "NOSTORE")]
        sizes = ["BARRIER", "BCAST", "COLLECT", "REDUCE", "ALLTOALL", "ALLTOALLS"]
        out = [f'_Static_assert({a} < {b}, "{a}");' for a, b in zip(levels, levels[1:])]
        out += [f'_Static_assert(({a} & {b}) == 0, "{a}");' for i, a in enumerate(bits) for b in bits[:i]]
        out += distinct([f"SHMEM_CMP_{c}" for c in ("EQ", "NE", "GT", "GE", "LT", "LE")])
        out += distinct(["SHMEM_SIGNAL_SET", "SHMEM_SIGNAL_ADD"])
        out += [f'_Static_assert(SHMEM_SYNC_SIZE >= SHMEM_{s}_SYNC_SIZE, "{s}");' for s in sizes]
        out += ['_Static_assert(SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION == 6, "version");']
        return out


def main():
    include, library, nm, cxx, *cc = sys.argv[1:]
    check = Check(include, library, nm, cxx, cc)
    check.prototypes()
    check.deprecated()
    check.symbols()
    calls = check.generic()
    calls += check.extensions()
    constants = check.constants()
    for problem in check.problems[:100]:
        print(problem)
    print(f"{len(check.functions)} functions, {len(check.generics)} generics in {calls} calls, "
          f"{constants} constants: {len(check.problems)} problems")
    return 1 if check.problems else 0


sys.exit(main())
