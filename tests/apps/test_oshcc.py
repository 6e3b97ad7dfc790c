#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""oshcc and oshrun together, in the build tree and installed. Usage: test_oshcc.py BUILD-FOLDER"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = os.path.abspath(sys.argv.pop(1))
LIMIT = 60

HELLO = r"""
#include <stdio.h>
#include <shmem.h>

int
main(void)
{
	shmem_init();
	printf("PE %d of %d" GREETING "\n", shmem_my_pe(), shmem_n_pes());
	shmem_finalize();
	return 0;
}
"""

CMAKE = """\
cmake_minimum_required(VERSION 3.18)
project(hello C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(RINGBELL REQUIRED IMPORTED_TARGET ringbell)
add_executable(hello hello.c)
target_compile_definitions(hello PRIVATE "GREETING=\\" by CMake\\"")
target_link_libraries(hello PRIVATE PkgConfig::RINGBELL)
"""
README = os.path.join(os.path.dirname(__file__), "..", "..", "README.md")


def call(*args, **kwargs):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, timeout=LIMIT, text=True, check=False, **kwargs)


class Tree(unittest.TestCase):
    """In the build tree."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="oshcc test ")
        cls.bin = os.path.join(BUILD, "apps")
        cls.source = os.path.join(cls.folder, "hello.c")
        with open(cls.source, "w", encoding="ascii") as f:
            f.write(HELLO)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def oshcc(self, *args, name="oshcc", **kwargs):
        return call(os.path.join(self.bin, name), *args, cwd=self.folder, **kwargs)

    def good(self, result):
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def runs(self, program, hosts, words):
        out = self.good(call(os.path.join(self.bin, "oshrun"), "--timeout", str(LIMIT), "--hosts",
                             str(hosts), os.path.join(self.folder, program)))
        self.assertEqual(sorted(out.splitlines()),
                         [f"PE {k} of {hosts}{words}" for k in range(hosts)])

    def test_compile_and_run(self):
        self.good(self.oshcc('-DGREETING=" says hi"', "hello.c", "-o", "one"))
        self.runs("one", 2, " says hi")

    def test_separate_steps(self):
        self.good(self.oshcc("-Wall", "-Werror", '-DGREETING=""', "-c", "hello.c", "-o", "two.o"))
        self.good(self.oshcc("two.o", "-o", "two"))
        self.runs("two", 1, "")

    def test_through_a_link(self):
        link = os.path.join(self.folder, "my-oshcc")
        os.symlink(os.path.join(self.bin, "oshcc"), link)
        self.good(call(link, '-DGREETING=""', "hello.c", "-o", "three", cwd=self.folder))

    def test_cxx(self):
        if not shutil.which("c++"):
            self.skipTest("no C++ compiler")
        shutil.copy(self.source, os.path.join(self.folder, "hello.cc"))
        for name in ("oshc++", "oshcxx", "oshCC"):
            self.good(self.oshcc('-DGREETING=""', "hello.cc", "-o", "four", name=name))
        self.runs("four", 1, "")

    def test_show(self):
        for option in ("--show", "-showme", "--showme"):
            self.assertEqual(self.oshcc("-show", "a b.c").stdout, self.oshcc("a b.c", option).stdout)
        shown = self.good(self.oshcc("-show", "-O2", "-o", "x", "a b.c"))
        for word in ("cc -O2 -o x 'a b.c' ", "-lshmem", "-rpath"):
            self.assertIn(word, shown)
        self.assertNotIn("-lshmem", self.good(self.oshcc("-show", "-c", "a.c")))
        self.assertFalse(os.path.exists(os.path.join(self.folder, "x")))
        # what is shown can be run by a shell
        shown = self.good(self.oshcc("-show", '-DGREETING="$HOME \'q\'"', "hello.c", "-o", "five"))
        self.good(call("sh", "-c", shown, cwd=self.folder))
        self.runs("five", 1, "$HOME 'q'")

    def test_other_compiler(self):
        self.assertTrue(self.oshcc("-show", "a.c", env=dict(os.environ, OSHCC_CC="my cc"))
                        .stdout.startswith("my cc a.c"))

    def test_errors_pass_through(self):
        result = self.oshcc("nosuch.c")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("nosuch.c", result.stderr)
        self.assertNotEqual(self.oshcc().returncode, 0)

    def test_no_input_links_nothing(self):
        self.assertEqual(self.oshcc("--version").returncode, 0)
        self.assertEqual(self.oshcc("-v").returncode, 0)

    def test_help(self):
        self.assertIn("Usage: oshcc", self.good(self.oshcc("--help")))


class Installed(Tree):
    """Installed below another root, which the paths of the build know nothing of."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        root = cls.root = os.path.join(cls.folder, "root")
        done = call("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet",
                    env=dict(os.environ, DESTDIR=root))
        if done.returncode != 0:
            raise RuntimeError(done.stdout + done.stderr)
        for folder, _, names in os.walk(root):
            if "oshrun" in names:
                cls.bin = folder
                cls.prefix = os.path.dirname(folder)

    def test_does_not_use_the_build_tree(self):
        shown = self.good(self.oshcc("-show", "a.c"))
        self.assertIn(self.folder, shown)
        self.assertNotIn(BUILD, shown)

    def pkg_config_env(self):
        found = [folder for folder, _, names in os.walk(self.prefix) if "ringbell.pc" in names]
        self.assertEqual(len(found), 1)
        # pkg-config's sysroot may hold no blank, as the folder of these tests does on purpose
        folder = tempfile.mkdtemp(prefix="ringbell-root-")
        self.addCleanup(shutil.rmtree, folder)
        link = os.path.join(folder, "root")
        os.symlink(self.root, link)
        return dict(os.environ, PKG_CONFIG_PATH=found[0], PKG_CONFIG_SYSROOT_DIR=link)

    def test_pkg_config(self):
        out = self.good(call("pkg-config", "--cflags", "--libs", "ringbell",
                             env=self.pkg_config_env()))
        self.assertIn("-lshmem", out)

    @unittest.skipIf(shutil.which("cmake") is None, "no cmake here")
    def test_cmake(self):
        if "-fsanitize" in self.good(self.oshcc("-show", "a.c")):
            self.skipTest("a sanitized library wants its sanitizer, which pkg-config does not tell")
        project = os.path.join(self.folder, "cmake")
        os.makedirs(project)
        shutil.copy(self.source, project)
        with open(os.path.join(project, "CMakeLists.txt"), "w", encoding="ascii") as f:
            f.write(CMAKE)
        env = self.pkg_config_env()
        out = os.path.join(project, "out")
        for command in (["-S", project, "-B", out], ["--build", out]):
            done = call("cmake", *command, env=env)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.runs(os.path.join("cmake", "out", "hello"), 2, " by CMake")

    @unittest.skipIf(not os.path.isfile(README), "no README.md beside these tests")
    def test_program_of_the_readme(self):
        with open(README, encoding="utf-8") as f:
            program = re.search(r"```c\n(.*?)```", f.read(), re.S).group(1)
        with open(os.path.join(self.folder, "readme.c"), "w", encoding="utf-8") as f:
            f.write(program)
        self.good(self.oshcc("-Wall", "readme.c", "-o", "readme"))
        out = self.good(call(os.path.join(self.bin, "oshrun"), "--timeout", str(LIMIT), "--hosts",
                             "3", os.path.join(self.folder, "readme")))
        self.assertEqual(sorted(out.splitlines()),
                         [f"PE {k} of 3 heard from PE {(k + 2) % 3}" for k in range(3)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
