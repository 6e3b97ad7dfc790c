#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Runs a command in made-up surroundings: those of a container, or of a machine with little.
Usage: confine.py REPORT SPECIFICATION COMMAND..., the second as JSON; see Surroundings. Status and what
is left when the command has ended are written to descriptor REPORT, as JSON. Exits with 77 where this
machine cannot do it, with a reason on stderr."""
import ctypes
import json
import os
import resource
import sys
import time

LIBC = ctypes.CDLL(None, use_errno=True)
NEWNS, NEWPID, NEWUSER = 0x20000, 0x20000000, 0x10000000
MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 32, 4096, 16384, 1 << 18
SKIP = 77


class Cannot(Exception):
    """This machine, or this user's rights, do not suffice."""


def check(result, what):
    if result != 0:
        raise Cannot(f"{what}: {os.strerror(ctypes.get_errno())}")


def unshare(flags):
    check(LIBC.unshare(flags), "unshare")


def mount(source, target, fstype=None, flags=0, options=None):
    args = [None if a is None else a.encode() for a in (source, target, fstype, options)]
    check(LIBC.mount(args[0], args[1], args[2], ctypes.c_ulong(flags), args[3]), f"mount {target}")


def tmpfs(target, options="mode=1777"):
    mount("tmpfs", target, "tmpfs", 0, options)


def read_only(target):
    """Make a file or a folder a mount point, as the root is."""
    if target != "/":
        mount(target, target, None, MS_BIND)
    mount(None, target, None, MS_BIND | MS_REMOUNT | MS_RDONLY)


def unmount(target):
    check(LIBC.umount2(target.encode(), 2), f"umount {target}")


def put(path, text):
    """One write, as the kernel's files want it; no module is loaded for it, which this user may not
    be able to read."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def enter_user_namespace(seen_as=None):
    """In which an ordinary user may mount; as himself, or as the user @p seen_as."""
    uid, gid = os.getuid(), os.getgid()
    check(LIBC.prctl(4, 1, 0, 0, 0), "dumpable")  # setuid() took it, and with it /proc/self
    unshare(NEWUSER | NEWNS)
    try:
        put("/proc/self/setgroups", "deny")
        for name, number in (("uid_map", uid), ("gid_map", gid)):
            put(f"/proc/self/{name}", f"{number if seen_as is None else seen_as} {number} 1")
    except OSError as e:
        raise Cannot(f"user namespace: {e.strerror}") from e


def become(user):
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)


def forbid(calls):
    """By a seccomp filter: name of the call to the errno that it gives."""
    try:
        lib = ctypes.CDLL("libseccomp.so.2")
    except OSError as e:
        raise Cannot("no libseccomp") from e
    lib.seccomp_init.restype = ctypes.c_void_p
    ctx = ctypes.c_void_p(lib.seccomp_init(0x7fff0000))  # SCMP_ACT_ALLOW
    for name, err in calls.items():
        number = lib.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            continue  # newer than the library, or of another machine
        action = ctypes.c_uint32(0x00050000 | err)  # SCMP_ACT_ERRNO
        if lib.seccomp_rule_add_array(ctx, action, ctypes.c_int(number), 0, None) != 0:
            raise Cannot(f"seccomp has no rule for {name}")
    if lib.seccomp_load(ctx) != 0:
        raise Cannot("seccomp takes no filter")


class Surroundings:
    """The specification, key by key."""

    def __init__(self, spec):
        self.spec = spec
        self.cgroups = []

    def namespaces(self):
        if os.getuid() != 0:
            enter_user_namespace()
        unshare(NEWNS | (NEWPID if self.spec.get("pid1") else 0))
        mount(None, "/", None, MS_REC | MS_PRIVATE)

    def mounts(self):
        """Lines of words: tmpfs DIR [OPTIONS], ro DIR, off DIR, proc OPTIONS, folder DIR, write FILE
        TEXT, fill DIR."""
        for line in self.spec["mounts"]:
            verb, *words = line.split(" ", 2)
            if verb == "tmpfs":
                tmpfs(*words)
            elif verb == "ro":
                read_only(words[0])
            elif verb == "off":
                unmount(words[0])
            elif verb == "proc":
                mount("proc", "/proc", "proc", 0, words[0])
            elif verb == "folder":
                os.makedirs(words[0], exist_ok=True)
            elif verb == "write":
                put(words[0], words[1] + "\n")
            elif verb == "fill":  # whole, by a file of somebody else
                with open(words[0] + "/theirs", "wb") as f:
                    fs = os.fstatvfs(f.fileno())
                    os.posix_fallocate(f.fileno(), 0, fs.f_bavail * fs.f_frsize)
            else:
                raise ValueError(line)

    def enter_cgroup(self):
        for name, limits in self.spec.get("cgroup", {}).items():
            folder = f"/sys/fs/cgroup/{name}/ringbell-{os.getpid()}"
            try:
                os.mkdir(folder)
                self.cgroups.append(folder)
                for key, value in limits.items():
                    put(f"{folder}/{key}", str(value))
            except OSError as e:
                self.leave_cgroup()
                raise Cannot(f"cgroup {name}: {e.strerror}") from e

    def leave_cgroup(self):
        end = time.monotonic() + 10
        for folder in self.cgroups:
            while True:
                try:
                    os.rmdir(folder)
                    break
                except OSError:
                    if time.monotonic() > end:
                        raise
                    time.sleep(0.01)
        self.cgroups = []

    def surround(self):
        """In the process that turns into the command, or into its parent."""
        for folder in self.cgroups:
            put(f"{folder}/cgroup.procs", str(os.getpid()))
        if self.spec.get("pid1"):
            mount("proc", "/proc", "proc")
        if self.spec.get("rootless"):
            if os.getuid() == 0:
                become(self.spec["user"])
            enter_user_namespace(seen_as=0)
        self.mounts()

    def limit(self):
        """In the process that turns into the command."""
        if "cpus" in self.spec:
            os.sched_setaffinity(0, self.spec["cpus"])
        if "nice" in self.spec:
            os.nice(self.spec["nice"])
        for name, value in self.spec.get("limits", {}).items():
            which = getattr(resource, "RLIMIT_" + name)
            hard = resource.getrlimit(which)[1]
            if value == "none":
                value = hard
            resource.setrlimit(which, (value, value))
        if "root" in self.spec:
            ctypes.CDLL("libseccomp.so.2")  # found again by its name, where it has no file
            os.chroot(self.spec["root"])
        user = self.spec["user"]
        if user is not None and os.getuid() == 0 and not self.spec.get("rootless"):
            become(user)
        os.chdir("/")
        if "forbid" in self.spec:
            check(LIBC.prctl(38, 1, 0, 0, 0), "no_new_privs")
            forbid(self.spec["forbid"])


def remains(folders):
    """Files below, and folders but those which DPDK keeps its processes' folders in."""
    found = []
    for folder in folders:
        for where, inside, files in os.walk(folder):
            found += [f"{where}/{name}" for name in files if name != "theirs"]
            found += [f"{where}/{name}" for name in inside
                      if name != "dpdk" and not (where == "/tmp" and name.startswith("ringbell-"))]
    return found[:20]


