# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Break a copy of the sources in one place after the other: what the mutations.py of suites share.

A mutation is a tuple that begins with name, file, what is there, and what is put in its place.
"""
import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          **options)


def introspect(build, what):
    return json.loads(run("meson", "introspect", what, build).stdout)


def headers_of(build):
    """The driver headers that BUILD uses."""
    found = {o["name"]: o["value"] for o in introspect(build, "--buildoptions")}
    return found["driver_headers"] or os.path.join(TOP, "build", "driver-headers")


def copy_tree(tree):
    """What git knows of, as it is now. Files that are alike keep their time, for a later build."""
    names = run("git", "-C", TOP, "ls-files", "-z").stdout.decode().split("\0")
    for name in filter(None, names):
        source, to = os.path.join(TOP, name), os.path.join(tree, name)
        if not os.path.isfile(source) or (os.path.exists(to) and read(source) == read(to)):
            continue
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy(source, to)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def check(mutations, script):
    """Is the code that each replaces still there? The status of a program."""
    gone = [(file, name) for name, file, old, *_ in mutations
            if old.encode() not in read(os.path.join(TOP, file))]
    for file, name in gone:
        print(f"{file} has changed: adapt the mutation \"{name}\" in {script}")
    return 1 if gone else 0


class Tree:
    """A copy of the sources and a build of it, in a folder that stays, or in one that goes."""

    def __init__(self, build, folder=None, options=()):
        self.temporary = (None if folder else
                          tempfile.TemporaryDirectory(prefix="ringbell-mutations-"))
        self.folder = os.path.abspath(folder or self.temporary.name)
        self.source = os.path.join(self.folder, "tree")
        self.build = os.path.join(self.folder, "build")
        copy_tree(self.source)
        if os.path.exists(os.path.join(self.build, "build.ninja")):
            return
        setup = run("meson", "setup", self.build, self.source, "-Dwerror=false", *options,
                    f"-Ddriver_headers={os.path.abspath(headers_of(build))}")
        if setup.returncode != 0:
            sys.exit(setup.stdout.decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.temporary:
            self.temporary.cleanup()

    def make(self, targets):
        if not targets:  # ninja would build all
            return
        compiled = run("ninja", "-C", self.build, *targets)
        if compiled.returncode != 0:
            sys.exit(compiled.stdout.decode())

    @contextlib.contextmanager
    def broken(self, mutation):
        """The sources with that mutation; the first place counts where there are more."""
        name, file, old, new, *_ = mutation
        path = os.path.join(self.source, file)
        text = read(path)
        if old.encode() not in text:
            sys.exit(f"{file} has changed, adapt the mutation \"{name}\"")
        with open(path, "wb") as f:
            f.write(text.replace(old.encode(), new.encode(), 1))
        try:
            yield
        finally:
            with open(path, "wb") as f:
                f.write(text)


def main(doc, script, mutations, head, judge, build_options=()):
    """The program of a suite. judge(tree, options, mutations) has tried them unbroken, and its
    attempt(mutation) gives a row of the table and whether the mutation was noticed."""
    p = argparse.ArgumentParser(description=doc.split("\n", maxsplit=1)[0])
    p.add_argument("build", nargs="?", help="built folder, whose settings are used")
    p.add_argument("word", nargs="?", default="", help="only mutations whose names have it")
    p.add_argument("--folder", help="where the copy and its build are, and stay")
    p.add_argument("--times", type=int, default=1, help="how much longer all may take")
    p.add_argument("--check", action="store_true", help="only: is the code still there?")
    opt = p.parse_args()
    if opt.check == (opt.build is not None):
        p.error("a build folder is needed, or --check alone")
    if opt.check:
        return check(mutations, script)
    chosen = [m for m in mutations if opt.word in m[0] or opt.word in m[4:5]]
    missed = 0
    with Tree(opt.build, opt.folder, build_options) as tree:
        tried = judge(tree, opt, chosen)
        print(head, flush=True)
        for mutation in chosen:
            with tree.broken(mutation):
                row, noticed = tried.attempt(mutation)
            missed += not noticed
            print(row, flush=True)
    print(f"{len(chosen)} mutations, {missed} not noticed")
    return missed != 0
