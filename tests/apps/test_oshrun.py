#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Behaviour of oshrun with programs that know nothing of OpenSHMEM. Usage: test_oshrun.py OSHRUN"""
import os
import pty
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

OSHRUN = os.path.abspath(sys.argv.pop(1))
# Under nohup, or in the background of a shell, these come ignored, and children would inherit that.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

LIMIT = 30  # seconds that no single run of these may take


def run(*args, **kwargs):
    kwargs.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([OSHRUN, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=LIMIT, text=True, check=False, **kwargs)


def start(*args, **kwargs):
    return subprocess.Popen([OSHRUN, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **kwargs)


def wait_until(what, condition):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {LIMIT} s until {what}")
        time.sleep(0.01)


def processes_with(token):
    """Processes whose command line holds the token and that are no zombies."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                if token.encode() not in f.read():
                    continue
            with open(f"/proc/{pid}/stat", encoding="ascii") as f:
                if f.read().rsplit(")", 1)[1].split()[0] != "Z":
                    found.append(int(pid))
        except OSError:
            pass
    return found


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
        return f.read().split()


class Arguments(unittest.TestCase):
    def refused(self, status, words, *args):
        r = run(*args)
        self.assertEqual(r.returncode, status, r.stderr)
        self.assertEqual(r.stdout, "")
        self.assertEqual(r.stderr.count("\n"), 1, r.stderr)
        self.assertTrue(r.stderr.startswith("oshrun: "), r.stderr)
        for word in words:
            self.assertIn(word, r.stderr)

    def test_bad_numbers(self):
        for bad in ("0", "65", "1000", "-1", "x", "2x", "", "99999999999999999999"):
            self.refused(2, ["--hosts", bad], "--hosts", bad, "true")
        for bad in ("0", "1025", "-1", "x", "2x", "", "99999999999999999999"):
            self.refused(2, ["-n", bad], "-n", bad, "true")
        for bad in ("0", "-1", "nan", "inf", "x", "1s"):
            self.refused(2, ["--timeout", bad], "--timeout", bad, "true")
        self.refused(2, ["--notify interrupt", "doorbell"], "--notify", "interrupt", "true")

    def test_unknown_option(self):
        self.refused(2, ["--frob"], "--frob", "true")
        self.refused(2, ["-q"], "-q", "true")
        self.refused(2, ["--tag-output=1"], "--tag-output=1", "true")

    def test_missing_value(self):
        for option in ("--hosts", "-n", "-np", "-x", "--timeout", "--eal"):
            self.refused(2, [option, "value"], option)

    def test_no_program(self):
        self.refused(2, ["no program"])
        self.refused(127, ["./nosuch"], "./nosuch")
        self.refused(127, ["nosuch-in-path"], "nosuch-in-path")
        self.refused(127, ["''"], "")
        self.refused(127, ["/etc/passwd/x"], "/etc/passwd/x")
        self.refused(126, ["/etc/passwd"], "/etc/passwd")
        self.refused(126, ["/etc"], "/etc")

    def test_program_here_but_not_in_path(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "prog-here")
            with open(path, "w", encoding="ascii") as f:
                f.write("#!/bin/sh\n")
            os.chmod(path, 0o755)
            r = run("prog-here", cwd=folder)
            self.assertEqual(r.returncode, 127)
            self.assertIn("./prog-here", r.stderr)

    def test_bad_interpreter(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "prog")
            with open(path, "w", encoding="ascii") as f:
                f.write("#!/no/such/interpreter\n")
            os.chmod(path, 0o755)
            r = run("--hosts", "2", path)
            self.assertEqual(r.returncode, 127)
            self.assertIn("cannot start PE 0", r.stderr)

    def test_fewer_pes_than_hosts(self):
        self.refused(2, ["-n 2", "fewer PEs than hosts"], "-np", "2", "--hosts", "3", "true")

    def test_same_number_twice(self):
        self.assertEqual(run("-n", "3", "--hosts", "3", "true").returncode, 0)
        self.assertEqual(run("-np", "3", "--hosts=3", "true").returncode, 0)

    def test_bad_export(self):
        self.refused(2, ["=3"], "-x", "=3", "true")
        self.refused(2, ["NOT_SET_ANYWHERE"], "-x", "NOT_SET_ANYWHERE", "true")
        self.refused(2, ["RINGBELL_HOSTS"], "-x", "RINGBELL_HOSTS=9", "true")

    def test_information(self):
        for option, word in (("--help", "Usage: oshrun"), ("-h", "--hosts"),
                             ("--help-env", "RINGBELL_EAL"), ("--version", "Ringbell")):
            r = run(option)
            self.assertEqual((r.returncode, r.stderr), (0, ""))
            self.assertIn(word, r.stdout)
        for line in run("--help").stdout.splitlines():
            self.assertLessEqual(len(line), 90)

    def test_options_of_the_program_are_its_own(self):
        r = run("--hosts", "1", "echo", "--hosts", "7", "-x")
        self.assertEqual(r.stdout, "--hosts 7 -x\n")


class Environment(unittest.TestCase):
    def test_notify(self):
        for pe in self.env_of("--hosts", "2", "--notify", "doorbell").values():
            self.assertEqual(pe["RINGBELL_NOTIFY"], "doorbell")

    def env_of(self, *args, env=None):
        """Variables of each PE, by its host id."""
        r = run("--tag-output", *args, "env", env=env)
        self.assertEqual(r.returncode, 0, r.stderr)
        pes = {}
        for line in r.stdout.splitlines():
            tag, _, rest = line.partition("] ")
            name, _, value = rest.partition("=")
            pes.setdefault(int(tag.split()[1]), {})[name] = value
        return pes

    def test_ring(self):
        script = ("for p in `echo $RINGBELL_CABLE_FD | tr , ' '`; do "
                  "readlink /proc/self/fd/${p%:*}; stat -L -c %i /proc/self/fd/${p%:*}; "
                  "echo ${p#*:}; done")
        for hosts in (2, 3, 5):
            r = run("--hosts", str(hosts), "--tag-output", "sh", "-c", script)
            self.assertEqual((r.returncode, r.stderr), (0, ""))
            got = {}
            for line in r.stdout.splitlines():
                tag, _, rest = line.partition("] ")
                got.setdefault(int(tag.split()[1]), []).append(rest)
            self.assertEqual(len(got), hosts)
            for k, (lname, lnode, lend, rname, rnode, rend) in got.items():
                self.assertEqual((lend, rend), ("1", "0"))
                nxt = got[(k + 1) % hosts]
                self.assertEqual((rname, rnode), (nxt[0], nxt[1]))
                self.assertNotEqual(lnode, rnode)
                self.assertIn("memfd:", lname)

    def test_ids(self):
        pes = self.env_of("--hosts", "4", "--eal", "-l 0")
        self.assertEqual(sorted(pes), [0, 1, 2, 3])
        for k, env in pes.items():
            self.assertEqual(env["RINGBELL_HOSTS"], "4")
            self.assertEqual(env["RINGBELL_HOST_ID"], str(k))
            self.assertEqual(env["RINGBELL_EAL"], "-l 0")
        self.assertEqual(len({env["RINGBELL_JOB"] for env in pes.values()}), 1)
        self.assertRegex(pes[0]["RINGBELL_JOB"], "^[0-9a-f]{16}$")

    def test_several_pes_per_host(self):
        for npes, hosts, want in ((4, 2, [0, 0, 1, 1]), (5, 3, [0, 0, 1, 1, 2]), (3, 1, [0, 0, 0]),
                                  (7, 3, [0, 0, 0, 1, 1, 2, 2])):
            pes = self.env_of("-n", str(npes), "--hosts", str(hosts))
            self.assertEqual([int(pes[k]["RINGBELL_HOST_ID"]) for k in range(npes)], want)
            for k, env in pes.items():
                self.assertEqual(env["RINGBELL_PE"], str(k))
                self.assertEqual(env["RINGBELL_PES"], str(npes))
                self.assertIn("RINGBELL_HOST_FD", env)
        self.assertNotIn("RINGBELL_HOST_FD", self.env_of("--hosts", "2")[1])

    def test_many_pes(self):
        """And cables at all ports, and a trace: more files than the limit that oshrun finds, which it raises."""
        cables = " ".join(f"{k}-{(k + step) % 64}" for step in range(1, 5) for k in range(64))
        r = run("-n", "400", "--hosts", "64", "--wiring", cables, "--trace", "/dev/null", "true",
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 4096)))
        self.assertEqual((r.returncode, r.stderr), (0, ""))

    def test_one_host_has_no_cables(self):
        outer = dict(os.environ, RINGBELL_CABLE_FD="7:1,8:0")
        env = self.env_of("--hosts", "1", env=outer)[0]
        self.assertNotIn("RINGBELL_CABLE_FD", env)

    def test_export(self):
        outer = dict(os.environ, FROM_HERE="old")
        env = self.env_of("-x", "FROM_HERE", "-x", "NEW=a=b", "-x", "EMPTY=", env=outer)[0]
        self.assertEqual((env["FROM_HERE"], env["NEW"], env["EMPTY"]), ("old", "a=b", ""))

    def test_only_own_descriptors(self):
        r = run("--hosts", "3", "--tag-output", "ls", "/proc/self/fd")
        # 0, 1, 2, two cables, long waits, claims, the control socket, and the folder that ls reads
        self.assertEqual(len(r.stdout.splitlines()), 3 * 9, r.stdout)

    def test_signals_as_oshrun_found_them(self):
        script = "grep -E '^Sig(Blk|Ign)' /proc/self/status"
        bare = subprocess.run(["sh", "-c", script], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(run("sh", "-c", script).stdout, bare.stdout)


class InputOutput(unittest.TestCase):
    def test_stdin_goes_to_pe_0(self):
        r = run("--hosts", "3", "--tag-output", "cat", stdin=None, input="a\nb\n")
        self.assertEqual(r.stdout, "[PE 0] a\n[PE 0] b\n")

    def test_stdin_is_not_eaten(self):
        with tempfile.TemporaryFile() as f:
            f.write(b"one\ntwo\n")
            f.seek(0)
            run("--hosts", "2", "true", stdin=f)
            self.assertEqual(os.read(f.fileno(), 100), b"one\ntwo\n")

    def test_bytes_pass_unchanged(self):
        data = bytes(range(256)) * 5000
        with tempfile.NamedTemporaryFile() as f:
            f.write(data)
            f.flush()
            r = subprocess.run([OSHRUN, "cat", f.name], stdout=subprocess.PIPE, timeout=LIMIT,
                               check=True)
        self.assertEqual(r.stdout, data)

    def test_whole_lines(self):
        script = ("i=0; while [ $i -lt 300 ]; do printf %s half$RINGBELL_HOST_ID; "
                  "echo other$RINGBELL_HOST_ID; i=$((i + 1)); done")
        r = run("--hosts", "4", "sh", "-c", script)
        lines = r.stdout.splitlines()
        self.assertEqual(len(lines), 1200)
        self.assertEqual(set(lines), {f"half{k}other{k}" for k in range(4)})

    def test_tag_both_streams(self):
        r = run("--hosts", "2", "--tag-output", "sh", "-c", "echo o; echo e >&2; printf end")
        self.assertEqual(sorted(r.stdout.splitlines()),
                         ["[PE 0] end", "[PE 0] o", "[PE 1] end", "[PE 1] o"])
        self.assertEqual(sorted(r.stderr.splitlines()), ["[PE 0] e", "[PE 1] e"])

    def test_last_line_without_newline(self):
        self.assertEqual(run("printf", "x").stdout, "x")

    def test_prompt_is_seen(self):
        p = start("sh", "-c", "printf 'name? '; read n; echo got $n", stdin=subprocess.PIPE)
        self.assertEqual(os.read(p.stdout.fileno(), 100), b"name? ")
        out, _ = p.communicate("me\n", timeout=LIMIT)
        self.assertEqual(out, "got me\n")

    def test_reader_goes_away(self):
        p = start("--hosts", "2", "yes")
        p.stdout.readline()
        p.stdout.close()
        self.assertEqual(p.wait(LIMIT), 128 + signal.SIGPIPE)
        p.stderr.close()

    def test_slow_reader_does_not_hold_up_the_end(self):
        p = start("--hosts", "2", "--timeout", "0.5", "yes", stdin=subprocess.DEVNULL)
        self.assertEqual(p.wait(LIMIT), 124)
        self.assertIn("did not end", p.stderr.read())
        p.stdout.close()
        p.stderr.close()

    def test_late_reader_gets_everything(self):
        p = start("seq", "30000", stdin=subprocess.DEVNULL)
        wait_until("oshrun has no PE left", lambda: not children(p.pid))
        out, _ = p.communicate(timeout=LIMIT)
        self.assertEqual(len(out.split()), 30000)

    def test_closed_standard_descriptors(self):
        r = subprocess.run(["sh", "-c", f"{OSHRUN} --hosts 3 sh -c 'ls /proc/self/fd >/dev/null; "
                            "echo ok$RINGBELL_HOST_ID' 0<&- 2>&-"], stdout=subprocess.PIPE,
                           timeout=LIMIT, text=True, check=False)
        self.assertEqual(sorted(r.stdout.split()), ["ok0", "ok1", "ok2"])

    def test_terminal(self):
        try:
            for end in pty.openpty():
                os.close(end)
        except OSError as error:
            self.skipTest(f"no pseudo-terminals (is /dev/pts mounted?): {error}")
        pid, fd = pty.fork()
        if pid == 0:
            os.execv(OSHRUN, [OSHRUN, "--hosts", "2", "sh", "-c",
                              "test -t 0 && echo tty$RINGBELL_HOST_ID; echo on; "
                              "exec sleep 100"])
        seen = b""
        while seen.count(b"on") < 2:
            seen += os.read(fd, 1000)
        self.assertIn(b"tty0", seen)
        self.assertNotIn(b"tty1", seen)
        os.write(fd, b"\x03")
        _, status = os.waitpid(pid, 0)
        os.close(fd)
        self.assertEqual(os.waitstatus_to_exitcode(status), 128 + signal.SIGINT)


class Ends(unittest.TestCase):
    """Each job sleeps with a number of its own, by which what is left of it would be found."""
    counter = 0

    def setUp(self):
        Ends.counter += 1
        self.token = f"{100000 + os.getpid()}.{Ends.counter:04d}"

    def tearDown(self):
        wait_until(f"no process with {self.token} is left", lambda: not processes_with(self.token))

    def only(self, pe, command):
        return f"if [ $RINGBELL_HOST_ID = {pe} ]; then {command}; fi; exec sleep {self.token}"

    def test_first_status_wins(self):
        r = run("--hosts", "3", "sh", "-c", self.only(1, "exit 5"))
        self.assertEqual(r.returncode, 5)
        self.assertRegex(r.stderr, r"PE 1 \(process \d+\) exited with status 5\n$")

    def test_timeout(self):
        r = run("--hosts", "2", "--timeout", "0.3", "sleep", self.token)
        self.assertEqual(r.returncode, 124)
        self.assertIn("0.3 s", r.stderr)

    def test_stubborn_ones_are_killed(self):
        """PEs, where one ends and where oshrun gets SIGTERM, and orphans: sessions of their own, and such as
        ignore what can be ignored. All at once, since each has its grace."""
        scripts = ((f"trap '' TERM; echo up; while :; do sleep 0.1; done; : {self.token}", 143),
                   (f"trap '' TERM; {self.only(0, 'exit 3')}", 3),
                   (f"(trap '' TERM HUP INT; exec setsid sleep {self.token}) >/dev/null 2>&1 & "
                    "exit $RINGBELL_HOST_ID", 1),
                   (f"[ $RINGBELL_PE = 0 ] || setsid sleep {self.token} & exit 0", 1))
        jobs = [start("--hosts", "2", "sh", "-c", script, stdin=subprocess.DEVNULL) for script, _ in scripts]
        self.assertEqual([jobs[0].stdout.readline() for _ in range(2)], ["up\n", "up\n"])
        jobs[0].send_signal(signal.SIGTERM)
        for job, (script, status) in zip(jobs, scripts):
            _, err = job.communicate(timeout=LIMIT)
            self.assertEqual(job.returncode, status, script)
        self.assertRegex(err, r"PE 1 \(process \d+\) exited, and what it left did not call shmem_init")

    def started(self, hosts, *args, script=None):
        p = start(*args, "--hosts", str(hosts), "sh", "-c", script or f"exec sleep {self.token}",
                  stdin=subprocess.DEVNULL)
        # oshrun's own command line may hold the token too
        wait_until("all PEs sleep", lambda: len(
            [q for q in processes_with(self.token) if comm(q) == "sleep"]) == hosts)
        return p

    def test_signals_are_passed_on(self):
        for sig, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129),
                            (signal.SIGUSR1, 138)):
            p = self.started(2)
            p.send_signal(sig)
            _, err = p.communicate(timeout=LIMIT)
            self.assertEqual(p.returncode, status, err)

    def test_pe_may_handle_a_signal(self):
        script = (f"trap 'echo usr$RINGBELL_HOST_ID; exit 0' USR2; echo up; "
                  f"while :; do sleep 0.01; done; : {self.token}")
        p = start("--hosts", "2", "sh", "-c", script, stdin=subprocess.DEVNULL)
        self.assertEqual([p.stdout.readline() for _ in range(2)], ["up\n", "up\n"])
        p.send_signal(signal.SIGUSR2)
        out, _ = p.communicate(timeout=LIMIT)
        self.assertEqual(sorted(out.split()), ["usr0", "usr1"])
        self.assertEqual(p.returncode, 0)

    def test_nohup(self):
        p = start("--hosts", "1", "sh", "-c", f"echo up; read x; exit 0; : {self.token}",
                  stdin=subprocess.PIPE,
                  preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.assertEqual(p.stdout.readline(), "up\n")
        p.send_signal(signal.SIGHUP)
        p.communicate("x\n", timeout=LIMIT)
        self.assertEqual(p.returncode, 0)


def comm(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="ascii") as f:
            return f.read().strip()
    except OSError:
        return ""


class Control(unittest.TestCase):
    """Messages of a PE over RINGBELL_CTL_FD, layout of struct rb_ctl_msg."""
    TEXT = 392 # bytes
    OPENED, ABORT, ERROR = 1, 2, 3

    def pe(self, *messages, after="", hosts=2, who=0):
        lines = ["import os, socket, struct, sys, time",
                 "s = socket.socket(fileno=int(os.environ['RINGBELL_CTL_FD']))",
                 f"if os.environ['RINGBELL_HOST_ID'] == '{who}':"]
        for m in messages:
            lines.append(f"    s.send({m!r})")
        lines += [f"    {after or 'sys.exit(0)'}", "time.sleep(1000)"]
        return run("--hosts", str(hosts), sys.executable, "-c", "\n".join(lines))

    @staticmethod
    def message(kind, status=0, text=b"", length=None, magic=0x52424354):
        n = len(text) if length is None else length
        return (magic.to_bytes(4, "little") + kind.to_bytes(4, "little") +
                status.to_bytes(4, "little", signed=True) + n.to_bytes(4, "little") +
                text.ljust(Control.TEXT, b"\0"))

    def test_exit_without_leaving(self):
        r = self.pe(self.message(self.OPENED))
        self.assertEqual(r.returncode, 1)
        self.assertRegex(r.stderr, r"PE 0 .*shmem_finalize")

    def test_abort(self):
        for status, want in ((0, 0), (7, 7), (256, 1), (-1, 255)):
            r = self.pe(self.message(self.ABORT, status), who=1)
            self.assertEqual(r.returncode, want)
            self.assertEqual("PE 1" in r.stderr, status != 0, r.stderr)

    def test_error_text(self):
        r = self.pe(self.message(self.ERROR, text=b"heap \x1b[31mtoo large"), after="sys.exit(9)")
        self.assertEqual(r.returncode, 9)
        self.assertEqual(r.stderr, "oshrun: PE 0: heap  [31mtoo large\n")

    def test_same_error_of_all(self):
        script = ("import os, socket, sys; "
                  "s = socket.socket(fileno=int(os.environ['RINGBELL_CTL_FD'])); "
                  f"s.send({self.message(self.ERROR, text=b'no memory')!r}); sys.exit(4)")
        r = run("--hosts", "5", sys.executable, "-c", script)
        self.assertEqual(r.returncode, 4)
        self.assertRegex(r.stderr, "^oshrun: PE [0-4]: no memory\n$")

    def test_malformed(self):
        for bad in (b"x", self.message(self.ERROR, length=self.TEXT + 1), self.message(self.ERROR, magic=1),
                    self.message(self.ERROR) + b"more", self.message(99)):
            r = self.pe(bad, hosts=1)
            self.assertEqual(r.returncode, 0)
            self.assertRegex(r.stderr, r"^oshrun: PE 0 sent .*control message")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
