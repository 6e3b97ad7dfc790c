# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Jobs of the program here: on three layouts, some at once, bounded, and looked for after."""
import concurrent.futures
import os
import re
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "faults"))

# pylint: disable=wrong-import-position
from running import Job

LAYOUTS = {"one host": (2, ["-n", "2"], ""), "ring of 2": (2, ["--hosts", "2"], ""),
           "ring of 3": (4, ["--hosts", "3", "-n", "4"], "bridge")}
LIMIT, AT_ONCE = 90, 3
HANGS, WRONG = 124, 99
# of a layout, of the program, and of a start that takes 10 s on a busy machine
NOISE = re.compile(r"^(ringbell: |a line of the program |oshrun: PEs? .* in shmem_init for PEs? .*, which ha(?:s|ve) not called it yet).*\n", re.M)


def run(oshrun, layout, words, env):
    """@return (status, output, PEs that ended right, what is wrong in any case)"""
    pes, shape, emulated = LAYOUTS[layout]
    with tempfile.NamedTemporaryFile() as f:
        f.write(bytes(16))
        f.flush()
        job = Job([oshrun, "--timeout", str(LIMIT), *shape, *words, str(pes), f.name],
                  {"RINGBELL_EMU": emulated, "SHMEM_SYMMETRIC_SIZE": "8M", **env})
        status = job.process.wait()
        f.seek(0)
        right = sum(f.read())
        said = NOISE.sub("", job.output())
        left = job.left()
        job.close()
    if status == WRONG or "WRONG DATA" in said or status == 0 and right not in (0, pes):
        wrong = "wrong data"
    else:
        wrong = "hangs" if status == HANGS else f"left: {left}" if left else ""
    return status, said, right == pes, wrong


def each(run_one, cells):
    """Of all cells, in their order, what run_one() gives."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return zip(cells, pool.map(lambda cell: run_one(*cell), cells))
