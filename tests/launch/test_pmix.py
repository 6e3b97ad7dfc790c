#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Programs under a PMIx launcher do what they do under oshrun. Under a Slurm without PMIx they say so.

Usage: test_pmix.py mpirun|srun OSHRUN PROGRAM BLOCKED
"""
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import slurm
from processes import running

LAUNCHER = sys.argv.pop(1)
OSHRUN = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
BLOCKED = os.path.abspath(sys.argv.pop(1))
SKIP = 77
LIMIT = 60    # seconds for a run, on a busy machine
END_LIMIT = 5  # seconds until a job is gone whose PE died

server = None
tmp = tempfile.mkdtemp(prefix="ringbell-launch-")


def command(npes, nodes=1):
    if LAUNCHER == "srun":
        return ["srun", "--mpi=pmix", *(["-N", str(nodes)] if nodes else []), "-n", str(npes)]
    # Open MPI counts slots, and refuses root without an option
    root = ["--allow-run-as-root"] if os.getuid() == 0 else []
    return ["mpirun", *root, "--oversubscribe", "--bind-to", "none", "-np", str(npes)]


def environment(**more):
    env = dict(server.env if server else os.environ, SHMEM_SYMMETRIC_SIZE="16M", TMPDIR=tmp)
    # what libpmix leaves is not ours, and would change the status of a sanitized program
    env["ASAN_OPTIONS"] = ":".join(filter(None, [env.get("ASAN_OPTIONS"), "detect_leaks=0"]))
    env.update(more)
    return env


def run(args, **env):
    return subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=LIMIT, check=False,
                          env=environment(**env))


def pes():
    return running(PROGRAM, BLOCKED)


def leavings():
    """Files of jobs like these; telemetry, which they do not use, is of others on this machine."""
    return {os.path.join(folder, name) for place in ("/dev/shm", "/run/dpdk", "/tmp/dpdk")
            for folder, _, names in os.walk(place) for name in names
            if "ringbell" in folder + name and "telemetry" not in name}


class Launched(unittest.TestCase):
    def setUp(self):
        self.before = leavings()

    def tearDown(self):
        self.assertEqual(leavings() - self.before, set())

    def gone(self):
        end = time.monotonic() + END_LIMIT
        while pes():
            self.assertLess(time.monotonic(), end, f"still there: {pes()}")
            time.sleep(0.02)


class WithoutPmix(Launched):
    """srun where no PMIx reaches the processes, as with Slurms that are built without it."""

    def setUp(self):
        super().setUp()
        if LAUNCHER != "srun":
            self.skipTest("mpirun has PMIx always")

    def test_each_is_told(self):
        for nodes in (1, 2):
            r = run(["srun", "--mpi=none", "-N", str(nodes), "-n", "4", PROGRAM])
            self.assertNotEqual(r.returncode, 0)
            self.assertEqual(r.stdout, "")
            # the others may have been ended before they came so far
            self.assertRegex(r.stderr, "started by srun with 4 processes .*, but no PMIx reaches")
            self.gone()

    def test_oshrun_inside(self):
        for hosts in ("1", "2"):
            r = run(["srun", "--mpi=none", "-n", "1", OSHRUN, "-n", "4", "--hosts", hosts, PROGRAM])
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertIn("PE 3 of 4 ", r.stdout)
        self.gone()


class Pmix(Launched):
    def setUp(self):
        super().setUp()
        if server and not server.pmix:
            self.skipTest("this Slurm has no plugin for PMIx (srun --mpi=list)")

    def test_same_output(self):
        for npes in (1, 2, 4, 6):
            for hosts in (None, 1, 2, 4):
                if hosts is not None and hosts > npes:
                    continue
                ours = run([OSHRUN, "-n", str(npes), "--hosts", str(hosts or 1), PROGRAM])
                env = {} if hosts is None else {"RINGBELL_HOSTS": str(hosts)}
                theirs = run([*command(npes), PROGRAM], **env)
                with self.subTest(npes=npes, hosts=hosts):
                    self.assertEqual(theirs.returncode, 0, theirs.stderr)
                    self.assertEqual(theirs.stdout, ours.stdout)
                    self.assertIn(f"PE {npes - 1} of {npes}", ours.stdout)
        self.gone()

    @unittest.skipUnless(LAUNCHER == "srun", "mpirun here has one node")
    def test_a_host_a_node(self):
        r = run([*command(6, nodes=2), "--ntasks-per-node", "3", PROGRAM])
        self.assertEqual(r.returncode, 0, r.stderr)
        ours = run([OSHRUN, "-n", "6", "--hosts", "2", PROGRAM])
        self.assertEqual(r.stdout, ours.stdout)

    def test_uneven_nodes(self):
        if LAUNCHER != "srun":
            self.skipTest("mpirun here has one node")
        r = run([*command(4, nodes=None), "-m", "arbitrary",
                 "-w", self.hostfile("n0", "n1", "n1", "n1"), PROGRAM])
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual([line.split()[-1] for line in r.stdout.splitlines()], ["1", "3", "3", "3"])

    def hostfile(self, *nodes):
        path = os.path.join(tmp, "nodes")
        with open(path, "w", encoding="ascii") as f:
            f.write("\n".join(nodes) + "\n")
        return path

    def test_round_the_hosts(self):
        r = run([*command(4), PROGRAM], RINGBELL_HOSTS="2", RINGBELL_MAP="host")
        self.assertEqual(r.returncode, 0, r.stderr)

    def test_counts(self):
        r = run([*command(4), PROGRAM], RINGBELL_HOSTS="2", RINGBELL_MAP="1,3")
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual([line.split()[-1] for line in r.stdout.splitlines()], ["1", "3", "3", "3"])

    def refused(self, words, npes, **env):
        r = run([*command(npes), PROGRAM], **env)
        self.assertNotEqual(r.returncode, 0)
        for word in words:
            self.assertIn(word, r.stderr)
        self.gone()

    def test_bad_environment(self):
        self.refused(["RINGBELL_HOSTS=4", "only 2 PEs"], 2, RINGBELL_HOSTS="4")
        self.refused(["RINGBELL_HOSTS=many"], 2, RINGBELL_HOSTS="many")
        self.refused(["RINGBELL_MAP=core"], 2, RINGBELL_MAP="core")
        self.refused(["RINGBELL_MAP=1,2: 3 PEs on 2 hosts", "4 on 2"], 4, RINGBELL_HOSTS="2",
                     RINGBELL_MAP="1,2")

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
        for hosts in ("1", "2"):
            r = run(args, RINGBELL_HOSTS=hosts)
            self.assertNotEqual(r.returncode, 0)
            self.assertIn("another program or build", r.stderr)
            self.assertIn("RINGBELL_STATIC=none for all", r.stderr)
            self.gone()

    def test_status(self):
        for end, status in (("exit", "3"), ("global", "5"), ("global", "0")):
            for npes, hosts in ((3, "1"), (3, "3"), (6, "3")):
                with self.subTest(end=end, status=status, npes=npes, hosts=hosts):
                    r = run([*command(npes), PROGRAM, end, status], RINGBELL_HOSTS=hosts)
                    self.assertEqual(r.returncode, int(status), r.stderr)
                    self.gone()

    def test_words_and_handlers(self):
        """shmem_global_exit() lets all PEs flush and run their handlers, as under oshrun."""
        for status in ("6", "0"):
            for npes, hosts in ((2, "1"), (4, "1"), (3, "3"), (6, "3")):
                with self.subTest(status=status, npes=npes, hosts=hosts):
                    r = run([*command(npes), PROGRAM, "speak", status], RINGBELL_HOSTS=hosts)
                    self.assertEqual(r.returncode, int(status), r.stderr)
                    for pe in range(npes):
                        self.assertIn(f"words of PE {pe}\n", r.stdout)
                        self.assertIn(f"handler of PE {pe}\n", r.stdout)
                    self.gone()

    def test_several_end_the_job(self):
        for hosts in ("1", "3"):
            r = run([*command(3), PROGRAM, "end-all"], RINGBELL_HOSTS=hosts)
            self.assertIn(r.returncode, (10, 11, 12), r.stderr)
            for pe in range(3):
                self.assertIn(f"words of PE {pe}\n", r.stdout)
                self.assertIn(f"handler of PE {pe}\n", r.stdout)
            self.gone()

    def test_locked_stream(self):
        """A PE whose handlers hang does not keep the job."""
        for hosts in ("1", "3"):
            r = run([*command(3), PROGRAM, "hold", "6"], RINGBELL_HOSTS=hosts)
            self.assertEqual(r.returncode, 6, r.stderr)
            self.gone()

    def test_left_without_finalize(self):
        r = run([*command(2), PROGRAM, "leave"])
        self.assertNotEqual(r.returncode, 0)
        self.gone()

    def start(self, npes, **env):
        job = subprocess.Popen([*command(npes), PROGRAM, "wait"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment(**env))
        for cleanup in (job.stdout.close, job.stderr.close, job.kill):
            self.addCleanup(cleanup)
        ready, _, _ = select.select([job.stdout], [], [], LIMIT)
        self.assertTrue(ready, f"PE 0 said nothing in {LIMIT} s")
        self.assertEqual(len(pes()), npes)
        return job

    def test_killed_pe(self):
        for env in ({}, {"RINGBELL_HOSTS": "3"}):
            job = self.start(6, **env)
            os.kill(sorted(pes())[3], signal.SIGKILL)
            job.communicate(timeout=END_LIMIT)
            self.assertNotEqual(job.returncode, 0)
            self.gone()

    def test_killed_launcher(self):
        job = self.start(4, RINGBELL_HOSTS="2")
        job.kill()
        job.wait(END_LIMIT)
        self.gone()

    def test_program_of_a_pe(self):
        """A program that a PE starts is not a PE of this job, but a job of its own."""
        for env in ({}, {"RINGBELL_HOSTS": "2"}):
            r = run([*command(2), PROGRAM, "run", PROGRAM], **env)
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertIn("PE 0 of 1 ", r.stdout)
            r = run([*command(2), PROGRAM, "run", f"{OSHRUN} -n 3 {PROGRAM}"], **env)
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertIn("PE 2 of 3 ", r.stdout)
        r = run([*command(1), OSHRUN, "-n", "2", PROGRAM, "run", PROGRAM])
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn("PE 0 of 1 ", r.stdout)

    def test_programs_at_once(self):
        """Of two processes with one rank the second gets an error, and the first goes on."""
        for env in ({}, {"RINGBELL_HOSTS": "2"}):
            r = run([*command(2), "sh", "-c", f"{PROGRAM} & {PROGRAM}; wait"], **env)
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertEqual(r.stdout.count("PE 1 of 2 says"), 1, r.stdout)
            for pe in range(2):
                self.assertRegex(r.stderr, f"rank {pe} of this job is process [0-9]+ already")
            self.assertEqual(r.stderr.count("shmem_init"), 2, r.stderr)
            self.gone()

    def test_program_after_program(self):
        r = run([*command(2), "sh", "-c", f"{PROGRAM} && {PROGRAM}"])
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual(r.stdout.count("PE 1 of 2 says"), 2, r.stdout)

    def hang(self, npes, how, **env):
        # tests may be started with SIGQUIT ignored, which the programs would inherit
        job = subprocess.Popen([*command(npes), BLOCKED, how], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env=environment(**env),
                               preexec_fn=lambda: signal.signal(signal.SIGQUIT, signal.SIG_DFL))
        for cleanup in (job.stderr.close, job.kill):
            self.addCleanup(cleanup)
        return job

    def test_hang_is_told(self):
        """Unasked, one PE reports on each host that has a waiting PE."""
        for how, npes, hosts, call in (("shmem_barrier_all", 4, "2", "shmem_barrier_all"),
                                       ("late", 3, "1", "shmem_init")):
            job = self.hang(npes, how, RINGBELL_HOSTS=hosts)
            ready, _, _ = select.select([job.stderr], [], [], LIMIT)
            self.assertTrue(ready, f"nothing was said in {LIMIT} s")
            self.assertRegex(job.stderr.readline(),
                             rf"^ringbell: PE \d has been in {call} for 1\d s, and waits for (.*PE|host)")
            job.terminate()
            job.communicate(timeout=LIMIT)
            self.gone()

    def test_hang_on_quit(self):
        """The first PE of a host, when asked, reports where all PEs of the host are."""
        for npes, hosts in ((3, "1"), (4, "2")):
            for pause in (1.5, 6, 30):  # a busy machine needs longer to come so far
                job = self.hang(npes, "shmem_barrier_all", RINGBELL_HOSTS=hosts)
                end = time.monotonic() + LIMIT
                while len(pes()) < npes:
                    self.assertLess(time.monotonic(), end, f"only {len(pes())} PEs")
                    time.sleep(0.02)
                time.sleep(pause)
                os.kill(min(pes()), signal.SIGQUIT)
                _, err = job.communicate(timeout=LIMIT)
                self.assertNotEqual(job.returncode, 0, err)
                self.gone()
                told = set(re.findall(r"ringbell: PE (\d): in shmem_barrier_all for [0-9.]+ s, "
                                      r"waits for (?:PE|host) \d", err))
                idle = set(re.findall(r"ringbell: PE (\d): in no call that waits", err))
                if told in ({"0", "2"}, {"0"}, {"2", "3"}):
                    break
            if hosts == "1":
                self.assertEqual((told, idle), ({"0", "2"}, {"1"}), err)
            else:
                self.assertIn((told, idle), (({"0"}, {"1"}), ({"2", "3"}, set())), err)

    def test_oshrun_inside(self):
        """oshrun within such a job starts a job of its own."""
        r = run([*command(1), OSHRUN, "-n", "2", PROGRAM])
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn("PE 1 of 2", r.stdout)


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
