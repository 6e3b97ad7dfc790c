# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Kinds of faults: what each does to a job, and how a job may end that had it.

A kind is a function of a random generator and the round: its hosts, PEs, and the moment of the fault.
All that it draws follows from these. Every job may end with the right result; "allowed" is how else.
"""
import dataclasses
import os
import re
import signal
import subprocess
import time
import typing

HELLO_LIMIT = 15 # seconds that PEs wait for a neighbour whose cable is out
# what ends a job by a cable, once it runs and while it starts
LOST_CABLE = (r"PE \d+: the (left|right|port \d) cable of host \d+, to host \d+: [^;]+; what was under way is lost, "
              r"so the job ends|waited \d+ s \(RINGBELL_HELLO_TIMEOUT\): |the lead PE of host \d+ did not come up in \d+ s |"
              r"the cable between host \d+ and host \d+ was lost before all hosts were there")
ANY_LINE = r"oshrun: |cannot open shared object|Cannot allocate memory"
FAILED = range(1, 128)
NEVER = ((), r"$^")


@dataclasses.dataclass
class Fault:
    """What is done, how else than right the job may end, and in how many seconds."""
    text: str
    allowed: tuple = NEVER # exit statuses, and words of the output that must be there
    bound: float = 5
    options: tuple = () # of oshrun
    before: tuple = () # words before the command
    env: dict = dataclasses.field(default_factory=dict)
    act: typing.Callable = None # with the job; when it was done, None: never
    cuts: bool = False # of a cable, which a job that survives goes on without
    without: bool = False # is a program right that says that it has got no memory?


def by_oshrun(words, allowed=NEVER, **more):
    return Fault("; ".join(words), allowed, options=("--fault", "; ".join(words)), **more)


def of_cable(words, **more):
    return by_oshrun(words, ((1,), LOST_CABLE), bound=5 + HELLO_LIMIT, **more)


def killed(number, whom):
    return by_oshrun([f"kill {whom}"], ((128 + number,), rf"was killed by signal {number}|exited with status"))


def stop_words(draw, r, seconds):
    whom = draw.choice([f"pe {draw.randrange(r.pes)}", f"host {draw.randrange(r.hosts)}"])
    return f"stop {whom} at {r.when()}; continue {whom} at {r.when(seconds)}"


def stop(draw, r):
    """The job goes on."""
    return by_oshrun([stop_words(draw, r, 10 ** draw.uniform(-3, 0.48))])


def one_cpu(draw, r):
    """All PEs on one CPU, and one or a host of them stands still."""
    made = stop(draw, r)
    made.before = ("taskset", "-c", str(draw.choice(sorted(os.sched_getaffinity(0)))))
    return made


def cut(draw, r):
    """Half of them are plugged in again, which changes nothing: what is stored late must not land."""
    cable = r.cable(draw)
    words = [f"cut {cable} at {r.when()}"]
    if draw.random() < 0.5:
        words.append(f"plug {cable} at {r.when(draw.choice([0.002, 0.05, 0.2]) * draw.random())}")
    return of_cable(words, cuts=True)


def graph(draw):
    """A wiring with ways round each of its cables: its words, hosts, and cables."""
    shape = draw.choice(["torus", "mesh", "double", "any", "any"])
    if shape == "torus":
        x, y = draw.choice([(3, 3), (3, 3), (4, 3)])
        cables = [(h, h // x * x + (h + 1) % x) for h in range(x * y)] + [(h, (h + x) % (x * y)) for h in range(x * y)]
        return f"torus={x}x{y}", x * y, cables
    hosts = draw.randint(3, 5 if shape == "mesh" else 8)
    around = [(h, (h + 1) % hosts) for h in range(hosts)]
    pairs = [(a, b) for a in range(hosts) for b in range(a + 1, hosts)]
    if shape != "any":
        return shape, hosts, pairs if shape == "mesh" else 2 * around
    draw.shuffle(pairs)
    cables = [(h, draw.randrange(h)) for h in range(1, hosts)]
    for a, b in pairs: # some of them parallel, and no host has more than six
        if all(sum(h in c for c in cables) < 6 for h in (a, b)) and len(cables) < 2 * hosts:
            cables.append((a, b))
    return " ".join(f"{a}-{b}" for a, b in cables), hosts, cables


def holds_together(hosts, cables):
    seen = {0}
    for _ in range(hosts):
        seen |= {h for c in cables if seen & set(c) for h in c}
    return len(seen) == hosts


def cuts(draw, r):
    """Cables of any graph are lost, as long as it holds together; some are plugged in again, which
    changes nothing."""
    wiring, hosts, cables = graph(draw)
    r.stand(hosts, ["--wiring", wiring])
    later, words, cut_pairs = 0, [], set()
    for cable in draw.sample(cables, draw.randint(1, len(cables))):
        left = list(cables)
        left.remove(cable)
        if frozenset(cable) in cut_pairs or not holds_together(hosts, left):
            continue
        cables = left
        cut_pairs.add(frozenset(cable)) # of parallel ones the first
        name = f"{cable[0]}-{cable[1]}"
        words.append(f"cut {name} at {r.when(later)}")
        if draw.random() < 0.3:
            words.append(f"plug {name} at {r.when(later + 0.1 * draw.random())}")
        later += draw.choice([0, 0.001, 0.01, 0.05]) * draw.random()
    return of_cable(words, cuts=True) if words else None


def flap(draw, r):
    later, words, cable = 0, [], r.cable(draw)
    for _ in range(draw.randint(1, 4)):
        words.append(f"flap {cable} at {r.when(later)}")
        later += 10 ** draw.uniform(-3, -0.5)
    return of_cable(words)


def stop_and_cut(draw, r):
    """A PE or host stands still while a cable of the ring is lost."""
    made = of_cable([stop_words(draw, r, 2), f"cut {r.cable(draw)} at {r.when()}"])
    made.bound += 2
    return made


def by_signal(text, number, find, allowed):
    """@p find gives the process, None: it is gone."""
    def act(job):
        pid = find(job)
        if pid is None:
            return None
        os.kill(pid, number)
        return time.monotonic()
    return Fault(text, allowed, act=act)


def term_pe(draw, r):
    pe = draw.randrange(r.pes)
    return by_signal(f"SIGTERM to PE {pe} at {r.when()}", signal.SIGTERM,
                     lambda job: job.pes().get(pe) if r.wait(job) else None,
                     ((143,), r"was killed by signal 15|exited with status"))


def to_launcher(*signals):
    def kind(draw, r):
        number = draw.choice(signals)
        return by_signal(f"{number.name} to oshrun at {r.when()}", number,
                         lambda job: job.process.pid if r.wait(job) else None,
                         ((128 + number, -number), ""))
    return kind


def full_folder(draw, _):
    """A file system without room, in a mount namespace of the job."""
    folder = draw.choice(["/dev/shm", "/tmp", "$RUNTIME_DIRECTORY"])
    size = draw.choice(["4k", "64k", "1m"])
    return Fault(f"{size} in {folder}", (FAILED, ANY_LINE), before=(
        "unshare", "--mount", "sh", "-c",
        f'mount -t tmpfs -o size={size},mode=700 none "{folder}" && exec "$@"', "sh"))


def limited(option, amount):
    return Fault(f"at most {amount} of {option}", (FAILED, ANY_LINE),
                 before=("prlimit", f"--{option}={amount}:{amount}"))


def refused_call(draw, r):
    """One call of the library, in one PE, gets no memory: rounds go through all such calls."""
    calls = {"malloc": 30, "calloc": 40, "realloc": 6, "mmap": 70, "ftruncate": 6, "pthread_create": 8}
    every = [f"{call}:{n + 1}" for call, most in calls.items() for n in range(most)]
    text = f"{draw.randrange(r.pes)}:{every[r.number // 2 % len(every)]}"
    return Fault(text, (FAILED, r"oshrun: (?!fault: )"), without=True,
                 env={"LD_PRELOAD": r.helper("librefuse.so"), "REFUSE": text})


KINDS = {
    "cut": cut, "cuts": cuts, "flap": flap, "stop-and-cut": stop_and_cut,
    "kill-pe": lambda draw, r: killed(9, f"pe {draw.randrange(r.pes)} at {r.when()}"),
    "kill-host": lambda draw, r: killed(9, f"host {draw.randrange(r.hosts)} at {r.when()}"),
    "term-pe": term_pe, "stop": stop, "one-cpu": one_cpu,
    "launcher": to_launcher(signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT),
    "kill-launcher": to_launcher(signal.SIGKILL), "full": full_folder,
    "descriptors": lambda draw, r: limited("nofile", draw.randrange(6, 60 + 6 * r.pes)),
    "memory": lambda draw, r: limited("as", int(10 ** draw.uniform(2.3, 4)) << 20),
    "refused": refused_call,
}
MADE = re.compile(r"oshrun: fault: (?!the job was over before)")


def cannot(kind):
    """Why this machine or user cannot make the fault; empty: it can."""
    if kind != "full":
        return ""
    done = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/tmp"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    return done.stderr.strip() if done.returncode != 0 else ""
