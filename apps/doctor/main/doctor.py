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
import rules_adapter
import rules_path
import rules_system
import text
import version

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
        prog="ringbell-doctor", description="Check whether Ringbell can run over the adapters of "
        "this machine, and say what to change. Nothing is changed.",
        epilog="Exit status: 0 without errors, 1 where a finding is an error, 2 where the "
        "arguments are wrong.")
    parser.add_argument("-v", "--verbose", action="store_true",
                        help="also name the checks that passed")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument("--root", metavar="DIR", default="/",
                        help="look at DIR/sys and DIR/proc, such as a copy of another machine's")
    parser.add_argument("--list", action="store_true", help="print the names of the checks")
    parser.add_argument("--version", action="version",
                        version=f"ringbell-doctor (Ringbell) {version.VERSION}")
    return parser


def main(words):
    """The exit status."""
    args = arguments().parse_args(words)
    if args.list:
        for check in CHECKS:
            print(f"{check.name:12} {check.title}")
        return 0
    if not os.path.isdir(os.path.join(args.root, "sys")):
        give_up(f"--root {args.root}: no folder sys in it")
    facts = machine.Machine(args.root)
    found = findings.run(CHECKS, facts)
    if args.json:
        print(json.dumps(data.report(facts, found), indent=2))
    else:
        for line in text.report(facts, found, args.verbose):
            print(line)
    return FOUND if findings.count(found, findings.ERROR) else 0
