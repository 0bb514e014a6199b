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


def rank(query: str, texts: Sequence[str]) -> list[tuple[int, float]]:
    """Return (index, score) of each text that shares a term with *query*, the best first, equal ones in order."""
    documents = [Counter(terms_of(text)) for text in texts]
    lengths = [document.total() for document in documents]
    average = sum(lengths) / len(lengths) if lengths else 0.0
    scores = [0.0] * len(texts)
    for term in dict.fromkeys(terms_of(query)):
        holding = [index for index, document in enumerate(documents) if term in document]
        weight = math.log(1 + (len(texts) - len(holding) + 0.5) / (len(holding) + 0.5))
        for index in holding:
            count = documents[index][term]
            scores[index] += weight * count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * lengths[index] / average))
    found = [(index, score) for index, score in enumerate(scores) if score > 0]
    return sorted(found, key=lambda pair: -pair[1])
