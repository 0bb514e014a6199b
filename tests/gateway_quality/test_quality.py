"""The gate keeps what matters, and the near-duplicates are found: measured, on texts that were marked beforehand.

Source: issue 5; the figures are printed by `python -m tests.gateway_quality`.
"""

import pytest

from tests.gateway_quality.found_duplicates import f1, found_pairs, pairs_of, texts_of
from tests.gateway_quality.kept_facts import HALVES, Sample, by_cutting, by_gate, samples, share_kept

SAMPLES = samples()
LEAST_GAIN = 0.20
"""Percentage points above cutting the tail off, at ratio 0.5."""
LEAST_F1 = 0.9


def half(letter: str) -> list[Sample]:
    """Return the tuned (`a`) or the held-out (`b`) texts."""
    return [sample for sample in SAMPLES if sample.half == letter]


def test_the_corpus_is_large_and_varied_and_its_marks_are_found() -> None:
    """A lost mark would raise the figures unseen."""
    assert len(SAMPLES) >= 40
    assert len({sample.kind for sample in SAMPLES}) >= 15
    assert all(len(sample.facts) >= 3 and "{{" not in sample.text for sample in SAMPLES)
    assert share_kept(SAMPLES, lambda text, _budget, _purpose: text) == 1
    assert sum(not sample.purpose for sample in SAMPLES) >= 5


@pytest.mark.parametrize("letter", HALVES.values(), ids=HALVES.keys())
def test_the_gate_keeps_more_facts_than_cutting_the_tail_off(letter: str) -> None:
    """At least 20 percentage points more, on the texts that were tuned on and on those that were not."""
    gain = share_kept(half(letter), by_gate) - share_kept(half(letter), by_cutting)
    assert gain >= LEAST_GAIN


def test_the_gate_gains_without_a_purpose_too() -> None:
    """Nobody has to say what for."""
    silent = [sample for sample in SAMPLES if not sample.purpose]
    assert share_kept(silent, by_gate) >= share_kept(silent, by_cutting) + LEAST_GAIN


def test_a_purpose_helps() -> None:
    """The description asks the model to say it."""
    asked = [sample for sample in SAMPLES if sample.purpose]
    assert share_kept(asked, by_gate) > share_kept(asked, lambda text, budget, _purpose: by_gate(text, budget, ""))


def test_facts_at_the_top_are_not_lost_for_the_rest() -> None:
    """Where the author put what matters first, cutting is perfect: the gate must come near to it."""
    front = [sample for sample in SAMPLES if sample.name.startswith("front-")]
    assert share_kept(front, by_gate) >= 0.8


@pytest.mark.parametrize("letter", HALVES.values(), ids=HALVES.keys())
def test_near_duplicates_are_found_and_changed_facts_are_none(letter: str) -> None:
    """F1 over pairs at the default threshold; edits, order, form and boilerplate against figures, names, negations."""
    texts, groups = texts_of(letter)
    assert f1(found_pairs(texts), pairs_of(groups)) >= LEAST_F1
