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
    rf"\d{{4}}-\d\d-\d\d|\b\d\d?[:h]\d\d\b|\b\d\d?[./]\d\d?[./]|\b(?:{_alternatives(words.MONTH)})[a-zéû]{{0,8}}\.? \d"
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


def cues_in(passage: str) -> tuple[int, float]:
    """Return what *passage* states, and how much it looks like a fact; a courtesy looks less than nothing like one."""
    cues = Cue(_STATED.bits_of(passage))
    figures = sum(1 for _ in _FIGURE.finditer(passage))
    names = sum(1 for _ in _NAME.finditer(passage))
    cues |= (Cue.FIGURE if figures else Cue(0)) | (Cue.NAME if names else Cue(0))
    if figures and _DATE.search(passage):
        cues |= Cue.DATE
    if "$" in passage or "%" in passage:
        cues |= Cue.MONEY
    if _COURTESY.match(passage):
        cues |= Cue.COURTESY
    signal = 0.5 * min(_MAX_FIGURES, figures) + 0.25 * min(_MAX_NAMES, names)
    signal += sum(weight for cue, weight in _WEIGHTS if cue in cues)
    return int(cues), signal


_WEIGHTS: Final = (
    (Cue.DATE, 0.5),
    (Cue.MONEY, 0.4),
    (Cue.NEGATION, 0.4),
    (Cue.LIMIT, 0.4),
    (Cue.DECISION, 0.7),
    (Cue.COURTESY, -1.5),
)


def asked_by(purpose: str) -> Cue:
    """Return what *purpose* asks for: a question after the price asks for money, whatever its words."""
    return Cue(_ASKED.bits_of(purpose))
