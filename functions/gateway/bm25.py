"""Ranks texts by how well they answer a query: Okapi BM25, without a model.

Source: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

_K1: Final = 1.2
_B: Final = 0.75

_WORD: Final = re.compile(r"\w+")
_WITHOUT_SPACES: Final = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
"""Scripts that write no spaces between words: they are read as pairs of characters."""


def terms_of(text: str) -> list[str]:
    """Return the terms of *text*, lower-case; pairs of characters where a script has no spaces."""
    terms: list[str] = []
    for word in _WORD.findall(text.casefold()):
        joined = _WITHOUT_SPACES.search(word)
        terms += [word[at : at + 2] for at in range(max(1, len(word) - 1))] if joined else [word]
    return terms


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
