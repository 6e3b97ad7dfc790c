# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-doctor: does this machine let Ringbell run over its adapters? It changes nothing."""
import argparse
import json
import os
import sys
from types import SimpleNamespace

import cables
import data
import findings
import machine
import peer
import rules_adapter
import rules_cables
import rules_path
import rules_peer
import rules_system
import snapshot
import text
import version
from root import Root

CHECKS = rules_adapter.CHECKS + rules_system.CHECKS + rules_path.CHECKS + rules_cables.CHECKS
HUGE = ("pages", "mounts")  # checks that are about adapters
FOUND, USAGE = 1, 2  # exit status


def give_up(line):
    print(f"ringbell-doctor: {line}", file=sys.stderr)
    sys.exit(USAGE)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        give_up(f"{message}; --help lists the options")


def arguments():
    parser = Parser(
        prog="ringbell-doctor", description="Check whether Ringbell can run over the adapters and "
        "cables of this machine, and say what to change. Nothing is changed.",
        epilog="Exit status: 0 without errors, 1 where a finding is an error, 2 where the "
        "arguments are wrong.")
    parser.add_argument("-v", "--verbose", action="store_true",
                        help="also name the checks that passed")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument("--snapshot", metavar="FILE",
                        help="write all that a report needs into FILE: the findings, configuration "
                        "space of the functions on the way to each port, registers of its chip")
    parser.add_argument("--root", metavar="DIR", default="/",
                        help="look at DIR/sys and DIR/proc, such as a copy of another machine's")
    parser.add_argument("--cable", metavar="CABLES",
                        help="check these instead of those of RINGBELL_CABLES: "
                        "net_af_packet,iface=eth1, say, joined by +")
    parser.add_argument("--listen", metavar="S", type=int, default=2,
                        help="seconds to listen for the other end of each cable (%(default)s)")
    parser.add_argument("--with-peer", metavar=("PORT", "PEER"), nargs=2, default=(),
                        help="test the cable between this port, or cable of --cable's form, and "
                        "PEER, one of this machine or HOST/PORT: stores, doorbells, order, speed; no job may use it")
    parser.add_argument("--rounds", metavar="N", default="1000000",
                        help="rounds of each test of order with the peer (%(default)s)")
    parser.add_argument("--region", metavar="SIZE", default="4M",
                        help="memory to test with the peer, such as 512M (%(default)s)")
    parser.add_argument("--rsh", metavar="COMMAND", default="ssh",
                        help="remote shell for HOST/PORT (%(default)s)")
    parser.add_argument("--version", action="version",
                        version=f"ringbell-doctor (Ringbell) {version.VERSION}")
    return parser


def risen_errors(before, after):
    """(address, kind, number before, after) of each AER counter on the path to a port that grew."""
    for address in dict.fromkeys(f.address for port in before.ports for f in before.path(port)):
        if address not in after.functions:
            continue
        for kind, counts in before.functions[address].errors.items():
            numbers = [sum(m.functions[address].errors[kind].values()) for m in (before, after)]
            if numbers[1] > numbers[0]:
                yield (address, kind, *numbers)


def check_port(facts, name):
    """Is it one of this machine's, with or without its domain, or one that others know?"""
    here = [port.address for port in facts.ports + facts.xeons]
    if not (peer.is_cable(name) or peer.is_remote(name) or
            any(name in (address, address.split(":", 1)[1]) for address in here)):
        give_up(f"--with-peer {name}: no such NT port in this machine; its NT ports: "
                f"{', '.join(here) or 'none'}")


def meet(args, facts):
    """What passes over the cable, and the findings."""
    name = args.with_peer[0]
    for port in args.with_peer:
        check_port(facts, port)
    try:
        found = peer.run(args.with_peer, ["--rounds", args.rounds, "--region", args.region, "--rsh",
                                          args.rsh])
    except peer.Failed as why:
        give_up(why)
    if found is None:
        return None, [findings.Finding("peer", findings.ERROR, name, f"{peer.PROGRAM} did not run",
                                       "its line above says why")]
    risen = [] if peer.is_cable(name) else list(risen_errors(facts, machine.Machine(args.root)))
    return found, findings.run(rules_peer.CHECKS, SimpleNamespace(port=name, peer=found, risen=risen))


def checks_of(facts):
    """Without NT ports, cables that are named stand for them; those of network adapters need huge pages."""
    if not facts.cables:
        return CHECKS
    small = not (facts.ports or facts.xeons or facts.nics)
    return [check for check in CHECKS if check.name != "adapter" and not (small and check.name in HUGE)]


def look(args):
    """The machine, what the peers found (or None), and the findings."""
    if not os.path.isdir(os.path.join(args.root, "sys")):
        give_up(f"--root {args.root}: no folder sys in it")
    here = args.root == "/"
    named = args.cable or here and os.environ.get("RINGBELL_CABLES") or "+".join(
        name for name in args.with_peer[:1] if peer.is_cable(name) and not peer.is_emulated(name))
    facts, met, found = machine.Machine(args.root, named), None, []
    facts.jobs = list(machine.running_jobs()) if here else []
    if here and not args.with_peer:
        cables.listen(facts.packets, args.listen)
    # the machine has no part in what passes between two emulated ports
    if not any(map(peer.is_emulated, args.with_peer)):
        found = findings.run(checks_of(facts), facts)
    if args.with_peer:
        met, more = meet(args, facts)
        found = findings.ordered(found + more)
    return facts, met, found


def write_snapshot(args, facts, report):
    try:
        with open(args.snapshot, "w", encoding="ascii", errors="backslashreplace") as f:
            for line in snapshot.lines(Root(args.root), facts, report):
                print(line, file=f)
    except OSError as why:
        give_up(f"--snapshot {args.snapshot}: {why.strerror}")


def main(words):
    """The exit status."""
    args = arguments().parse_args(words)
    facts, met, found = look(args)
    if args.snapshot:
        write_snapshot(args, facts, data.report(facts, met, found))
    if args.json:
        print(json.dumps(data.report(facts, met, found), indent=2))
    else:
        for line in text.report(facts, met, found, args.verbose):
            print(line)
    return FOUND if findings.count(found, findings.ERROR) else 0
