"""What makes a passage worth keeping whatever the purpose, and what a purpose asks for beside its words."""

import re
from enum import IntFlag, auto
from typing import Final

from functions.gateway import cue_words as words
from functions.gateway.lexicon import Lexicon


class Cue(IntFlag):
    """What a passage states, and what a purpose can ask for."""

    DATE = auto()
    MONEY = auto()
    FIGURE = auto()
    CAUSE = auto()
    DECISION = auto()
    NEGATION = auto()
    CHANGE = auto()
    REMEDY = auto()
    LIMIT = auto()
    NAME = auto()
    COURTESY = auto()


_STATED: Final = Lexicon(
    {
        Cue.DATE: (words.DATE, words.DATE_UNSPACED),
        Cue.MONEY: (words.MONEY, words.MONEY_UNSPACED),
        Cue.CAUSE: (words.CAUSE, words.CAUSE_UNSPACED),
        Cue.DECISION: (words.DECISION, words.DECISION_UNSPACED),
        Cue.NEGATION: (words.NEGATION, words.NEGATION_UNSPACED),
        Cue.CHANGE: (words.CHANGE, words.CHANGE_UNSPACED),
        Cue.REMEDY: (words.REMEDY, words.REMEDY_UNSPACED),
        Cue.LIMIT: (words.LIMIT, words.LIMIT_UNSPACED),
        Cue.COURTESY: (words.BOILERPLATE, words.COURTESY_UNSPACED),
    }
)
_ASKED: Final = Lexicon(
    {
        Cue.DATE: (words.ASKS_DATE, words.ASKS_DATE_UNSPACED),
        Cue.MONEY: (words.ASKS_MONEY, words.ASKS_MONEY_UNSPACED),
        Cue.FIGURE: (words.ASKS_FIGURE, words.ASKS_FIGURE_UNSPACED),
        Cue.CAUSE: (words.ASKS_CAUSE, words.ASKS_CAUSE_UNSPACED),
        Cue.DECISION: (words.ASKS_DECISION, words.ASKS_DECISION_UNSPACED),
        Cue.NEGATION: (words.ASKS_NEGATION, words.ASKS_NEGATION_UNSPACED),
        Cue.CHANGE: (words.ASKS_CHANGE, words.ASKS_CHANGE_UNSPACED),
        Cue.REMEDY: (words.ASKS_REMEDY, words.ASKS_REMEDY_UNSPACED),
        Cue.LIMIT: (words.ASKS_LIMIT, words.ASKS_LIMIT_UNSPACED),
        Cue.NAME: (words.ASKS_NAME, words.ASKS_NAME_UNSPACED),
    }
)


def _alternatives(listed: str) -> str:
    return "|".join(re.escape(word.strip()).replace(r"\*", r"\w*") for word in listed.split(","))


_FIGURE: Final = re.compile(r"\d+(?:[.,:/-]\d+)*|[一二三四五六七八九十百千万]{1,9}[人天个年月日円元件]")
_DATE: Final = re.compile(
    r"\d{4}-\d\d-\d\d|\b\d\d?[:h]\d\d\b|\b\d\d?[./]\d\d?[./]"
    rf"|\b(?:{_alternatives(words.MONTH)})[a-zéû]{{0,8}}\.? \d"
    rf"|\d\.? (?:de )?(?:{_alternatives(words.MONTH)})|\b(?:19|20)\d\d\b"
    rf"|\d[ -]?(?:{_alternatives(words.UNIT_OF_TIME)})\b"
    r"|\d[年月日時时分点天]|[一二三四五六七八九十][年月日時时分点天]",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"(?<=[a-zà-ÿ,;:] )[A-ZÀ-Þ][\w'-]+|\b[A-Z]{2,}[\d-]*\b|\b[a-z]+_[a-z_]+|`[^`\n]+`")
"""A capital within a sentence, an acronym, an identifier."""
_COURTESY: Final = re.compile(rf"[\W_]*(?:{_alternatives(words.COURTESY)})\b", re.IGNORECASE)
"""What politeness begins with."""

_MAX_FIGURES: Final = 2
_MAX_NAMES: Final = 3
_DATE_BIT, _MONEY_BIT, _FIGURE_BIT = int(Cue.DATE), int(Cue.MONEY), int(Cue.FIGURE)
_NAME_BIT, _COURTESY_BIT = int(Cue.NAME), int(Cue.COURTESY)


def cues_in(passage: str) -> tuple[int, float]:
    """Return what *passage* states, and how much it looks like a fact; a courtesy looks less than nothing like one."""
    cues = _STATED.bits_of(passage)
    figures = sum(1 for _ in _FIGURE.finditer(passage))
    names = sum(1 for _ in _NAME.finditer(passage))
    if figures:
        cues |= _FIGURE_BIT | (_DATE_BIT if _DATE.search(passage) else 0)
    if names:
        cues |= _NAME_BIT
    if "$" in passage or "%" in passage:
        cues |= _MONEY_BIT
    if _COURTESY.match(passage):
        cues |= _COURTESY_BIT
    signal = 0.5 * min(_MAX_FIGURES, figures) + 0.25 * min(_MAX_NAMES, names)
    return cues, signal + sum(weight for bit, weight in _WEIGHTS if cues & bit)


_WEIGHTS: Final = (
    (int(Cue.DATE), 0.5),
    (int(Cue.MONEY), 0.4),
    (int(Cue.NEGATION), 0.4),
    (int(Cue.LIMIT), 0.4),
    (int(Cue.DECISION), 0.7),
    (int(Cue.COURTESY), -1.5),
)


def asked_by(purpose: str) -> Cue:
    """Return what *purpose* asks for: a question after the price asks for money, whatever its words."""
    return Cue(_ASKED.bits_of(purpose))
