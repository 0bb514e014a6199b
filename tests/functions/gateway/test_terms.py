"""The stems of words: number, tense and case do not matter."""

import pytest

from functions.gateway.terms import stem


@pytest.mark.parametrize(
    "forms",
    [
        "token tokens",
        "plan plans planning planned",
        "problem problems",
        "system systems",
        "version versions",
        "session sessions",
        "question questions",
        "try tries tried trying",
        "rotate rotates rotated rotating rotation rotations",
        "status statuses",
        "key keys",
        "city cities",
        "box boxes",
        "class classes",
        "process processes processed",
        "deploy deploys deployed deployment deployments",
        "ship ships shipped shipping",
        "menu menus",
        "date dates dated",
        "policy policies",
        "apply applies applied",
        "Frist Fristen",
        "Kunde Kunden",
        "SERVER server",
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    """What a note says in the plural is found in the singular."""
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("pair", ["ship shop", "server service", "note notice"])
def test_other_words_have_other_stems(pair: str) -> None:
    """Light on purpose: cutting more would find what nobody asked for."""
    first, second = pair.split()
    assert stem(first) != stem(second)
