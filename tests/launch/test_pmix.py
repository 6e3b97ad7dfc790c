#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Programs under a PMIx launcher do what they do under oshrun. Under a Slurm without PMIx they say so.

Usage: test_pmix.py mpirun|srun OSHRUN PROGRAM BLOCKED TOP
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import jobs
import slurm

LAUNCHER = sys.argv.pop(1)
OSHRUN, PROGRAM, BLOCKED, TOP = (os.path.abspath(sys.argv.pop(1)) for _ in range(4))
SKIP = 77

server = None
tmp = tempfile.mkdtemp(prefix="ringbell-launch-")


def command(npes, nodes=1):
    if LAUNCHER == "srun":
        return ["srun", "--mpi=pmix", *(["-N", str(nodes)] if nodes else []), "-n", str(npes)]
    # Open MPI counts slots, and refuses root without an option
    root = ["--allow-run-as-root"] if os.getuid() == 0 else []
    return ["mpirun", *root, "--oversubscribe", "--bind-to", "none", "-np", str(npes)]


def environment(hosts=None, **more):
    env = jobs.environment(TMPDIR=tmp, **(server.env if server else {}), **more)
    # what libpmix leaves is not ours, and would change the status of a sanitized program
    env["ASAN_OPTIONS"] = ":".join(filter(None, [env.get("ASAN_OPTIONS"), "detect_leaks=0"]))
    return env if hosts is None else {**env, "RINGBELL_HOSTS": str(hosts)}


def pes():
    return jobs.running(PROGRAM, BLOCKED)


def leavings():
    """Files of jobs like these; telemetry, which they do not use, is of others on this machine."""
    return {os.path.join(folder, name) for place in ("/dev/shm", "/run/dpdk", "/tmp/dpdk")
            for folder, _, names in os.walk(place) for name in names
            if "ringbell" in folder + name and "telemetry" not in name}


class Launched(jobs.Case):
    def setUp(self):
        self.before = leavings()

    def tearDown(self):
        self.assertEqual(leavings() - self.before, set())

    def gone(self):
        self.wait_until("all processes are gone", lambda: not pes())

    def run_one(self, *args, hosts=None, **env):
        said, = self.run_all([(args, environment(hosts, **env))])
        self.gone()
        return said

    def right(self, out, *args, hosts=None, **env):
        """The job ends well and says this."""
        status, said, err = self.run_one(*args, hosts=hosts, **env)
        self.assertEqual(status, 0, err)
        self.assertRegex(said, out)
        return err

    def wrong(self, *rows):
        """Jobs fail and say this: words, arguments, hosts, variables. At once, since a launcher waits for seconds where a
        process has failed."""
        said = self.run_all([(args, environment(hosts, **env)) for _, args, hosts, env in rows])
        self.gone()
        for (words, *_), (status, out, err) in zip(rows, said):
            self.assertNotEqual(status, 0, out)
            self.assertRegex(err, words)


class WithoutPmix(Launched):
    """srun where no PMIx reaches the processes, as with Slurms that are built without it."""

    def setUp(self):
        super().setUp()
        if LAUNCHER != "srun":
            self.skipTest("mpirun has PMIx always")

    def test_each_is_told(self):
        # the others may have been ended before they came so far
        self.wrong(*(("started by srun with 4 processes .*, but no PMIx reaches",
                      ("srun", "--mpi=none", "-N", nodes, "-n", "4", PROGRAM), None, {}) for nodes in ("1", "2")))

    def test_oshrun_inside(self):
        self.right("PE 3 of 4 ", "srun", "--mpi=none", "-n", "1", OSHRUN, "-n", "4", "--hosts", "2", PROGRAM)


