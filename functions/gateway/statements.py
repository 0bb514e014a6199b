"""A text without its form: case, Unicode's variants, markup and remarks on when it was changed; and what it states."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

_STAMP: Final = re.compile(r"\s*\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?\]?")
"""A log's time at the beginning of a line: when it was said, not what."""
_EDITION: Final = re.compile(
    r"(?:last )?(?:updated|modified|edited|revised|retrieved|accessed|aktualisiert|geändert|mis à jour|actualizado)"
    r"(?: (?:on|at|am|le|el))?\b[\s\d:./,-]{0,40}(?:[a-zäéû]{3,10}\.?)?[\s\d:./,-]{0,40}\)?\.?"
)
"""A last remark of when the text was changed: at the end of a text, alone in its sentence or brackets."""
_EDITION_CHARACTERS: Final = 80
_MARKUP: Final = re.compile(r"\]\([^)\s]{0,2000}\)|<[a-z/][^<>]{0,200}>")
"""The target of a Markdown link, a tag."""
_WORD: Final = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]+")
_LISTED_NEGATIONS: Final = (
    "not no never none nothing cannot without neither nor t nicht kein keine keinen keinem keiner nie ohne pas "
    "jamais aucun aucune sans nunca jamás ningún ninguna ninguno sin"
)
_NEGATIONS: Final = frozenset(_LISTED_NEGATIONS.split())
"""`t` is what stays of `don't`."""
_UNSPACED_NEGATIONS: Final = re.compile(r"[不没沒无無未]|ない|ません|않|없")


def normalized(text: str) -> str:
    """Return *text* casefolded, in Unicode's NFKC, without markup, a log's times and a last remark on its edition."""
    text = _MARKUP.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    lines = (_without_stamp(line) for line in text.splitlines())
    return _without_edition("\n".join(lines).strip())


def words_of(normal: str) -> list[str]:
    """Return the words and numbers in order."""
    return _WORD.findall(normal)


def figures_in(words: Sequence[str]) -> Counter[str]:
    """Return the numbers, without the marks of thousands."""
    return Counter(word.replace(",", "") for word in words if word[0].isdecimal())


def negations_in(normal: str, words: Sequence[str]) -> int:
    """Return how often the text says no."""
    return sum(word in _NEGATIONS for word in words) + sum(1 for _ in _UNSPACED_NEGATIONS.finditer(normal))


def _without_stamp(line: str) -> str:
    stamp = _STAMP.match(line)
    return line[stamp.end() :] if stamp else line


def _without_edition(text: str) -> str:
    tail = text[-_EDITION_CHARACTERS:]
    for match in _EDITION.finditer(tail):
        before = tail[: match.start()].rstrip()
        if match.end() == len(tail) and before[-1:] in ".!?(\n[-|*":
            return text[: len(text) - len(tail) + len(before)].rstrip("([-|* \n")
    return text
