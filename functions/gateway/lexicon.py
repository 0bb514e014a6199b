"""Finds which lists of words a text has words of, with one look at each word."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_MAX_REMEMBERED: Final = 50_000


class Lexicon:
    """Lists of words, each with a bit: "word, beginning*, two words", and parts of words where no space parts them."""

    def __init__(self, lists: Mapping[int, tuple[str, str]]) -> None:
        """Take bit -> (listed words, parts of words)."""
        self._exact: defaultdict[str, int] = defaultdict(int)
        self._beginnings: defaultdict[str, int] = defaultdict(int)
        self._phrases: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        self._parts: list[tuple[Sequence[str], int]] = []
        self._known: dict[str, int] = {}
        for flag, (listed, parts) in lists.items():
            bit = int(flag)  # an enumeration's own `|` is slow
            self._parts.append((parts.split(), bit))
            for entry in filter(None, map(str.strip, listed.casefold().split(","))):
                self._add(entry, bit)

    def _add(self, entry: str, bit: int) -> None:
        if " " in entry:
            self._phrases[entry.partition(" ")[0]].append((entry.rstrip("*"), bit))
        elif entry.endswith("*"):
            self._beginnings[entry[:-1]] |= bit
        else:
            self._exact[entry] |= bit

    def bits_of(self, text: str) -> int:
        """Return the bits of the lists that *text* has a word of."""
        lowered = text.casefold()
        found = 0
        for word in _WORD.findall(lowered):
            bits = self._known.get(word)
            found |= self._look_up(word) if bits is None else bits
            if word in self._phrases:
                for phrase, bit in self._phrases[word]:
                    found |= bit if phrase in lowered else 0
        if not text.isascii():
            for parts, bit in self._parts:
                found |= bit if any(part in lowered for part in parts) else 0
        return found

    def _look_up(self, word: str) -> int:
        tail = re.split("['\u2019]", word)[-1]
        bits = 0
        for form in {word.replace("\u2019", "'"), tail}:
            bits |= self._exact.get(form, 0)
            for length in range(1, len(form) + 1):
                bits |= self._beginnings.get(form[:length], 0)
        if len(self._known) < _MAX_REMEMBERED:
            self._known[word] = bits
        return bits
