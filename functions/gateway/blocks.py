"""A text as blocks of lines: headings, paragraphs, lists, tables, code. Markdown, and plain text that looks like it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple


class Kind(Enum):
    """What a block, and a passage of it, is."""

    HEADING = "heading"
    PROSE = "prose"
    ITEM = "item"
    TABLE = "table"
    CODE = "code"
    LINES = "lines"
    """Lines that each stand for themselves: a log, a chat, an address."""


class Line(NamedTuple):
    """One line, without its break."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together."""

    kind: Kind
    lines: Sequence[Line]
    level: int = 0
    """Of a heading: 1 is the highest."""


_FENCE: Final = re.compile(r" {0,3}(```+|~~~+)")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+\S")
_RULE: Final = re.compile(r" {0,3}(=+|-+|\*\*\*+|___+)[ \t]*$")
_ITEM: Final = re.compile(
    r"[ \t]*(?:[-*+\u2022\u00b7\u2013\u25e6]|\(?\d{1,3}(?:\.\d{1,3}){0,3}[.)]|\(?[a-zA-Z][.)]|\[[ xX]\])[ \t]+\S"
)
_RECORD: Final = re.compile(
    r"[ \t]*(?:[\[<>]|\d{1,4}[-:/.]\d|(?:[A-Z][\w.-]{0,20} ?){1,3}(?:\([^)\n]{0,20}\))?:[ \t]|[\w.-]{1,20}: |\"\w)"
)
"""How a line of a log, a chat or a form begins."""
_CODE: Final = re.compile(
    r"[^\n]*[{};][ \t]*$"
    r"|[ \t]*(?:def|class|import|from|return|if|elif|else|for|while|try|except|with|function|const|let|var|public"
    r"|private|static|package|func|fn|use|struct|impl|export|SELECT|INSERT|UPDATE|CREATE|FROM|WHERE)\b[^.\n]*$"
    r"|[ \t]*(?://|#|/\*|\*/|--|@)[^\n]*$"
    r"|[ \t]*[\w.\[\]]+ ?[-+*|:]?= ?[^\n]*$"
    r"|[ \t]*[\w.]+\([^\n]*\)[;:,]?[ \t]*$"
    r"|[ \t]*[)\]}]+,?[ \t]*$"
)
"""How a line of code looks: its last mark, first word, a comment, an assignment, a call, a closing bracket."""
_WRAP_WIDTHS: Final = range(45, 140)
"""How long the longest line of a hard-wrapped paragraph may be."""
_MAX_TITLE: Final = 70
_MAX_CODE_LINE: Final = 400


def lines_of(text: str) -> list[Line]:
    """Return the lines of *text* with their offsets; of blank lines in a row, the first."""
    lines: list[Line] = []
    start, after_blank = 0, False
    for whole in text.splitlines(keepends=True):
        line = whole.rstrip()
        if line or not after_blank:
            lines.append(Line(start, start + len(line), line))
        after_blank = not line
        start += len(whole)
    return lines


def blocks_of(text: str) -> Iterator[Block]:
    """Yield the blocks of *text* in order; blank lines are in none, each other line in one."""
    lines = lines_of(text)
    at = 0
    while at < len(lines):
        if not lines[at].text.strip():
            at += 1
            continue
        block = _block_at(lines, at)
        yield block
        at += len(block.lines)


def _block_at(lines: Sequence[Line], at: int) -> Block:
    line = lines[at].text
    if fence := _FENCE.match(line):
        return Block(Kind.CODE, lines[at : _after_fence(lines, at, fence[1])])
    if heading := _HEADING.match(line):
        return Block(Kind.HEADING, lines[at : at + 1], len(heading[1]))
    if (
        at + 1 < len(lines)
        and (rule := _RULE.match(lines[at + 1].text))
        and rule[1][0] in "=-"
        and len(rule[1]) > 2
        and not _ITEM.match(line)
        and "|" not in line
    ):
        return Block(Kind.HEADING, lines[at : at + 2], 1 if rule[1][0] == "=" else 2)
    if _ITEM.match(line):
        return Block(Kind.ITEM, lines[at : _after_item(lines, at)])
    if _is_row(line):
        return Block(Kind.TABLE, lines[at : _after_rows(lines, at)])
    return _paragraph(lines, at)


def _paragraph(lines: Sequence[Line], at: int) -> Block:
    after = at + 1
    while after < len(lines) and lines[after].text.strip() and not _begins_another(lines[after].text):
        after += 1
    part = lines[at:after]
    if _is_title(part, lines, at, after):
        return Block(Kind.HEADING, part, 7)
    return Block(_kind_of(part), part)


def _begins_another(line: str) -> bool:
    return bool(_FENCE.match(line) or _HEADING.match(line) or _ITEM.match(line) or _is_row(line))


def _is_title(part: Sequence[Line], lines: Sequence[Line], at: int, after: int) -> bool:
    """Tell whether one short line stands above something and does not end as a sentence does."""
    text = part[0].text.strip()
    if len(part) > 1 or len(text) > _MAX_TITLE or after >= len(lines):
        return False
    if text[-1] == ":":
        return True
    alone = at == 0 or not lines[at - 1].text.strip()
    return (
        alone
        and text[-1].isalnum()
        and not _RECORD.match(text)
        and len(text.split()) <= 9
        and any(map(str.isalpha, text))
    )


def _kind_of(part: Sequence[Line]) -> Kind:
    code = sum(len(line.text) <= _MAX_CODE_LINE and bool(_CODE.match(line.text)) for line in part)
    if code * 2 >= len(part) + 1:
        return Kind.CODE
    if len(part) == 1:
        return Kind.PROSE
    widest = max(len(line.text) for line in part)
    if widest in _WRAP_WIDTHS:
        wrapped = sum(len(line.text) * 10 >= widest * 6 for line in part[:-1])
        records = sum(bool(_RECORD.match(line.text)) for line in part)
        if wrapped * 4 >= 3 * (len(part) - 1) and records * 2 <= len(part):
            return Kind.PROSE
    return Kind.LINES


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|") or line.count("|") >= 2 or line.count("\t") >= 2


def _after_rows(lines: Sequence[Line], at: int) -> int:
    after = at
    while after < len(lines) and _is_row(lines[after].text):
        after += 1
    return after


def _after_fence(lines: Sequence[Line], at: int, fence: str) -> int:
    for after in range(at + 1, len(lines)):
        stripped = lines[after].text.strip()
        if stripped.startswith(fence) and not stripped.strip(fence[0]):
            return after + 1
    return len(lines)


def _after_item(lines: Sequence[Line], at: int) -> int:
    """Return the line after an item: what continues it is indented, or follows at once."""
    after = at + 1
    while after < len(lines) and lines[after].text.strip() and not _begins_another(lines[after].text):
        after += 1
    return after
