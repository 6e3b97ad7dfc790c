# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Linux guests that have the model's adapters on their PCI bus: start, command, take away.

Nothing of a guest is installed anywhere: Debian's kernel package is unpacked, an initramfs is made
of busybox and our programs, and both live in a temporary folder together with all sockets.
"""
import glob
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import initrd

BOOT_SECONDS = 240  # 8 on an idle machine
STOP_SECONDS = 20
ATTEMPTS = 6
TIMER_MHZ = 1000  # of QEMU's APIC
# a fifth of a kernel's start is to clear all pages ahead of their use, and to make policies that no program here has
QUICK = "init_on_alloc=0 apparmor=0 audit=0"
INTEL = "intel"  # in place of DMA channels: an NTB of the CPU's
SLOT = 16  # of the first such one
# what is started ends with the test, whatever ends that
WITH_US = ["setpriv", "--pdeathsig", "KILL"]


class Failure(Exception):
    """Something that a test must not go on after."""


def skip(reason):
    """In TAP the plan says it; a status of 77 besides would count as an error."""
    print("1..0 # SKIP " + reason)
    sys.exit(0)


class Report:
    """What was proved, as lines of the Test Anything Protocol."""

    def __init__(self):
        self.count = 0
        self.failed = 0
        self.since = time.monotonic()

    def check(self, name, good, why=""):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        for line in [] if good else why.splitlines():
            print("# " + line)
        sys.stdout.flush()
        # Meson shows this part alone of a test that fails
        if not good:
            print(f"{name}:\n{why}", file=sys.stderr, flush=True)

    def note(self, text):
        print(f"# {time.monotonic() - self.since:.1f} s: {text}", flush=True)

    def end(self):
        print(f"1..{self.count}")
        return 1 if self.failed or self.count == 0 else 0


def main(test):
    """Run test(report, kit, programs): KERNEL-FOLDER SANITIZER TSC, then NAME=FILE for each."""
    kernel, sanitizer, tsc, *programs = sys.argv[1:]
    if sanitizer != "none":
        skip("guests run programs without sanitizers")
    report = Report()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # by way of what must be taken away
    try:
        test(report, Kit(kernel, tsc), dict(p.split("=", 1) for p in programs))
    except Failure as failure:
        report.check("the test goes on to its end", False, str(failure))
    return report.end()


class Kit:
    """What guests are made of, or the reason why there are none."""

    def __init__(self, kernel, tsc):
        self.qemu = shutil.which("qemu-system-x86_64")
        if self.qemu is None:
            skip("no qemu-system-x86_64 (Debian package qemu-system-x86)")
        devices = subprocess.run([self.qemu, "-device", "help"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, check=False).stdout
        if b"x-pci-proxy-dev" not in devices:
            skip("this QEMU has no x-pci-proxy-dev")
        self.busybox = next((p for p in ("/bin/busybox", "/usr/bin/busybox")
                             if os.path.exists(p)), None)
        if self.busybox is None:
            skip("no busybox (Debian package busybox-static)")
        # among its modules since Debian 14
        images = [path for place in ("boot/vmlinuz-*", "usr/lib/modules/*/vmlinuz")
                  for path in glob.glob(os.path.join(kernel, place))]
        if not images:
            skip(f"no kernel in {kernel}: make setup unpacks Debian's there")
        self.image = sorted(images)[-1]
        self.kernel = kernel
        self.khz = subprocess.run([tsc], stdout=subprocess.PIPE, check=True).stdout.decode().strip()

    def _module(self, name):
        """Its file: below usr/ since Debian 13, with - or _ in its name."""
        file = re.sub("[-_]", "[-_]", name) + ".ko"
        found = [path for top in ("", "usr/") for path in glob.glob(
            os.path.join(self.kernel, top + "lib/modules/*/kernel/**", file), recursive=True)]
        if not found:
            skip(f"the kernel package has no module {name}")
        return found[0]

    def modules(self, *names):
        """Files of modules, each after those it depends on by its own word."""
        order = []
        for path in map(self._module, names):
            with open(path, "rb") as f:
                needs = re.search(rb"\0depends=([^\0]*)\0", f.read())[1].decode()
            for p in [*self.modules(*filter(None, needs.split(","))), path]:
                order += [] if p in order else [p]
        return order


class Device:
    """A ringbell-device with the adapters of a whole ring."""

    def __init__(self, program, folder, *options):
        self.folder = folder
        self.process = subprocess.Popen([*WITH_US, program, *options, folder],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self.process.stdout.readline() != b"ready\n":
            raise Failure("ringbell-device did not start")

    def command(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()
        lines = []
        while not lines or lines[-1] != "ok":
            line = self.process.stdout.readline().decode().rstrip("\n")
            if not line or line.startswith("what?"):
                raise Failure(f"ringbell-device, asked to {text}, said {line!r}")
            lines.append(line)
        return lines[:-1]

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class Guest:
    """One Linux. Its adapters are those of host @p host: (side, DMA channels) each, or (side, INTEL)
    for an NTB of Intel's. With @p iommu
    a PC of PCI Express ports that has one; else the small machine of QEMU's, with bridges, with
    which it boots faster. That one tells no function how its interrupt is routed, see needs_kvm().
    Its kernel is told @p words. It has @p pages huge pages of 2 MiB: from its start, for a kernel that gives some of them back later
    leaves the others in pieces. QEMU is told @p devices, too, which name
    the descriptors @p fds: it alone has these once it has booted. Its CPUs take turns on one thread of QEMU's: of
    guests with a thread for each, two stood still at their boot. @p atomics: of its CPU and another guest's on one word.
    On a machine of one CPU, no thread but that CPU's stores to its memory, QEMU thinks, and does a locked instruction as
    a load and a store. Where there may be a second CPU it takes the atomics of the CPU that it runs on; none comes.
    """

    def __init__(self, rig, host, adapters, iommu=False, pages=72, words="", cpus=1, memory="512M",
                 devices=(), fds=(), atomics=False):
        self.name = f"guest {host}"
        self.host = host
        self.rig = rig
        self.log = os.path.join(rig.folder, f"h{host}.log")
        self.given = fds
        self.path = os.path.join(rig.folder, f"h{host}.cmd")
        self.text = self.said = b""
        self.command = [
            rig.kit.qemu, "-nodefaults", "-no-user-config", "-display", "none",
            "-accel", "tcg,thread=" + ("multi" if atomics else "single"),
            "-smp", f"{cpus},maxcpus={cpus + atomics}", "-m", memory,
            # the first that DPDK can run on: string moves go 8 bytes a message there, and 1 byte
            # where the CPU has fast ones
            # rdrand: what random.trust_cpu trusts. Without it getrandom() makes its first numbers out
            # of timer ticks, in a loop. On a busy machine one guest in some forty stood still with
            # oshrun on its CPU, most likely there
            "-cpu", "Nehalem,+rdrand",
            "-object", f"memory-backend-memfd,id=mem,size={memory},share=on",
            *(["-machine", "q35,memory-backend=mem", "-device", "intel-iommu,intremap=off"]
              if iommu else ["-machine", "microvm,memory-backend=mem,pcie=on,acpi=on"]),
            "-kernel", rig.kit.image, "-initrd", rig.initrd,
            "-append", f"console=ttyS0 loglevel=7 apic=verbose panic=-1 hugepages={pages} nokaslr "
                       "mitigations=off random.trust_cpu=on no_timer_check "
                       f"cryptomgr.notests {words} {QUICK} "
                       + ("intel_iommu=on" if iommu else self._small_machine()),
            "-serial", "file:" + self.log,
            "-monitor", f"unix:{self.path}.monitor,server=on,wait=off",
            "-chardev", f"socket,id=cmd,path={self.path},server=on,wait=off",
            "-device", "isa-serial,index=1,chardev=cmd",
        ]
        if any(channels == INTEL for _, channels in adapters):
            # the way of interrupts
            self.command += ["-qtest", f"unix:{rig.folder}/h{host}.irq,server=on,wait=off",
                             "-qtest-log", "none"]
        self.command += devices
        self.adapters = adapters
        self.express = iommu
        self._begin()

    def _begin(self):
        self.fds = list(self.given)
        command = self.command[:]
        for number, (side, channels) in enumerate(self.adapters):
            command += (self._integrated(self.host, number, side) if channels == INTEL else
                        self._adapter(self.host, number, side, channels))
        with open(self.log, "wb"):  # what an earlier one said does not count
            self.started = time.monotonic()
        # a word for each access to an adapter that is gone, which is a lot
        env = {k: v for k, v in os.environ.items() if k != "MALLOC_PERTURB_"}
        with open(self.log + ".qemu", "ab") as qemu_says:
            self.process = subprocess.Popen([*WITH_US, "nice", "-n", "5", *command], env=env,
                                            stdin=subprocess.DEVNULL, stderr=qemu_says,
                                            pass_fds=self.fds)
        for fd in self.fds[len(self.given):]:
            os.close(fd)
        self.line = self._connect()

    def _small_machine(self):
        """What its kernel has to be told: how fast the clock is, as there is no other one to
        compare it with; and that windows of adapters go below 4 GiB, as QEMU's proxies have no
        64-bit BARs. And a zone for huge pages, where nothing else comes between them: VFIO with an
        IOMMU could not pin them there."""
        return (f"tsc_early_khz={self.rig.kit.khz} tsc=reliable reboot=t movablecore=176M "
                "memmap=1020G$4G pci=use_e820")

    def _plug(self, name):
        self.fds.append(self.rig.plug(name))
        return self.fds[-1]

    def _integrated(self, host, n, side):
        """In the CPU: a function of the first bus."""
        return ["-device", f"x-pci-proxy-dev,id=nt{n},bus=pcie.0,addr={SLOT + n:x}.0,"
                           f"fd={self._plug(f'h{host}.{side}')}"]

    def _adapter(self, host, n, side, channels):
        """As in a real one: a root port, the upstream port with DMA functions beside it, a
        downstream port, behind which is the NT function."""
        root, up, down = (f"pci-bridge,shpc=off,chassis_nr={3 * n + i}" for i in (1, 2, 3))
        if self.express:
            root = f"pcie-root-port,chassis={2 * n + 1}"
            up, down = "x3130-upstream", f"xio3130-downstream,chassis={2 * n + 2}"
        args = ["-device", f"{root},id=rp{n},bus=pcie.0,addr={4 + n:x}.0",
                "-device", f"{up},id=up{n},bus=rp{n},addr=0.0,multifunction=on",
                "-device", f"{down},id=dn{n},bus=up{n},addr=8.0",
                "-device", f"x-pci-proxy-dev,id=nt{n},bus=dn{n},addr=0.0,"
                           f"fd={self._plug(f'h{host}.{side}')}"]
        for c in range(channels):
            args += ["-device", f"x-pci-proxy-dev,id=dma{n}{c},bus=rp{n},addr=0.{c + 1},"
                                f"fd={self._plug(f'h{host}.{side}.dma{c}')}"]
        return args

    def _connect(self):
        while time.monotonic() < self.started + BOOT_SECONDS:
            if self.process.poll() is not None:
                raise Failure(f"{self.name}: QEMU ended with {self.process.returncode}")
            s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                s.connect(self.path)
                return s
            except OSError:
                s.close()
                time.sleep(0.05)
        raise Failure(f"{self.name}: QEMU does not open its command line")

    def _until(self, mark, end):
        """The rest of a line that begins with @p mark; what came before goes to self.said."""
        while True:
            at = self.text.find(b"\n" + mark)
            if at < 0 and b"\n@@rc" in self.text and not mark.startswith(b"@@rc"):
                raise Failure(f"{self.name}: the program ended early, after "
                              + self.so_far())
            stop = self.text.find(b"\n", at + 1)
            if at >= 0 and stop >= 0:
                line = self.text[at + 1 + len(mark):stop].decode()
                self.said += self.text[:at]
                self.text = self.text[stop:]
                return line.strip()
            left = end - time.monotonic()
            ready = left > 0 and select.select([self.line], [], [], left)[0]
            try:
                data = self.line.recv(65536) if ready else b""
            except ConnectionResetError:
                data = b""
            if not data:
                why = (f"QEMU ended with {self.process.wait()}" if ready else
                       "no answer in time" + self._where())
                raise Failure(f"{self.name}: {why}; the last it said: "
                              + self.so_far()[-2000:]
                              + self.last_log())
            self.text += data.replace(b"\r", b"")

    def _where(self):
        """What QEMU says of a guest that is silent: where its CPU stands, twice, and the CPU's timer."""
        asked = b"info registers\ninfo lapic\n"
        said = b""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as s:
            s.connect(self.path + ".monitor")
            for _ in range(2):
                s.sendall(asked)
                end = time.monotonic() + 1
                while select.select([s], [], [], max(0, end - time.monotonic()))[0]:
                    said += s.recv(65536)
        lines = said.decode(errors="replace").replace("\r", "").split("\n")
        return "".join("\n" + line for line in lines
                       if re.match(r"RIP|LVTT\s|Timer|ISR|IRR", line))

    def so_far(self):
        """What the program that runs has said, as far as it was listened to."""
        return (self.said + self.text).decode(errors="replace")

    def last_log(self):
        said = []
        for what, name in ("its console", self.log), ("its QEMU", self.log + ".qemu"):
            with open(name, encoding="utf-8", errors="replace") as f:
                said.append(f"\n{what}: {f.read()[-1500:]}")
        return "".join(said)

    def _timer_is_right(self):
        """Linux measures its timer as it boots, for 0.1 s, and in the small machine has no other one to compare it
        with. Where the host stands still for as long at the beginning of that, it finds far too little: then
        interrupts come a thousand times too often, or never, and the guest hangs without a word."""
        while self.process.poll() is None and not select.select([self.line], [], [], 0.05)[0]:
            if time.monotonic() > self.started + BOOT_SECONDS:
                break
            with open(self.log, "rb") as f:
                found = re.search(rb"host bus clock speed is (\d+)\.", f.read())
            if found:
                return abs(int(found[1]) - TIMER_MHZ) < TIMER_MHZ / 2
        return True

    def wait_boot(self):
        for _ in range(ATTEMPTS):
            if self._timer_is_right():
                break
            print(f"# {self.name}: this machine stood still while the guest measured its timer, so it boots again")
            self.kill()
            self._begin()
        else:
            raise Failure(f"{self.name}: it measured its timer wrong {ATTEMPTS} times")
        for fd in self.given:
            os.close(fd)
        self.text = b"\n"
        self._until(b"@@ready", self.started + BOOT_SECONDS)
        return time.monotonic() - self.started

    def start(self, command):
        self.said = b""
        self.line.sendall(command.encode() + b"\n")

    def says(self, mark, seconds=60):
        """Until what was started has said a line that begins so."""
        self._until(mark.encode(), time.monotonic() + seconds)

    def finish(self, seconds=60):
        """(exit status, output) of what was started."""
        rc = self._until(b"@@rc", time.monotonic() + seconds)
        return int(rc), self.said.decode(errors="replace").strip()

    def run(self, command, seconds=60):
        self.start(command)
        return self.finish(seconds)

    def must(self, command, seconds=60):
        rc, out = self.run(command, seconds)
        if rc != 0:
            raise Failure(f"{self.name}: {command}: status {rc}\n{out}")
        return out

    def kill(self):
        """As if the mains were pulled."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.line.close()

    def stop(self):
        self.kill()  # it has nothing to save


class Rig:
    """Temporary folder, device and guests of one test, gone at its end."""

    def __init__(self, kit, programs=None):
        self.kit = kit
        self.folder = tempfile.mkdtemp(prefix="ringbell-vm-")
        self.device = None
        self.guests = []
        self.initrd = os.path.join(self.folder, "initrd")
        if programs is not None:
            self.pack(programs)

    def pack(self, programs, modules=("uio_pci_generic",), files=None, drivers=(), spare=()):
        """What guests have on board. Of their modules, those of @p spare are not loaded at once."""
        programs = {name: file for name, file in programs.items() if name != "ringbell-device"}
        modules = self.kit.modules(*modules)
        extra = [m for m in self.kit.modules(*spare) if m not in modules]
        order = os.path.join(self.folder, "order")
        with open(order, "w", encoding="ascii") as f:
            f.writelines(os.path.basename(m) + "\n" for m in modules)
        initrd.make(self.initrd, self.kit.busybox, modules + extra + [order], programs,
                    files or {}, drivers)

    def ports(self, guest, kind="10b5:87b0", driver="uio_pci_generic"):
        """PCI addresses of a kind in a guest, bound to a driver for programs."""
        found = guest.must(f"functions {kind}").split()
        guest.must(f"bind {driver} {' '.join(found)}")
        return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for guest in self.guests:
            guest.stop()
        if self.device is not None:
            self.device.stop()
        shutil.rmtree(self.folder)

    def adapters(self, program, *options):
        options += "--reading", os.environ.get("RINGBELL_VM_READING", "none")
        self.device = Device(program, self.folder, *options)
        return self.device

    def plug(self, name):
        """A descriptor by which a QEMU has that function of an adapter."""
        s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        s.connect(os.path.join(self.folder, name))
        fd = s.detach()
        os.set_inheritable(fd, True)
        return fd

    def needs_kvm(self, name):
        """Whether this QEMU ends as soon as that function is plugged into a PC without KVM: later
        ones hand KVM the route of its interrupt without a look whether there is KVM."""
        fd = self.plug(name)
        qemu = subprocess.run(
            [*WITH_US, self.kit.qemu, "-nodefaults", "-no-user-config", "-display", "none", "-S",
             "-machine", "q35", "-accel", "tcg", "-monitor", "stdio",
             "-device", f"x-pci-proxy-dev,id=nt,bus=pcie.0,addr=4.0,fd={fd}"],
            input=b"quit\n", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=[fd],
            timeout=STOP_SECONDS, check=False)
        os.close(fd)
        if qemu.returncode not in (0, -signal.SIGSEGV):
            raise Failure(f"QEMU, asked to end at once: {qemu.returncode}, {qemu.stderr.decode()}")
        return qemu.returncode != 0

    def boot(self, host, adapters, **options):
        guest = Guest(self, host, adapters, **options)
        self.guests.append(guest)
        return guest

    def boot_with_iommu(self, host, adapters):
        """Now and then QEMU 7.2 dies of the very access with which a kernel switches its IOMMU on.
        Such a guest has not begun, so there is another one, and a line about it."""
        for _ in range(ATTEMPTS):
            guest = Guest(self, host, adapters, iommu=True)
            self.guests.append(guest)
            try:
                guest.wait_boot()
                return guest
            except Failure as failure:
                if guest.process.poll() != -signal.SIGSEGV:
                    raise
                print(f"# guest {host}: QEMU died of SIGSEGV as its IOMMU went on; once more")
                last = failure
        raise last
