"""Where a sentence ends, in scripts with and without spaces between words."""

import re
from collections.abc import Iterator
from typing import Final

from functions.gateway import cue_words as words

MAX_CHARACTERS: Final = 1_000
"""A longer stretch without an end of a sentence is split: one JSON line of a megabyte is no sentence."""

_END: Final = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]++[\"'\u201d\u2019\u00bb)\]*_]*+(?=\s)"  # Western: a space must follow
    r"|[\u3002\uff01\uff1f\uff61\u0964\u0965\u061f\u06d4\u1362\u104b\u17d4]+[\u300d\u300f\u201d\u2019\uff09)]*"
)
"""The end of a sentence, closing quotes included. No run is begun twice and none is given back: the time is linear."""

_ABBREVIATIONS: Final = frozenset(words.ABBREVIATIONS.split())
_OPENINGS: Final = "\"'\u201c\u2018\u00ab\u201e(["
_GERMAN_MONTHS: Final = tuple(words.GERMAN_MONTHS.split())
_BREAKS: Final = ("\n", "; ", "},", ", ", " ", ",", ";")
"""Where an overlong stretch is split, the best first."""


def sentences_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentences of `text[start:end]` as offsets, without the space around them, none of them overlong."""
    begin = start
    for match in _END.finditer(text, start, end):
        if _is_end(text, match, begin, end):
            yield from _short_enough(text, begin, match.end())
            begin = match.end()
    yield from _short_enough(text, begin, end)


def _is_end(text: str, match: re.Match[str], begin: int, end: int) -> bool:
    if text[match.start()] != "." or match.group().startswith(".."):
        return True
    follows = text[match.end() : min(end, match.end() + 40)].lstrip().lstrip(_OPENINGS)
    if follows[:1].islower():
        return False
    # The word before it; no abbreviation is longer than a dozen characters.
    before = text[max(begin, match.start() - 12) : match.start()].split()
    word = before[-1].lstrip(_OPENINGS).casefold() if before else ""
    if word.isdigit() and len(word) <= 2:
        # A list's number at the beginning of a line, or a German ordinal.
        return match.start() - begin > 3 and not follows.casefold().startswith(_GERMAN_MONTHS)
    return word not in _ABBREVIATIONS and not (len(word) == 1 and word.isalpha() and word != "i")


def _short_enough(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > MAX_CHARACTERS:
        cut = _break_in(text, start + MAX_CHARACTERS // 2, start + MAX_CHARACTERS)
        yield from _trimmed(text, start, cut)
        start = cut
    yield from _trimmed(text, start, end)


def _break_in(text: str, earliest: int, latest: int) -> int:
    for mark in _BREAKS:
        found = text.rfind(mark, earliest, latest)
        if found >= 0:
            return found + len(mark)
    return latest


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    if stripped := piece.strip():
        start += piece.index(stripped[0])
        yield start, start + len(stripped)
