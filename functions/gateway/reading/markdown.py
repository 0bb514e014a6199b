"""From the extractor's reduced HTML to Markdown.

The reduced HTML has headings, paragraphs, lists, `pre`, `br` and links, all well nested, and its text is escaped: so
each `<` begins a tag.
"""

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Final

from functions.gateway.reading.tree import BULLET, TABLE

_TAG: Final = re.compile(r'<(/?)([a-z][a-z0-9]*)(?: href="([^"]*)")?[^<>]*>')
_PRE: Final = re.compile(r"<pre>\n?(.*?)</pre>", re.DOTALL)
_SPACE: Final = re.compile(r"\s+")
_BLANK_LINES: Final = re.compile(r"\n(?:[ \t]*\n){2,}")
_EMPTY_LINK: Final = re.compile(r"(?<!!)\[\s*\]\([^)\s]*\)")


def markdown_of(reduced: str) -> str:
    """Return *reduced* as Markdown."""
    writer = _Writer()
    parts = _PRE.split(reduced)
    for index, part in enumerate(parts):
        if index % 2:
            writer.write_block(_block(unescape(part)))
        else:
            _write_tags(writer, part)
    return writer.text()


def fenced(text: str, language: str = "") -> str:
    """Return *text* as a block of code, whatever it holds."""
    runs = [len(run) for run in re.findall(r"`{3,}", text)]
    fence = "`" * max(3, *(run + 1 for run in runs)) if runs else "```"
    return f"{fence}{language}\n{text}\n{fence}"


def _block(text: str) -> str:
    return text[1:] if text.startswith(TABLE) else fenced(text.rstrip())


def _write_tags(writer: "_Writer", part: str) -> None:
    position = 0
    for tag in _TAG.finditer(part):
        writer.write_text(part[position : tag.start()])
        position = tag.end()
        if tag[1]:
            writer.close(tag[2])
        else:
            writer.open(tag[2], unescape(tag[3] or ""))
    writer.write_text(part[position:])


@dataclass
class _Writer:
    blocks: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    numbers: list[int | None] = field(default_factory=list)
    """Of each open list: the next number, None where it has none."""
    mark: str = ""
    """Of the next line: a heading's or a list's."""
    links: list[tuple[int, str]] = field(default_factory=list)

    def open(self, tag: str, href: str) -> None:
        """Begin what *tag* begins."""
        if tag == "a":
            self.links.append((len(self.line), href))
        elif tag == "br":
            self.line.append("\n")
        else:
            self._end_line()
            self._open_block(tag)

    def close(self, tag: str) -> None:
        """End it."""
        if tag == "a":
            self._end_link()
            return
        self._end_line()
        if tag in {"ul", "ol"} and self.numbers:
            self.numbers.pop()

    def write_text(self, escaped: str) -> None:
        """Write text, in the words of the page."""
        text = _SPACE.sub(" ", unescape(escaped))
        if BULLET in text:
            self.mark, text = "- ", text.replace(BULLET, "")
        self.line.append(text)

    def write_block(self, block: str) -> None:
        """Write a block whose lines stay as they are."""
        self._end_line()
        indent = "  " * len(self.numbers)
        self.blocks.append("\n" + "\n".join(indent + line if line else "" for line in block.split("\n")) + "\n")

    def text(self) -> str:
        """Return all that was written."""
        self._end_line()
        return _BLANK_LINES.sub("\n\n", _EMPTY_LINK.sub("", "\n".join(self.blocks))).strip()

    def _open_block(self, tag: str) -> None:
        if tag in {"ul", "ol"}:
            self.numbers.append(1 if tag == "ol" else None)
        elif tag == "li" and self.numbers:
            number = self.numbers[-1]
            self.mark = "- " if number is None else f"{number}. "
            self.numbers[-1] = None if number is None else number + 1
        elif tag[0] == "h" and tag[1:].isdecimal():
            self.mark += "#" * int(tag[1:]) + " "

    def _end_link(self) -> None:
        start, href = self.links.pop() if self.links else (len(self.line), "")
        label = " ".join("".join(self.line[start:]).split())
        if href and label:
            self.line[start:] = [f"[{label}]({href})"]

    def _end_line(self) -> None:
        lines = [" ".join(line.split()) for line in "".join(self.line).split("\n")]
        text = "\n".join(line for line in lines if line)
        self.line, self.links = [], []
        if not text:
            return
        depth = len(self.numbers)
        is_item = self.mark[:1] in {"-", *"0123456789"} and bool(self.mark)
        indent = "  " * (depth - 1 if is_item else depth)
        block = indent + self.mark + text.replace("\n", "\n" + "  " * depth)
        # Items follow each other closely; everything else stands apart.
        self.blocks.append(block if is_item else f"\n{block}\n")
        self.mark = ""
