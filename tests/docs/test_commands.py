#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Run every command that a page of doc/ shows: test_commands.py BUILD PAGE...

A fence named "console" has commands after "$ ", each with lines of output that must come, in any
order; "..." stands for anything. A code block with a caption is a file of that name. A page has a
folder of its own. Commands in other fences are not run, and each must stand in NOT_RUN, which says
what does run them.
"""

import os
import re
import subprocess
import sys
import tempfile

NOT_RUN = {
    "CC=oshcc SHMEMCC=oshcc LDSHARED=": "tests/foreign/test_shmem4py.py, where its source is",
    "oshrun --hosts 4 python3 pi.py": "as above",
    "setsid sh -c 'echo -19": "needs root",
    "oshrun --hosts 4 --trace heat.json": "tests/observe/test_trace.py, with other programs",
    "ringbell-sim --replay heat.json": "tests/observe/test_trace.py",
}
SECONDS = 120
FENCE = re.compile(r"^```(\{[\w-]+\})?[ ]*([\w+-]*)\n(.*?)^```$", re.M | re.S)


def blocks(page):
    """(language, caption, text) of each fence."""
    with open(page, encoding="utf-8") as f:
        source = f.read()
    for found in FENCE.finditer(source):
        text = found.group(3)
        caption = re.match(r":caption: (\S+)\n\n?", text)
        if caption:
            text = text[caption.end():]
        yield found.group(2), caption and caption.group(1), text


def commands(text):
    """(command, lines expected) of a console block."""
    command, want = None, []
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, want
            command, want = line[2:], []
        elif line.strip():
            want.append(line)
    if command:
        yield command, want


def matches(want, output):
    pattern = ".*".join(re.escape(part.strip()) for part in want.split("..."))
    return any(re.search(pattern, line) for line in output.splitlines())


def run(command, want, folder, env):
    """What is wrong, or None."""
    try:
        done = subprocess.run(["sh", "-c", command], cwd=folder, env=env, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"not done in {SECONDS} s"
    if done.returncode != 0:
        return f"status {done.returncode}: {done.stdout}"
    missing = [line for line in want if not matches(line, done.stdout)]
    return f"no line like {missing[0]!r} in: {done.stdout}" if missing else None


def check(page, env):
    """Numbers of commands that were right and wrong."""
    good = bad = 0
    with tempfile.TemporaryDirectory(prefix="ringbell-doc-") as folder:
        for language, caption, text in blocks(page):
            if caption:
                with open(os.path.join(folder, caption), "w", encoding="utf-8") as f:
                    f.write(text)
                continue
            for command, want in commands(text):
                if language == "console":
                    wrong = run(command, want, folder, env)
                elif any(command.startswith(known) for known in NOT_RUN):
                    continue
                else:
                    wrong = "in no console block, and not in NOT_RUN of this test"
                good += not wrong
                bad += bool(wrong)
                print(f"{'not ok' if wrong else 'ok'} {os.path.basename(page)}: {command}")
                if wrong:
                    print(f"    {wrong}")
    return good, bad


def main():
    build, pages = os.path.abspath(sys.argv[1]), sys.argv[2:]
    places = [os.path.join(build, "apps"), os.path.join(build, "apps/perf"),
              os.path.join(build, "apps/eeprom")]
    env = dict(os.environ, PATH=":".join(places + [os.environ["PATH"]]))
    results = [check(page, env) for page in pages]
    good, bad = (sum(column) for column in zip(*results))
    print(f"{good} commands right, {bad} wrong")
    return bad != 0 or good == 0


sys.exit(main())
