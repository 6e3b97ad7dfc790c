#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The same seed gives the same run, whatever the machine does, another one another; faults that some schedules
meet are met, and met again. With "seeds": those that ever failed, and a minute of new ones. With "guest": the same
runs in a guest of three CPUs.
Usage: test_dst.py SOURCE BUILD DRIVER_HEADERS [seeds | guest KERNEL-FOLDER TSC]"""
import concurrent.futures
import glob
import os
import platform
import re
import signal
import subprocess
import sys

import seeds

SOURCE, BUILD, HEADERS = sys.argv[1:4]
DST = os.path.join(BUILD, "dst")
TARGETS = ["lab/ringbell-dst", "apps/oshrun", "examples/rotput", "tests/calls/calls", "tests/dst/racy", "tests/dst/brief",
           seeds.MACHINES, *seeds.PROGRAMS, seeds.HISTORY, seeds.RECORDER]
LINE = re.compile(r"^seed (\d+): (.*), (\S+ steps, .* of job time) in .*, hash ([0-9a-f]{16})$", re.M)
LIMIT = 300
JOB = {"SHMEM_SYMMETRIC_SIZE": "48M", "RINGBELL_HELLO_TIMEOUT": "5"}
DRIVERS = "mempool_ring", "dma_skeleton", "bus_pci", "bus_vdev"  # that lab/dst leaves to the EAL
ELSEWHERE = "prlimit", "--stack=300000000", "setarch", "-R", "taskset", "-c", "0"  # one CPU, and other addresses
problems = []


def build():
    if not os.path.exists(f"{DST}/build.ninja"):
        # the same code with debug information takes a fifth longer to compile
        subprocess.run(["meson", "setup", DST, SOURCE, "-Ddst=true", "-Dweak_window=true", "-Ddebug=false",
                        f"-Ddriver_headers={HEADERS}"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", DST, *TARGETS], check=True, stdout=subprocess.DEVNULL)


def found_in(output):
    """{seed: (verdict, steps and time, hash)}"""
    return {int(n): rest for n, *rest in LINE.findall(output)}


def run(*args, before=()):
    p = subprocess.run([*before, f"{DST}/lab/ringbell-dst", *args], stdout=subprocess.PIPE, text=True, timeout=LIMIT,
                       env={**os.environ, **JOB})
    return found_in(p.stdout)


def expect(what, good, found):
    print("ok" if good else "WRONG", what, "" if good else found)
    if not good:
        problems.append(what)


def racy(name, verdict, number=100):
    """Some schedules meet the fault and some do not, and those that do meet it again. How many?"""
    args = ["--hosts", "0", "--steps", "200000"]
    program = [f"{DST}/tests/dst/racy", name]
    all_seeds = run(*args, "--seeds", str(number), *program)
    bad = {n: r for n, r in all_seeds.items() if r[0] != "right"}
    expect(f"racy {name}: {len(bad)} of {number} seeds", 0 < len(bad) < number and all(verdict in r[0] for r in bad.values()), bad)
    again = run(*args, "--seeds", str(number), *program, before=ELSEWHERE)
    expect(f"racy {name} again", again == all_seeds, (all_seeds, again))
    return len(bad)


def same(what, *args):
    """Equal beside another run, at another address layout and on one CPU; no two seeds alike."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        beside = pool.submit(run, *args)
        other = run(*args, before=ELSEWHERE)
        one = beside.result()
    expect(f"{what}: right", one and all(r[0] == "right" for r in one.values()), one)
    expect(f"{what}: equal", one == other, (one, other))
    expect(f"{what}: each seed its own", len({r[2] for r in one.values()}) == len(one), one)


