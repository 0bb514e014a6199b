"""The passages of a text: what is kept or left out as a whole, each with what it stands under."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from functions.gateway.blocks import Block, Kind, Line, blocks_of
from functions.gateway.sentences import MAX_CHARACTERS, sentences_of

MAX_PASSAGES: Final = 6_000
"""More are joined with their neighbours: the time to choose stays bounded."""

MAX_LINES: Final = 20_000
"""A text of more is taken in runs of lines, whatever they say."""

_MAX_HEADS: Final = 3
_LEAD_IN: Final = 200
"""The longest sentence that introduces a list."""


@dataclass(slots=True)
class Passage:
    """A stretch of the source: `text[start:end]`."""

    start: int
    end: int
    kind: Kind
    block: int
    """Passages of one paragraph have one number."""
    heads: tuple[int, ...] = ()
    """Passages that say what this one is about, by index: headings, a table's first row, a code block's fences."""
    is_frame: bool = False
    """It is there for others: a heading or a fence says nothing alone."""


def passages_of(text: str) -> list[Passage]:
    """Return the passages of *text* in order; between two of them there is only white space."""
    if text.count("\n") > MAX_LINES:
        return _coarse(text)
    splitter = _Splitter(text)
    for number, block in enumerate(blocks_of(text)):
        splitter.add(block, number)
    found = splitter.passages
    return found if len(found) <= MAX_PASSAGES else _joined(text, found)


def _joined(text: str, found: Sequence[Passage]) -> list[Passage]:
    """Return neighbours joined until there are few enough. What each stands under is lost."""
    least = max(len(text) // MAX_PASSAGES * 2, 1)
    joined: list[Passage] = []
    for passage in found:
        if joined and joined[-1].end - joined[-1].start < least:
            joined[-1].end = passage.end
        else:
            joined.append(Passage(passage.start, passage.end, passage.kind, passage.block))
    return joined


def _coarse(text: str) -> list[Passage]:
    """Return runs of whole lines of about one length."""
    least = max(len(text) // MAX_PASSAGES * 2, 1)
    passages: list[Passage] = []
    start = 0
    while start < len(text):
        end = text.find("\n", start + least)
        end = len(text) if end < 0 else end
        passages.extend(
            Passage(begin, stop, Kind.LINES, len(passages))
            for begin, stop in sentences_of(text, start, end)
            if end - start > 2 * MAX_CHARACTERS
        )
        if end - start <= 2 * MAX_CHARACTERS and (run := text[start:end]).strip():
            passages.append(
                Passage(start + len(run) - len(run.lstrip()), start + len(run.rstrip()), Kind.LINES, len(passages))
            )
        start = end
    return passages


class _Splitter:
    """Goes through the blocks and remembers the headings that are open."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._headings: list[tuple[int, int]] = []  # level, index
        self._lead_in: int | None = None
        self._kind, self._number = Kind.PROSE, 0
        self.passages: list[Passage] = []

    def add(self, block: Block, number: int) -> None:
        """Add the passages of the next block."""
        self._kind, self._number = block.kind, number
        if block.kind is Kind.HEADING:
            self._add_heading(block)
            return
        start, end = block.lines[0].start, block.lines[-1].end
        if block.kind is Kind.TABLE:
            self._add_table(block.lines)
        elif block.kind is Kind.CODE:
            self._add_code(block.lines)
        elif block.kind is Kind.LINES:
            self._add_lines(block.lines, self._heads())
        else:
            self._add_spans(sentences_of(self._text, start, end))
        if block.kind is not Kind.ITEM:
            self._lead_in = self._lead_in_of(end)

    def _lead_in_of(self, end: int) -> int | None:
        """Return the passage that introduces what follows: it ends with a colon."""
        last = self.passages[-1]
        introduces = self._text[end - 1] in ":\uff1a" and last.end - last.start <= _LEAD_IN
        return len(self.passages) - 1 if introduces else None

    def _heads(self) -> tuple[int, ...]:
        heads = [index for _, index in self._headings]
        if self._lead_in is not None:
            heads.append(self._lead_in)
        return tuple(heads[-_MAX_HEADS:])

    def _append(self, start: int, end: int, heads: tuple[int, ...], *, frame: bool = False) -> int:
        self.passages.append(Passage(start, end, self._kind, self._number, heads, frame))
        return len(self.passages) - 1

    def _add_heading(self, block: Block) -> None:
        while self._headings and self._headings[-1][0] >= block.level:
            self._headings.pop()
        self._lead_in = None
        index = self._append(block.lines[0].start, block.lines[-1].end, self._heads(), frame=True)
        self._headings.append((block.level, index))

    def _add_spans(self, spans: Iterator[tuple[int, int]]) -> None:
        heads = self._heads()
        for position, (start, end) in enumerate(spans):
            index = self._append(start, end, heads)
            if position == 0 and self._kind is Kind.ITEM:
                heads = _under(heads, index)

    def _add_table(self, lines: Sequence[Line]) -> None:
        heads = self._heads()
        if len(lines) > 2:
            has_rule = not set(lines[1].text) - set("|-: \t+")
            body = 2 if has_rule else 1
            heads = _under(heads, self._append(lines[0].start, lines[body - 1].end, heads, frame=True))
            lines = lines[body:]
        for line in lines:
            self._add_line(line, heads)

    def _add_code(self, lines: Sequence[Line]) -> None:
        """Add line by line, each under the fences around it."""
        heads = self._heads()
        if not _is_fence(lines[0]):
            self._add_lines(lines, heads)
            return
        heads = _under(heads, self._append(lines[0].start, lines[0].end, heads, frame=True))
        first = len(self.passages)
        is_closed = len(lines) > 1 and _is_fence(lines[-1])
        self._add_lines(lines[1:-1] if is_closed else lines[1:], heads)
        if is_closed:
            last = self._append(lines[-1].start, lines[-1].end, (first - 1,), frame=True)
            for passage in self.passages[first:last]:
                passage.heads = (*passage.heads, last)

    def _add_lines(self, lines: Sequence[Line], heads: tuple[int, ...]) -> None:
        """Add line by line: a deeper indented one stands under the last that is less so."""
        above: list[tuple[int, int]] = []  # indentation, index
        for line in lines:
            if not line.text.strip():
                continue
            indent = len(line.text) - len(line.text.lstrip())
            while above and above[-1][0] >= indent:
                above.pop()
            index = self._add_line(line, _under(heads, above[-1][1]) if above else heads)
            above.append((indent, index))

    def _add_line(self, line: Line, heads: tuple[int, ...]) -> int:
        """Add one line, an overlong one in sentences, and return the index of the first."""
        first = len(self.passages)
        if line.end - line.start <= MAX_CHARACTERS // 2:
            return self._append(line.start, line.end, heads)
        for start, end in sentences_of(self._text, line.start, line.end):
            self._append(start, end, heads)
        return first


def _under(heads: tuple[int, ...], index: int) -> tuple[int, ...]:
    return (*heads, index)[-_MAX_HEADS:]


def _is_fence(line: Line) -> bool:
    return line.text.strip()[:3] in ("```", "~~~")
