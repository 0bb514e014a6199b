"""Shortens a text: keeps the passages that matter most, whole and in order, within a budget of tokens."""

import heapq
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from functions.gateway.blocks import Kind
from functions.gateway.relevance import Source, importance, relevance
from functions.gateway.tokens import DEFAULT

_PURPOSE_SHARE: Final = 0.5
"""How much of a passage's worth is the purpose; the rest is what it says of its text."""
_COST_EXPONENT: Final = 0.3
"""0 would ignore a passage's length, 1 would prefer the shortest."""
_REPEATED: Final = 0.5
"""What a term is still worth each time that a kept passage has said it."""
_FRAME_WORTH: Final = 0.3

WHOLE_TOKENS: Final = 100
"""A text up to this keeps its best passage, and a longer one a passage of this, whole even where it passes the budget:
half a sentence says something else.
"""


@dataclass(frozen=True, slots=True)
class Extract:
    """What was kept."""

    text: str
    tokens: int
    dropped: int
    """How many passages were left out."""
    is_cut: bool
    """No passage fitted, and the best was too long to be kept whole, so that it was cut."""


def extract(text: str, budget: int, purpose: str = "", max_characters: int | None = None) -> Extract:
    """Return the passages of *text* that matter most, within *budget*. The same input gives the same output.

    Args:
        text: anything; Markdown is understood.
        budget: in tokens. A single passage of `WHOLE_TOKENS` at most may pass it.
        purpose: what the text is needed for; where it is empty, what the text says most of itself counts.
        max_characters: a second limit, None for none.
    """
    source = Source.of(text)
    if not source.passages:
        return Extract("", 0, 0, is_cut=False)
    choice = _Choice(text, source, budget, len(text) if max_characters is None else max_characters)
    choice.fill(_worths(source, purpose))
    return choice.result()


def _worths(source: Source, purpose: str) -> list[float]:
    worths = importance(source)
    if purpose.strip() and any(relevant := relevance(source, purpose)):
        pairs = zip(relevant, worths, strict=True)
        worths = [_PURPOSE_SHARE * asked + (1 - _PURPOSE_SHARE) * own for asked, own in pairs]
    frames = (passage.is_frame for passage in source.passages)
    return [worth * _FRAME_WORTH if frame else worth for worth, frame in zip(worths, frames, strict=True)]


