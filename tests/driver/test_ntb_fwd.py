#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""DPDK's own example for NTB, unchanged, between two emulated ports. It loads the driver with the option -d.

Usage: test_ntb_fwd.py NTB_FWD LIBRTE_RAW_PLX_NTB
"""
import os
import random
import re
import select
import subprocess
import sys
import tempfile
import time

DRIVER = os.path.realpath(sys.argv[2])
PATIENCE = 60
# of one queue
DESCRIPTORS = {"file-trans": 128, "txonly": 1024, "rxonly": 1024}
# The example shows the size of a file only while it sends. It has to wait for the receiver then if
# the file is larger than all buffers of the queue together, of 2 KiB each.
FILE_BYTES = 4 * DESCRIPTORS["file-trans"] * 2048 + 1


class Forwarder:
    """One ntb_fwd, which talks over pipes."""

    def __init__(self, program, folder, end, mode, *eal):
        cpu = str(sorted(os.sched_getaffinity(0))[end % len(os.sched_getaffinity(0))])
        self.said = ""
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "stdbuf", "-o0", program,
             "--no-huge", "--no-shconf", "--no-pci", "--no-telemetry", "-m", "96",
             "-d", os.path.basename(DRIVER), f"--file-prefix=end{end}", f"--lcores=0@{cpu},1@{cpu}",
             f"--vdev=raw_ntb_plx_emu0,cable={folder}/cable,end={end},bar2=64M", *eal,
             "--", "-i", "--fwd-mode=" + mode, f"--nb-desc={DESCRIPTORS[mode]}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder,
            # The EAL leaves its folder; below this one it goes with it. It refuses paths below a folder
            # that all users may write to, such as /tmp; the dynamic linker finds a name.
            env={**os.environ, "RUNTIME_DIRECTORY": folder, "LD_LIBRARY_PATH": os.path.dirname(DRIVER)})

    def wait(self, text, what, seconds=PATIENCE):
        """Everything up to @p text."""
        end = time.monotonic() + seconds
        while text not in self.said:
            left = end - time.monotonic()
            ready = left > 0 and select.select([self.process.stdout], [], [], left)[0]
            data = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not data:
                raise AssertionError(f"waited for {what}; it said: {self.said[-1500:]}")
            self.said += data.decode(errors="replace")
        before, self.said = self.said.split(text, 1)
        return before

    def tell(self, command):
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()

    def counters(self):
        """All that "show port stats" names, NTB's and the Ethernet device's."""
        self.said = ""
        self.tell("show port stats")
        self.wait("statistics for NTB port", "statistics")
        text = self.wait("ntb> ", "the end of the statistics")
        return {name: int(value) for name, value in re.findall(r"^ +([\w-]+): (\d+)", text, re.M)}

    def quit(self):
        self.tell("stop")
        self.wait("Done.", "the end of forwarding")
        self.tell("quit")
        self.process.stdin.close()
        if self.process.wait(PATIENCE) != 0:
            raise AssertionError(f"status {self.process.returncode}")

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def pair(program, modes, job, eal=((), ())):
    """Start one at either end of a cable, and hand both to @p job."""
    with tempfile.TemporaryDirectory(prefix="ringbell-ntb-fwd-") as folder:
        with open(os.path.join(folder, "cable"), "wb"):
            pass
        both = []
        try:
            for end in range(2):
                options = [o.replace("FOLDER", folder) for o in eal[end]]
                both.append(Forwarder(program, folder, end, modes[end], *options))
            for one in both:
                one.wait("ntb link up", "the link")
                one.wait("ntb> ", "the first prompt")
            assert sorted(os.listdir(os.path.join(folder, "dpdk"))) == ["end0", "end1"]
            job(folder, *both)
            for one in both:
                one.quit()
        finally:
            for one in both:
                one.kill()


def wait_for(what, good):
    end = time.monotonic() + PATIENCE
    while not good():
        if time.monotonic() > end:
            raise AssertionError(f"waited {PATIENCE} s for {what}")
        time.sleep(0.05)


def txonly(_, sender, receiver):
    receiver.tell("start")
    sender.tell("start")
    wait_for("packets", lambda: receiver.counters()["Rx-packets"] > 1000)
    sender.tell("stop")
    sender.wait("Done.", "the end of sending")
    sent = sender.counters()
    sender.tell("start")  # quit() stops it again
    got = receiver.counters()
    assert 0 < got["Rx-packets"], got
    assert sent["Tx-errors"] == 0, sent
    assert got["Tx-packets"] == 0 and sent["Rx-packets"] == 0, (sent, got)
    assert got["Rx-bytes"] >= 60 * got["Rx-packets"], got


def file_trans(folder, sender, receiver):
    content = random.Random(2).randbytes(FILE_BYTES)
    with open(os.path.join(folder, "sent"), "wb") as f:
        f.write(content)
    receiver.tell("start")
    receiver.wait("ntb> ", "a prompt")
    sender.tell(f"send {folder}/sent")
    sender.wait("Done sending", "the end of the file")
    receiver.wait("Received file", "the file", 10)

    def whole():
        with open(os.path.join(folder, "ntb_recv_file0"), "rb") as f:
            return f.read() == content
    wait_for("the whole file", whole)
    sender.tell("start")  # for quit()


def main():
    program = sys.argv[1]
    if not os.path.exists(program):
        # in TAP the plan says it; a status of 77 would count as an error
        print("1..0 # SKIP no ntb_fwd.c of DPDK was there to be compiled (make setup fetches it)")
        return 0
    failed = 0
    for number, (name, run) in enumerate([
            ("file-trans: a file of a million bytes",
             lambda: pair(program, ("file-trans", "file-trans"), file_trans)),
            ("txonly to rxonly", lambda: pair(program, ("txonly", "rxonly"), txonly))], 1):
        try:
            run()
            print(f"ok {number} - {name}", flush=True)
        except AssertionError as why:
            failed += 1
            print(f"not ok {number} - {name}")
            print("".join(f"# {line}\n" for line in str(why).splitlines()), flush=True)
    print("1..2")
    return 1 if failed else 0


sys.exit(main())
