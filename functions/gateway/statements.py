"""A text without its form: case, Unicode's variants, markup and remarks on when it was changed; and what it states."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from functions.gateway import cue_words

_STAMP: Final = re.compile(r"\s*\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?\]?")
"""A log's time at the beginning of a line: when it was said, not what."""
_EDITION: Final = re.compile(
    r"(?:last )?(?:updated|modified|edited|revised|retrieved|accessed|aktualisiert|geändert|mis à jour|actualizado)"
    r"(?: (?:on|at|am|le|el))?\b[\s\d:./,-]{0,40}(?:[a-zäéû]{3,10}\.?)?[\s\d:./,-]{0,40}\)?\.?"
)
"""A last remark of when the text was changed: at the end of a text, alone in its sentence or brackets."""
_EDITION_CHARACTERS: Final = 80
_MARKUP: Final = re.compile(r"\]\([^)\]\s]{0,2000}+\)|<[a-z/][^<>]{0,200}>")
"""The target of a Markdown link, a tag."""
_WORD: Final = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]+")
_LISTED_NEGATIONS: Final = (
    "not no never none nothing cannot without neither nor t nicht kein keine keinen keinem keiner nie ohne pas "
    "jamais aucun aucune sans nunca jamás ningún ninguna ninguno sin"
)
_NEGATIONS: Final = frozenset(_LISTED_NEGATIONS.split())
"""`t` is what stays of `don't`."""
_UNSPACED_NEGATIONS: Final = re.compile(r"[不没沒无無未]|ない|ません|않|없")

_NAME: Final = re.compile(r"(?<=[a-zà-ÿ0-9,;:] )[A-ZÀ-Þ][A-Za-zÀ-ÿ]*\b")
"""A word with a capital inside of a sentence: `Berlin`, `EU`, the B of `server B`."""
_UNITS: Final = (
    "ns us µs ms s min h hr hrs d b kb mb gb tb kib mib gib k m bn g kg mg t km cm mm mi ft in l ml w kw v c f am pm "
    "usd eur gbp chf jpy % ‰ ° °c °f € $ £ ¥"
)
_FIGURE: Final = re.compile(
    r"(?:(?P<sign>[<>≤≥]=?|(?<![\w)])[-\u2212±])\s?)?(?:(?P<currency>[$€£¥])\s?)?(?P<number>\d+(?:[.,:/-]\d+)*)"
    rf"(?:\s?(?P<unit>{'|'.join(sorted(map(re.escape, _UNITS.split()), key=len, reverse=True))})(?![^\W_]))?"
)
"""`-5 °c`, `>= 3 gb`, `$20`: the same number with another sign or unit is another figure."""
_ITEM_NUMBER: Final = re.compile(r"^\s*\d{1,3}[.)]\s", re.MULTILINE)
"""A numbered list's: where a point stands, not what it says."""
_CODE: Final = re.compile(r"[^\s()\[\]{}\"'`*,;]+")
_INSIDE: Final = re.compile(r"\w[/_.+#\\:@=-]+\w|\w[+#]+$|^[/#@.]\w")
"""What makes a string of characters a code: `db-a`, `config.yaml`, `/api/users`, `c++`."""


def _sides() -> Mapping[str, Sequence[tuple[int, int]]]:
    sides: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, pair in enumerate(cue_words.OPPOSITES.split()):
        for side, word in enumerate(pair.split("/")):
            sides[word].append((number, side))
    return sides


_SIDES: Final = _sides()
"""Word -> the pairs of opposites that it belongs to, and its side."""


def normalized(text: str) -> str:
    """Return *text* casefolded, in Unicode's NFKC, without markup, a log's times and a last remark on its edition."""
    text = _MARKUP.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    lines = (_without_stamp(line) for line in text.splitlines())
    return _without_edition("\n".join(lines).strip())


def words_of(normal: str) -> list[str]:
    """Return the words and numbers in order."""
    return _WORD.findall(normal)


def figures_in(normal: str) -> Counter[str]:
    """Return the numbers with their signs and units, without the marks of thousands."""
    return Counter(_figure(match) for match in _FIGURE.finditer(_ITEM_NUMBER.sub("", normal)))


def _figure(match: re.Match[str]) -> str:
    number = match["number"].replace(",", "")
    return f"{match['sign'] or ''}{number}{match['unit'] or match['currency'] or ''}".replace("\u2212", "-")


def codes_in(normal: str) -> frozenset[str]:
    """Return what is written like an identifier, a path or a file's name."""
    found = (code.strip("._*~:!?-") for code in _CODE.findall(normal))
    return frozenset(code for code in found if _INSIDE.search(code))


def symbols_in(normal: str) -> frozenset[str]:
    """Return the symbols that are no ASCII: a tick, a cross, an arrow."""
    return frozenset(mark for mark in normal if mark > "\x7f" and unicodedata.category(mark) in ("So", "Sm"))


def names_in(text: str) -> frozenset[str]:
    """Return the words with a capital inside of a sentence, casefolded. A German noun counts as well."""
    return frozenset(name.casefold() for name in _NAME.findall(unicodedata.normalize("NFKC", text)))


def sides_in(words: Iterable[str]) -> frozenset[tuple[int, int]]:
    """Return of which pairs of opposites the text has which side."""
    return frozenset(side for word in words for side in _SIDES.get(word, ()))


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
