"""How alike two texts are: by their letters whatever the order of the words, unless they state different facts.

Source: docs/decisions/0041-near-duplicates.md.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from functions.gateway.statements import figures_in, negations_in, normalized, words_of

CONFLICT: Final = 0.8
"""What two texts are alike at most that state different figures, or of which one says no."""


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

    def score(self, other: "Profile") -> float:
        """Return how alike the two are, 0 to 1: what they share of what both have (Dice), less if they disagree."""
        if self.words == other.words:
            return 1.0
        total = self.size + other.size
        dice = 2 * (self.grams & other.grams).bit_count() / total if total else 0.0
        return min(dice, CONFLICT) if self.contradicts(other) else dice

    def contradicts(self, other: "Profile") -> bool:
        """Tell whether each has a figure that the other lacks, or one says no more often."""
        if self.negations != other.negations:
            return True
        return _lacks(other.figures, self.figures) and _lacks(self.figures, other.figures)


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
        return Profile(words, grams, len(found), figures_in(words), negations_in(normal, words))

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


def _lacks(figures: Mapping[str, int], other: Mapping[str, int]) -> bool:
    return any(figures.get(figure, 0) < count for figure, count in other.items())
