"""References of a pipeline: a whole value, followed; what looks like one and is none is never taken for text."""

from typing import Any

import pytest

from functions.gateway.pipe.references import resolve
from mcpserver import MCPServerToolError

HITS: dict[str, Any] = {
    "results": [{"url": "https://a.example/", "snippet": "a"}, {"url": "https://b.example/", "snippet": "b"}]
}
PAGE: dict[str, Any] = {"markdown": "# Page", "tokens_out": 7, "links": []}
EARLIER: list[dict[str, Any]] = [HITS, PAGE]


def resolved(text: str) -> Any:
    """Return what *text* stands for as a parameter of the third step."""
    return resolve({"text": text}, EARLIER, names={"text"})["text"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$2.markdown", "# Page"),
        (" $2.markdown\n", "# Page"),
        ("$2.tokens_out", 7),
        ("$1.results.1.url", "https://b.example/"),
        ("$1.results[1].url", "https://b.example/"),
        ("$1.results.*.snippet", ["a", "b"]),
        ("$1.results[*].snippet", ["a", "b"]),
        ("$1.results", HITS["results"]),
        ("$2.links.*.url", []),
    ],
)
def test_a_reference_is_what_it_leads_to(text: str, value: Any) -> None:
    """Members by name, items of a list by number or all of them."""
    assert resolved(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "$1.50",
        "$1,000",
        "$3",
        "$HOME",
        "$HOME/bin",
        "${HOME}",
        "costs $5 or $2.markdowns",
        "$",
        "",
        "$x.y",
        "a {{b}} c",
    ],
)
def test_text_stays_text(text: str) -> None:
    """Prices, shell variables, templates: a note may be about any of them."""
    assert resolved(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "$1",
        "$2",
        "$0.markdown",
        "$1[url]",
        "$1.a-b",
        "$1 .results",
        "${1.results}",
        "$prev.markdown",
        "$steps[0].markdown",
        "$step_1.markdown",
        "$.steps[0]",
        "{{ steps.0.markdown }}",
        "Summary: $2.markdown",
    ],
)
def test_what_looks_like_a_reference_is_an_error_that_gives_the_rule(text: str) -> None:
    """Handed on as text it would be kept or searched for, and called a success."""
    with pytest.raises(MCPServerToolError, match=r"^text: .*\$1\.markdown"):
        resolved(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("$3.text", "step 3, which has not run"),
        ("$2.text", "markdown, tokens_out, links"),
        ("$1.results.url", "a list of 2"),
        ("$1.results.2.url", "a list of 2"),
        ("$1.results.*.title", "url, snippet"),
        ("$2.links.0", "an empty list"),
        ("$2.markdown.text", "no member"),
    ],
)
def test_a_reference_that_leads_nowhere_says_what_there_is(text: str, words: str) -> None:
    """The members' names, none of their values."""
    with pytest.raises(MCPServerToolError) as caught:
        resolved(text)
    assert words in str(caught.value)
    assert "example" not in str(caught.value)


def test_references_stand_for_no_more_than_a_call_may_hold() -> None:
    """One page in a thousand messages would be counted for minutes."""
    page = {"markdown": "x" * 70_000}
    with pytest.raises(MCPServerToolError, match="2000000 characters"):
        resolve({"messages": ["$1.markdown"] * 1000}, [page], names=())


def test_references_are_found_in_lists_and_objects() -> None:
    """`messages` of `smart_budget_guard` is one."""
    params = {"messages": [{"content": "$2.markdown"}], "texts": ["$2.markdown", "other"]}
    assert resolve(params, EARLIER, names=()) == {
        "messages": [{"content": "# Page"}],
        "texts": ["# Page", "other"],
    }


def test_a_parameter_that_the_tool_does_not_have_is_not_repeated() -> None:
    """It is the caller's own text."""
    with pytest.raises(MCPServerToolError, match=r"^a reference is"):
        resolve({"canary": "$1"}, EARLIER, names={"text"})
