#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-port test with a side in each of two guests, over the kernel's own PCI: the environment names
the family of the adapters, in the words of ringbell-device. Before it ringbell-doctor in both, as a user runs it, over
what a real kernel's /sys and /proc say.

The program runs outside. Its remote shell and its command for the cable are this file, too:
test_port.py --rsh FOLDER HOST COMMAND goes along a guest's command line, test_port.py --pull-or-plug FOLDER
pull|plug asks the test, which has ringbell-device.
"""
import json
import os
import select
import socket
import subprocess
import sys
import threading

import interpreter
import rig

NTB = os.environ.get("RINGBELL_VM_NTB", "plx")
FUNCTION, KERNEL_DRIVER = {"plx": ("10b5:87b0", "uio_pci_generic"),
                           "intel4": ("8086:347e", "igb_uio")}[NTB]
WINDOW = 1  # MiB: each access is a message to the model
# Widths and the bulk of a window go the same way whoever drives the port, and no order of stores can be wrong where
# each waits for its answer: see README.md. Copies take a third of the time: test_shmem.py has the library's.
CHECKS = ("found,alike,refusals,early,up,places,order-doorbell,order-scratchpad,order-flush,doorbells,scratchpads,counter,"
          "last-store,stop,again,cable,flap,once,killed") + (",store-*,load-*" if NTB == "plx" else "")
ROUNDS = 100
SECONDS = 500
DOCTOR_SECONDS = 60
# one cable, a window of 1 MiB, a BAR4 that is prefetchable, as small machines have them
LACKS = {("ports", "warn"), ("window", "warn"), ("peer-window", "warn"), ("pages", "warn"),
         ("cores", "warn")}
# what a port of each family has not in a guest, and no more
SKIPS = {"plx": set(),
         "intel4": {"order-doorbell", "order-scratchpad", "doorbells", "scratchpads",
                    "again", "once"}}[NTB]
# The line to a guest has no end of file: the shell there makes one of a word.
REMOTE = ("while read -r l && [ \"$l\" != @@end ]; do echo \"$l\"; done </dev/ttyS1 | "
          "{{ {} 2>>/tmp/agent; printf '\\n@@ended %d\\n' $?; }}\n")
HERE = os.path.abspath(__file__)


class Line:
    """What a guest's command line says, in whole lines."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.rest = b""

    def lines(self):
        """Those that are there; none at its end."""
        data = self.socket.recv(65536)
        if not data:
            sys.exit("the guest is gone")
        *whole, self.rest = (self.rest + data.replace(b"\r", b"")).split(b"\n")
        return [line for line in whole if line]


def remote_shell(folder, host, command):
    """The status of a program in a guest, between whose input and output and ours this passes lines."""
    line, status, asks = Line(os.path.join(folder, host + ".cmd")), None, True
    line.socket.sendall(REMOTE.format(command).encode())
    while True:
        ready = select.select([line.socket] + [sys.stdin] * asks, [], [])[0]
        if sys.stdin in ready:
            data = os.read(sys.stdin.fileno(), 65536)
            asks = len(data) > 0
            line.socket.sendall(data or b"@@end\n")
        for text in line.lines() if line.socket in ready else []:
            if text.startswith(b"@@rc"):
                return 1 if status is None else status
            if text.startswith(b"@@ended"):
                status = int(text.split()[1])
                if asks:  # the shell still reads
                    asks = False
                    line.socket.sendall(b"@@end\n")
                continue
            os.write(sys.stdout.fileno(), text + b"\n")


def ask_cable(folder, what):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(os.path.join(folder, "cable"))
        s.sendall(what.encode())
        return s.recv(16) != b"done"


def serve_cable(listener, device):
    while True:
        try:
            asked = listener.accept()[0]
        except OSError:
            return  # the test is over
        with asked:
            what = asked.recv(16).decode()
            if what in ("pull", "plug"):
                device.command(what + " 0")
                asked.sendall(b"done")


def judge(report, program, folder, ports):
    """One line of the program's is one of ours."""
    done = subprocess.run(
        [program, "test", "--checks", CHECKS, "--rounds", str(ROUNDS), "--region", f"{WINDOW}M",
         "--rsh", f"{sys.executable} {HERE} --rsh {folder}", "--cable",
         f"{sys.executable} {HERE} --pull-or-plug {folder}", *ports],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=SECONDS, check=False)
    skips = set()
    for line in done.stdout.splitlines():
        how, _, what = line.partition(" ")
        if how in ("ok", "FAIL"):
            report.check(" ".join(what.split()), how == "ok", "the whole of it is below")
        elif how == "skip":
            skips.add(what.split()[0])
            print(f"# skip {' '.join(what.split())}")
    report.check("nothing is skipped but what these ports have not", skips == SKIPS, str(skips ^ SKIPS))
    report.check("ringbell-port test ends with status 0", done.returncode == 0, done.stdout)


def see_doctor(report, guests):
    """What it knows of the adapter, and what a guest lacks."""
    for guest in guests:
        guest.start(f"{interpreter.PYTHON} -I /bin/ringbell-doctor --json")
    for guest in guests:
        rc, out = guest.finish(DOCTOR_SECONDS)
        try:
            found = json.loads(out[out.index("{"):])
            port, = (port for adapter in found["adapters"] for port in adapter["ports"])
        except ValueError:
            raise rig.Failure(f"{guest.name}: ringbell-doctor said {out[-2000:]}") from None
        report.check(f"{guest.name}: one port, NT0, bound, below three bridges, with three BARs",
                     (port["nt"], port["driver"], len(port["path"])) == (0, KERNEL_DRIVER, 4) and
                     [bar["bar"] for bar in port["bars"]] == [0, 2, 4] and port["combining"], str(port))
        told = {(f["check"], f["severity"]) for f in found["findings"] if f["severity"] != "ok"}
        report.check(f"{guest.name}: its doctor finds what it lacks, and nothing else", rc == 0 and told == LACKS,
                     "\n".join(map(str, [rc, *found["findings"]])))
    report.note("the doctor has seen both")


def test(report, kit, programs):
    doctor = programs.get("ringbell-doctor")
    with rig.Rig(kit) as r:
        files = {"bin/ringbell-doctor": doctor, **interpreter.files(doctor, "--json")} if doctor else {}
        r.pack({"ringbell-port": programs["ringbell-port"]}, modules=(KERNEL_DRIVER,), files=files,
               drivers=[] if NTB == "plx" else ["raw_ntb"])
        device = r.adapters(programs["ringbell-device"], "--hosts", "2", "--cables", "1", "--ntb", NTB,
                            "--window", str(WINDOW))
        way = 0 if NTB == "plx" else rig.INTEL
        guests = [r.boot(0, [("right", way)]), r.boot(1, [("left", way)])]
        for guest in guests:
            guest.wait_boot()
        report.note("guests are up")
        ports = [f"h{guest.host}/{r.ports(guest, FUNCTION, KERNEL_DRIVER)[0]}" for guest in guests]
        if doctor:
            see_doctor(report, guests)
        for guest in guests:
            guest.line.close()  # the remote shell has it now
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.path.join(r.folder, "cable"))
            listener.listen()
            threading.Thread(target=serve_cable, args=(listener, device), daemon=True).start()
            judge(report, programs["ringbell-port"], r.folder, ports)
        report.note("done")


if sys.argv[1] == "--rsh":
    sys.exit(remote_shell(*sys.argv[2:]))
if sys.argv[1] == "--pull-or-plug":
    sys.exit(ask_cable(*sys.argv[2:]))
sys.exit(rig.main(test))
