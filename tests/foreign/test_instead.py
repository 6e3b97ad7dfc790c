#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Names of other libraries that have no equal here: the compiler says what to write. Those that have one are
in the library, all of them, and stand for the call that they name. Usage: test_instead.py OSHCC"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../style"))
import tree  # noqa: E402

CALLS = {  # a use, words of the compiler
    "shmemx_ct_t ct; shmemx_ct_create(&ct)": r"write shmem_ctx_create\(\), shmem_ctx_putmem_nbi\(\)",
    "shmemx_ct_free(NULL)": "a context counts for itself",
    "return (int)shmemx_ct_get(NULL)": "a context counts for itself",
    "shmemx_ct_set(NULL, 0)": "a context counts for itself",
    "shmemx_ct_wait(NULL, 1)": "a context counts for itself",
    "shmemx_putmem_ct(NULL, NULL, NULL, 8, 0)": "a context counts for itself",
    "shmemx_getmem_ct(NULL, NULL, NULL, 8, 0)": "a context counts for itself",
    "uint64_t v; shmemx_pcntr_get_issued_write(SHMEM_CTX_DEFAULT, &v)": "run it with oshrun --telemetry",
    "uint64_t v; shmemx_pcntr_get_completed_target(&v)": "run it with oshrun --telemetry",
    "shmemx_pcntr_get_all(SHMEM_CTX_DEFAULT, NULL)": "run it with oshrun --telemetry",
    "shmemx_register_gettid(NULL)": "leave it out",
    "shmemx_heap_create(NULL, 1, 0, 0)": r"write shmemx_space_create\(\)",
    "shmemx_heap_preinit()": r"write shmemx_space_create\(\)",
    "return shmemx_heap_preinit_thread(0, NULL)": r"write shmemx_space_create\(\)",
    "shmemx_heap_postinit()": r"write shmemx_space_create\(\)",
    "shmemx_pcntr_t all; pshmemx_pcntr_get_all(SHMEM_CTX_DEFAULT, &all)": "run it with oshrun --telemetry",
    "shmemx_team_get_config(SHMEM_TEAM_WORLD, NULL)": r"write shmem_team_get_config\(team, ",
    "shmemx_alltoall_global_nb(NULL, NULL, 8, NULL)": r"write shmemx_alltoallmem_nb\(",
}
TYPELESS = re.findall(r"^PSHMEM_NONE\((_\w+)\)", tree.read("shmem/include/pshmem.h"), re.M)
CALLS.update({f"pshmem{op}(NULL, 1, 0)": rf"write pshmem_TYPENAME{op}\(\)" for op in TYPELESS})

OLD = {"cswap": "compare_swap", "fadd": "fetch_add", "finc": "fetch_inc"}  # atomics; others have their names
SIZES = {"int16": "short", "int32": "int", "int64": "long"}
UNLIKE = {"shmemx_sync": "shmem_team_sync", "shmemx_malloc_with_hint": "shmem_malloc_with_hints",
          "shmem_session_start": "shmem_ctx_session_start", "shmem_session_stop": "shmem_ctx_session_stop",
          "shmem_int16_wait_until": "shmem_short_wait_until"}


def compile_text(program, *options):
    return subprocess.run([sys.argv[1], "-xc", *options, "-"], input="#include <pshmem.h>\n" + program, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)


def call_of(name):
    """What another name stands for, but for an x."""
    name = UNLIKE.get(name, name).replace("shmemx", "shmem")
    if "_atomic_" not in name:
        name = re.sub(r"(?<!signal)_(fetch|set|swap|cswap|fadd|finc|add|inc)$", lambda m: "_atomic_" + OLD.get(m[1], m[1]), name)
    return re.sub(r"_(int16|int32|int64)(_wait|_\w+_to_all)$", lambda m: f"_{SIZES[m[1]]}{m[2]}", name)


def check_links():
    """Each name that stands for a call is a symbol of the library, that of the right call."""
    names = dict(re.findall(r"\) (p?shmemx?_\w+) __asm__\(\"(\w+)\"\)", compile_text("", "-E", "-P").stdout))
    wrong = [f"{name} is {call}" for name, call in names.items()
             if call_of(name.removeprefix("p")) != call.removeprefix("p").replace("shmemx", "shmem")]
    taken = "".join(f"(void *)(&{name}),\n" for name in sorted(names))
    done = compile_text(f"#include <stdio.h>\nint main(void) {{ static void *all[] = {{\n{taken}}};\n"
                        "return printf(\"%p\", all[sizeof(all) % 7]) == 0; }\n", "-std=c99", "-o", "/dev/null")
    print(f"{len(names)} other names")
    return wrong + ([] if names and done.returncode == 0 else [f"does not link: {done.stdout[:2000]}"])


def check_macros():
    """Names without a type stand for those of the standard, and constants are there."""
    text = "".join(tree.read(f"shmem/include/{name}") for name in ("shmem.h", "shmemx_peers.h", "shmemx_generic.h"))
    calls = re.findall(r"^#define (shmemx_\w+) (shmem_\w+)$", text, re.M)
    constants = re.findall(r"^#define (SHMEMX_\w+|SHMEM_SESSION_\w+|OSHMEM_SPEC_VERSION) (?:\w|\()", text, re.M)
    uses = "".join(f"(void)({name});\n" for name in sorted(constants))
    done = compile_text(f"int main(void) {{ shmemx_team_t t = SHMEMX_TEAM_NULL; shmem_session_config_t c; (void)t; (void)c;\n{uses}"
                        "return OSHMEM_SPEC_VERSION < 10300 || SHMEM_HINT_ATOMICS == 0; }\n", "-c", "-std=c99", "-o", "/dev/null")
    print(f"{len(calls)} names without a type, {len(constants)} constants")
    wrong = [f"{name} is {call}" for name, call in calls if call_of(name) != call]
    return wrong + ([] if calls and constants and done.returncode == 0 else [f"does not compile: {done.stdout[:2000]}"])


def problem_of(use, words):
    done = compile_text(f"int main(void) {{ {use}; return 0; }}\n", "-c", "-O1", "-o", "/dev/null")
    if done.returncode == 0:
        return f"{use}: compiles"
    return None if re.search(words, done.stdout) else f"{use}: no {words!r} in {done.stdout}"


def main():
    declared = set(re.findall(r"SHMEMX_NONE\(\w+ ?\*?, (shmemx_\w+),", tree.read("shmem/include/shmemx_instead.h")))
    problems = [f"no use of {name}" for name in declared if not any(name + "(" in use for use in CALLS)]
    problems += filter(None, (problem_of(*row) for row in CALLS.items()))
    problems += check_links() + check_macros()
    return tree.verdict(problems, f"{len(CALLS)} names")


sys.exit(main())
