"""The terms of a text: words without their endings, numbers, and pairs of characters where no space parts words."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from functions.gateway import cue_words as words

_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
)
"""Thai, Lao, Burmese, Khmer, Kana, Han, Hangul."""
_WORD: Final = re.compile(rf"[{_UNSPACED}]+|\d+(?:[.,:/-]\d+)*|[^\W\d_{_UNSPACED}]+")
_INNER_CASE: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

STOPWORDS: Final = frozenset(words.STOPWORDS.split())
"""Words that say nothing alone: English, German, French, Spanish."""

_LISTED_ENDINGS: Final = (
    "isations izations isation ization ungen ments ations ation ating ators ingly ness ment ings edly ated ates ator "
    "ate ung ing ern ers est ely ed er en em ly e y n"
)
_ENDINGS: Final = tuple(_LISTED_ENDINGS.split())
_LEAST_STEM: Final = 3
_LEAST_BEFORE_N: Final = 4
"""`plan` keeps its n, so that it is the stem of `planning`."""
_VOWELS: Final = frozenset("aeiou")
"""`deploy` keeps its y."""
_HISSING: Final = ("s", "x", "z", "ch", "sh")
"""After these a plural has an e."""


def terms_of(text: str) -> Iterator[str]:
    """Yield the terms of *text* in order, without stopwords."""
    for match in _WORD.finditer(text):
        word = match.group()
        first = word[0]
        if first.isdigit():
            yield word
        elif first > "\u0dff" and _is_unspaced(first):
            yield from _pairs(word)
        else:
            yield from _words(word)


def stem(word: str) -> str:
    """Return *word*, casefolded and without accents and the endings of plural, case and tense. Light on purpose."""
    word = word.casefold()
    if not word.isascii():
        word = "".join(mark for mark in unicodedata.normalize("NFKD", word) if not unicodedata.combining(mark))
    # Twice: `statuses` is `status`, and that ends like a plural.
    word = _without_end(_singular(_singular(word)))
    # `shipped` and `ship`, `planning` and `plan`
    return word[:-1] if len(word) > _LEAST_STEM and word[-1] == word[-2] else word


def _singular(word: str) -> str:
    base = word[:-2]
    if word.endswith(("ies", "ied")) and len(word) > _LEAST_STEM:
        return word[:-3] + "y"
    if word.endswith("es") and base.endswith(_HISSING) and len(base) >= _LEAST_STEM:
        return base
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > _LEAST_STEM else word


def _without_end(word: str) -> str:
    if word[-2:-1] in _VOWELS and word.endswith("y"):
        return word
    for ending in _ENDINGS:
        least = _LEAST_BEFORE_N if ending == "n" else _LEAST_STEM
        if word.endswith(ending) and len(word) - len(ending) >= least:
            return word[: -len(ending)]
    return word


def _words(word: str) -> Iterator[str]:
    parts = [word] if word.islower() or word.isupper() or word[1:].islower() else _INNER_CASE.findall(word) or [word]
    for part in parts:
        if part.casefold() not in STOPWORDS:
            yield stem(part)


def _pairs(word: str) -> Iterator[str]:
    if len(word) == 1:
        yield word
    for at in range(len(word) - 1):
        yield word[at : at + 2]


def _is_unspaced(character: str) -> bool:
    return (
        "\u0e00" <= character <= "\u109f"
        or "\u1780" <= character <= "\u17ff"
        or "\u3040" <= character <= "\u9fff"
        or "\uac00" <= character <= "\ud7af"
        or "\uf900" <= character <= "\ufaff"
    )
