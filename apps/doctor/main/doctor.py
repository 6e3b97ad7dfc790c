# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""ringbell-doctor: does this machine let Ringbell run over its adapters? It changes nothing."""
import argparse
import json
import os
import sys

import data
import findings
import machine
import page
import rules_adapter
import rules_path
import rules_system
import text

CHECKS = rules_adapter.CHECKS + rules_system.CHECKS + rules_path.CHECKS
FOUND, USAGE = 1, 2  # exit status


def give_up(line):
    print(f"ringbell-doctor: {line}", file=sys.stderr)
    sys.exit(USAGE)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        give_up(f"{message}; --help lists the options")


def arguments():
    parser = Parser(
        prog="ringbell-doctor", description="Look whether this machine lets Ringbell run over its "
        "adapters, and say what to change. Nothing is changed.",
        epilog="Exit status: 0; 1 where something would keep a job from running; 2 for bad "
        "arguments.")
    parser.add_argument("-v", "--verbose", action="store_true",
                        help="name the checks that found nothing, too")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument("--html", metavar="FILE",
                        help="write a page with all of it, too, that needs no other file")
    parser.add_argument("--root", metavar="DIR", default="/",
                        help="look at DIR/sys and DIR/proc, such as a copy of another machine's")
    parser.add_argument("--list", action="store_true", help="names of the checks")
    return parser


def look(args):
    """The machine and what was found."""
    if not os.path.isdir(os.path.join(args.root, "sys")):
        give_up(f"--root {args.root}: no folder sys in it")
    facts = machine.Machine(args.root)
    return facts, findings.run(CHECKS, facts)


def write_page(name, report):
    try:
        with open(name, "w", encoding="utf-8") as f:
            f.writelines(line + "\n" for line in page.page(report))
    except OSError as why:
        give_up(f"--html {name}: {why.strerror}")


def main(words):
    """The exit status."""
    args = arguments().parse_args(words)
    if args.list:
        for check in CHECKS:
            print(f"{check.name:12} {check.title}")
        return 0
    facts, found = look(args)
    report = data.report(facts, found)
    if args.html:
        write_page(args.html, report)
    if args.json:
        print(json.dumps(report, indent=2))
    else:
        for line in text.report(facts, found, args.verbose):
            print(line)
    return FOUND if findings.count(found, findings.ERROR) else 0
