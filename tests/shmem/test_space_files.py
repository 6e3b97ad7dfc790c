#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Files that are the memory of a space outlive the job, also one that is killed, on layouts of all
kinds; what cannot be is refused in words.

Usage: test_space_files.py OSHRUN PROGRAM CPU
"""
import os
import subprocess
import sys
import tempfile

OSHRUN, PROGRAM = map(os.path.abspath, sys.argv[1:3])
CPU = sys.argv[3]
TIMEOUT = 60
problems = []

# jobs of six PEs: the files of one layout are found by the next
LAYOUTS = [
    (["-n", "6"], {}),
    (["--hosts", "6"], {}),
    (["--hosts", "2", "-n", "6"], {}),
    (["--hosts", "3", "-n", "6", "--map-by", "host"], {}),
    (["--hosts", "3", "-n", "6"], {"RINGBELL_EMU": "bar2=1M"}),
]
REFUSED = [
    # arguments, environment, mode, file, the output must hold
    (["--hosts", "2"], {"RINGBELL_EMU": "bridge"}, "fill", "f", ["adapter's"]),
    (["--hosts", "2"], {"RINGBELL_DMA": "dma_plx_emu0"}, "fill", "f", ["RINGBELL_DMA"]),
    (["--hosts", "3"], {}, "team", "f", ["a team of all PEs"]),
    (["-n", "2"], {}, "fill", "/dev/zero",
     ["the device is too small" if CPU == "x86_64" else "devices are written by cache lines"]),
    (["-n", "2"], {}, "fill", "none/f", ["none/f, part 1", "No such file"]),
    (["-n", "2"], {}, "chdir", "f", ["cannot map it"]),
    (["--hosts", "2"], {}, "chdir", "f", ["cannot map it"]),
    (["-n", "2"], {}, "huge", "f", ["pages of 4096 bytes"]),
]


def start(folder, args, env, mode, name):
    return subprocess.Popen(
        [OSHRUN, *args, "--timeout", str(TIMEOUT), PROGRAM, mode, name], cwd=folder,
        env={**os.environ, "SHMEM_SYMMETRIC_SIZE": "8M", **env}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def run(folder, args, env, mode, name, status, words=()):
    job = start(folder, args, env, mode, name)
    out = job.communicate()[0]
    what = f"{' '.join(args)} {env} {mode} {name}"
    if (job.returncode == 0) != (status == 0):
        problems.append(f"{what}: status {job.returncode}\n{out}")
    problems.extend(f"{what}: no '{w}' in\n{out}" for w in words if w not in out)


def outlives(folder):
    for i, (args, env) in enumerate(LAYOUTS):
        after = LAYOUTS[(i + 1) % len(LAYOUTS)]
        for mode in ("fill", "killed"):
            run(folder, args, env, mode, f"{mode}{i}", mode == "killed")
            run(folder, *after, "check", f"{mode}{i}", 0)
    # members' parts differ, and the mapped file is one that a copied space reads
    run(folder, *LAYOUTS[0], "check", "fill0", 0)
    with open(os.path.join(folder, "fill0.1"), "rb") as f:
        if int.from_bytes(f.read(16)[8:], "little") != 100:
            problems.append("fill0.1 does not have PE 1's words")


def refused(folder):
    os.mkdir(os.path.join(folder, "elsewhere"))
    for args, env, mode, name, words in REFUSED:
        run(folder, args, env, mode, name, 1, words)
        for part in range(3):
            for where in ("", "elsewhere"):
                path = os.path.join(folder, where, f"{name}.{part}")
                if not name.startswith("/") and os.path.exists(path):
                    os.unlink(path)


def one_job_at_a_time(folder):
    job = start(folder, ["-n", "2"], {}, "hold", "held")
    while (line := job.stdout.readline()) and "held" not in line:
        pass
    run(folder, ["-n", "2"], {}, "fill", "held", 1, ["another job has it mapped"])
    with open(os.path.join(folder, "held.done"), "w", encoding="utf-8"):
        pass
    out = job.communicate()[0]
    if job.returncode != 0:
        problems.append(f"hold: status {job.returncode}\n{out}")
    run(folder, ["-n", "2"], {}, "check", "held", 0)


def of_this_user(folder):
    """Nobody else reads a file, no link leads to one of this user's, and none is cut."""
    for name, mode in (("copied", "plain"), ("mapped", "fill"), ("forked", "fork")):
        run(folder, ["-n", "2"], {}, mode, name, 0)
        if (got := os.stat(os.path.join(folder, f"{name}.1")).st_mode & 0o777) != 0o600:
            problems.append(f"{name}.1 has mode {got:o}")
    with open(os.path.join(folder, "copied.1"), "ab") as f:
        f.write(b"more")
    run(folder, ["-n", "2"], {}, "plain", "copied", 1, ["copied.1: the file is longer than the space"])
    if not open(os.path.join(folder, "copied.1"), "rb").read().endswith(b"more"):
        problems.append("copied.1 has lost its end")
    os.symlink("elsewhere-too", os.path.join(folder, "linked.1"))
    run(folder, ["-n", "2"], {}, "fill", "linked", 1, ["linked, part 1: File exists"])
    if left := [name for name in os.listdir(folder) if "part" in name]:
        problems.append(f"left: {left}")


def free_huge_pages():
    def count(name):
        with open(f"/sys/kernel/mm/hugepages/hugepages-2048kB/{name}", encoding="utf-8") as f:
            return int(f.read())
    try:
        return (count("free_hugepages") + count("nr_overcommit_hugepages")
                - count("surplus_hugepages"))
    except OSError:
        return 0


def huge_pages(_):
    """With a hugetlbfs that has free pages of 2 MiB."""
    with open("/proc/mounts", encoding="utf-8") as f:
        mounts = [line.split()[1] for line in f if line.split()[2] == "hugetlbfs"]
    free = free_huge_pages()
    where = next((m for m in mounts if os.access(m, os.W_OK)), None)
    if where is None or free < 6:
        print(f"hugetlbfs: skipped: {free} free pages, folders {mounts}")
        return
    with tempfile.TemporaryDirectory(dir=where) as folder:
        for args, env in LAYOUTS:
            run(folder, args, env, "huge", "h", 0)
            run(folder, args, env, "check", "h", 0)
            for part in range(6):
                os.unlink(os.path.join(folder, f"h.{part}"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        run(folder, ["-n", "2"], {}, "team", "t", 0)
        run(folder, ["--hosts", "3"], {}, "plain", "p", 0)
        for part in (outlives, refused, one_job_at_a_time, of_this_user, huge_pages):
            part(folder)
    print("\n".join(problems) or "files of spaces: all as expected")
    return 1 if problems else 0


sys.exit(main())
