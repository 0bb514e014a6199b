"""How alike two texts are: by their letters whatever the order of the words, unless they state different facts.

Source: docs/decisions/0041-near-duplicates.md.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from functions.gateway.statements import (
    codes_in,
    figures_in,
    names_in,
    negations_in,
    normalized,
    sides_in,
    symbols_in,
    words_of,
)

CONFLICT: Final = 0.8
"""What two texts are alike at most that state different figures, or of which one says no."""

FEW_WORDS: Final = 12
"""In a text up to this each word counts: another one in its place states something else."""


_LISTED_ARTICLES: Final = (
    "a an the der die das den dem des ein eine einen einem einer le la les un une el los las i y o e"
)
_ARTICLES: Final = frozenset(_LISTED_ARTICLES.split())
"""Words of which one in another's place says the same; and the letters that are words."""

_LISTED_TURNING: Final = "un in im ir il dis non mis de anti pre post sub super over under out up down re"
_TURNING: Final = frozenset(_LISTED_TURNING.split())
"""What turns a word into another, before it."""

_FEW_LETTERS: Final = 4
"""Two words of these letters in another order may well be two words: `form` and `from`."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One text, prepared for comparison with others of the same `Profiler`."""

    grams: int
    """One bit for each gram of its words and each time that it comes: a multiset."""
    size: int
    """How many of them there are."""
    words: frozenset[str]
    count: int
    """How many words it has, each time that one comes."""
    figures: Mapping[str, int]
    negations: int
    names: frozenset[str]
    codes: frozenset[str]
    symbols: frozenset[str]
    sides: frozenset[tuple[int, int]]
    """Of which pairs of opposites it has which word."""
    identity: Hashable
    """What two texts have in common that differ in nothing but their form."""

    def score(self, kept: "Profile") -> float:
        """Return how alike it is to a kept text, 0 to 1: what both share of both (Dice), less if it differs."""
        if self.identity == kept.identity:
            return 1.0
        total = self.size + kept.size
        dice = 2 * (self.grams & kept.grams).bit_count() / total if total else 0.0
        return min(dice, CONFLICT) if dice > CONFLICT and self.differs_from(kept) else dice

    def differs_from(self, kept: "Profile") -> bool:
        """Tell whether it states what *kept* does not: a figure, a name, a code, a word in another's place."""
        return (
            self.negations != kept.negations
            or _lacks(kept.figures, self.figures)
            or not self.codes <= kept.codes
            or _each_has_its_own(self.symbols, kept.symbols)
            or self._says_another_word(kept)
            or self._names_another(kept)
            or any((pair, 1 - side) in kept.sides - self.sides for pair, side in self.sides - kept.sides)
        )

    def _says_another_word(self, kept: "Profile") -> bool:
        here, there = self.words - kept.words, kept.words - self.words
        if any(len(word) == 1 and word.isalpha() and word not in _ARTICLES for word in here):
            return True
        if any(_is_turned(word, another) for word in here for another in there):
            return True
        if max(self.count, kept.count) > FEW_WORDS:
            return False
        here, there = here - _ARTICLES, there - _ARTICLES
        return bool(here and there) and not any(_is_spelling(word, another) for word in here for another in there)

    def _names_another(self, kept: "Profile") -> bool:
        """Tell whether each has a name that the other has not, not even in another spelling."""
        here, there = self.names - kept.words, kept.names - self.words
        return bool(here and there) and not any(_is_spelling(name, another) for name in here for another in there)


class Profiler:
    """Gives each gram that it sees a bit, so that two profiles are compared in one step of the processor's."""

    def __init__(self) -> None:
        self._bits: defaultdict[str, list[int]] = defaultdict(list)
        self._used = 0

    def profile(self, text: str) -> Profile:
        """Return *text* prepared."""
        normal = normalized(text)
        words = tuple(words_of(normal))
        found = self._bits_of(_grams_of(words))
        field = bytearray(self._used // 8 + 1)
        for bit in found:
            field[bit >> 3] |= 1 << (bit & 7)
        grams = int.from_bytes(field, "little")
        negations = negations_in(normal, words)
        figures, codes, symbols = figures_in(normal), codes_in(normal), symbols_in(normal)
        return Profile(
            grams=grams,
            size=len(found),
            words=frozenset(words),
            count=len(words),
            figures=figures,
            negations=negations,
            names=names_in(text),
            codes=codes,
            symbols=symbols,
            sides=sides_in(words),
            identity=(words, frozenset(figures.items()), codes, symbols),
        )

    def _bits_of(self, grams: Mapping[str, int]) -> list[int]:
        found: list[int] = []
        for gram, count in grams.items():
            bits = self._bits[gram]
            while len(bits) < count:
                bits.append(self._used)
                self._used += 1
            found += bits[:count]
        return found


def _grams_of(words: tuple[str, ...]) -> Counter[str]:
    """Return each three letters in a row of *words*, the space around a word included, and how often they come."""
    grams: Counter[str] = Counter()
    for word, count in Counter(words).items():
        padded = f" {word} "
        for at in range(len(padded) - 2):
            grams[padded[at : at + 3]] += count
    return grams


def _each_has_its_own(here: Set[str], there: Set[str]) -> bool:
    return bool(here - there and there - here)


def _lacks(figures: Mapping[str, int], other: Mapping[str, int]) -> bool:
    return any(figures.get(figure, 0) < count for figure, count in other.items())


@lru_cache(maxsize=4096)
def _is_spelling(name: str, another: str) -> bool:
    """Tell whether two words are spellings of one: `Jonson` and `Johnson`, `recieve` and `receive`, `morning(s)`."""
    if name[0] != another[0] or abs(len(name) - len(another)) > _FEW_LETTERS // 2:
        return False
    if len(name) > _FEW_LETTERS and sorted(name) == sorted(another):
        return True
    grams, others = _grams_of((name,)), _grams_of((another,))
    return 2 * (grams & others).total() >= grams.total()


def _is_turned(word: str, another: str) -> bool:
    """Tell whether one of two words is the other with a beginning that turns it: `available` and `unavailable`."""
    longer, shorter = (word, another) if len(word) > len(another) else (another, word)
    return len(shorter) > _FEW_LETTERS and longer.endswith(shorter) and longer[: -len(shorter)] in _TURNING
