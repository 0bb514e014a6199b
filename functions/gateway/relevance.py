"""How well each passage serves a purpose, and how much each says of its text."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from functions.gateway.bm25 import Bm25
from functions.gateway.cues import asked_by, cues_in
from functions.gateway.passages import Passage, passages_of
from functions.gateway.terms import terms_of

type Terms = Counter[str]

# The weights below are our own, chosen by hand for the facts that the tuned half of tests/gateway_quality keeps.

_LENGTH_WEIGHT: Final = 0.5
"""BM25's b: lower than for whole documents, since a passage's length is the author's style."""
_NEIGHBOUR_SHARE: Final = 0.3
"""Of the better neighbour's match: an answer often stands beside the words that were asked for."""
_HEADING_SHARE: Final = 0.5
"""Of the best match of what it stands under."""
_FEEDBACK_SHARE: Final = 0.2
_FEEDBACK_PASSAGES: Final = 3
_FEEDBACK_TERMS: Final = 12
"""Pseudo-relevance feedback: so much of the match with so many terms of so many best passages."""
_PARTIAL_MATCH: Final = 0.6
"""Of a term that only looks like the asked one."""
_ANSWER_SHARE: Final = 0.5
"""For what looks like the asked kind of answer: a date, a cause, a limit."""
_CENTRAL_SHARE: Final = 0.35
_SIGNAL_SHARE: Final = 0.55
_OPENING_SHARE: Final = 0.1
"""Of a passage's own worth: terms that the whole text shares, signs of a fact, the first place in its paragraph."""
_LEAST_PART: Final = 4
_PREFIX: Final = 5
"""Letters that two words must share to look alike: as a part, as a beginning."""
_MAX_PURPOSE_TERMS: Final = 60
_MOST_LETTERS: Final = 40
"""A longer term is no word, and is compared with none."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text's passages with their terms."""

    passages: Sequence[Passage]
    pieces: Sequence[str]
    terms: Sequence[Terms]
    bm25: Bm25
    cues: Sequence[tuple[int, float]]
    """What each passage states, and how much it looks like a fact."""

    @classmethod
    def of(cls, text: str) -> "Source":
        """Return *text*, taken apart."""
        passages = passages_of(text)
        pieces = [text[passage.start : passage.end] for passage in passages]
        terms = [Counter(terms_of(piece)) for piece in pieces]
        return cls(passages, pieces, terms, Bm25(terms, b=_LENGTH_WEIGHT), [cues_in(piece) for piece in pieces])

    def neighbours(self, index: int) -> list[int]:
        """Return the passages beside one, in the same block."""
        block = self.passages[index].block
        beside = (index - 1, index + 1)
        return [other for other in beside if 0 <= other < len(self.passages) and self.passages[other].block == block]


def relevance(source: Source, purpose: str) -> list[float]:
    """Return how well each passage serves *purpose*, 0 to 1."""
    query = _query(purpose, source.bm25.idf)
    direct = _scaled(source.bm25.scores(query))
    feedback = _scaled(source.bm25.scores(_expansion(source, direct, query)))
    asked = int(asked_by(purpose))
    scores = []
    for index, passage in enumerate(source.passages):
        near = max((direct[other] for other in source.neighbours(index)), default=0.0)
        head = max((direct[other] for other in passage.heads), default=0.0)
        score = direct[index] + _FEEDBACK_SHARE * feedback[index] + _NEIGHBOUR_SHARE * near + _HEADING_SHARE * head
        if asked:
            score += _ANSWER_SHARE * (source.cues[index][0] & asked).bit_count() / asked.bit_count()
        scores.append(score)
    return _scaled(scores) if any(direct) else [0.0] * len(scores)


def importance(source: Source) -> list[float]:
    """Return how much each passage says of its text when nobody said what for, 0 to 1."""
    overall = Counter(term for terms in source.terms for term in terms)
    weights = {term: math.sqrt(count) * source.bm25.idf[term] for term, count in overall.items() if count > 1}
    central = _scaled(
        [sum(weights.get(term, 0.0) for term in terms) / math.sqrt(max(4, len(terms))) for terms in source.terms]
    )
    signals = _scaled([max(0.0, 1.5 + signal) for _, signal in source.cues])
    seen: set[int] = set()
    scores = []
    for index, passage in enumerate(source.passages):
        position = 0.0 if passage.block in seen else 1.0
        seen.add(passage.block)
        scores.append(_CENTRAL_SHARE * central[index] + _SIGNAL_SHARE * signals[index] + _OPENING_SHARE * position)
    return _scaled(scores)


def _query(purpose: str, idf: Mapping[str, float]) -> dict[str, float]:
    """Return the terms of *purpose*, and for less the terms of the text that look like one of them."""
    query: dict[str, float] = {}
    for term in list(dict.fromkeys(terms_of(purpose)))[:_MAX_PURPOSE_TERMS]:
        if term.isalpha() and _LEAST_PART <= len(term) <= _MOST_LETTERS:
            query |= {other: _PARTIAL_MATCH for other in idf if _is_akin(term, other) and other not in query}
        if term in idf:
            query[term] = 1.0
    return query


def _is_akin(term: str, other: str) -> bool:
    """Tell whether two words begin alike, or one is a part of the other: German joins its words."""
    if not _LEAST_PART <= len(other) <= _MOST_LETTERS:
        return False
    return term in other or other in term or (len(term) >= _PREFIX and other.startswith(term[:_PREFIX]))


def _expansion(source: Source, scores: Sequence[float], query: Mapping[str, float]) -> dict[str, float]:
    """Return the terms that the best passages share beside the asked ones: pseudo-relevance feedback."""
    best = sorted((index for index, score in enumerate(scores) if score > 0), key=lambda index: (-scores[index], index))
    weights: dict[str, float] = {}
    for index in best[:_FEEDBACK_PASSAGES]:
        for term in source.terms[index].keys() - query.keys():
            weights[term] = weights.get(term, 0.0) + scores[index] * source.bm25.idf[term]
    top = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_FEEDBACK_TERMS]
    return {term: weight / top[0][1] for term, weight in top if top[0][1] > 0}


def _scaled(scores: Sequence[float]) -> list[float]:
    most = max(scores, default=0.0)
    return [score / most if most > 0 else 0.0 for score in scores]
