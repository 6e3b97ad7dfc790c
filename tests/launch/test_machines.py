#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Launchers with two nodes that are machines of their own, as far as network and processes go, on one switch. A
variable, the same on both, says by which interface they are hosts of a job. Needs the rights to make namespaces.

Usage: test_machines.py PROGRAM
"""
import os
import shutil
import sys
import tempfile
import unittest

import jobs
import slurm

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import namespaces  # noqa: E402

PROGRAM = os.path.abspath(sys.argv.pop(1))
SKIP = 77
ADDRESSES = ("10.99.0.1", "10.99.0.2", "10.99.0.3")
# what mpirun calls in place of ssh: host, command
AGENT = """#!/bin/sh
k=$((${{1##*.}} - 2))
shift
exec ip netns exec {name}$k {machine} -u sh -c "hostname n$k; $*"
"""


class Machines(namespaces.Namespaces, jobs.Case):
    def setUp(self):
        places = ("ctl", 0, 1)
        self.add("box", *places)
        for k, address in zip(places, ADDRESSES):
            self.join(("eth1", k), (f"port{k}", "box"))
            self.set(k, "lo", "up")
            namespaces.ip("-n", self.name(k), "addr", "add", f"{address}/24", "dev", "eth1")
        self.bridge("box", *(f"port{k}" for k in places))

    def right(self, *launcher, **env):
        (status, said, err), = self.run_all([(self.inside("ctl", *launcher, PROGRAM),
                                              {**env, **jobs.environment(RINGBELL_CABLES="net_af_packet,iface=eth1")})])
        self.assertEqual(status, 0, err)
        self.assertIn("PE 3 of 4 says 300 and shares memory with 2\n", said)

    @unittest.skipIf(slurm.missing(), slurm.missing())
    def test_srun(self):
        ctl, *nodes = (self.inside(k) for k in ("ctl", 0, 1))
        server = slurm.Slurm(ADDRESSES, (ctl, *((*node, *jobs.MACHINE) for node in nodes)))
        self.addCleanup(server.stop)
        why = server.start() or (None if server.pmix else "this Slurm has no plugin for PMIx (srun --mpi=list)")
        if why:
            self.skipTest(why)
        self.right("srun", "--mpi=pmix", "-N", "2", "--ntasks-per-node", "2", "-n", "4", **server.env)

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun (Debian package openmpi-bin)")
    def test_mpirun(self):
        with tempfile.TemporaryDirectory() as folder:
            agent = os.path.join(folder, "agent")
            with open(agent, "w", encoding="ascii") as f:
                f.write(AGENT.format(name=self.name(""), machine=" ".join(jobs.MACHINE)))
            os.chmod(agent, 0o755)
            root = ["--allow-run-as-root"] if os.getuid() == 0 else []
            self.right("mpirun", *root, "--oversubscribe", "--bind-to", "none",
                       "-H", ",".join(f"{address}:2" for address in ADDRESSES[1:]), "-np", "4",
                       OMPI_MCA_plm_rsh_agent=agent, PRTE_MCA_plm_ssh_agent=agent)


if not namespaces.are_allowed():
    print("skipped:", namespaces.REFUSED)
    sys.exit(SKIP)
unittest.main(verbosity=2)
