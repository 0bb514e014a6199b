"""How alike two texts are: by their letters whatever the order of the words, unless they state different facts.

Source: docs/decisions/0041-near-duplicates.md.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass
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
from functions.gateway.terms import STOPWORDS

CONFLICT: Final = 0.8
"""What two texts are alike at most that state different figures, or of which one says no."""

FEW_WORDS: Final = 12
"""In a text up to this each word counts: another one in its place states something else."""


_FEW_LETTERS: Final = 4
"""Two words of these letters in another order may well be two words: `form` and `from`."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One text, prepared for comparison with others of the same `Profiler`."""

    words: tuple[str, ...]
    grams: int
    """One bit for each gram of its words and each time that it comes: a multiset."""
    size: int
    """How many of them there are."""
    figures: Mapping[str, int]
    negations: int
    names: frozenset[str]
    codes: frozenset[str]
    symbols: frozenset[str]
    sides: frozenset[tuple[int, int]]
    """Of which pairs of opposites it has which word."""

    @property
    def identity(self) -> Hashable:
        """What two texts have in common that differ in nothing but their form."""
        return self.words, frozenset(self.figures.items()), self.codes, self.symbols

    def score(self, other: "Profile") -> float:
        """Return how alike the two are, 0 to 1: what they share of what both have (Dice), less if they disagree."""
        if self.identity == other.identity:
            return 1.0
        total = self.size + other.size
        dice = 2 * (self.grams & other.grams).bit_count() / total if total else 0.0
        return min(dice, CONFLICT) if self.contradicts(other) else dice

    def contradicts(self, other: "Profile") -> bool:
        """Tell whether a figure, a name or a word's opposite stands in another's place, or one says no more often."""
        return (
            self.negations != other.negations
            or (_lacks(other.figures, self.figures) and _lacks(self.figures, other.figures))
            or self._names_another(other)
            or _each_has_its_own(self.codes, other.codes)
            or _each_has_its_own(self.symbols, other.symbols)
            or self._says_another_word(other)
            or any((pair, 1 - side) in other.sides - self.sides for pair, side in self.sides - other.sides)
        )

    def _says_another_word(self, other: "Profile") -> bool:
        """Tell whether each has a letter that stands alone, or in a short text a word, that the other has not."""
        here, there = set(self.words).difference(other.words), set(other.words).difference(self.words)
        if _each_has_its_own({word for word in here if len(word) == 1}, {word for word in there if len(word) == 1}):
            return True
        if max(len(self.words), len(other.words)) > FEW_WORDS:
            return False
        here, there = here - STOPWORDS, there - STOPWORDS
        return bool(here and there) and not any(_is_spelling(word, another) for word in here for another in there)

    def _names_another(self, other: "Profile") -> bool:
        """Tell whether each has a name that the other has not, not even in another spelling."""
        here = self.names.difference(other.words)
        there = other.names.difference(self.words)
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
        return Profile(
            words,
            grams,
            len(found),
            figures_in(normal),
            negations,
            names_in(text),
            codes_in(normal),
            symbols_in(normal),
            sides_in(words),
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


def _is_spelling(name: str, another: str) -> bool:
    """Tell whether two names share most of their letters in a row, or all of them: `Jonson` and `Johnson`."""
    if len(name) > _FEW_LETTERS and sorted(name) == sorted(another):
        return True
    grams, others = _grams_of((name,)), _grams_of((another,))
    return 2 * (grams & others).total() >= grams.total()
