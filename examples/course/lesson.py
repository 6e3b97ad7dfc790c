#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Check a learner's program of the course: lesson.py BUILD NUMBER [FILE]

FILE is in lessons/ by default, and is made at first: the program of the lesson without the lines that the learner
writes. The checker compiles it and runs it, and says the first thing that is still wrong. doc/course/ has the pages.
"""
import collections
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
GAP = re.compile(r"(/\* YOURS: (.*?)\*/\n)(.*?)([ \t]*/\* END OF YOURS \*/)", re.S)
FACT = re.compile(r"^(\w[\w ]*): PE (\d+) has (-?\d+), should have (-?\d+)$", re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
LAYOUTS = (("-n", "4"), ("--hosts", "3"))
SECONDS = 10
UNSET = "-99"

# What can be wrong, in the order in which it is looked for. Lines of the learner: a pattern that must be there, or
# with "!" one that must not. Facts that the program printed: a name, and what the PE has (None: anything wrong).
Text = collections.namedtuple("Text", "pattern words")
Fact = collections.namedtuple("Fact", "what value words")
LESSONS = {
    1: [Fact("left", UNSET, "left has no value yet: it is one less than shmem_my_pe(), which is in me"),
        Fact("left", "-1", "PE 0 thinks that PE -1 is at its left: the ring is closed, so there comes the last PE, n - 1"),
        Fact("right", UNSET, "right has no value yet: it is one more than me"),
        Fact("right", None, "PE {pe} thinks that PE {has} is at its right: after PE n - 1 comes PE 0; % n does that"),
        Fact("left", None, "PE {pe} thinks that PE {has} is at its left, and it is PE {should}")],
    2: [Text(r"!\b(malloc|calloc)\s*\(", "malloc() and calloc() give private memory, which no other PE can reach: take "
             "shmem_malloc() or shmem_calloc(), on all PEs"),
        Fact("memory", "0", "box is still NULL: let shmem_calloc() give n longs to each PE"),
        Fact("own box", "0", "PE {pe} has not put into its own box: the loop has all PEs in it, its own too"),
        Fact("box", "0", "PE {pe} has nothing from another PE: put the number to each PE, by shmem_long_p()"),
        Fact("box", None, "box of PE {pe} has {has} where {should} belongs: PE i writes box[i], and nothing else"),
        Fact("own box", None, "own box of PE {pe} has {has} where {should} belongs: PE i writes box[i]")],
    3: [Fact("got", "0", "got of PE {pe} is empty: shmem_long_get(got, theirs, N, right) reads from the right"),
        Fact("got", None, "got of PE {pe} adds up to {has}, not to {should}: it has to be theirs of the right neighbour"),
        Text(r"put.*get", "place is to be written by a put first, and read back by a get then"),
        Text(r"put.*(shmem_quiet|shmem_barrier_all).*get", "nothing between put and get says that the put has arrived: "
             "a put may still be under way when it returns; shmem_quiet() waits for it"),
        Fact("back", None, "{has} of {should} numbers came back to PE {pe}: put mine into place of the right neighbour, "
             "and get place of the same PE")],
    4: [Fact("seen", None, "PE {pe} has seen the numbers {has:b} of {should:b} (a bit for each PE): a number was read "
             "before it had come, or was overwritten before it was read; all have to meet once in each round"),
        Text(r"!^(?!.*(quiet|barrier)).*sync_all", "shmem_sync_all() lets all PEs meet, but does not wait for their "
             "puts: shmem_barrier_all() does both"),
        Text(r"barrier_all|sync_all", "the PEs do not meet in a round: it worked by luck; shmem_barrier_all() is missing"),
        Fact("home", None, "PE {pe} ends with {has}, and its own number is {should}: put into the slot of the next round")],
    5: [Text(r"wait_until", "nothing waits for the row: shmem_signal_wait_until(&arrived, ...) does"),
        Text(r"!barrier_all|sync_all", "without any barrier, please: the signal says enough"),
        Text(r"put_signal|(fence|quiet).*(signal|_p\b|atomic)", "data and signal have to arrive in this order: "
             "shmem_long_put_signal() sends both"),
        Fact("signal", None, "the signal of PE {pe} is {has} at the end, not {should}: each PE gets one row, and signal 1"),
        Fact("row", None, "the row comes home to PE {pe} with {has}, not with {should}: each of the others adds its "
             "number to all of the row before it puts it on")],
    6: [Fact("counter", "0", "nobody has taken a task: shmem_long_atomic_fetch_inc() on next_task of PE 0 gives a number"),
        Text(r"next_task", "the tasks are to come from next_task of PE 0"),
        Text(r"!(_g|_get)\s*\([^;]*next_task", "two PEs that read next_task before either has written it do one task "
             "twice: reading and counting up must be one step, an atomic one"),
        Fact("counter", None, "next_task ends at {has}, not at {should}: each PE counts it up once for each task, and "
             "once more to learn that there is none"),
        Text(r"!done\[task\]\s*(\+\+|\+=)|(_p|_put)\s*\([^;]*done", "done[task] of PE 0 is counted by more than one PE: "
             "that takes an atomic too, and the PE to whose memory it goes"),
        Fact("once", None, "{has} of {should} tasks are noted as done once: count done[task] of PE 0 up for each")],
    7: [Fact("all", UNSET, "all has no value yet: shmem_long_sum_reduce() over SHMEM_TEAM_WORLD"),
        Fact("all", None, "all is {has} on PE {pe}, and the sum over all PEs is {should}: one number of each, part"),
        Fact("rank", "-1", "team of PE {pe} is no team that it is in: shmem_team_split_strided() is called for even "
             "and for odd by all PEs, with stride 2, and gives a PE a team only where it is a member"),
        Fact("rank", None, "PE {pe} has number {has} in its team, and should have {should}: even begins at PE 0, odd at "
             "PE 1, both with stride 2"),
        Fact("ours", UNSET, "ours has no value yet: the same reduction, over team"),
        Fact("ours", None, "ours is {has} on PE {pe}, and the sum over its team is {should}: reduce part over team")],
    8: [Text(r"_get(mem|_nbi)|get_nbi", "no block is on its way while you add: shmem_ctx_long_get_nbi() begins a get and "
             "returns"),
        Text(r"!quiet.*add_up", "the wait comes before the sum, so nothing overlaps: add first, then wait"),
        Text(r"ctx_quiet", "nothing waits for the get: shmem_ctx_quiet(ctx) does, and waits for what ctx has begun alone"),
        Text(r"add_up\(now\)", "the sum of now is not added to sum"),
        Fact("sum", None, "sum of PE {pe} is {has}, not {should}: in each step now is added, and block of pe comes into next")],
    9: [Text(r"set_lock", "nobody holds a lock: two PEs take the same free slot, or the same count, and one is lost"),
        Text(r"clear_lock", "the lock is never given back: shmem_clear_lock()"),
        Fact("slots", "0", "the table is empty: nobody has written a key to its owner"),
        Fact("slots", None, "{has} slots are used for {should} keys: go on to the next slot only where another key is, and "
             "stop at the first that has the key or is free"),
        Fact("counts", None, "all counts are {has} together, not {should}: read, add one and write under one lock")],
    10: [Fact("reached", "0", "not even the first vertex is found: atomically swap -1 for u in parent[v] of owner"),
         Text(r"compare_swap", "two PEs that both find -1 queue a vertex twice: looking and writing must be one step, "
              "shmem_int_atomic_compare_swap()"),
         Text(r"fetch_(inc|add)", "two PEs that add to one queue need different places: shmem_long_atomic_fetch_inc() on "
              "length[next] of owner gives each its own"),
         Fact("reached", None, "{has} vertices were found, not {should}: queue each once, when its parent was -1"),
         Fact("levels", None, "it took {has} levels, not {should}: a vertex goes into queue[next], not into this level's")],
}
HANGS = {4: "a PE waits in a round that others have left: all call the same barrier, as often",
         5: "a PE waits for a row that nobody sends: all but PE 0 pass it on, with signal 1, to the right neighbour",
         7: "a PE waits in a collective that others do not call: all members of a team make the same calls, in one order",
         9: "a lock is not given back: each way out of the gap passes shmem_clear_lock()"}


class Wrong(Exception):
    """What the learner is told."""


def template(source):
    """The program without the lines that are for the learner."""
    return GAP.sub(r"\1\n\4", source)


def own_file(number, name):
    """The learner's copy. @return its path, made if it was not there"""
    path = pathlib.Path("lessons") / name
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(template((HERE / name).read_text()))
        print(f"{path} is yours: fill its gap, between YOURS and END OF YOURS; doc/course/{name[:-2]}.md explains it")
    return path


