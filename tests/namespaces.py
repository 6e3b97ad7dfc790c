# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Network namespaces that stand for machines, joined by veth pairs that stand for cables."""
import os
import subprocess

REFUSED = "this user may make no network namespaces"


def are_allowed():
    return subprocess.run(["unshare", "-n", "ip", "link"], check=False, capture_output=True).returncode == 0


def ip(*words):
    subprocess.run(("ip", *words), check=True, stdin=subprocess.DEVNULL)


class Namespaces:
    """Of a test case, which removes them at its end."""

    def name(self, k):
        return f"rb{os.getpid()}-{k}"

    def inside(self, k, *command):
        return ("ip", "netns", "exec", self.name(k), *command)

    def add(self, *names):
        for name in names:
            ip("netns", "add", self.name(name))
            self.addCleanup(ip, "netns", "del", self.name(name))

    def join(self, *ends):
        """Two (interface, namespace)."""
        (a, near), (b, far) = [(end, self.name(k)) for end, k in ends]
        ip("link", "add", a, "netns", near, "type", "veth", "peer", "name", b, "netns", far)
        for end, k in ends:
            self.set(k, end, "up")

    def bridge(self, k, *ends):
        """A switch, of which these interfaces are the ports."""
        ip("-n", self.name(k), "link", "add", "switch", "type", "bridge")
        self.set(k, "switch", "up")
        for end in ends:
            self.set(k, end, "master", "switch")

    def set(self, k, interface, *words):
        ip("-n", self.name(k), "link", "set", "dev", interface, *words)
