# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-port test and order: does an NT port do what Ringbell needs of one?"""
import argparse
import fnmatch
import json
import os
import re
import shlex
import sys
import tempfile

# each adds its checks, which run in this order
import setup as _setup  # noqa: F401
import window as _window  # noqa: F401
import order as _order  # noqa: F401
import rates as _rates  # noqa: F401
import register as _register  # noqa: F401
import link as _link  # noqa: F401
import pair as pairs
import version
from check import CHECKS, Skip, Wrong

FAILED, USAGE = 1, 2  # exit status
LOG_LINES = 12
REGION_LEAST, REGION_MOST = 1 << 20, 1 << 36
ROUNDS = {"test": 20000, "order": 1000000}
ABOUT = {
    "test": "Test an NT port of any driver from both ends of its cable.",
    "order": "Test what jobs rely on at each message: places of the window, doorbells, the rules of "
             "order, a million times; and measure the speed of the cable.",
}
PORTS = """ Print a line for each check with what was seen. PORT is a PCI address, an emulated port as in
raw_ntb_plx_emu0,cable=FILE,end=0, a cable as in net_af_packet,iface=eth1 or raw_ntb_shared,path=FILE,host=0, or a port
of another host as in HOST/PORT, which the remote shell reaches. Without ports, two emulated ones are tested.
"""


def size(text):
    found = re.fullmatch(r"([1-9][0-9]*)([KMG]?)", text)
    value = int(found.group(1)) << {"": 0, "K": 10, "M": 20, "G": 30}[found.group(2)] if found else 0
    if not REGION_LEAST <= value <= REGION_MOST or value % 4096:
        raise argparse.ArgumentTypeError(f"{text}: 1M to 64G, whole pages")
    return value


def rounds(text):
    value = int(text)
    if not 100 <= value < 1 << 24:
        raise ValueError
    return value


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"{self.prog}: {message}; --help lists the options", file=sys.stderr)
        sys.exit(USAGE)


def arguments(name, words):
    parser = Parser(prog=f"ringbell-port {name}", description=ABOUT[name] + PORTS,
                    epilog="Exit status: 0 where no check failed, 1 where one did or no port could "
                    "be opened, 2 where the arguments are wrong.")
    parser.add_argument("ports", metavar="PORT", nargs="*", help="the ports at both ends of a cable")
    if name == "test":
        parser.add_argument("-c", "--checks", metavar="NAMES", default="*",
                            help="only these, with commas and * (all)")
        parser.add_argument("--cable", metavar="COMMAND", type=shlex.split,
                            help="pulls the cable, or plugs it in: pull or plug is its last argument")
        parser.add_argument("-l", "--list", action="store_true", help="print the names of the checks")
    parser.set_defaults(name=name)
    parser.add_argument("-n", "--rounds", metavar="N", type=rounds, default=ROUNDS[name],
                        help="rounds of each test of order (%(default)s)")
    parser.add_argument("-r", "--region", metavar="SIZE", type=size, default=4 << 20,
                        help="memory of each side that is tested, the window at most (4M)")
    parser.add_argument("-j", "--json", metavar="FILE", help="write what was seen there, too")
    parser.add_argument("--rsh", metavar="COMMAND", default="ssh",
                        help="remote shell for HOST/PORT (%(default)s)")
    parser.add_argument("--eal", metavar="OPTIONS",
                        help="of the EAL of both sides, instead of those for huge pages")
    parser.add_argument("--program", help=argparse.SUPPRESS)  # the ringbell-port that starts this
    parser.add_argument("--version", action="version",
                        version=f"ringbell-port (Ringbell) {version.VERSION}")
    options = parser.parse_args(words)
    if len(options.ports) not in (0, 2):
        parser.error("two ports are needed, those at both ends of the cable, or none")
    for pattern in options.checks.split(",") if name == "test" else ():
        if not any(fnmatch.fnmatchcase(c.name, pattern) for c in CHECKS):
            parser.error(f"no check {pattern}; --list names them")
    return options


def wanted(options):
    """The checks to run."""
    if options.name == "order":
        return [one for one in CHECKS if one.stands_on]
    return [one for one in CHECKS
            if any(fnmatch.fnmatchcase(one.name, p) for p in options.checks.split(","))]


class Report:
    def __init__(self):
        self.count = {"ok": 0, "FAIL": 0, "skip": 0}
        self.lines = []

    def line(self, how, name, way, text):
        self.count[how] += 1
        self.lines.append({"check": name, "way": way, "outcome": how, "text": str(text)})
        print(f"{how:4}  {name:16} {way:10}  {text}", flush=True)

    def logs(self, pair):
        """What the sides have said, where a check failed."""
        for side in pair.sides:
            for line in side.said()[-LOG_LINES:]:
                print(f"      {side.name}: {line}", flush=True)

    def end(self):
        print(f"{self.count['ok']} passed, {self.count['FAIL']} failed, "
              f"{self.count['skip']} skipped", flush=True)
        return FAILED if self.count["FAIL"] or not self.count["ok"] else 0


def run(pair, report, one, me, peer):
    way = f"{me.name}->{peer.name}" if one.both_ways else "both"
    for side in pair.sides:
        side.said()
    try:
        pair.ready(one.fresh)
        report.line("ok", one.name, way, one.run(pair, me, peer))
    except Skip as why:
        report.line("skip", one.name, way, why)
    except (Wrong, pairs.Unfit) as why:
        pair.up = False
        report.line("FAIL", one.name, way, why)
        report.logs(pair)


def write_json(options, report, pair):
    sides = [{name: getattr(side, name) for name in ("location", "driver", "window", "emulated",
                                                     "combining", "messages")} for side in pair.sides]
    with open(options.json, "w", encoding="ascii") as f:
        json.dump({"ports": sides, "region": pair.length, "checks": report.lines,
                   "bandwidth": pair.bandwidth, "latency": pair.latency}, f, indent=1)


def run_all(options):
    report, pair = Report(), pairs.Pair(options)
    try:
        for one in wanted(options):
            for me, peer in ((pair.near, pair.away), (pair.away, pair.near)):
                run(pair, report, one, me, peer)
                if not one.both_ways:
                    break
            if one.name == "up" and report.lines[-1]["outcome"] == "FAIL":
                break  # the others need it
    finally:
        pair.close()
    if options.json:
        write_json(options, report, pair)
    return report.end()


def main(words):
    name, *rest = words
    options = arguments(name, rest)
    if name == "test" and options.list:
        for one in CHECKS:
            print(f"{one.name:16} {one.title}")
        return 0
    with tempfile.TemporaryDirectory(prefix="ringbell-port-") as folder:
        if not options.ports:
            cable = os.path.join(folder, "cable")
            with open(cable, "wb"):
                pass
            bar = 1 << max(20, (options.region - 1).bit_length())
            options.ports = [f"raw_ntb_plx_emu{end},cable={cable},end={end},bar2={bar >> 20}M"
                             for end in (0, 1)]
        try:
            return run_all(options)
        except (pairs.Unfit, OSError) as why:
            print(f"ringbell-port {name}: {why}", file=sys.stderr)
            return FAILED
