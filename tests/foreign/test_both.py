#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""MPI and OpenSHMEM in one program, under Open MPI's mpirun: either starts first, or MPI brings the id, either ends
first, on one host and on two emulated ones. Usage: test_both.py OSHCC SOURCE"""
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../launch"))
import jobs  # noqa: E402

OSHCC, SOURCE = (os.path.abspath(path) for path in sys.argv[1:])
PES = 3


def said_by(*command, **env):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=jobs.LIMIT, env=jobs.environment(**env)).stdout


def lacks():
    if shutil.which("mpicc") is None or "Open MPI" not in said_by("mpicc", "--showme:version"):
        return "no mpicc of Open MPI (Debian package libopenmpi-dev)"
    return "no sanitizer knows MPI" if "-fsanitize" in said_by(OSHCC, "-show", "x.c") else None


class Both(jobs.Case):
    def test_both(self):
        # Open MPI counts slots, refuses root without an option, and binds all threads of a process to one core
        root = ["--allow-run-as-root"] if os.getuid() == 0 else []
        mpirun = ["mpirun", *root, "--oversubscribe", "--bind-to", "none", "-np", str(PES)]
        with tempfile.TemporaryDirectory(prefix="ringbell-both-") as folder:
            self.assertEqual("", said_by(OSHCC, *"-std=c11 -O1 -Wall -Wextra -Werror -fopenmp -o".split(),
                                         folder + "/both", SOURCE, OSHCC_CC="mpicc"))
            # MPI_Init of Open MPI 5 fails after shmem_init
            first = ("mpi", "id", "shmem") if "Open MPI 4" in said_by("mpicc", "--showme:version") else ("mpi", "id")
            for case in itertools.product(("1", "2"), first, ("mpi", "shmem")):
                status, out, err = self.job(*mpirun, folder + "/both", *case[1:], RINGBELL_HOSTS=case[0])
                self.assertEqual((status, sorted(out.splitlines())),
                                 (0, [f"PE {pe} of {PES}: right" for pe in range(PES)]), (case, err))


if __name__ == "__main__":
    why = lacks()
    if why:
        print("skipped:", why)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
