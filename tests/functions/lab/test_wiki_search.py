"""`wiki_search`: a fact by its whole phrase. Source: SPEC 3, lab."""

import pytest

from functions.lab.wiki_search import FACTS, NO_MATCH, WikiSearch
from tests.mcpserver.posts import call_tool


def found(query: str) -> str:
    """Return what a model is told."""
    result = call_tool(WikiSearch(), {"query": query})
    assert result["isError"] is False
    text: str = result["content"][0]["text"]
    return text


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("capital of france", "Paris"),
        ("  Capital of FRANCE\n", "Paris"),
        ("tallest mountain", "Mount Everest"),
        ("speed of light", "299,792,458 m/s"),
    ],
)
def test_a_fact_is_found_in_any_case_and_with_space_around(query: str, fact: str) -> None:
    """SPEC 3: lower-cased and stripped."""
    assert found(query) == fact


@pytest.mark.parametrize("query", ["", " ", "capital", "capital of france?", "null", "x" * 10_000, "\0", "\ufffd"])
def test_anything_else_is_no_match(query: str) -> None:
    """SPEC 3: `no match` otherwise; a required text keeps a word for nothing."""
    assert found(query) == NO_MATCH == "no match"


def test_every_fact_can_be_found() -> None:
    """A key with a capital letter could not."""
    for query, fact in FACTS.items():
        assert found(query) == fact
