# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
"""A page of HTML as a test looks at it."""
import html.parser


class Page(html.parser.HTMLParser):
    """Tags and words of a page; open is what was not closed, or not in order."""

    def __init__(self, name):
        super().__init__()
        self.open, self.tags, self.words = [], [], []
        with open(name, encoding="utf-8") as f:
            self.source = f.read()
        self.feed(self.source)
        self.close()
        self.text = " ".join(self.words)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data):
        self.words.append(data.strip())
