"""Texts in groups of near-duplicates, and how well `smart_dedup` finds the groups.

`duplicates-a.json` was tuned on, `duplicates-b.json` held out. All texts of a file are compared with each other.
"""

import json
from itertools import combinations
from pathlib import Path
from typing import Final

from functions.gateway.near_duplicates import near_duplicates

THRESHOLD: Final = 0.9
_HERE: Final = Path(__file__).parent

type Pairs = set[tuple[int, int]]


def texts_of(half: str) -> tuple[list[str], list[str]]:
    """Return the texts of one half and the group of each."""
    kinds = json.loads((_HERE / f"duplicates-{half}.json").read_text("utf-8"))
    rows = [row for kind in kinds for row in kind["texts"]]
    return [row["text"] for row in rows], [row["group"] for row in rows]


def pairs_of(groups: list[str]) -> Pairs:
    """Return each two texts of one group."""
    return {(first, second) for first, second in combinations(range(len(groups)), 2) if groups[first] == groups[second]}


def found_pairs(texts: list[str], threshold: float = THRESHOLD) -> Pairs:
    """Return each two texts that `smart_dedup` takes for the same."""
    groups = [str(index) for index in range(len(texts))]
    for duplicate in near_duplicates(texts, threshold)[1]:
        groups[duplicate.index] = str(duplicate.duplicate_of)
    return pairs_of(groups)


def f1(found: Pairs, marked: Pairs) -> float:
    """Return the harmonic mean of precision and recall."""
    return 2 * len(found & marked) / (len(found) + len(marked))
