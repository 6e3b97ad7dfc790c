# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The rows of doc/containers.md: surroundings, and what a job does there.

A row has the surroundings that confine.py makes, and the expected result: RIGHT, or a pattern of
the message with which the job ends; by the name of a job where they differ."""
import errno

RIGHT = "right"

# What a container has by itself: Docker's 64 MiB of /dev/shm, folders of its own.
BASE = ["tmpfs /dev/shm size=64m,mode=1777", "tmpfs /run mode=755", "tmpfs /tmp mode=1777"]

# What Docker's default profile denies to a container without capabilities, of the calls that a
# program may make; process_vm_readv and ptrace it allows on Linux 4.8 and later.
DOCKER = {name: errno.EPERM for name in """
    add_key bpf fsconfig fsmount fsopen get_mempolicy io_uring_enter io_uring_register io_uring_setup
    ioperm iopl kcmp keyctl mbind migrate_pages mount move_mount move_pages open_by_handle_at open_tree
    perf_event_open pivot_root quotactl request_key set_mempolicy set_mempolicy_home_node setns syslog
    umount2 unshare userfaultfd""".split()}
DOCKER["clone3"] = errno.ENOSYS
# What Yama refuses to processes that are not each other's parents; Docker before Linux 4.8, and gVisor
NO_PEEK = "process_vm_readv process_vm_writev ptrace pidfd_getfd kcmp".split()

JOBS = {
    "one host": ["-n", "4"],
    "2 hosts": ["--hosts", "2", "-n", "4"],
    "3 hosts": ["--hosts", "3"],
    "far": ["--hosts", "4", "-n", "8"],  # two hops, by PEs without ports
    "telemetry": ["--hosts", "2", "--telemetry"],
    "trace": ["--hosts", "2", "--trace", "/tmp/trace"],
}
USUAL = ["one host", "2 hosts", "3 hosts", "telemetry"]
RINGS = ["2 hosts", "3 hosts", "telemetry"]
MIB = 1 << 20


class Row:
    """@p ci: what of it runs in "make check": a job, as the last of the users."""

    def __init__(self, name, expect=RIGHT, jobs=None, users=("root", "user"), args=(), env=None,
                 ci="2 hosts", command=None, notes=None, **spec):
        self.name = name
        self.expect = expect
        self.jobs = jobs or USUAL
        self.users = users
        self.args = [str(a) for a in args]
        self.env = env or {}
        self.ci = ci if ci in self.jobs or ci is None else self.jobs[0]
        self.command = command  # in place of a job: words, where {} is the folder of programs
        self.notes = notes  # what a job says that runs right
        self.spec = spec
        self.spec["mounts"] = BASE + spec.get("mounts", [])

    def expected(self, job):
        return self.expect.get(job, RIGHT) if isinstance(self.expect, dict) else self.expect


def memory(mib):
    return {"memory": {"memory.limit_in_bytes": mib * MIB}}


def each(pattern, jobs):
    return dict.fromkeys(jobs, pattern)


PORTS = r"PE \d: shmem_init: \d of 2 emulated NT ports came up \(.*\): lower SHMEM_SYMMETRIC_SIZE; " \
        r"limits here, to be raised: ulimit "
THREADS = r"PE \d: shmem_init: (cannot start (a thread|\d threads): Resource temporarily unavailable|" \
          r"the EAL did not start: .*)"

ROWS = [
    # shared memory
    Row("/dev/shm of 64 MiB"),
    Row("/dev/shm of 64 MiB, 100 MiB of each heap in use", args=["heap", 100],
        jobs=["one host", "2 hosts"], ci=None),
    Row("/dev/shm full", mounts=["fill /dev/shm"], ci="telemetry"),
    Row("/dev/shm not mounted", mounts=["off /dev/shm", "off /dev/shm"], users=["root"], ci=None),
    Row("huge pages promised, and taken by others",
        mounts=["tmpfs /sys/kernel/mm/hugepages", "folder /sys/kernel/mm/hugepages/hugepages-2048kB",
                "write /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages 4096"], users=["root"],
        notes="ringbell: static data: "),
    Row("a cable file, file system full", "no cable: No space left on device",
        command=["{}/cable", "/dev/shm/cable"], mounts=["fill /dev/shm"]),
    Row("a trace, file system full", "oshrun: cannot write /tmp/trace: No space left on device", jobs=["trace"],
        mounts=["tmpfs /tmp size=1m,mode=1777", "fill /tmp"]),
    # forbidden calls
    Row("Docker's seccomp profile", forbid=DOCKER, jobs=USUAL + ["far"], ci="far"),
    Row("process_vm_readv and ptrace: EPERM", jobs=USUAL + ["far"], ci="far",
        forbid={c: errno.EPERM for c in NO_PEEK}),
    Row("process_vm_readv and ptrace: ENOSYS", jobs=USUAL + ["far"], ci=None,
        forbid={c: errno.ENOSYS for c in NO_PEEK}),
    Row("no memfd_create", r"oshrun: cannot make the cables: Operation not permitted: "
        r"memfd_create\(\) is forbidden", forbid={"memfd_create": errno.EPERM}),
    Row("no memfd_create: ENOSYS", r"oshrun: cannot make the cables: Function .*: "
        r"memfd_create\(\) is forbidden", forbid={"memfd_create": errno.ENOSYS}, ci=None),
    # limits
    Row("ulimit -n 64", limits={"NOFILE": 64}),
    Row("ulimit -n 16", r"cannot start PE \d, \S*: Too many open files: raise ulimit -n, which is 16",
        limits={"NOFILE": 16}),
    Row("ulimit -v 1000000", limits={"AS": 1000000 << 10}),
    Row("ulimit -v 500000", each(PORTS + "-v 500000", RINGS), limits={"AS": 500000 << 10}),
    Row("ulimit -v 100000", {**each(THREADS + "; limits here, to be raised: ulimit -v 100000", RINGS),
                             "one host": r"cannot map a region of \d+ bytes: Cannot allocate memory; "
                             "lower SHMEM_SYMMETRIC_SIZE; limits here, to be raised: ulimit -v 100000"},
        limits={"AS": 100000 << 10}),
    Row("ulimit -d 100000", each(PORTS + "-d 100000", RINGS), limits={"DATA": 100000 << 10}),
    Row("ulimit -l 64", limits={"MEMLOCK": 64 << 10}),
    Row("ulimit -l 0", limits={"MEMLOCK": 0}, ci=None),
    Row("ulimit -u 4", r"cannot start PE \d, \S*: Resource temporarily unavailable: raise ulimit -u, "
        "which is 4|" + THREADS + "; limits here, to be raised: ulimit -u 4", users=["user"], limits={"NPROC": 4}),
    # the kernel counts all processes of the user, also those that another run on this machine has
    Row("ulimit -u 8", r"cannot start PE \d, \S*: Resource temporarily unavailable: raise ulimit -u, "
        "which is 8|" + THREADS + "; limits here, to be raised: ulimit -u 8", users=["user"], limits={"NPROC": 8}),
    Row("pids cgroup of 12", {"3 hosts": THREADS, "2 hosts": THREADS}, users=["root"], ci="3 hosts",
        jobs=["one host", "2 hosts", "3 hosts"], cgroup={"pids": {"pids.max": 12}}),
    Row("ulimit -s 256", limits={"STACK": 256 << 10}, ci=None),
    Row("ulimit -s unlimited", limits={"STACK": "none"}),
    Row("ulimit -f 1024", r"files may have 1048576 bytes \(ulimit -f\), but the memory that PEs share "
        r"is a file of \d+: raise the limit", limits={"FSIZE": 1024 << 10}),
    # folders
    Row("read-only /run", mounts=["ro /run"], ci="telemetry"),
    Row("read-only /tmp", jobs=RINGS[:2], mounts=["ro /tmp"]),
    Row("read-only /tmp, telemetry", users=["user"], jobs=["telemetry"], mounts=["ro /tmp"],
        expect="telemetry needs a folder for its sockets, but cannot create /tmp/ringbell-[0-9]+ "
        r"\(Read-only file system\): set XDG_RUNTIME_DIR to a folder of this user"),
    Row("read-only root", jobs=["one host", "2 hosts", "3 hosts"],
        mounts=["ro /", "ro /run", "ro /tmp", "ro /dev/shm"]),
    Row("no HOME, no line in passwd", env={"HOME": None}, ci="telemetry"),
    Row("a user of a container without root's rights", users=["user"], rootless=True, ci="telemetry"),
    Row("no /sys", each("/sys is not mounted here, in which DPDK finds the CPUs: mount -t sysfs", RINGS),
        mounts=["tmpfs /sys"]),
    Row("no /proc", "/proc is not mounted here, by which a PE finds", mounts=["tmpfs /proc"]),
    Row("/proc with hidepid=2", mounts=["proc hidepid=2"]),
    Row("/proc with subset=pid", mounts=["proc subset=pid"]),
    Row("a program that cannot be read", users=["user"], unreadable=True,
        expect="this program may be run but not read"),
    # CPUs
    Row("1 CPU", cpus=[0], ci="3 hosts"),
    Row("1 CPU by cpuset cgroup", users=["root"], ci=None,
        cgroup={"cpuset": {"cpuset.mems": "0", "cpuset.cpus": "0"}}),
    Row("nice 19", nice=19, ci=None),
    Row("a fifth of a CPU by cpu cgroup", users=["root"], cgroup={"cpu": {"cpu.cfs_quota_us": 20000}},
        ci=None),
    Row("oshrun as process 1", pid1=True, ci="telemetry"),
    Row("oshrun as process 1: no child but its PE", pid1=True, command=[
        "{}/oshrun", "-n", "1", "--telemetry", "sh", "-c",
        "set -- $(cat /proc/1/task/1/children); [ $# -eq 1 ] && echo right"]),
    # memory cgroups
    Row("memory cgroup of 64 MiB, default heap", users=["root"], cgroup=memory(64)),
    Row("memory cgroup of 200 MiB, 20 MiB of each heap in use", args=["heap", 20], users=["root"],
        jobs=["one host", "2 hosts", "3 hosts"], cgroup=memory(200)),
    Row("memory cgroup of 200 MiB, 100 MiB of each heap wanted", "no room for 104857600 bytes in the "
        "symmetric heap", args=["heap", 100], users=["root"], cgroup=memory(200)),
    Row("memory cgroup of 200 MiB, SHMEM_SYMMETRIC_SIZE=150M, 100 MiB wanted", users=["root"],
        expect={"one host": "is more than there is .memory cgroup", "2 hosts": "more than there is",
                "3 hosts": "no memory for .* bytes more of symmetric heap: memory cgroup",
                "telemetry": "no memory for .* bytes more of symmetric heap: memory cgroup"},
        args=["heap", 100], env={"SHMEM_SYMMETRIC_SIZE": "150M"}, cgroup=memory(200), ci="3 hosts"),
    Row("memory cgroup of 16 MiB", users=["root"], ci="3 hosts", cgroup=memory(16), expect={
        "one host": r"memory cgroup \S+ has 16 MiB, too little for the heaps of 4 PEs, of 12 MiB at "
        "least: give it more memory, or start fewer PEs",
        **each(r"memory cgroup \S+ has 16 MiB, and the PEs of this job take about \d+ to start: give it "
               "more memory, or start fewer PEs", RINGS)}),
    Row("memory cgroup of 200 MiB, as much heap as there is", args=["all", 200], users=["root"],
        jobs=["one host", "2 hosts", "3 hosts", "far"], cgroup=memory(200), ci="3 hosts",
        env={"SHMEM_SYMMETRIC_SIZE": "40M"}, notes=r"(PE \d: )?shmem_malloc( of|: no room)"),
    Row("memory cgroup of 100 MiB, 200 MiB of private memory wanted", args=["private", 200],
        users=["root"], expect=r"was killed by signal 9 \(Killed\): memory cgroup \S+, which has 100 "
        "MiB, was full; give it more memory, or start fewer PEs", cgroup=memory(100)),
]
