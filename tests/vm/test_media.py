#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Jobs over what every QEMU joins its guests by: memory in common (ivshmem-plain, and ivshmem-doorbell, whose interrupts
wake service lcores), or a cable between network adapters (virtio-net), which Linux's driver serves, or DPDK's own.

The number of guests and their medium come from the environment. With the program "rounds" a guest is killed amid it, and
named, and the next job has another one in its place. With the program "confined" a job runs in a guest alone, whose kernel
has Yama.
"""
import os
import re
import socket
import sys
import tempfile
import time

import ivshmem_server
import rig

HOSTS = int(os.environ.get("RINGBELL_VM_HOSTS", "2"))
MEDIUM = os.environ.get("RINGBELL_VM_MEDIUM", "ivshmem")
README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "README.md")
SECONDS = 120  # of a program, on a busy machine
NAMED = 20  # seconds until all others have ended because a guest was killed
TIMES = 4  # so much longer than elsewhere a case may take
HEAP = 32  # MiB of a host
ROUND = "round 3 is right"


class Memory:
    """BAR2 of a function in each guest."""
    MIB = 256  # the largest BAR that the small machine places
    FUNCTION, OTHER = "1af4:1110", "1b36:0005"  # of ivshmem, and of QEMU's pci-testdev
    DEVICE = ("-device", "ivshmem-plain,memdev=shared", "-device", "pci-testdev,membar=1M")
    modules, drivers = (), ()
    options = {"atomics": True, "pages": 0}

    def __init__(self):
        self.file = os.memfd_create("ringbell-vm")
        os.ftruncate(self.file, self.MIB << 20)

    def devices(self, _):
        fd = os.dup(self.file)
        return [fd], ["-object", f"memory-backend-file,id=shared,size={self.MIB}M,mem-path=/proc/self/fd/{fd},share=on",
                      *self.DEVICE]

    def cable(self, guest, folder=None, bar=2):
        folder = folder or self.folder_of(guest, self.FUNCTION)
        return f"raw_ntb_shared,path={folder}/resource{bar}"

    @staticmethod
    def folder_of(guest, function):
        return "/sys/bus/pci/devices/" + guest.must(f"functions {function}").strip()

    def enable(self, guest):
        guest.must(f"echo 1 >{self.folder_of(guest, self.FUNCTION)}/enable")

    def refuse(self, report, guest):
        """What is no such memory, each in a line."""
        mine, other = (self.folder_of(guest, f) for f in (self.FUNCTION, self.OTHER))
        for folder, bar, why in ((mine, 2, f"no driver has enabled the function: echo 1 > {mine}/enable"),
                                 (mine, 0, f"BAR0 of {self.FUNCTION}: wanted is BAR2 of an ivshmem function"),
                                 (other, 2, f"BAR2 of {self.OTHER}: wanted is BAR2 of an ivshmem function")):
            rc, out = guest.run(command(guest, self.cable(guest, folder, bar), "hello"))
            report.check(f"refused: {why}", rc == 1 and why in out, out)


class Doorbell(Memory):
    """The same with interrupts, which VFIO hands to programs: the machine's IOMMU does not remap them here."""
    modules = ("vfio_iommu_type1", "vfio-pci")
    options = {**Memory.options, "iommu": True}
    # The kernel counts interrupts of a function as long as a program has it, here for a second at least.
    JOB = ("{} & while kill -0 $! 2>/dev/null; do grep vfio-msix /proc/interrupts >/tmp/now && "
           "mv /tmp/now /tmp/last; sleep 0.1; done; wait $!; rc=$?; cat /tmp/last; exit $rc")
    ROUNDS = 4  # times as many as elsewhere
    WOKEN = 5  # at least: on a busy machine few lcores find the time to fall asleep

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="ringbell-vm-")
        self.path = os.path.join(self.folder.name, "server")
        ivshmem_server.Server(self.path, self.file).start()

    def devices(self, _):
        return [], ["-chardev", f"socket,id=server,path={self.path}",
                    "-device", "ivshmem-doorbell,chardev=server,vectors=1"]

    def enable(self, guest):
        guest.must("echo 1 >/sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts; "
                   f"bind vfio-pci $(functions {self.FUNCTION})")

    def refuse(self, report, guest):
        pass

    def wake(self, report, guests):
        """A job that survives a lost cable has its atomics done by the target's service lcore. The program pauses
        about as often for longer than that stays awake as for less."""
        program = f"-x RINGBELL_SURVIVE=yes multi-wait -w {TIMES} -x {self.ROUNDS} -c outside"
        for guest in guests:
            guest.start(self.JOB.format(command(guest, self.cable(guest), program)))
        said = finish(report, "requests to sleeping lcores", guests)
        counts = [int(n) for n in re.findall(r"^ *\d+: +(\d+) .*vfio-msix", said, re.M)]
        report.check("each was woken by interrupts", len(counts) == HOSTS and min(counts) >= self.WOKEN, said)
        report.note(f"interrupts: {counts}")