def compile_program(build, path, program):
    done = subprocess.run([build / "apps/oshcc", "-g", "-O1", f"-I{HERE}", path, "-o", program], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
    if done.returncode != 0:
        raise Wrong("it does not compile:\n" + done.stdout.strip())


def run_program(build, program, layout, trace, number):
    """@return what it printed"""
    done = subprocess.run([build / "apps/oshrun", *layout, "--timeout", str(SECONDS), "--trace", trace, program],
                          text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=6 * SECONDS, check=False)
    said = done.stderr.strip()
    if done.returncode == 124:
        raise Wrong(HANGS.get(number, "it does not end") + f"\n{said}")
    if done.returncode != 0:
        hint = "an address must be in symmetric memory: static, or of shmem_malloc()\n" if "not symmetric" in said else ""
        raise Wrong(f"{hint}{said}")
    return done.stdout


def check_text(rule, lines):
    wanted, pattern = not rule.pattern.startswith("!"), rule.pattern.lstrip("!")
    if bool(re.search(pattern, lines, re.S)) != wanted:
        raise Wrong(rule.words)


def check_facts(rule, facts):
    for what, pe, has, should in facts:
        if what == rule.what and has != should and rule.value in (None, has):
            raise Wrong(rule.words.format(pe=pe, has=int(has), should=int(should)))


def check_lesson(number, lines, said):
    facts = sorted(FACT.findall(said), key=lambda fact: int(fact[1]))  # lines of PEs come in any order
    for rule in LESSONS[number]:
        if isinstance(rule, Text):
            check_text(rule, lines)
        else:
            check_facts(rule, facts)
    names = {rule.what for rule in LESSONS[number] if isinstance(rule, Fact)}
    if names - {fact[0] for fact in facts} - {"box"}:
        raise Wrong("the lines below the gap, which check it, did not run to their end")


def between_init_and_finalize(tracks):
    """The time of the program itself: shmem_init() ends with two barriers, shmem_finalize() begins with two."""
    barriers = [[e for e in spans if e["name"] == "barrier"] for spans in tracks.values()]
    barriers = [own for own in barriers if len(own) >= 4]
    return (min((own[1]["ts"] + own[1]["dur"] for own in barriers), default=0),
            max((own[-2]["ts"] + 1 for own in barriers), default=1))


def draw_trace(file, columns=80):
    """A line for each track: what its thread did at that time, by the first letter of the span."""
    events = json.loads(file.read_text())["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    tracks = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "X":
            tracks[names[e["tid"]]].append(e)
    first, last = between_init_and_finalize(tracks)
    lines = []
    for name, spans in sorted(tracks.items()):
        row = ["."] * columns
        for e in sorted(spans, key=lambda e: ("wait", "barrier").index(e["name"]) if e["name"][0] in "wb" else 2):
            begin, end = (int((t - first) * columns / (last - first)) for t in (e["ts"], e["ts"] + e["dur"]))
            for column in range(max(begin, 0), min(end, columns - 1) + 1):
                row[column] = "B" if e["name"] == "barrier" else e["name"][0]
        lines.append(f"{name.replace('service lcore of', 'lcore,'):13} {''.join(row)}")
    return lines + [f"{last - first:.0f} us from shmem_init() to shmem_finalize(); p put, g get, a atomic, w wait, "
                    "B barrier, s serve, r relay"]


def check_program(build, number, path):
    source = path.read_text()
    gap = GAP.search(source)
    if gap is None:
        raise Wrong("the comments YOURS and END OF YOURS must stay: the checker reads what is between them")
    lines = COMMENT.sub(" ", gap[3])
    if not lines.strip():
        raise Wrong("the gap is empty. To do: " + " ".join(gap[2].split()).replace("* ", ""))
    program, trace = path.with_suffix(""), path.with_suffix(".json")
    for rule in itertools.takewhile(lambda rule: isinstance(rule, Text), LESSONS[number]):
        check_text(rule, lines)
    compile_program(build, path.resolve(), program)
    for layout in LAYOUTS:
        said = run_program(build, program.resolve(), layout, trace, number)
        try:
            check_lesson(number, lines, said)
        except Wrong as wrong:
            raise Wrong(f"{wrong} (oshrun {' '.join(layout)})") from None
    print("\n".join(draw_trace(trace)))


def main():
    build, number = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    if number not in LESSONS:
        return f"the course has lessons 1 to {max(LESSONS)}"
    name = next(HERE.glob(f"{number}-*.c")).name
    path = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else own_file(number, name)
    try:
        check_program(build, number, path)
    except Wrong as wrong:
        return f"lesson {number}: {wrong}"
    print(f"lesson {number}: right. The trace above is that of --hosts 3; {path.with_suffix('.json')} has it for "
          "ui.perfetto.dev")
    return 0


if __name__ == "__main__":
    sys.exit(main())
