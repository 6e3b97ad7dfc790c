# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Faults of the campaign: what each does to a job, and how a job may end that had it.

A kind is made with a random generator and the ring: its hosts, PEs, and the seconds that a program
lasts. All that it draws follows from these. Every job may end with the right result; "allowed" is
how else it may end: exit statuses, and words of the output, which must be there.
"""
import os
import re
import signal
import socket
import subprocess
import threading
import time

import flaps

ANY_LINE = r"oshrun: |cannot open shared object|Cannot allocate memory"
FAILED = range(1, 128)
STEP = 0.002 # seconds


def pes_of(job):
    """PE: process, of those that are running."""
    found = {}
    for pid in flaps.children(job.process.pid):
        pe = flaps.environment(pid).get("RINGBELL_PE", "")
        if pe.isdigit():
            found[int(pe)] = pid
    return found


class Kind:
    """A fault that oshrun or the shell of the job makes; act() does what else is to be done."""
    allowed = ((), r"$^")
    pe = None # that the fault hits, where it hits one
    without = False # is a program right that says that it has got no memory?
    forges = False # may the program find wrong data, or wait without end?
    hang = None # seconds after which an epoch hangs, if not those of the campaign
    bound = 5 # seconds from the fault to the end, where it ends the job

    def __init__(self, draw, ring):
        self.early = draw.random() < 0.2
        self.at = draw.random() * (0.8 if self.early else ring.lasts)
        self.options, self.before, self.env = [], [], {}
        self.text = ""

    @staticmethod
    def cannot():
        """Why this machine or user cannot make the fault; empty: it can."""
        return ""

    def when(self):
        return f"{'start+' if self.early else ''}{self.at:.3f}s"

    def wait(self, job):
        """Until it is time. @return whether the job still runs"""
        if not self.early:
            job.wait_ready()
        end = time.monotonic() + self.at
        while job.process.poll() is None and time.monotonic() < end:
            job.is_ready()
            time.sleep(STEP)
        return job.process.poll() is None

    def wait_for_pe(self, job):
        """The same for a fault of one PE. @return its process, None where it or the job is gone"""
        return pes_of(job).get(self.pe) if self.wait(job) else None

    def act(self, job):
        """@return when it was done, if not by oshrun"""


class ByOshrun(Kind):
    """What oshrun --fault does."""
    def faults(self, *words):
        self.text = "; ".join(words)
        self.options = ["--fault", self.text]


class KillPe(ByOshrun):
    allowed = ((137,), r"was killed by signal 9|exited with status")

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        self.faults(f"kill pe {draw.randrange(ring.pes)} at {self.when()}")


class KillHost(ByOshrun):
    allowed = KillPe.allowed

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        self.faults(f"kill host {draw.randrange(ring.hosts)} at {self.when()}")


class Stop(ByOshrun):
    """For up to three seconds; the job goes on."""
    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        whom = draw.choice([f"pe {draw.randrange(ring.pes)}", f"host {draw.randrange(ring.hosts)}"])
        self.faults(f"stop {whom} at {self.when()} for {10 ** draw.uniform(-3, 0.48):.3f}s")


class Cable(ByOshrun):
    allowed = ((1,), flaps.REASON.pattern)
    bound = 5 + flaps.HELLO_LIMIT

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        a = draw.randrange(ring.hosts)
        self.cable = f"{a}-{(a + 1) % ring.hosts}"
        self.change(draw)

    def change(self, draw):
        raise NotImplementedError


class Cut(Cable):
    def change(self, draw):
        self.faults(f"cut {self.cable} at {self.when()}")


class Plug(Cable):
    def change(self, draw):
        self.faults(f"cut {self.cable} at {self.when()} for {10 ** draw.uniform(-3, 0):.3f}s")


class Flap(Cable):
    def change(self, draw):
        gaps = [10 ** draw.uniform(-3, -0.5) for _ in range(draw.randrange(4))]
        words, at = [], self.at
        for gap in [0, *gaps]:
            at += gap
            words.append(f"flap {self.cable} at {'start+' if self.early else ''}{at:.3f}s")
        self.faults(*words)


class Both(ByOshrun):
    """A host stands still while a cable of the ring is lost."""
    allowed, bound = Cable.allowed, Cable.bound + 2

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        a = draw.randrange(ring.hosts)
        self.faults(f"stop host {draw.randrange(ring.hosts)} at {self.when()} for 2s",
                    f"cut {a}-{(a + 1) % ring.hosts} at {self.when()}")


class TermPe(Kind):
    """One PE gets SIGTERM."""
    allowed = ((143,), r"was killed by signal 15|exited with status")

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        self.pe = draw.randrange(ring.pes)
        self.text = f"SIGTERM to PE {self.pe} at {self.when()}"

    def act(self, job):
        pid = self.wait_for_pe(job)
        if pid is None:
            return None
        os.kill(pid, signal.SIGTERM)
        return time.monotonic()


class Launcher(Kind):
    """oshrun gets a signal that ends the job."""
    signals = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        self.signal = draw.choice(self.signals)
        self.allowed = ((128 + self.signal, -self.signal), r"")
        self.text = f"{self.signal.name} to oshrun at {self.when()}"

    def act(self, job):
        if not self.wait(job):
            return None
        job.process.send_signal(self.signal)
        return time.monotonic()


class KillLauncher(Launcher):
    signals = (signal.SIGKILL,)


class FullFolder(Kind):
    """A file system without room, in a mount namespace of the job."""
    allowed = (FAILED, ANY_LINE)

    @staticmethod
    def cannot():
        done = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/tmp"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        return done.stderr.strip() if done.returncode != 0 else ""

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        folder = draw.choice(["/dev/shm", "/tmp", "$RUNTIME_DIRECTORY"])
        size = draw.choice(["4k", "64k", "1m"])
        self.text = f"{size} in {folder}"
        self.before = ["unshare", "--mount", "sh", "-c", f"mount -t tmpfs -o size={size},mode=700 "
                       f'none "{folder}" && exec "$@"', "sh"]


class FewDescriptors(Kind):
    allowed = (FAILED, ANY_LINE)

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        limit = draw.randrange(6, 60 + 6 * ring.pes)
        self.text = f"at most {limit} descriptors"
        self.before = ["prlimit", f"--nofile={limit}:{limit}"]


class LittleMemory(Kind):
    """A limit of the address space, of every process."""
    allowed = (FAILED, ANY_LINE)

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        mib = int(10 ** draw.uniform(2.3, 4))
        self.text = f"at most {mib} MiB of addresses"
        self.before = ["prlimit", f"--as={mib << 20}"]


class RefusedCall(Kind):
    """One call of the library, in one PE, gets no memory."""
    allowed = (FAILED, r"oshrun: (?!fault: )")
    without = True # the program may get no memory from shmem_malloc
    calls = {"malloc": 60, "calloc": 60, "realloc": 4, "mmap": 60, "ftruncate": 6, "pthread_create": 8}

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        call = draw.choice(sorted(self.calls))
        self.text = f"{draw.randrange(ring.pes)}:{call}:{draw.randint(1, self.calls[call])}"
        self.env = {"LD_PRELOAD": ring.refuse, "REFUSE": self.text}


class NoCpu(Kind):
    """All PEs on one CPU, and the threads of one of them run when nobody else wants to."""
    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        self.pe = draw.randrange(ring.pes)
        self.seconds = draw.uniform(0.1, 3)
        cpu = draw.choice(sorted(os.sched_getaffinity(0)))
        self.before = ["taskset", "-c", str(cpu)]
        self.text = f"CPU {cpu} alone, without PE {self.pe} at {self.when()} for {self.seconds:.3f}s"

    @staticmethod
    def schedule(pid, policy):
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):
                os.sched_setscheduler(int(thread), policy, os.sched_param(0))
        except OSError:
            pass # it ends, or threads of it do

    def act(self, job):
        pid = self.wait_for_pe(job)
        if pid is None:
            return None
        self.schedule(pid, os.SCHED_IDLE)
        end = time.monotonic() + self.seconds
        while job.process.poll() is None and time.monotonic() < end:
            time.sleep(STEP)
        self.schedule(pid, os.SCHED_OTHER)
        return time.monotonic()


class Scratchpads(Kind):
    """Random values in all scratchpads of both ports of a cable."""
    allowed = ((1,), r"oshrun: PE \d+: ")
    bound = 5 + flaps.HELLO_LIMIT

    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        self.draw = draw
        self.word = f"garbage={draw.randrange(1, 1 << 30)}"
        self.text = f"{self.word} at {self.when()}"
        self.helper = ring.helper
        self.applies = ring.setting not in ("chips", "scratchpad")

    def act(self, job):
        return job.tell_cable(job.cable(self.draw), self.helper, [self.word],
                              lambda: self.wait(job))


class Telemetry(Kind):
    """Clients that send nonsense, do not read, or stay."""
    def __init__(self, draw, ring):
        super().__init__(draw, ring)
        self.options = ["--telemetry"]
        self.draw = draw
        self.clients = draw.randrange(1, 5)
        self.text = f"{self.clients} telemetry clients at {self.when()}"

    def talk(self, job, path, draw):
        words = [draw.randbytes(draw.choice([0, 1, 100, 4096])), b"/", b"/ringbell/stats," * 60,
                 b"/ringbell/stats,999999999999", b"/help," + b"x" * 200]
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as s:
            try:
                s.settimeout(0.2)
                s.connect(path)
                for _ in range(draw.choice([1, 50, 2000])):
                    s.send(draw.choice(words))
                    if draw.random() < 0.2:
                        s.recv(1 << 16)
            except OSError:
                pass # what it does about such a client is its own affair
            while draw.random() < 0.9 and job.process.poll() is None:
                time.sleep(0.05)

    def act(self, job):
        if not self.wait(job):
            return None
        paths = [os.path.join(folder, name) for folder, _, names in os.walk(job.folder)
                 for name in names if name.startswith("dpdk_telemetry")]
        if not paths:
            return None
        seeds = [self.draw.randrange(1 << 30) for _ in range(self.clients)]
        for seed in seeds:
            draw = type(self.draw)(seed)
            threading.Thread(target=self.talk, args=(job, draw.choice(sorted(paths)), draw),
                             daemon=True).start()
        return time.monotonic()


KINDS = {
    "kill-pe": KillPe, "kill-host": KillHost, "term-pe": TermPe, "stop": Stop, "cut": Cut,
    "plug": Plug, "flap": Flap, "stop-and-cut": Both, "launcher": Launcher,
    "kill-launcher": KillLauncher, "full": FullFolder, "descriptors": FewDescriptors,
    "memory": LittleMemory, "refused": RefusedCall, "no-cpu": NoCpu, "scratchpads": Scratchpads,
    "telemetry": Telemetry,
}
MADE = re.compile(r"oshrun: fault: (?!the job was over before)")
