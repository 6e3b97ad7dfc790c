# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Jobs with telemetry on this machine: DPDK's sockets, one for each host (doc/telemetry.md). All that
comes over them is untrusted and checked."""
import glob
import json
import os
import re
import shutil
import socket
import subprocess
import sys

MAX_HOSTS, MAX_REPLY = 64, 16384


def sockets():
    """Of each job by its name, the youngest job first."""
    folder = os.environ.get("RUNTIME_DIRECTORY")
    if not folder and os.getuid() != 0:
        folder = os.environ.get("XDG_RUNTIME_DIR")
    elif not folder and os.access("/var/run", os.W_OK):
        folder = "/var/run"
    if not folder:  # one of ours, as runtime/base/run_dir.h has it: anybody could make it
        folder = f"/tmp/ringbell-{os.getuid()}"
        st = os.lstat(folder) if os.path.isdir(folder) and not os.path.islink(folder) else None
        folder = folder if st and st.st_uid == os.getuid() and not st.st_mode & 0o077 else os.devnull
    paths = glob.glob(f"{glob.escape(folder)}/dpdk/ringbell-*/dpdk_telemetry.v2")
    found = {}
    for path in sorted(paths, key=lambda path: (age(path), path), reverse=True):
        found.setdefault(re.search("/dpdk/ringbell-([^-/]*)[^/]*/[^/]*$", path)[1], []).append(path)
    return found


def age(path):
    try:
        return os.stat(path).st_mtime_ns
    except OSError:  # its job has just ended
        return 0


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(1)  # a silent host must not stop the picture of the others
        self.socket.connect(path)
        self.socket.recv(MAX_REPLY)

    def ask(self, command):
        """The answer, None: there is no valid one."""
        try:
            self.socket.send(command.encode())
            return json.loads(self.socket.recv(MAX_REPLY))[command.split(",")[0]]
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            return None

    def wiring(self):
        """The cables of the whole job as it found them, in words that oshrun takes."""
        words = self.ask("/ringbell/wiring")
        return words if isinstance(words, str) and re.fullmatch(r"[0-9.\- ]+", words, re.A) else ""


def program(name):
    """It lies beside this one, or in PATH; None."""
    beside = os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])), name)
    return shutil.which(beside) or shutil.which(name)


def drawn(words, hosts):
    """Lines: each host with its cables, and those that the nearest regular wiring would have, too."""
    oshrun = program("oshrun") if words else None
    done = oshrun and subprocess.run([oshrun, "--dry-run", "--hosts", str(hosts), "--wiring", words], text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout.splitlines() if done else []