class _Choice:
    """Which passages are kept, and what they cost."""

    def __init__(self, text: str, source: Source, budget: int, characters: int) -> None:
        self._text, self._passages, self._terms = text, source.passages, source.terms
        self._tokens_left, self._characters_left = budget, characters
        self._budget, self._characters = budget, characters
        # One more for what stands between two passages.
        self._costs = [count + 1 for count in DEFAULT.count_each(source.pieces)]
        self._kept: dict[int, None] = {}  # in the order in which they were chosen
        self._best = 0
        self._fences = {
            index: passage.block
            for index, passage in enumerate(self._passages)
            if passage.is_frame and passage.kind is Kind.CODE
        }
        self._fences_of = Counter(self._fences.values())
        self._openings: dict[int, int] = {}  # block -> its first passage
        for index, passage in enumerate(source.passages):
            self._openings.setdefault(passage.block, index)

    def fill(self, worths: Sequence[float]) -> None:
        """Keep the best passages that fit, each worth less by what the kept ones have said already."""
        said: Counter[str] = Counter()
        order = [(-self._value(index, worth, said), index) for index, worth in enumerate(worths)]
        speaking = [pair for pair in order if not self._passages[pair[1]].is_frame]
        self._best = min(speaking or order)[1]
        if sum(self._costs) <= WHOLE_TOKENS and not self._fits(self._best):
            return
        heapq.heapify(order)
        while order and self._tokens_left > 0:
            _, index = heapq.heappop(order)
            if index in self._kept or not self._fits(index):
                continue
            value = self._value(index, worths[index], said)
            if order and -order[0][0] > value:
                heapq.heappush(order, (-value, index))
                continue
            self._keep(index)
            said.update(self._terms[index].keys())
            for head in self._passages[index].heads:
                if head not in self._kept and self._fits(head):
                    self._keep(head)

    def _value(self, index: int, worth: float, said: Counter[str]) -> float:
        terms = self._terms[index]
        novelty = sum(_REPEATED ** min(said[term], 20) for term in terms) / len(terms) if terms else 1.0
        cost: float = self._costs[index] ** _COST_EXPONENT
        return worth * (0.4 + 0.6 * novelty) / cost

    def _fits(self, index: int) -> bool:
        passage = self._passages[index]
        return self._costs[index] <= self._tokens_left and passage.end - passage.start < self._characters_left

    def _keep(self, index: int) -> None:
        self._kept[index] = None
        self._tokens_left -= self._costs[index]
        self._characters_left -= self._passages[index].end - self._passages[index].start + 2

    def result(self) -> Extract:
        """Return the kept passages as one text."""
        chosen = list(self._kept)
        while chosen := self._without_lone_fences(chosen):
            text = self._assembled(sorted(chosen))
            tokens = DEFAULT.count(text)
            if tokens <= self._budget and any(not self._passages[index].is_frame for index in chosen):
                return Extract(text, tokens, len(self._passages) - len(chosen), is_cut=False)
            chosen.pop()
        return self._best_alone()

    def _without_lone_fences(self, chosen: Sequence[int]) -> list[int]:
        """Return *chosen* without the fences of code blocks that are not all there, or have nothing between them."""
        kept = Counter(self._fences[index] for index in chosen if index in self._fences)
        filled = {self._passages[index].block for index in chosen if not self._passages[index].is_frame}
        lone = {block for block, count in kept.items() if count < self._fences_of[block] or block not in filled}
        return [index for index in chosen if self._fences.get(index) not in lone]

    def _best_alone(self) -> Extract:
        """Return the best passage: whole if it is short, else its beginning."""
        passage = self._passages[self._best]
        whole = self._text[passage.start : passage.end]
        head = whole[: self._characters]
        tokens = DEFAULT.count(head)
        if tokens <= max(self._budget, WHOLE_TOKENS):
            return Extract(head, tokens, len(self._passages) - 1, is_cut=len(head) < len(whole))
        text = DEFAULT.head(head, self._budget)
        return Extract(text, DEFAULT.count(text), len(self._passages) - bool(text), is_cut=True)

    def _assembled(self, indexes: Sequence[int]) -> str:
        pieces: list[str] = []
        before: int | None = None
        for index in indexes:
            if before is not None:
                pieces.append(self._between(before, index))
            pieces.append(self._text[self._passages[index].start : self._passages[index].end])
            before = index
        return "".join(pieces)

    def _between(self, before: int, after: int) -> str:
        first, second = self._passages[before], self._passages[after]
        if after == before + 1:
            gap = self._text[first.end : second.start]
            return gap if len(gap) <= 2 else _shortened(gap)
        if first.block == second.block and first.kind in (Kind.PROSE, Kind.ITEM):
            return " " if self._text[second.start - 1].isspace() else ""
        if first.block == second.block:
            return "\n"
        opening = self._openings[second.block]
        return _shortened(self._text[self._passages[opening - 1].end : self._passages[opening].start])


def _shortened(gap: str) -> str:
    """Return the white space between two passages as one blank line at most; indentation stays."""
    breaks = len(gap.splitlines()) - (0 if gap[-1:] in "\r\n" and gap else 1) if gap else 0
    if breaks <= 0:
        return gap[:1]
    indentation = gap[len(gap.rstrip(" \t")) :]
    return "\n" * min(2, breaks) + indentation


def share(kept: int, whole: int) -> float:
    """Return *kept* divided by *whole*, rounded down to four digits."""
    return math.floor(kept / whole * 10_000) / 10_000 if whole else 1.0


def budget_of(tokens: int, ratio: float) -> int:
    """Return the most tokens that *ratio* of *tokens* is."""
    return math.floor(tokens * ratio)
