"""Okapi BM25: how well each of some texts answers a query, without a model.

Source: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from functions.gateway.terms import terms_of

K1: Final = 1.2
"""How soon more of the same word says nothing new."""

B: Final = 0.75
"""How much a text's length counts against it. Source of both: the same, section 3.1."""


class Bm25:
    """Texts as their terms, counted once and asked as often as need be."""

    def __init__(self, documents: Sequence[Counter[str]], *, b: float = B) -> None:
        """Take the terms of each text.

        Args:
            documents: a text each.
            b: 0 to 1.
        """
        self._documents = documents
        lengths = [max(1, document.total()) for document in documents]
        average = sum(lengths) / max(1, len(lengths))
        self._norms = [K1 * (1 - b + b * length / average) for length in lengths]
        holding = Counter(term for document in documents for term in document)
        self.idf: Mapping[str, float] = {
            term: math.log(1 + (len(documents) - count + 0.5) / (count + 0.5)) for term, count in holding.items()
        }
        """How rare a term is: the logarithm of texts per text that has it."""

    def scores(self, query: Mapping[str, float]) -> list[float]:
        """Return each text's score for the weighted terms of *query*."""
        weights = {term: weight * self.idf[term] * (K1 + 1) for term, weight in query.items() if term in self.idf}
        return [
            sum(weight * count / (count + norm) for term, weight in weights.items() if (count := document[term]))
            for document, norm in zip(self._documents, self._norms, strict=True)
        ]


class Ranking:
    """Texts in the order of how well they answer."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._bm25 = Bm25([Counter(terms_of(text)) for text in texts])

    def rank(self, query: str) -> list[tuple[int, float]]:
        """Return (index, score) of each text that shares a term with *query*, the best first, equal ones in order."""
        scores = self._bm25.scores(dict.fromkeys(terms_of(query), 1.0))
        return sorted(((index, score) for index, score in enumerate(scores) if score > 0), key=lambda pair: -pair[1])