class Dax(Memory):
    """An NVDIMM in each guest, and what ndctl create-namespace --mode=devdax does with it: the first one to do so
    writes what it is onto it. Of QEMU's machines without an NVDIMM of its own the larger one can have some."""
    modules = ("nfit", "nd_pmem", "dax_pmem", "device_dax")
    options = {**Memory.options, "iommu": True, "words": "iommu=off"}
    DEVICE = ("-machine", "nvdimm=on", "-m", "slots=1,maxmem=2G", "-device", "nvdimm,memdev=shared")
    PATH = "/dev/dax0.0"
    RAW = "cd /sys/bus/nd/drivers/nd_pmem; echo namespace0.0 >unbind"
    MAKE = RAW + ("; cd /sys/bus/nd/devices/dax0.0; echo 2097152 >align; echo ram >mode; cat /proc/sys/kernel/random/uuid >uuid"
                  "; echo namespace0.0 >namespace; echo dax0.0 >/sys/bus/nd/drivers/dax_pmem/bind")

    def cable(self, guest, folder=None, bar=2):
        return f"raw_ntb_shared,path={self.PATH}"

    def enable(self, guest):
        guest.run(f"{self.RAW}; echo namespace0.0 >bind")
        guest.must(f"[ -e {self.PATH} ] || {{ {self.MAKE}; }}; ls -l {self.PATH}")

    def refuse(self, report, guest):
        rc, out = guest.run(command(guest, "raw_ntb_shared,path=/dev/pmem0", "hello"))
        report.check("refused: no DAX device", rc == 1 and "no file, no BAR in sysfs and no DAX device" in out, out)


class Network:
    """An adapter for each of two cables in each guest. The second ones join guests 0 and 1, and are all that two use."""
    FIRST = 4  # slot

    def __init__(self, dpdk):
        self.dpdk = dpdk
        self.modules = ("virtio_pci", "virtio_net") + (("uio_pci_generic",) if dpdk else ())
        self.drivers = ["net_virtio" if dpdk else "net_af_packet"]
        self.options = {"pages": 40 if dpdk else 0}
        left, right = [(k, int(k == 1)) for k in range(HOSTS)], [(k, int(k != 1)) for k in range(HOSTS)]
        joined = [(right[k], left[(k + 1) % HOSTS]) for k in range(HOSTS if HOSTS > 2 else 1)]
        # A packet is a datagram. The test keeps both ends, as a switch would: no guest sees the other's end.
        self.ends = {end: s for pair in joined
                     for end, s in zip(pair, socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))}

    def devices(self, host):
        fds, args = [], []
        for n in range(2):
            if (host, n) in self.ends:
                fds.append(os.dup(self.ends[host, n].fileno()))
            args += ["-netdev", f"socket,id=net{n},fd={fds[-1]}" if (host, n) in self.ends else
                     f"hubport,id=net{n},hubid={n}",
                     "-device", f"virtio-net-pci,netdev=net{n},addr={self.FIRST + n}.0,mac=52:54:00:00:{host:02x}:{n:02x},"
                                "romfile=,disable-legacy=on"]
        return fds, args

    def names(self, guest):
        return [f"0000:00:{self.FIRST + n:02x}.0" if self.dpdk else f"eth{n}"
                for n in ((1, 0) if guest.host == 1 else (0, 1)) if (guest.host, n) in self.ends]

    def cable(self, guest):
        return "+".join(name if self.dpdk else f"net_af_packet,iface={name}" for name in self.names(guest))

    def enable(self, guest):
        guest.must(f"bind uio_pci_generic {' '.join(self.names(guest))}" if self.dpdk else
                   "; ".join(f"ip link set dev {name} up" for name in self.names(guest)))

    def refuse(self, report, guest):
        pass


