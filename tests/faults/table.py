#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""The table of doc/reliability.md out of journals: table.py JOURNAL...

Journals of faults.py (--journal) give faults, rounds and outcomes; those of cuts.py give layouts,
cuts and outcomes.
"""
import collections
import json
import sys

ABOUT = {
    "kill-pe": "SIGKILL to a PE", "kill-host": "SIGKILL to all PEs of a host",
    "term-pe": "SIGTERM to a PE", "stop": "SIGSTOP to a PE or host, SIGCONT after up to 3 s",
    "cut": "a cable is pulled", "plug": "pulled, and plugged in again after up to 1 s",
    "flap": "its link is lost and back at once (retrain), up to four times",
    "stop-and-cut": "a host stands still for 2 s while a cable is pulled",
    "one-way": "no doorbell passes in one direction for up to 0.2 s; then the link is lost, for good or "
               "to return",
    "mute": "stores of one end of a cable get lost, reads do not; within 0.2 s the link is lost, or never",
    "launcher": "SIGTERM, SIGINT, SIGHUP or SIGQUIT to `oshrun`", "kill-launcher": "SIGKILL to `oshrun`",
    "full": "4 KiB to 1 MiB in `/dev/shm`, `/tmp` or the folder of the EAL",
    "descriptors": "a limit of descriptors", "memory": "a limit of addresses, 200 MiB to 10 GiB",
    "refused": "one call of the library, in one PE, gets no memory",
    "no-cpu": "all PEs on one CPU, and one of them only where no other wants it, up to 3 s",
    "scratchpads": "random values in the scratchpads of both ends of a cable",
    "telemetry": "clients that send nonsense, do not read, or stay",
    "engine": "the DMA engines of PE 0 or of all err once or always, hang, or take nothing",
    "forged-bytes": "random bytes in descriptors and payloads of a host, up to 20 times",
    "forged-frames": "whole frames, random or plausible", "forged-words": "random control words",
    "forged-credits": "credits near the true ones", "forged-acks": "acknowledgements near the true ones",
}
OUTCOMES = ("right result", "clear end", "by program", "no fault", "wrong")


def read(paths):
    for path in paths:
        with open(path, encoding="ascii") as f:
            yield from map(json.loads, f)


def row(words):
    return "| " + " | ".join(map(str, words)) + " |"


def faults(rounds):
    count = collections.defaultdict(collections.Counter)
    late = collections.Counter()
    for r in rounds:
        count[r["fault"]][r["outcome"]] += 1
        if r["outcome"] == "clear end" and r["late"] is not None:
            late[r["fault"]] = max(late[r["fault"]], r["late"])
    print(row(["fault", "what it is", *OUTCOMES, "longest, s"]))
    print("|" + "---|" * (len(OUTCOMES) + 3))
    for name in sorted(count, key=list(ABOUT).index):
        print(row([f"`{name}`", ABOUT[name], *(count[name][how] for how in OUTCOMES),
                   late[name] if name in late else "-"]))
    total = sum(count.values(), collections.Counter())
    print(row(["all", "", *(total[how] for how in OUTCOMES), ""]))
    print(f"\n{sum(total.values()) - total['no fault']} rounds with a fault")


def cuts(runs):
    count = collections.defaultdict(collections.Counter)
    outcomes = sorted({r["outcome"] for r in runs})
    for r in runs:
        count[r["hosts"]][r["outcome"]] += 1
    print(row(["hosts", *outcomes]))
    print("|" + "---|" * (len(outcomes) + 1))
    for hosts in sorted(count):
        print(row([hosts, *(count[hosts][how] for how in outcomes)]))
    print(f"\n{sum(r['outcome'] != 'no cut' for r in runs)} runs with a cut, "
          f"{sum(r.get('lost', 0) for r in runs)} losses survived")


def main():
    rounds = list(read(sys.argv[1:]))
    faults([r for r in rounds if "fault" in r])
    if any("fault" not in r for r in rounds):
        cuts([r for r in rounds if "fault" not in r])


if __name__ == "__main__":
    main()
