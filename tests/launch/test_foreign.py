#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Programs of other libraries under oshrun, and ours under other launchers.
Usage: test_foreign.py OSHRUN PROGRAM CC..."""
import os
import subprocess
import sys
import tempfile
import unittest

OSHRUN, PROGRAM = map(os.path.abspath, sys.argv[1:3])
CC = sys.argv[3:]
del sys.argv[1:]
LIMIT = 60
JOB = ("RINGBELL_", "PMI", "OMPI_", "SLURM_", "MV2_", "JSM_")
ENV = {k: v for k, v in os.environ.items() if not k.startswith(JOB)}
ENV["SHMEM_SYMMETRIC_SIZE"] = "16M"


def run(*command, **env):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=LIMIT, text=True, check=False,
                          env=dict(ENV, **env))


class OtherLibrary(unittest.TestCase):
    """A library with the name of another one: oshrun knows it by its name only."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = cls.folder.name
        for name, text in (("lib.c", "int other_pe(void) { return 0; }\n"),
                           ("main.c", "#include <stdlib.h>\n#include <unistd.h>\n"
                                      "int other_pe(void);\n"
                                      "int main(int n, char **v)\n"
                                      "{ if (n > 1) sleep(atoi(v[1])); return other_pe(); }\n")):
            with open(f"{path}/{name}", "w", encoding="ascii") as f:
                f.write(text)
        for lib in ("libsma.so.3", "liboshmem.so.40"):
            prog = f"{path}/with-{lib.partition('.')[0]}"
            subprocess.run([*CC, "-shared", "-fPIC", f"{path}/lib.c", f"-Wl,-soname,{lib}", "-o",
                            f"{path}/{lib}"], check=True)
            subprocess.run([*CC, f"{path}/main.c", f"{path}/{lib}", f"-Wl,-rpath,{path}", "-o",
                            prog], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def told(self, r, program, library):
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertEqual(r.stderr, f"oshrun: none of the 2 PEs joined the job: {program} is "
                         f"linked with {library}, another OpenSHMEM library, so each was a job "
                         "of one PE; compile it with oshcc, or use that library's launcher\n")

    def test_program(self):
        for library in "libsma.so.3", "liboshmem.so.40":
            program = f"{self.folder.name}/with-{library.partition('.')[0]}"
            self.told(run(OSHRUN, "-n", "2", program), program, library)
            self.told(run(OSHRUN, "--hosts", "2", program), program, library)

    def test_script(self):
        program = f"{self.folder.name}/with-libsma"
        self.told(run(OSHRUN, "-n", "2", "sh", "-c", f"{program} 5; true"), "sh", "libsma.so.3")

    def test_one_pe_is_no_mistake(self):
        r = run(OSHRUN, "-n", "1", f"{self.folder.name}/with-libsma")
        self.assertEqual((r.returncode, r.stderr), (0, ""))

    def test_other_programs(self):
        for command in (["true"], ["sh", "-c", "sleep 1.5"]):
            r = run(OSHRUN, "-n", "2", *command)
            self.assertEqual((r.returncode, r.stderr), (0, ""))


class OtherLauncher(unittest.TestCase):
    """N times "PE 0 of 1" never comes without a message."""

    def test_several_processes(self):
        for name in ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS",
                     "MV2_COMM_WORLD_SIZE", "JSM_NAMESPACE_SIZE"):
            r = run(PROGRAM, **{name: "4"})
            self.assertEqual(r.returncode, 1, name)
            self.assertIn(f"with 4 processes ({name}), but no PMIx reaches this one", r.stderr)
            self.assertIn("RINGBELL_PES=1", r.stderr)
            self.assertEqual(r.stderr.count("\n"), 1, r.stderr)

    def test_what_is_no_mistake(self):
        for env in ({"PMI_SIZE": "1"}, {"SLURM_STEP_NUM_TASKS": "1"}, {"SLURM_NTASKS": "4"},
                    {"PMI_SIZE": "4", "RINGBELL_PES": "1"}, {}):
            r = run(PROGRAM, **env)
            self.assertEqual((r.returncode, r.stderr), (0, ""), env)

    def test_oshrun_inside_of_it(self):
        r = run(OSHRUN, "-n", "2", PROGRAM, PMI_SIZE="4", OMPI_COMM_WORLD_SIZE="4")
        self.assertEqual((r.returncode, r.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
