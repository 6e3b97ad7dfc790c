# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A Slurm of its own with two nodes: both are this machine, on its loopback device, or in namespaces of their own."""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

START_LIMIT = 60
NEEDS = ("munged", "slurmctld", "slurmd", "srun", "sinfo")

CONF = """
ClusterName=ringbell
SlurmctldHost={host}({at[0]})
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={dir}/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmctldPort={ports[0]}
SlurmctldPidFile={dir}/slurmctld.pid
SlurmdPidFile={dir}/slurmd-%n.pid
SlurmctldLogFile={dir}/slurmctld.log
SlurmdLogFile={dir}/slurmd-%n.log
StateSaveLocation={dir}/state
SlurmdSpoolDir={dir}/spool-%n
TmpFS={dir}/tmp-%n
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
NodeName=n0 NodeHostname={host} NodeAddr={at[1]} Port={ports[1]} CPUs=16 State=UNKNOWN
NodeName=n1 NodeHostname={host} NodeAddr={at[2]} Port={ports[2]} CPUs=16 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES OverSubscribe=FORCE:4 MaxTime=INFINITE State=UP
"""

# Processes are found without control groups. A container may have none, and slurmd without this
# looks for those of the machine before it starts.
CGROUP_CONF = """
CgroupPlugin=cgroup/v1
CgroupMountpoint={dir}/cgroup
"""


def missing():
    """Why there can be no Slurm here, or None."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    for program in NEEDS:
        if shutil.which(program) is None:
            return f"no {program} (Debian packages slurm-wlm and munge)"
    if os.getuid() != 0:
        return "slurmd starts jobs as root only"
    return None


def free_ports(n):
    socks = [socket.socket() for _ in range(n)]
    for s in socks:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in socks]
    for s in socks:
        s.close()
    return ports


class Slurm:
    """Daemons in the foreground, as children: what ends the test ends them. @p addresses: of the controller, node 0 and
    node 1; @p inside: for each of these, what comes before a command, so that it runs there."""

    def __init__(self, addresses=("127.0.0.1",) * 3, inside=((),) * 3):
        self.inside = inside
        self.dir = tempfile.mkdtemp(prefix="ringbell-slurm-")
        os.chmod(self.dir, 0o755)  # munged wants nobody else to write here
        self.daemons = []
        self.pmix = False
        self.env = dict(os.environ, SLURM_CONF=f"{self.dir}/slurm.conf")
        for folder in ("state", "spool-n0", "spool-n1", "tmp-n0", "tmp-n1"):
            os.mkdir(f"{self.dir}/{folder}")
        with open(f"{self.dir}/slurm.conf", "w", encoding="ascii") as f:
            f.write(CONF.format(host=socket.gethostname().split(".")[0], user="root", dir=self.dir,
                                at=addresses, ports=free_ports(3)))
        with open(f"{self.dir}/cgroup.conf", "w", encoding="ascii") as f:
            f.write(CGROUP_CONF.format(dir=self.dir))
        fd = os.open(f"{self.dir}/munge.key", os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(fd, os.urandom(1024))
        os.close(fd)

    def daemon(self, place, *command):
        with open(f"{self.dir}/daemons.out", "ab") as out:
            self.daemons.append(subprocess.Popen((*self.inside[place], *command), env=self.env, stdin=subprocess.DEVNULL,
                                                 stdout=out, stderr=out))

    def start(self):
        """None, or why it does not come up."""
        d = self.dir
        self.daemon(0, "munged", "-F", "-S", f"{d}/munge.socket", f"--key-file={d}/munge.key",
                    f"--pid-file={d}/munged.pid", f"--log-file={d}/munged.log",
                    f"--seed-file={d}/munged.seed")
        end = time.monotonic() + START_LIMIT
        while not os.path.exists(f"{d}/munge.socket") and time.monotonic() < end:
            time.sleep(0.02)
        self.daemon(0, "slurmctld", "-D")
        for node in (0, 1):
            self.daemon(1 + node, "slurmd", "-D", "-N", f"n{node}")
        while time.monotonic() < end:
            if any(daemon.poll() is not None for daemon in self.daemons):
                break
            out = self.run("sinfo", "-h", "-o", "%D %t")
            if out.strip() == "2 idle":
                self.pmix = self.has_pmix()
                return None
            time.sleep(0.1)
        return f"Slurm did not come up in {START_LIMIT} s: {self.words()}"

    def has_pmix(self):
        """Debian's Slurm 26.05 is built without."""
        return "pmix" in self.run("srun", "--mpi=list")

    def run(self, *command):
        return subprocess.run((*self.inside[0], *command), env=self.env, timeout=30, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def words(self):
        """The last lines of each log."""
        lines = []
        for name in ("munged.log", "slurmctld.log", "slurmd-n0.log", "slurmd-n1.log", "daemons.out"):
            try:
                with open(f"{self.dir}/{name}", encoding="utf-8", errors="replace") as f:
                    lines += [f"{name}: {line.rstrip()}" for line in f.readlines()[-4:]]
            except OSError:
                pass
        return "\n".join(lines)

    def stop(self):
        for sig in (signal.SIGTERM, signal.SIGKILL):
            for daemon in reversed(self.daemons):
                daemon.send_signal(sig)
            end = time.monotonic() + 10
            while time.monotonic() < end and any(d.poll() is None for d in self.daemons):
                time.sleep(0.02)
        shutil.rmtree(self.dir, ignore_errors=True)
