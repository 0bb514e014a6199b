"""What makes a passage worth keeping whatever the purpose, and what a purpose asks for beside its words."""

import re
from collections.abc import Sequence
from typing import Final

from functions.gateway import cue_words as words


def _alternatives(listed: str) -> str:
    return "|".join(re.escape(word.strip()).replace(r"\*", r"\w*") for word in listed.split(","))


def _pattern(listed: str, unspaced: str = "", *others: str) -> re.Pattern[str]:
    """Return what matches one of the *listed* words, of the *unspaced* parts of words, or of the *others*."""
    parts = [rf"\b(?:{_alternatives(listed)})\b", *map(re.escape, unspaced.split()), *others]
    return re.compile("|".join(parts), re.IGNORECASE)


_MONTHS: Final = _alternatives(words.MONTH)

FIGURE: Final = re.compile(r"\d+(?:[.,:/-]\d+)*|[一二三四五六七八九十百千万]+[人天个年月日円元件]")
NEGATION: Final = _pattern(words.NEGATION, words.NEGATION_UNSPACED, r"\bne \w+ pas\b")
DECISION: Final = _pattern(words.DECISION, words.DECISION_UNSPACED)
MONEY: Final = _pattern(words.MONEY, words.MONEY_UNSPACED)
DATE: Final = _pattern(
    words.DATE,
    words.DATE_UNSPACED,
    r"\d{4}-\d\d-\d\d",
    r"\b\d{1,2}[:h]\d\d\b",
    r"\b\d{1,2}[./]\d{1,2}[./]",
    rf"\b(?:{_MONTHS})[a-zéû]{{0,8}}\.? \d",
    rf"\d\.? (?:de )?(?:{_MONTHS})",
    r"\b(?:19|20)\d\d\b",
    rf"\d[ -]?(?:{_alternatives(words.UNIT_OF_TIME)})\b",
    r"\d+[年月日時时分点天]",
)
CAUSE: Final = _pattern(words.CAUSE, words.CAUSE_UNSPACED)
NAME: Final = re.compile(r"(?<=[a-zà-ÿ,;:] )[A-ZÀ-Þ][\w'-]+|\b[A-Z]{2,}[\d-]*\b|\b[a-z]+_[a-z_]+|`[^`\n]+`")
"""A capital within a sentence, an acronym, an identifier."""
COURTESY: Final = re.compile(
    rf"^[\W_]*(?:{_alternatives(words.COURTESY)})\b|\b(?:{_alternatives(words.BOILERPLATE)})\b"
    rf"|{'|'.join(words.COURTESY_UNSPACED.split())}",
    re.IGNORECASE,
)
"""What politeness and mail programs add."""

_INTENTS: Final[Sequence[tuple[re.Pattern[str], re.Pattern[str]]]] = (
    (_pattern(words.ASKS_DATE, words.ASKS_DATE_UNSPACED), DATE),
    (_pattern(words.ASKS_MONEY, words.ASKS_MONEY_UNSPACED), MONEY),
    (_pattern(words.ASKS_FIGURE, words.ASKS_FIGURE_UNSPACED), FIGURE),
    (_pattern(words.ASKS_CAUSE, words.ASKS_CAUSE_UNSPACED), CAUSE),
    (_pattern(words.ASKS_DECISION, words.ASKS_DECISION_UNSPACED), DECISION),
    (_pattern(words.ASKS_NEGATION, words.ASKS_NEGATION_UNSPACED), NEGATION),
    (_pattern(words.ASKS_NAME, words.ASKS_NAME_UNSPACED), NAME),
)
"""A question word in the purpose -> what an answer to it looks like."""

_MAX_FIGURES: Final = 2
_MAX_NAMES: Final = 3


def signal_of(passage: str) -> float:
    """Return how much *passage* looks like a fact: figures, dates, names, negations, decisions; less for courtesies."""
    signal = 0.5 * min(_MAX_FIGURES, sum(1 for _ in FIGURE.finditer(passage)))
    signal += 0.25 * min(_MAX_NAMES, sum(1 for _ in NAME.finditer(passage)))
    signal += 0.5 * bool(DATE.search(passage)) + 0.4 * bool(MONEY.search(passage))
    signal += 0.4 * bool(NEGATION.search(passage)) + 0.7 * bool(DECISION.search(passage))
    return signal - 1.5 * bool(COURTESY.search(passage))


def asked_by(purpose: str) -> list[re.Pattern[str]]:
    """Return the patterns of what *purpose* asks for."""
    return [answer for question, answer in _INTENTS if question.search(purpose)]