class Pmix(Launched):
    def setUp(self):
        super().setUp()
        if server and not server.pmix:
            self.skipTest("this Slurm has no plugin for PMIx (srun --mpi=list)")

    def placed(self, shares, *args, hosts=None, **env):
        """What PE 0 says of all: PEs on the host of each."""
        n = len(shares)
        self.right("".join(rf"PE {k} of {n} says {100 * k} and shares memory with {s}\n"
                           for k, s in enumerate(shares)), *args, PROGRAM, hosts=hosts, **env)

    def test_places(self):
        for n, hosts, shares, env in ((1, None, [1], {}), (4, None, [4] * 4, {}),
                                      (6, 4, [2, 2, 2, 2, 1, 1], {}),
                                      (5, 2, [3, 2, 3, 2, 3], {"RINGBELL_MAP": "host"}),
                                      (4, 2, [1, 3, 3, 3], {"RINGBELL_MAP": "1,3"})):
            with self.subTest(n=n, hosts=hosts):
                self.placed(shares, *command(n), hosts=hosts, **env)

    @unittest.skipUnless(LAUNCHER == "srun", "mpirun here has one node")
    def test_nodes(self):
        self.placed([3] * 6, *command(6, nodes=2), "--ntasks-per-node", "3")
        path = os.path.join(tmp, "nodes")
        with open(path, "w", encoding="ascii") as f:
            f.write("n0\nn1\nn1\nn1\n")
        self.placed([1, 3, 3, 3], *command(4, nodes=None), "-m", "arbitrary", "-w", path)

    def test_machines(self):
        """Processes of other PID namespaces are on other machines: hosts that share memory need one variable."""
        if subprocess.run([*jobs.MACHINE, "true"], check=False, capture_output=True).returncode != 0:
            self.skipTest("this user may make no PID namespaces")
        memory = os.path.join(tmp, "memory")
        with open(memory, "wb") as f:
            f.truncate(512 << 20)
        for n in (2, 3):
            self.placed([1] * n, *command(n), *jobs.MACHINE, SHMEM_SYMMETRIC_SIZE="16M",
                        RINGBELL_CABLES=f"raw_ntb_shared,path={memory}")
            self.gone()

    def test_bad_environment(self):
        self.wrong(("RINGBELL_HOSTS=4.*only 2 PEs", (*command(2), PROGRAM), 4, {}),
                   ("RINGBELL_MAP=1,2: 3 PEs on 2 hosts.*4 on 2", (*command(4), PROGRAM), 2, {"RINGBELL_MAP": "1,2"}))

    def test_two_programs(self):
        """They are told apart before the job starts, on a host and over a cable."""
        # mpirun of Open MPI 5.0.7 dies of SIGSEGV where two programs are given by a colon
        choose = f"[ $PMIX_RANK -eq 0 ] && exec {PROGRAM}; exec {BLOCKED}"
        args = [*command(2), "sh", "-c", choose]
        if LAUNCHER == "srun":
            path = os.path.join(tmp, "programs")
            with open(path, "w", encoding="ascii") as f:
                f.write(f"0 {PROGRAM}\n1 {BLOCKED}\n")
            args = [*command(2), "--multi-prog", path]
        self.wrong(*(("(?s)another program or build.*RINGBELL_STATIC=none for all", args, hosts, {}) for hosts in (1, 2)))

    def test_ends(self):
        """Statuses; shmem_global_exit() lets all PEs flush and run their handlers, as under oshrun; one
        whose handlers hang does not keep the job."""
        # at once, since a launcher waits for seconds where a process has failed
        rows = (({3}, 3, 3, "exit", "3"), ({5}, 6, 3, "global", "5"), ({6}, 6, 3, "speak", "6"), ({0}, 4, 1, "speak", "0"),
                ({10, 11, 12}, 3, 3, "end-all"), ({6}, 3, 1, "hold", "6"))
        said = self.run_all([((*command(n), PROGRAM, *end), environment(hosts)) for _, n, hosts, *end in rows])
        self.gone()
        for (status, n, hosts, *end), (code, out, err) in zip(rows, said):
            with self.subTest(end=end, npes=n, hosts=hosts):
                self.assertIn(code, status, err)
                for pe in range(n if end[0] in ("speak", "end-all") else 0):
                    self.assertIn(f"words of PE {pe}\n", out)
                    self.assertIn(f"handler of PE {pe}\n", out)
        self.wrong(("^", (*command(2), PROGRAM, "leave"), None, {}))

    def begin(self, npes, hosts=None):
        job = self.start(*command(npes), PROGRAM, "wait", env=environment(hosts))
        self.reads(job.stdout, "PE 0 of")
        self.wait_until(f"{npes} PEs run", lambda: len(pes()) == npes, jobs.LIMIT)
        return job

    def test_killed(self):
        job = self.begin(6, 3)
        os.kill(sorted(pes())[3], signal.SIGKILL)
        job.communicate(timeout=jobs.END_LIMIT)
        self.assertNotEqual(job.returncode, 0)
        self.gone()
        job = self.begin(4, 2)
        job.kill()
        job.wait(jobs.END_LIMIT)
        self.gone()

    def test_programs_of_pes(self):
        """A program that a PE starts is not a PE of this job, but a job of its own; so is one of an oshrun
        that this launcher started."""
        self.right("PE 0 of 1 ", *command(2), PROGRAM, "run", PROGRAM, hosts=2)
        self.right("PE 2 of 3 ", *command(2), PROGRAM, "run", f"{OSHRUN} -n 3 {PROGRAM}")
        self.right("(?s)PE 1 of 2 .*PE 0 of 1 ", *command(1), OSHRUN, "-n", "2", PROGRAM, "run", PROGRAM)

    def test_programs_of_a_rank(self):
        """Of two processes at once the second gets an error, and the first goes on."""
        # one that began only when the first of its rank has ended would be no second one
        script = f"{PROGRAM} wait & {PROGRAM} wait; wait"
        started = [self.start(*command(2), "sh", "-c", script, env=environment(hosts)) for hosts in (1, 2)]
        said = [self.reads(job.stderr, *(["rank [01] of this job is process [0-9]+ already"] * 2)) for job in started]
        for err in said:
            self.assertEqual({f"rank {pe} " in err for pe in range(2)}, {True}, err)
        self.wait_until("the two others of each are left", lambda: len(pes()) == 4, jobs.LIMIT)
        for job in started:
            self.reads(job.stdout, "PE 1 of 2 says")
            job.terminate()
        for job, err in zip(started, said):
            _, more = job.communicate(timeout=jobs.LIMIT)
            self.assertEqual((err + more).count("shmem_init"), 2, err + more)
        self.gone()
        self.right("(?s)PE 1 of 2 says.*PE 1 of 2 says", *command(2), "sh", "-c", f"{PROGRAM} && {PROGRAM}")

    def test_hang_is_shown(self):
        """By ringbell-top, as oshrun would print it."""
        with tempfile.TemporaryDirectory(dir=tmp) as folder:
            env = environment(2, RINGBELL_TELEMETRY="1", RUNTIME_DIRECTORY=folder)
            job = self.start(*command(4), BLOCKED, "shmem_barrier_all", env=env)

            def shown():
                top = subprocess.run([TOP, "--json", "-i", "0.1"], env=env, text=True, check=False,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                found = json.loads(top.stdout)["pes"] if top.returncode == 0 else []
                return {p["pe"]: (p["blocked_in"], p["blocked_for"]) for p in found}
            waits = {pe: "shmem_barrier_all" if pe != 1 else "" for pe in range(4)}
            self.wait_until("all waits are shown", lambda: {
                pe: call for pe, (call, _) in shown().items()} == waits, jobs.LIMIT)
            self.assertIn(shown()[0][1], ("PE 1", "host 1"))
            job.terminate()
            job.communicate(timeout=jobs.LIMIT)
            self.gone()

    def test_one_never_comes(self):
        said = self.run_all([((*command(3), BLOCKED, "late"), environment(hosts, RINGBELL_HELLO_TIMEOUT="1")) for hosts in (1, 2)])
        self.gone()
        for status, _, err in said:
            self.assertNotEqual(status, 0)
            self.assertIn("not all PEs of the job came to its start (waited 1 s, RINGBELL_HELLO_TIMEOUT)", err)


def main():
    global server
    if LAUNCHER == "mpirun" and shutil.which("mpirun") is None:
        print("skipped: no mpirun (Debian package openmpi-bin)")
        return SKIP
    if LAUNCHER == "srun":
        why = slurm.missing()
        if why:
            print("skipped:", why)
            return SKIP
        server = slurm.Slurm()
        why = server.start()
        if why:
            print("skipped:", why)
            server.stop()
            return SKIP
    try:
        return 0 if unittest.main(argv=sys.argv, exit=False).result.wasSuccessful() else 1
    finally:
        if server:
            server.stop()
        shutil.rmtree(tmp, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
