# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""Files of the machine, below "/" or below a folder that stands for it. Only reading."""
import os


class Root:
    def __init__(self, top="/"):
        self.top = top

    def path(self, *parts):
        return os.path.join(self.top, *(part.lstrip("/") for part in parts))

    def text(self, *parts):
        """The text of a file without the white space around it; None where it cannot be read."""
        data = self.data(1 << 20, *parts)
        return None if data is None else data.decode("utf-8", "replace").strip()

    def data(self, most, *parts):
        """At most so many bytes of a file, or None."""
        try:
            with open(self.path(*parts), "rb") as f:
                # a page, as most files have less: room for more costs ten times as much as the call
                data = f.read(min(most, 4096))
                return data + f.read(most - len(data)) if len(data) == 4096 else data
        except OSError:
            return None

    def number(self, *parts):
        """The number in a file, decimal or hexadecimal, or None."""
        try:
            return int(self.text(*parts) or "", 0)
        except ValueError:
            return None

    def names(self, *parts):
        """Names in a folder, in order; none where there is no such folder."""
        try:
            return sorted(os.listdir(self.path(*parts)))
        except OSError:
            return []

    def link(self, *parts):
        """The last part of what a symbolic link points to, or None."""
        try:
            return os.path.basename(os.readlink(self.path(*parts)))
        except OSError:
            return None

    def stat(self, *parts):
        """What the system says of a file, or None."""
        try:
            return os.stat(self.path(*parts))
        except OSError:
            return None
