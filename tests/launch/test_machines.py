#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""srun on two nodes that are machines of their own, as far as network and processes go, on one switch. A variable, the
same on both, says by which interface they are hosts of a job. Needs the rights to make namespaces.

Usage: test_machines.py PROGRAM
"""
import os
import sys
import unittest

import jobs
import slurm

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import namespaces  # noqa: E402

PROGRAM = os.path.abspath(sys.argv.pop(1))
SKIP = 77
ADDRESSES = ("10.99.0.1", "10.99.0.2", "10.99.0.3")
CABLES = {"RINGBELL_CABLES": "net_af_packet,iface=eth1"}
MACHINE = ("unshare", "-p", "-f", "--mount-proc", "--kill-child")


class Machines(namespaces.Namespaces, jobs.Case):
    def setUp(self):
        places = ("ctl", 0, 1)
        self.add("box", *places)
        for k, address in zip(places, ADDRESSES):
            self.join(("eth1", k), (f"port{k}", "box"))
            self.set(k, "lo", "up")
            namespaces.ip("-n", self.name(k), "addr", "add", f"{address}/24", "dev", "eth1")
        self.bridge("box", *(f"port{k}" for k in places))
        inside = [self.inside(k) for k in places]
        self.slurm = slurm.Slurm(ADDRESSES, (inside[0], (*inside[1], *MACHINE), (*inside[2], *MACHINE)))
        self.addCleanup(self.slurm.stop)
        self.assertIsNone(self.slurm.start())
        if not self.slurm.pmix:
            self.skipTest("this Slurm has no plugin for PMIx (srun --mpi=list)")

    def test_ether(self):
        command = self.inside("ctl", "srun", "--mpi=pmix", "-N", "2", "-n", "4", PROGRAM)
        (status, said, err), = self.run_all([(command, {**self.slurm.env, **jobs.environment(**CABLES)})])
        self.assertEqual(status, 0, err)
        self.assertIn("PE 3 of 4 says 300 and shares memory with 1\n", said)


why = slurm.missing() or (None if namespaces.are_allowed() else namespaces.REFUSED)
if why:
    print("skipped:", why)
    sys.exit(SKIP)
unittest.main(verbosity=2)