def command(guest, cable, program, pes=HOSTS):
    return (f"oshrun --hosts {HOSTS} --host-id {guest.host} -n {pes} --cable {cable} "
            f"-x SHMEM_SYMMETRIC_SIZE={HEAP * HOSTS // pes}M {program}")


def boot(r, medium, host):
    fds, devices = medium.devices(host)
    return r.boot(host, [], devices=devices, fds=fds, **medium.options)


def finish(report, what, guests, seconds=SECONDS, status=0):
    """What they have said, all together: of guests that wait, another one knows why."""
    ends, until = [], time.monotonic() + seconds
    for guest in guests:
        try:
            ends.append(guest.finish(until - time.monotonic()))
        except rig.Failure as failure:
            ends.append((None, str(failure)))
        report.check(f"{what}: {guest.name} of {HOSTS}", ends[-1][0] == status, ends[-1][1])
    report.note(what)
    if None in (rc for rc, _ in ends):
        raise rig.Failure(f"{what}: it has not ended everywhere")
    return "\n".join(out for _, out in ends)


def run(report, medium, guests, program, pes=HOSTS):
    for guest in guests:
        guest.start(command(guest, medium.cable(guest), program, pes))
    finish(report, f"{program}{f', {pes // HOSTS} PEs on each' if pes > HOSTS else ''}", guests)


def join_as_written(report, guests):
    """README.md's lines for two machines that a network cable joins: the first two."""
    with open(README, encoding="utf-8") as f:
        up, *starts = re.findall(r"^  ((?:ip link|oshrun) .*eth1.*)$", f.read(), re.M)
    for guest, start in zip(guests, starts):
        guest.start(f"cd /bin; {up}; {start}")
    said = finish(report, "the lines of README.md", guests[:2])
    report.check("PE 0 says what came", "PE 1 of 2 says 100 and shares memory with 1\n" in said + "\n", said)


def kill_one(report, r, medium, guests):
    for guest in guests:
        guest.start(command(guest, medium.cable(guest), "rounds /tmp/stop"))
    guests[0].says(ROUND, SECONDS)
    guests[-1].kill()
    since = time.monotonic()
    said = finish(report, "a guest is killed amid a program", guests[:-1], NAMED, 1)
    report.note(f"they have ended {time.monotonic() - since:.1f} s after that")
    report.check("it is named", f"to host {HOSTS - 1}: the link broke" in said, said)
    guests[-1] = boot(r, medium, HOSTS - 1)
    guests[-1].wait_boot()
    medium.enable(guests[-1])


def look_under_yama(report, guest):
    """A job on emulated hosts, with PEs without ports two hops apart, in Yama's usual mode and in the last one, where
    not even root may look into another process. With the others root, who runs it, is as free as with the usual one."""
    for scope in (1, 3):
        guest.must(f"echo {scope} >/proc/sys/kernel/yama/ptrace_scope")
        rc, out = guest.run("oshrun --hosts 4 -n 8 --timeout 100 -x SHMEM_SYMMETRIC_SIZE=8M confined", SECONDS)
        report.check(f"a job with ptrace_scope={scope}", rc == 0 and out.count("right") == 8, out)


def test(report, kit, programs):
    medium = {"ivshmem": Memory, "doorbell": Doorbell, "nvdimm": Dax}.get(MEDIUM, lambda: Network(MEDIUM == "dpdk"))()
    with rig.Rig(kit) as r:
        r.pack(programs, modules=medium.modules, drivers=medium.drivers)
        guests = [boot(r, medium, host) for host in range(HOSTS)]
        for guest in guests:
            guest.wait_boot()
        report.note("guests are up")
        medium.refuse(report, guests[0])
        if MEDIUM == "packets":
            join_as_written(report, guests)
        for guest in guests:
            medium.enable(guest)
        for name in [name for name in programs if name.startswith("multi-") and name != "multi-wait"]:
            run(report, medium, guests, f"{name} -w {TIMES}")
        if MEDIUM == "doorbell":
            medium.wake(report, guests)
        if "rounds" in programs:
            kill_one(report, r, medium, guests)
        run(report, medium, guests, "hello", 2 * HOSTS)
        if "confined" in programs:
            look_under_yama(report, guests[0])


sys.exit(rig.main(test))
