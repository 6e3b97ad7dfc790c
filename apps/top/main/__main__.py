# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Show what a running job does: the cables with the bytes and messages that pass on each, each way,
what is relayed, how many frames are queued, and what each PE does. The job must run on this machine,
under oshrun --telemetry."""
import argparse
import curses
import json
import locale
import re
import sys
import time

import jobs
from version import VERSION

MAX_HOSTS, MAX_PES = jobs.MAX_HOSTS, 1024
LONG_WAIT_NS = 10**9  # a wait that has a line of its own
KEYS = "q: quit  arrows: move"
PORTS = tuple(f"port {n}" for n in range(8))  # in a ring the first leads to the host before, the second to the next

# metric, the counters of the host that it is the sum of (doc/telemetry.md)
METRICS = [line.split() for line in """
link_up up
link_lost lost
link_sent_bytes tx_frame_bytes,store_bytes,relay_store_bytes
link_sent_messages tx_frames,stores,relay_stores
link_loaded_bytes load_bytes
link_loads loads
link_relayed_bytes forwarded_bytes
link_relay_stored_bytes relay_store_bytes
link_queued_frames queued_frames
link_dropped_frames dropped
ether_packets_again packets_again
ether_credits packets_credits
pe_put_bytes put_bytes
pe_get_bytes get_bytes
pe_atomics atomics
pe_barriers barriers
pe_wait_seconds wait_ns
pe_blocked_seconds blocked_ns
""".strip().split("\n")]


def count(answer, names):
    """The sum of these counters; what is no counter adds nothing."""
    values = [answer.get(name) for name in names.split(",")] if isinstance(answer, dict) else []
    return sum(min(v, 2**64 - 1) for v in values if isinstance(v, int) and v > 0)


def metrics_of(answer, kind):
    return {name: count(answer, names) for name, names in METRICS if name.startswith(kind)}


def text_of(answer, name):
    """Characters that a terminal may get."""
    return re.match("[ -~]*", str(answer.get(name, "")))[0]


class Host(jobs.Client):
    """The socket of one host."""

    def __init__(self, path):
        super().__init__(path)
        self.ports = [port for port in PORTS if isinstance(self.ask(f"/ringbell/link,{port}"), dict)]

    def sample(self, host, into):
        """Add its counters to those of the job. @return whether it answers"""
        pes = self.ask("/ringbell/pes")
        for pe in pes if isinstance(pes, list) else ():
            answer = self.ask(f"/ringbell/pe,{pe}") if isinstance(pe, int) else None
            if isinstance(answer, dict) and 0 <= pe < MAX_PES:
                into[pe] = dict(metrics_of(answer, "pe"), host=host, state=text_of(answer, "state"),
                                call=text_of(answer, "blocked_in"), whom=text_of(answer, "blocked_for"))
        for port in self.ports:
            answer = self.ask(f"/ringbell/link,{port}")
            if isinstance(answer, dict):
                far = count(answer, "neighbour") % MAX_HOSTS, PORTS[count(answer, "neighbour_port") % len(PORTS)]
                driver = text_of(answer, "driver")
                into[host, port] = dict(metrics_of(answer, "link"), far=far, driver=driver)
                if driver == "raw_ntb_ether":
                    into[host, port].update(metrics_of(self.ask(f"/rawdev/xstats,{count(answer, 'rawdev')}"), "ether"))
        return isinstance(pes, list)


class Job:
    """Its counters, of now and before: of each PE, and of each (host, port). Those of a host that
    does not answer stay as they were."""

    def __init__(self, name, paths):
        self.name, self.size, self.n_pes, self.hosts = name, 0, 0, {}
        self.now, self.before, self.time, self.seconds = {}, {}, 0, 1
        self.drawn, self.missing = "", []
        for path in paths:
            self.add_host(path)

    def add_host(self, path):
        try:
            host = Host(path)
        except OSError:
            return
        info = host.ask("/ringbell/info")
        number, size, pes = (count(info, name) for name in ("host", "hosts", "pes"))
        if number < size <= MAX_HOSTS and 1 <= pes <= MAX_PES and number not in self.hosts:
            self.size, self.n_pes, self.hosts[number] = size, pes, host

    def sample(self):
        """@return whether a host answers"""
        self.before, self.now, then = self.now, dict(self.now), self.time
        self.time = time.monotonic()
        self.seconds = self.time - then
        self.hosts = {n: host for n, host in self.hosts.items() if host.sample(n, self.now)}
        self.find_missing()
        return bool(self.hosts)

    def pes(self):
        return sorted((key, value) for key, value in self.now.items() if isinstance(key, int))

    def links(self):
        """Those of hosts that answer."""
        return sorted((key, value) for key, value in self.now.items()
                      if isinstance(key, tuple) and key[0] in self.hosts)

    def rate(self, key, *names):
        """Of these metrics of a link or PE, per second."""
        now, before = self.now.get(key), self.before.get(key)
        if not now or not before:
            return 0
        return sum(max(now[n] - before[n], 0) for n in names) / self.seconds

    def cables(self):
        """One end of each, and the other; in a ring that of the host before is the first."""
        ends = ((end, link["far"]) for end, link in self.now.items() if isinstance(end, tuple))
        return sorted({min(pair, pair[::-1], key=lambda pair: (not self.leads_on(*pair), pair)) for pair in ends})

    def leads_on(self, here, there):
        """As cables of a ring do."""
        return (*here, *there) == (here[0], PORTS[1], (here[0] + 1) % self.size, PORTS[0])

    def in_ring(self):
        return all(self.leads_on(*pair) for pair in self.cables())

    def flow(self, here, there):
        """Bytes and messages from one end of a cable to the other. Stores and frames are counted by
        their sender; loads by the host that reads."""
        return (self.rate(here, "link_sent_bytes") + self.rate(there, "link_loaded_bytes"),
                self.rate(here, "link_sent_messages") + self.rate(there, "link_loads"))

    def cable_name(self, here, there):
        """A cable in words: two hosts in a ring, else their ports too."""
        return " - ".join(str(host) if self.in_ring() else f"{host}.{port[-1]}" for host, port in (here, there))

    def find_missing(self):
        """Where hosts are in no ring, the cables that a regular wiring would have too, from oshrun."""
        words = "" if self.in_ring() else next((host.wiring() for host in self.hosts.values()), "")
        if words != self.drawn:
            self.drawn = words
            self.missing = [line for line in jobs.drawn(words, self.size) if " is where " in line]

    def medium(self, here, there):
        """Of a cable, in words; "" of adapters."""
        ends = [(end[0], self.now[end]) for end in (here, there) if end in self.now]
        words = [f"host {host} sent {link['ether_packets_again']} packets again, {link['ether_credits']} credits"
                 for host, link in ends if "ether_credits" in link]
        shared = any(link.get("driver") == "raw_ntb_shared" for _, link in ends)
        return f"Ethernet: {'; '.join(words)}" if words else "shared memory" * shared

    def relayed(self, host):
        """The relayed part of the traffic out of a host."""
        ends = [end for end in self.now if isinstance(end, tuple) and end[0] == host]
        total = sum(self.rate(end, "link_sent_bytes") for end in ends)
        part = sum(self.rate(end, "link_relayed_bytes", "link_relay_stored_bytes") for end in ends)
        return min(part / total, 1) if total else 0

    def link(self, host, port, name):
        return self.now.get((host % self.size, port), {}).get(name, 0)

    def queued(self, host):
        return sum(self.link(host, port, "link_queued_frames") for port in PORTS)

    def lost(self):
        """The host before the lost cable of a ring, which is a line then; -1: none is lost."""
        return next((here[0] for here, there in self.cables() if self.in_ring() and (
            self.link(*here, "link_lost") or self.link(*there, "link_lost"))), -1)

    def host_at(self, place):
        """From host 0 on round the ring, or from one end of the line to the other."""
        return (self.lost() + 1 + place) % self.size

    def warnings(self):
        if self.lost() >= 0:
            yield (f"the cable between host {self.lost()} and host {(self.lost() + 1) % self.size} "
                   "is lost: the ring is a line")
        yield from (f"host {h} does not answer" for h in range(self.size) if h not in self.hosts)
        yield from self.missing
        for (host, port), link in self.links():
            if not self.in_ring() and link["link_lost"]:
                yield f"host {host}: the cable of {port} to host {link['far'][0]} is lost"
            if not link["link_up"] and not link["link_lost"]:
                yield f"host {host}: its {port} link is down"
            if link["link_dropped_frames"]:
                frames = link["link_dropped_frames"]
                yield f"host {host}: {frames} frames from the {port} make no sense"


def human(value, unit="", digits=2):
    """1.23 GB, 310 k"""
    prefix = 0
    while value >= 999.5 and prefix < 4:
        value, prefix = value / 1000, prefix + 1
    whole = prefix == 0 and (value == 0 or value >= 10)
    places = 0 if whole else max(digits - (value >= 9.95) - (value >= 99.5), 0)
    return f"{value:.{places}f}{' ' if unit else ''}{' kMGT'[prefix].strip()}{unit}"


class Ring:
    """Two rows: hosts 0, 1, .. from left to right above, the others back from right to left below.
    Between two hosts stand the rates of both directions, with an arrow each. A line begins with the
    host at one end of it, so that its last cable, which is lost, is the upright one on the left.
    Where boxes have no room, and in other wirings, there is no picture."""

    def __init__(self, job, width):
        self.job, self.width = job, width
        self.above = job.size if job.size <= 2 else (job.size + 1) // 2
        fits = job.in_ring() and self.above * 30 - 14 <= width
        self.lines = [[" "] * width for _ in range(fits * (4 + 4 * (job.size > 2) + 2 * (job.size > 1)))]
        if fits:
            self.draw(job.size - self.above)

    def put(self, x, y, *texts):
        for i, text in enumerate(texts):
            self.lines[y + i][x:x + len(text)] = text[:self.width - x]

    def rates(self, arrows, host, to_right, width=24):
        """Between a host and the next one; the first arrow is that of the way asked for."""
        ends = (host, PORTS[1]), ((host + 1) % self.job.size, PORTS[0])
        for arrow, way in zip(arrows, (to_right, not to_right)):
            size, messages = self.job.flow(*(ends if way else ends[::-1]))
            more = f" {human(messages, '/s')}" if width >= 24 else ""
            yield f"{arrow} {human(size, 'B/s')}{more}"

    def beside(self, x, y, width, host, to_right):
        self.put(x, y, *(f" {text} " for text in self.rates("><", host, to_right, width)))

    def upright(self, x, y, host, down):
        for i, text in enumerate(self.rates("v^", host, down)):
            self.put(x, y + i, "│")
            self.put(x + 2 if x < self.width / 2 else x - 1 - len(text), y + i, text)

    def draw_host(self, x, y, host):
        pes = [(pe, p["state"]) for pe, p in self.job.pes() if p["host"] == host]
        waiting, queued = sum(state != "running" for _, state in pes), self.job.queued(host)
        state = "PE {} {}".format(*pes[0]) if len(pes) == 1 else f"{len(pes)} PEs {waiting} wait"
        state = state if host in self.job.hosts else "no answer"
        title = f"host {host}" + f", q {queued}" * (queued > 0)
        line = "─" * 14
        self.put(x, y, f"┌{line}┐", f"│{title:14.14}│", f"│{state:14.14}│", f"└{line}┘")

    def draw_row(self, y, n, upper):
        places = [i * (self.width - 16) // max(n - 1, 1) for i in range(n)]
        for i, x in enumerate(places):
            host = self.job.host_at(i if upper else -1 - i)
            self.draw_host(x, y, host)
            if i < n - 1:
                self.beside(x + 16, y + 1, places[i + 1] - x - 16, host if upper else self.job.host_at(-2 - i), upper)

    def draw(self, below):
        job, right, corner = self.job, self.width - 8, self.job.host_at(self.above - 1)
        self.draw_row(0, self.above, True)
        self.draw_row(6, below, False)
        if job.lost() >= 0:
            self.put(8 if below else 17, 4, "lost")
        elif job.size == 2:  # the second cable, from host 1 round to host 0
            self.put(8, 4, "└" + "─" * (right - 9) + "┘")
            self.beside(16, 4, right - 8, 1, False)
        elif below:
            self.upright(8, 4, job.size - 1, False)
        if below == 1:  # of three hosts: down and then along the lower row
            self.put(right, 4, "│", "│", "│")
            self.put(16, 7, "─" * (right - 16) + "┘")
            self.beside(18, 7, right - 8, corner, False)
        elif below:
            self.upright(right, 4, corner, True)


def tables(job):
    """Lines, and whether they are headings."""
    yield f"{'cable':<12} {'there':>22} {'back':>22} {'relayed':>8} {'queued':>6}", True
    for here, there in job.cables():
        line = f" {job.cable_name(here, there):<12}"
        if job.link(*here, "link_lost") or job.link(*there, "link_lost"):
            yield f"{line}{'lost':>12}", False
            continue
        for size, messages in (job.flow(here, there), job.flow(there, here)):
            line += f"{human(size, 'B/s'):>12} {human(messages, '/s'):>9} "
        yield f"{line}{100 * job.relayed(here[0]):6.0f} % {job.queued(here[0]):6}", False
        yield from [(f"   {medium}", False)] if (medium := job.medium(here, there)) else []
    yield "  PE host state             puts         gets     atomics   barriers  waits", True
    for pe, p in job.pes():
        put, get = (human(job.rate(pe, name), "B/s") for name in ("pe_put_bytes", "pe_get_bytes"))
        atomics, barriers = (human(job.rate(pe, name), "/s") for name in ("pe_atomics", "pe_barriers"))
        yield (f"{pe:4} {p['host']:4} {p['state']:<9.15} {put:>12} {get:>12} {atomics:>11} {barriers:>10} "
               f"{job.rate(pe, 'pe_wait_seconds') / 1e7:4.0f} %", False)
        if p["pe_blocked_seconds"] >= LONG_WAIT_NS:
            yield f"{'':10}in {p['call']} for {p['pe_blocked_seconds'] / 1e9:.0f} s, for {p['whom']}", False


def picture(job, width, height, scroll=0, keys=KEYS):
    """Lines, and whether they are bold; the tables begin at their line @p scroll."""
    title = (f"ringbell-top  job {job.name}  {job.size} host{'s' * (job.size > 1)}  "
             f"{job.n_pes} PE{'s' * (job.n_pes > 1)}").ljust(width - 22)
    lines = [(title[:max(width - 22, 0)] + keys, True)]
    lines += [(f"! {warning}", True) for warning in job.warnings()]
    ring = Ring(job, width).lines
    if len(lines) + len(ring) + 4 <= height:
        lines += [("".join(line), False) for line in ring]
    return [(line[:width], bold) for line, bold in lines + list(tables(job))[scroll:]][:height]


def print_picture(job):
    plain = str.maketrans("─│┌┐└┘", "-|++++")
    for line, _ in picture(job, 80, sys.maxsize, keys=""):
        print(line.translate(plain).rstrip())


def print_json(job):
    def flow(*ends):
        return dict(zip(("bytes_per_s", "messages_per_s"), job.flow(*ends)))

    print(json.dumps({
        "job": job.name, "seconds": job.seconds,
        "hosts": [{"host": h, "answers": h in job.hosts, "relayed_share": job.relayed(h),
                   "queued_frames": job.queued(h)} for h in range(job.size)],
        "links": [{"host": here[0], "port": here[1], "neighbour": there[0], "neighbour_port": there[1],
                   "lost": bool(job.link(*here, "link_lost") or job.link(*there, "link_lost")),
                   "up": bool(job.link(*here, "link_up")), "medium": job.medium(here, there),
                   "there": flow(here, there), "back": flow(there, here)}
                  for here, there in job.cables()],
        "pes": [{"pe": pe, "host": p["host"], "state": p["state"], "blocked_in": p["call"],
                 "blocked_for": p["whom"], "blocked_s": p["pe_blocked_seconds"] / 1e9,
                 "put_bytes_per_s": job.rate(pe, "pe_put_bytes"),
                 "get_bytes_per_s": job.rate(pe, "pe_get_bytes"),
                 "atomics_per_s": job.rate(pe, "pe_atomics"),
                 "barriers_per_s": job.rate(pe, "pe_barriers"),
                 "waiting_share": job.rate(pe, "pe_wait_seconds") / 1e9} for pe, p in job.pes()],
        "warnings": list(job.warnings())}, indent=2))


def watch(screen, job, interval):
    """@return whether the job is over"""
    acs = dict(zip("─│┌┐└┘", (curses.ACS_HLINE, curses.ACS_VLINE, curses.ACS_ULCORNER,
                              curses.ACS_URCORNER, curses.ACS_LLCORNER, curses.ACS_LRCORNER)))
    curses.curs_set(0)
    screen.timeout(100)
    due, scroll, key, fresh = time.monotonic() + interval, 0, -1, True
    while key not in (ord("q"), ord("Q")):
        if fresh or key != -1:
            height, width = screen.getmaxyx()
            screen.erase()
            for y, (line, bold) in enumerate(picture(job, width, height, scroll)):
                for x, c in enumerate(line):
                    # the last cell of the screen takes no character that moves the cursor on
                    screen.insch(y, x, acs.get(c, c), curses.A_BOLD * bold)
            screen.refresh()
        key = screen.getch()
        scroll += {curses.KEY_DOWN: 1, curses.KEY_UP: -1, curses.KEY_NPAGE: height // 2,
                   curses.KEY_PPAGE: -height // 2, curses.KEY_HOME: -scroll}.get(key, 0)
        scroll = max(0, min(scroll, len(list(tables(job))) - 1))
        fresh = time.monotonic() >= due
        if fresh:
            due = time.monotonic() + interval
            if not job.sample():
                return True
    return False


def find(name):
    """The job of this name, or the youngest."""
    found = jobs.sockets()
    if not found:
        sys.exit("ringbell-top: no job with telemetry runs here; start it with oshrun --telemetry")
    name = name or next(iter(found))
    job = Job(name, found.get(name, ()))
    return job if job.hosts else sys.exit(f"ringbell-top: job {name} does not answer")


def seconds(text):
    if not 0.1 <= float(text) <= 3600:
        raise ValueError
    return float(text)


OPTIONS = {
    print_picture: ("--once", "print one picture as text and exit"),
    print_json: ("--json", "print one as JSON and exit"),
}


def main():
    p = argparse.ArgumentParser(prog="ringbell-top", description=__doc__,
                                epilog="Keys: q quits, arrows and page keys move the tables.")
    p.add_argument("-j", "--job", metavar="ID", help="the job, by its first digits (default: the youngest)")
    p.add_argument("-i", "--interval", metavar="S", type=seconds, default=1,
                   help="seconds between samples, 0.1 to 3600 (default 1)")
    for show, (option, text) in OPTIONS.items():
        p.add_argument(option, dest="show", action="store_const", const=show, help=text)
    p.add_argument("--version", action="version", version=f"ringbell-top (Ringbell) {VERSION}")
    args = p.parse_args()
    job = find(args.job)
    over = not job.sample()
    if not over and args.show in (print_picture, print_json):  # rates need two samples
        time.sleep(args.interval)
        over = not job.sample()
    if not over and args.show:
        args.show(job)
    elif not over:
        locale.setlocale(locale.LC_ALL, "")
        try:
            over = curses.wrapper(watch, job, args.interval)
        except curses.error:
            sys.exit("ringbell-top: this terminal cannot be drawn on; try --once")
    return f"ringbell-top: job {job.name} is over" if over else 0


if __name__ == "__main__":
    sys.exit(main())
