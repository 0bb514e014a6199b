"""Texts with the facts that matter marked as `{{...}}`, and how many of them a shortened text keeps.

Files `*-a.md` were tuned on, files `*-b.md` held out: they were written before the tuning and only measured.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from functions.gateway.extract import budget_of, extract
from functions.gateway.tokens import DEFAULT

TEXTS: Final = Path(__file__).parent / "texts"
RATIO: Final = 0.5
HALVES: Final = {"tuned on": "a", "held out": "b"}
_MARKED: Final = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)
_HEAD: Final = re.compile(r"kind: (.+)\npurpose:(.*)\n\n")

type Shorten = Callable[[str, int, str], str]
"""Text, budget in tokens, purpose -> shortened text."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One text and what matters in it."""

    name: str
    kind: str
    purpose: str
    text: str
    facts: tuple[str, ...]

    @property
    def half(self) -> str:
        """`a`: tuned on; `b`: held out."""
        return self.name[-1]


def samples() -> list[Sample]:
    """Return every text of the corpus, by name."""
    return [_sample(path) for path in sorted(TEXTS.glob("*.md"))]


def by_gate(text: str, budget: int, purpose: str) -> str:
    """Shorten as `smart_context_gate` does."""
    return extract(text, budget, purpose).text


def by_cutting(text: str, budget: int, _purpose: str) -> str:
    """Cut the tail off: what everybody does who has no gate."""
    return DEFAULT.head(text, budget)


def kept(sample: Sample, shorten: Shorten, ratio: float = RATIO) -> list[bool]:
    """Return of each fact whether the shortened text still says it, whatever the white space."""
    budget = budget_of(DEFAULT.count(sample.text), ratio)
    short = _plain(shorten(sample.text, budget, sample.purpose))
    return [_plain(fact) in short for fact in sample.facts]


def share_kept(chosen: Iterable[Sample], shorten: Shorten, ratio: float = RATIO) -> float:
    """Return which part of all the facts is kept, 0 to 1."""
    found = [is_kept for sample in chosen for is_kept in kept(sample, shorten, ratio)]
    return sum(found) / len(found)


def _sample(path: Path) -> Sample:
    whole = path.read_text("utf-8")
    head = _HEAD.match(whole)
    assert head, path.name
    body = whole[head.end() :]
    return Sample(path.stem, head[1], head[2].strip(), _MARKED.sub(r"\1", body), tuple(_MARKED.findall(body)))


def _plain(text: str) -> str:
    return " ".join(text.split())
