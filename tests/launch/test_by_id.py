#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Jobs by an id, without a launcher: who starts them, who does not come, who leaves without a word.

Usage: test_by_id.py OSHRUN BY_ID POOL LIBSHMEM"""
import ctypes
import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

import jobs

OSHRUN, BY_ID, POOL, LIBSHMEM = (os.path.abspath(sys.argv.pop(1)) for _ in range(4))


# under ThreadSanitizer
late = unittest.skipIf("TSAN_OPTIONS" in os.environ, "no program can load the tool's library late")


def right(pes):
    return sorted(f"PE {pe} of {pes}: right" for pe in range(pes))


def pe_that(deed, job, pe, pes, ready):
    """A PE that joins, does the deed, and then waits for a barrier that never comes."""
    shmem = ctypes.CDLL(LIBSHMEM)
    if shmem.shmemx_init_by_id(job, pe, pes, 0, None) != 0:
        sys.exit(3)
    shmem.shmem_barrier_all()
    ready.wait(jobs.LIMIT)
    if deed is not None:
        deed(shmem)
    shmem.shmem_barrier_all()
    sys.exit(4)


class ById(jobs.Case):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ringbell-by-id-")
        self.file = os.path.join(self.folder, "id")
        self.addCleanup(shutil.rmtree, self.folder)

    def pe(self, pe, pes, **env):
        return subprocess.Popen([BY_ID, self.file, str(pe), str(pes)], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, env=jobs.environment(**env))

    def outcomes(self, started):
        """What each says, and its status."""
        return [(p.communicate(timeout=jobs.LIMIT)[0].rstrip("\n"), p.returncode) for p in started]

    def test_a_file(self):
        for pes, hosts in ((1, "1"), (2, "1"), (5, "3"), (16, "1")):
            said = self.outcomes([self.pe(pe, pes, RINGBELL_HOSTS=hosts) for pe in reversed(range(pes))])
            self.assertEqual(sorted(said), [(line, 0) for line in right(pes)])
            os.remove(self.file)

    @late
    def test_a_pool_of_python(self):
        done = subprocess.run([sys.executable, POOL, LIBSHMEM, "4"], stdout=subprocess.PIPE, text=True,
                              timeout=jobs.LIMIT, env=jobs.environment(), check=True)
        self.assertEqual(sorted(done.stdout.split("\n"))[1:], right(4))

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
    def test_the_environment_of_mpirun(self):
        root = ["--allow-run-as-root"] if os.getuid() == 0 else []
        line = f"exec {BY_ID} {self.file} $OMPI_COMM_WORLD_RANK $OMPI_COMM_WORLD_SIZE"
        done = subprocess.run(["mpirun", *root, "--oversubscribe", "-np", "3", "sh", "-c", line],
                              stdout=subprocess.PIPE, text=True, timeout=jobs.LIMIT, env=jobs.environment(),
                              check=True)
        self.assertEqual(sorted(done.stdout.split("\n"))[1:], right(3))

    def test_one_never_comes(self):
        said = self.outcomes([self.pe(pe, 4, RINGBELL_HELLO_TIMEOUT="5") for pe in (3, 1, 0)])  # 0 makes the id
        for (text, status), pe in zip(said, (3, 1, 0)):
            self.assertIn(f"PE {pe}: shmemx_init_by_id: of 4 PEs these did not come to the start: 2 "
                          "(waited 5 s, RINGBELL_HELLO_TIMEOUT)", text)
            self.assertEqual(status, 1)

    def test_one_too_many(self):
        started = [self.pe(pe, 3) for pe in (0, 1, 1)]
        self.wait_until("one of two PEs 1 is refused", lambda: any(p.poll() is not None for p in started), jobs.LIMIT)
        started.sort(key=lambda p: p.poll() is None)
        [(text, status)] = self.outcomes(started[:1])
        self.assertIn("PE 1 is another process already", text)
        self.assertEqual(status, 1)
        said = self.outcomes([*started[1:], self.pe(2, 3)])
        self.assertEqual(sorted(said), [(line, 0) for line in right(3)])

    @late
    def test_what_is_not_an_id(self):
        shmem = ctypes.CDLL(LIBSHMEM)
        for job, pe, pes in ((b"", 0, 1), (b"ringbell1:1.2.3.4:5:6", 0, 1), (None, 0, 1), (self.new_id(shmem), 2, 2),
                             (self.new_id(shmem), 0, 1 << 20), (self.new_id(shmem) + b"0", 0, 1)):
            self.assertNotEqual(shmem.shmemx_init_by_id(job, pe, pes, 0, None), 0, (job, pe, pes))

    def test_under_oshrun(self):
        self.file = "/dev/null"
        done = subprocess.run([OSHRUN, "-n", "1", BY_ID, self.folder + "/id", "0", "1"], stderr=subprocess.PIPE,
                              text=True, timeout=jobs.LIMIT, env=jobs.environment(), check=False)
        self.assertIn("of its own job: call shmem_init", done.stderr)

    def new_id(self, shmem):
        job = ctypes.create_string_buffer(128)
        self.assertEqual(shmem.shmemx_make_id(job), 0)
        return job.value

    def job_with(self, deed, strangers=0):
        """PE 1 of three does the deed, amid the job. @return (statuses, what all said, and this process)"""
        keep = os.dup(2)
        with open(self.file, "wb") as out:
            os.dup2(out.fileno(), 2)
        try:
            statuses = self.statuses_with(deed, strangers)
        finally:
            os.dup2(keep, 2)
            os.close(keep)
        with open(self.file, encoding="utf-8") as f:
            return statuses, f.read()

    def statuses_with(self, deed, strangers):
        # newer Pythons say so at each fork beside threads, which the library has; what is said is compared
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        job = self.new_id(ctypes.CDLL(LIBSHMEM))
        address, port = job.decode().split(":")[1:3]
        callers = [socket.create_connection((address, int(port))) for _ in range(strangers)]
        for i, caller in enumerate(callers):
            caller.sendall(bytes([i] * (7 + 100 * i)))
        ready = multiprocessing.Event()
        pes = [multiprocessing.Process(target=pe_that, args=(deed if pe == 1 else None, job, pe, 3, ready))
               for pe in range(3)]
        for process in pes:
            process.start()
        ready.set()
        self.wait_until("all PEs have ended", lambda: None not in [process.exitcode for process in pes], jobs.LIMIT)
        for caller in callers:
            caller.close()
        return [process.exitcode for process in pes]

    @late
    def test_one_is_killed(self):
        def deed(_shmem):
            if os.fork() == 0:  # a child of the PE hides nothing
                while os.path.exists(self.folder):
                    time.sleep(0.05)
                os._exit(0)
            os.kill(os.getpid(), signal.SIGKILL)

        statuses, said = self.job_with(deed)
        self.assertEqual(statuses, [1, -signal.SIGKILL, 1], said)
        self.assertEqual(said, "ringbell: PE 1 has ended without leaving the job\n")

    @late
    def test_one_ends_the_job(self):
        for status in (0, 7):
            statuses, said = self.job_with(lambda shmem, status=status: shmem.shmem_global_exit(status))
            self.assertEqual((statuses, said), ([status] * 3, ""))

    @late
    def test_strangers(self):
        statuses, said = self.job_with(lambda shmem: shmem.shmem_global_exit(5), strangers=8)
        self.assertEqual((statuses, said), ([5] * 3, ""))


if __name__ == "__main__":
    for name in [name for name in os.environ if name.startswith(jobs.OTHERS)]:
        del os.environ[name]
    os.environ["SHMEM_SYMMETRIC_SIZE"] = "16M"
    unittest.main(verbosity=2)
