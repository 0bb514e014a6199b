"""How well each passage serves a purpose, and how much each says of its text."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from functions.gateway.cues import asked_by, cues_in
from functions.gateway.passages import Passage, passages_of
from functions.gateway.terms import terms_of

type Terms = Counter[str]

_SATURATION = 1.2
_LENGTH_WEIGHT = 0.5
"""BM25's k1 and b; b is low, since a passage's length is the author's style. Source: Robertson and Zaragoza 2009."""
_NEIGHBOUR_SHARE = 0.3
_HEADING_SHARE = 0.5
_FEEDBACK_SHARE = 0.2
_FEEDBACK_PASSAGES = 3
_FEEDBACK_TERMS = 12
_PARTIAL_MATCH = 0.6
_ANSWER_SHARE = 0.5
_LEAST_PART = 4
_PREFIX = 5
_MAX_PURPOSE_TERMS = 60


@dataclass(frozen=True, slots=True)
class Source:
    """A text's passages with their terms."""

    passages: Sequence[Passage]
    pieces: Sequence[str]
    terms: Sequence[Terms]
    idf: Mapping[str, float]
    """How rare a term is: the logarithm of passages per passage that has it."""
    cues: Sequence[tuple[int, float]]
    """What each passage states, and how much it looks like a fact."""

    @classmethod
    def of(cls, text: str) -> "Source":
        """Return *text*, taken apart."""
        passages = passages_of(text)
        pieces = [text[passage.start : passage.end] for passage in passages]
        terms = [Counter(terms_of(piece)) for piece in pieces]
        found = Counter(term for passage in terms for term in passage)
        idf = {term: math.log(1 + (len(terms) - count + 0.5) / (count + 0.5)) for term, count in found.items()}
        return cls(passages, pieces, terms, idf, [cues_in(piece) for piece in pieces])

    def neighbours(self, index: int) -> list[int]:
        """Return the passages beside one, in the same block."""
        block = self.passages[index].block
        beside = (index - 1, index + 1)
        return [other for other in beside if 0 <= other < len(self.passages) and self.passages[other].block == block]


def bm25(source: Source, query: Mapping[str, float]) -> list[float]:
    """Return each passage's BM25 for the weighted *query*."""
    lengths = [max(1, terms.total()) for terms in source.terms]
    mean = sum(lengths) / max(1, len(lengths))
    scores = []
    for terms, length in zip(source.terms, lengths, strict=True):
        norm = _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length / mean)
        found = [term for term in query if term in terms]
        scores.append(
            sum(
                query[term] * source.idf[term] * terms[term] * (_SATURATION + 1) / (terms[term] + norm)
                for term in found
            )
        )
    return scores


def relevance(source: Source, purpose: str) -> list[float]:
    """Return how well each passage serves *purpose*, 0 to 1."""
    query = _query(purpose, source.idf)
    direct = _scaled(bm25(source, query))
    feedback = _scaled(bm25(source, _expansion(source, direct, query)))
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
    weights = {term: math.sqrt(count) * source.idf[term] for term, count in overall.items() if count > 1}
    central = _scaled(
        [sum(weights.get(term, 0.0) for term in terms) / math.sqrt(max(4, len(terms))) for terms in source.terms]
    )
    signals = _scaled([max(0.0, 1.5 + signal) for _, signal in source.cues])
    seen: set[int] = set()
    scores = []
    for index, passage in enumerate(source.passages):
        position = 0.0 if passage.block in seen else 1.0
        seen.add(passage.block)
        scores.append(0.35 * central[index] + 0.55 * signals[index] + 0.1 * position)
    return _scaled(scores)


def _query(purpose: str, idf: Mapping[str, float]) -> dict[str, float]:
    """Return the terms of *purpose*, and for less the terms of the text that look like one of them."""
    query: dict[str, float] = {}
    for term in list(dict.fromkeys(terms_of(purpose)))[:_MAX_PURPOSE_TERMS]:
        if term.isalpha() and len(term) >= _LEAST_PART:
            query |= {other: _PARTIAL_MATCH for other in idf if _is_akin(term, other) and other not in query}
        if term in idf:
            query[term] = 1.0
    return query


def _is_akin(term: str, other: str) -> bool:
    """Tell whether two words begin alike, or one is a part of the other: German joins its words."""
    if len(other) < _LEAST_PART:
        return False
    return term in other or other in term or (len(term) >= _PREFIX and other.startswith(term[:_PREFIX]))


def _expansion(source: Source, scores: Sequence[float], query: Mapping[str, float]) -> dict[str, float]:
    """Return the terms that the best passages share beside the asked ones: pseudo-relevance feedback."""
    best = sorted((index for index, score in enumerate(scores) if score > 0), key=lambda index: (-scores[index], index))
    weights: dict[str, float] = {}
    for index in best[:_FEEDBACK_PASSAGES]:
        for term in source.terms[index].keys() - query.keys():
            weights[term] = weights.get(term, 0.0) + scores[index] * source.idf[term]
    top = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_FEEDBACK_TERMS]
    return {term: weight / top[0][1] for term, weight in top if top[0][1] > 0}


def _scaled(scores: Sequence[float]) -> list[float]:
    most = max(scores, default=0.0)
    return [score / most if most > 0 else 0.0 for score in scores]
