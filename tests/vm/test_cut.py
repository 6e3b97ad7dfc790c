#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A cable that is pulled and plugged in amid a program whose PEs are guests.

The program makes rounds of all kinds of operations, verifies each, and ends when it is told to: a
few rounds after the last thing that was done to the cable. The guests are a ring. Each cable is pulled once at least.
"""
import re
import sys
import time

import rig

HOSTS = 3
# how long a program may take where each store through a window is a message to the model, and a
# machine that has other work: the first job of three guests then took up to 157 s
SECONDS = 400
PAGES = 40
ROUNDS = 3  # before and after each thing that is done to a cable
# of a program that does not go on
STATE = ("cat /tmp/out; for p in $(pidof oshrun rounds); do for t in /proc/$p/task/*; do "
         "echo $t $(cat $t/comm $t/wchan $t/syscall); done; ls -l /proc/$p/fd; done")
LOOK = 0.2  # seconds between two looks at what a program has said
ROUND = re.compile(r"^round (\d+) is right$", re.M)
GOES_ON = "oshrun: the cable between host {} and host {} is lost; the job goes on without it"
NAMED = re.compile(r"the port [01] cable of host \d+, to host \d+: [^;]+; what was under way is lost")
TOLD = re.compile(r"PE \d+: host \d+ ended the job with status \d+$", re.M)


class Job:
    """rounds in all guests, in the background, so that cables can be pulled meanwhile."""

    def __init__(self, guests, *settings):
        self.guests = guests
        for guest in guests:
            guest.must("rm -f /tmp/rc /tmp/stop")
        for host, guest in enumerate(guests):
            allow = " ".join("-a " + p for p in guest.functions)
            words = " ".join(f"-x {s}" for s in settings)
            guest.must(f"(oshrun --host-id {host} --hosts {HOSTS} --eal '{allow}' {words} "
                       "-x SHMEM_SYMMETRIC_SIZE=16M -x RINGBELL_CHUNK=16K "
                       "rounds /tmp/stop >/tmp/out 2>&1; echo $? >/tmp/rc) >/dev/null &")

    def until(self, what, guest, command):
        """Until the command has status 0, or the program is over."""
        end = time.monotonic() + SECONDS
        while guest.run(f"{command} || [ -s /tmp/rc ]")[0] != 0:
            if time.monotonic() > end:
                raise rig.Failure(f"{guest.name}: not in time: {what}\n" + "\n".join(
                    f"{g.name}:\n" + g.run(STATE)[1] for g in self.guests))
            time.sleep(LOOK)

    def some_rounds(self):
        """Until the program has made some more."""
        first = self.guests[0]
        made = ROUND.findall(first.must("cat /tmp/out"))
        number = (int(made[-1]) if made else 0) + ROUNDS
        self.until(f"round {number}", first, f"grep -q 'round {number} is' /tmp/out")

    def finish(self):
        """[(status, output)] of each guest."""
        self.guests[0].must("touch /tmp/stop")
        for guest in self.guests:
            self.until("the program ends", guest, "false")
        return [(int(g.must("cat /tmp/rc")), g.must("cat /tmp/out")) for g in self.guests]


def goes_on(report, device, guests, cable):
    what = f"cable {cable} of {HOSTS} pulled and plugged in"
    job = Job(guests, "RINGBELL_SURVIVE=yes")
    job.some_rounds()
    device.command(f"pull {cable}")
    job.until("the loss is told", guests[cable], "grep -q 'goes on without it' /tmp/out")
    job.some_rounds()
    device.command(f"plug {cable}")
    job.some_rounds()
    ends = job.finish()
    said = "\n".join(out for _, out in ends)
    for guest, (status, _) in zip(guests, ends):
        report.check(f"{what}: all data are right, and {guest.name} ends with status 0", status == 0,
                     f"{status}\n{said}")
    line = GOES_ON.format(cable, (cable + 1) % HOSTS)
    report.check(f"{guests[cable].name} says: {line}", line in ends[cable][1], said)
    report.note(what)


def ends_named(report, device, guests, cables, why, *settings):
    """The loss of the last of these cables ends the job."""
    job = Job(guests, *settings)
    for cable in cables:
        job.some_rounds()
        device.command(f"pull {cable}")
    ends = job.finish()
    for guest, (status, out) in zip(guests, ends):
        # 137: a PE that has taken too long to end, where a guest is slow
        report.check(f"{why}: {guest.name} ends with a status", status in (1, 137), f"{status}\n{out}")
        report.check(f"{guest.name} names the cable, or the host that has ended the job",
                     bool(NAMED.search(out) or TOLD.search(out)), out)
    report.check("a guest names the cable", any(NAMED.search(out) for _, out in ends),
                 "\n".join(out for _, out in ends))
    for cable in cables:
        device.command(f"plug {cable}")
    report.note(why)


def test(report, kit, programs):
    with rig.Rig(kit, programs) as r:
        device = r.adapters(programs["ringbell-device"], "--hosts", str(HOSTS), "--cables",
                            str(HOSTS), "--dma", "0")
        guests = [r.boot(host, [("left", 0), ("right", 0)], pages=PAGES) for host in range(HOSTS)]
        for guest in guests:
            guest.wait_boot()
        report.note("guests are up")
        for guest in guests:
            guest.functions = r.ports(guest)
        goes_on(report, device, guests, HOSTS - 1)
        ends_named(report, device, guests, [1, 0], "a second cable pulled", "RINGBELL_SURVIVE=yes")
        # it was pulled and plugged in before: who did not use it again would not miss it
        ends_named(report, device, guests, [0], "a cable pulled without RINGBELL_SURVIVE=yes")


sys.exit(rig.main(test))
