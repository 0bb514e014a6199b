"""Ranks texts by how well they answer a query: Okapi BM25, without a model.

Source: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from functions.gateway.terms import terms_of

_K1: Final = 1.2
_B: Final = 0.75


class Ranking:
    """Texts, taken apart once and asked as often as need be."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._documents = [Counter(terms_of(text)) for text in texts]
        self._lengths = [document.total() for document in self._documents]
        self._average = sum(self._lengths) / max(1, len(texts))
        self._holding = Counter(term for document in self._documents for term in document)

    def rank(self, query: str) -> list[tuple[int, float]]:
        """Return (index, score) of each text that shares a term with *query*, the best first, equal ones in order."""
        terms = [term for term in dict.fromkeys(terms_of(query)) if term in self._holding]
        scores = [(index, self._score(index, terms)) for index in range(len(self._documents))]
        return sorted((pair for pair in scores if pair[1] > 0), key=lambda pair: -pair[1])

    def _score(self, index: int, terms: Sequence[str]) -> float:
        document = self._documents[index]
        norm = _K1 * (1 - _B + _B * self._lengths[index] / (self._average or 1))
        return sum(
            self._weight(term) * count * (_K1 + 1) / (count + norm) for term in terms if (count := document[term])
        )

    def _weight(self, term: str) -> float:
        holding = self._holding[term]
        return math.log(1 + (len(self._documents) - holding + 0.5) / (holding + 0.5))
