"""Several engines' results as one list: reciprocal rank fusion, which needs no scores that compare."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from functions.gateway.canonical_url import canonical_url
from functions.gateway.engines.engine import Found

K: Final = 60
"""Source: Cormack, Clarke and Büttcher, Reciprocal Rank Fusion outperforms Condorcet (SIGIR 2009)."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A page, as the engine says that ranked it highest."""

    found: Found
    engine: str


def fuse(answers: Mapping[str, Sequence[Found]]) -> list[Fused]:
    """Return the pages of all *answers*, engine -> results, best first and each once.

    A page gains 1 / (60 + rank) from each engine that found it. Where that is equal, the first engine's comes first.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    best: dict[str, tuple[int, Fused]] = {}
    for engine, results in answers.items():
        seen: set[str] = set()
        for rank, found in enumerate(results, 1):
            key = _key(found.url)
            if key in seen:
                continue
            seen.add(key)
            scores[key] += 1 / (K + rank)
            if key not in best or rank < best[key][0]:
                best[key] = (rank, Fused(found, engine))
    return [best[key][1] for key in sorted(scores, key=lambda key: -scores[key])]


def _key(url: str) -> str:
    """Return what two URLs of one page have in common: the scheme is left out, as engines remember both."""
    return canonical_url(url).partition("://")[2] or url