def become_command(place, command, write):
    """Does not return."""
    try:
        place.limit()
        os.execvpe(command[0], command, place.spec["env"])
    except BaseException as e:  # pylint: disable=broad-except
        os.write(write, str(e).encode() if isinstance(e, Cannot) else f"! {e!r}".encode())
    os._exit(SKIP)


def in_surroundings(place, command, write):
    """Does not return. A user namespace has a mount namespace of its own, so files left there
    cannot be seen from outside."""
    try:
        place.surround()
        if place.spec.get("rootless"):
            pid = os.fork()
            if pid != 0:
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                left = remains(place.spec["watch"])
                os.write(write, json.dumps({"status": status, "left": left}).encode())
                os._exit(0)
    except BaseException as e:  # pylint: disable=broad-except
        os.write(write, str(e).encode() if isinstance(e, Cannot) else f"! {e!r}".encode())
        os._exit(SKIP)
    become_command(place, command, write)


def run(spec, command, report):
    """Status of the command, and what is left, as JSON."""
    place = Surroundings(spec)
    place.namespaces()
    place.enter_cgroup()
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        os.close(report)
        in_surroundings(place, command, write)
    os.close(write)
    said = b""
    while chunk := os.read(read, 4096):
        said += chunk
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    place.leave_cgroup()
    if said.startswith(b"{"):
        return said
    if said:
        raise Cannot(said.decode())
    return json.dumps({"status": status, "left": remains(spec["watch"])}).encode()


def main():
    report, spec = int(sys.argv[1]), json.loads(sys.argv[2])
    try:
        os.write(report, run(spec, sys.argv[3:], report))
    except Cannot as e:
        print(e, file=sys.stderr)
        return SKIP
    return 0


if __name__ == "__main__":
    sys.exit(main())
