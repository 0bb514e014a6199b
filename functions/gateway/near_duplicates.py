"""Finds near-duplicates: the first of each group stays, in order."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from functions.gateway.likeness import CONFLICT, Profile, Profiler

MAX_CONFLICTS: Final = 100
"""Kept texts that are alike and state something else, after which a text is looked at no longer: it stays. Lines of
one log are all alike, and each comparison of two takes some 10 microseconds.
"""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """One text that repeats a kept one."""

    index: int
    duplicate_of: int
    score: float


def near_duplicates(texts: Sequence[str], threshold: float) -> tuple[list[int], list[Duplicate]]:
    """Return the indexes of the texts to keep, and each other text with the kept one that it is most alike to.

    A text is left out if it is at least *threshold* like one that is kept before it: so nothing is lost that is not
    that like something that stays. With 0 the first stays alone; with 1 only texts go that differ from a kept one in
    nothing but their form.
    """
    profiler = Profiler()
    kept: list[int] = []
    removed: list[Duplicate] = []
    seen: list[Profile] = []
    equal: dict[Hashable, int] = {}
    for index, text in enumerate(texts):
        profile = profiler.profile(text)
        position, score = equal.get(profile.identity), 1.0
        if position is None:
            position, score = _nearest(profile, seen, threshold)
        if position is None:
            equal[profile.identity] = len(kept)
            kept.append(index)
            seen.append(profile)
        else:
            removed.append(Duplicate(index, kept[position], score))
    return kept, removed


def _nearest(profile: Profile, seen: Sequence[Profile], threshold: float) -> tuple[int | None, float]:
    """Return the position of the most alike of *seen* that reaches *threshold*, the first of equals, and its score."""
    found: int | None = None
    best = threshold
    conflicts = 0
    grams, size = profile.grams, profile.size
    for position, other in enumerate(seen):
        total = size + other.size
        # The smaller one bounds what they share: most pairs end here, without a look at the grams.
        if 2 * min(size, other.size) < best * total or 2 * (grams & other.grams).bit_count() < best * total:
            continue
        score = profile.score(other)
        conflicts += score == CONFLICT
        if conflicts > MAX_CONFLICTS:
            break
        if score > best or (score == best and found is None):
            found, best = position, score
    return found, best