def guest(kernel, tsc):
    """Equal on another machine: its kernel, the number and the kind of its CPUs differ."""
    sys.path.insert(0, f"{SOURCE}/tests/vm")
    import rig  # pylint: disable=import-outside-toplevel
    try:
        kit = rig.Kit(kernel, tsc)
    except SystemExit:  # it has said what is not there
        return 77
    files = [f"{DST}/{name}" for name in (*TARGETS[:5], "lab/dst/libringbell-dst.so")]
    drivers = [p for name in DRIVERS for p in glob.glob(f"/usr/lib/*/dpdk/pmds-*/librte_{name}.so.*")]
    racy_job = "--hosts 0 --steps 200000 --seeds {} " + f"{DST}/tests/dst/racy "
    calls = f"{DST}/tests/calls/calls -s 5 -e 2 -a 100"
    failing = 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # by way of what must be taken away
    with rig.Rig(kit) as r:
        r.pack({f"{i}": f for i, f in enumerate(files + drivers)}, modules=(), files={f: f for f in files + drivers})
        there = r.boot(0, [], cpus=3, memory="1G")
        there.wait_boot()
        for words in (racy_job.format(60) + "update", racy_job.format(60) + "order", racy_job.format(100) + "wake",
                      f"--hosts 2 --seeds 2 {DST}/examples/rotput", f"--hosts 2 --steps 300000 --seeds 2 {calls}",
                      f"--hosts 3 -n 4 --policy pct:3 --faults cut,kill --limit 250 {calls}"):
            here = run(*words.split())
            failing += sum(r[0] != "right" for r in here.values())
            _, out = there.run(" ".join(f"{k}={v}" for k, v in JOB.items()) + f" {DST}/lab/ringbell-dst {words} 2>&1", LIMIT)
            expect(f"in a guest: {words}", here and here == found_in(out), (here, out))
    expect(f"{failing} seeds that fail among them", failing >= 10, failing)
    return 1 if problems else 0


def same_words():
    """The judge of words of the dead hears of a lost cable in the runtime's words."""
    text = {name: open(os.path.join(SOURCE, name), encoding="utf-8").read()
            for name in ("lab/dst/dead.c", "runtime/link/cable.c", "runtime/survive/cut.c")}
    heard = re.findall(r'sscanf\(at, "([^"]+)"', text.pop("lab/dst/dead.c"))
    said = "".join(text.values()).replace("%u", "%d")
    expect(f"words of {len(heard)} messages", heard and all(words in said for words in heard), heard)


def main():
    spaces = ["unshare", "-pmn"] if os.geteuid() == 0 else ["unshare", "-rpmn"]
    if platform.machine() != "x86_64" or subprocess.run([*spaces, "true"], stderr=subprocess.DEVNULL).returncode:
        print("needs x86-64 and namespaces for PIDs, mounts and sockets")
        return 77
    build()
    if sys.argv[4:] == ["seeds"]:
        return subprocess.call([sys.executable, f"{SOURCE}/tests/dst/seeds.py", DST])
    if sys.argv[4:5] == ["guest"]:
        return guest(*sys.argv[5:])
    same_words()
    failing = racy("update", "status 1") + racy("order", "deadlock") + racy("wake", "deadlock")
    expect(f"{failing} seeds that fail are equal", failing >= 20, failing)
    spin = run("--hosts", "0", "--steps", "200000", f"{DST}/tests/dst/racy", "spin")
    expect("who spins for ever is told", "livelock" in spin[1][0], spin)
    nap = run("--hosts", "0", "--job-limit", "4000", f"{DST}/tests/dst/racy", "sleep")
    expect("an hour passes", nap[1][0] == "right" and "3600." in nap[1][1], nap)
    trace = f"{DST}/racy.trace"
    why = subprocess.run([f"{SOURCE}/tests/dst/explain.py", "--trace", trace, f"{DST}/lab/ringbell-dst", "--hosts", "0", "--seeds", "100",
                          f"{DST}/tests/dst/racy", "update"], stdout=subprocess.PIPE, text=True, timeout=LIMIT).stdout
    expect("what mattered is named", re.search(r"no switch matters from step \d+ on: .*\n.*what mattered: thread \d", why), why)
    same("one host", "--seeds", "3", f"{DST}/examples/rotput")
    same("two hosts", "--hosts", "2", "--policy", "stalls", "--seeds", "3", f"{DST}/examples/rotput")
    same("calls", "--hosts", "3", "-n", "4", "--policy", "pct:3", "--seeds", "2", f"{DST}/tests/calls/calls", "-s", "5", "-e", "2",
         "-a", "100")
    same("faults", "--hosts", "3", "-n", "4", "--faults", "cut,plug,flap,deaf,mute,kill,stop,slow,refuse,clock", "--seeds", "8",
         f"{DST}/tests/calls/calls", "-s", "5", "-e", "2", "-a", "100")
    for name, cables in (("shared memory", seeds.SHARED), ("Ethernet", seeds.ETHER + "7000")):
        same(name, "--oshrun", f"{DST}/{seeds.MACHINES}", "--odd", "5", "--hosts", "3", "-n", "4", "--policy", "stalls", "--faults",
             "cut,kill", "--seeds", "3", "--", cables, f"{DST}/tests/calls/calls", "-s", "5", "-e", "1", "-a", "100")
    return 1 if problems else 0


sys.exit(main())
