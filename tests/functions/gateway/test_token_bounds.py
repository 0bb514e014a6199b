"""What the two web tools reserve before they run is never less than what they cost. Source: GATEWAY.md, Governance."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functions.gateway.engines.engine import Found, web_result
from functions.gateway.page_cache import NoPageCache
from functions.gateway.smart_fetch import SmartFetch
from functions.gateway.smart_search import SmartSearch
from functions.gateway.tokens import MAX_RESULT_TOKENS
from tests.functions.gateway.pages import call
from tests.functions.gateway.searches import FixedEngine

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=5,
)

COUNTS: st.SearchStrategy[Any] = (
    st.integers(-2, 60) | st.sampled_from(["1", "50", "", "null", 3.0, 1e9, True, None, [], {}]) | JSON
)

TEXTS = st.text(max_size=400) | st.sampled_from(["é" * 400, "\U0001f469\u200d\U0001f4bb" * 150, "中" * 400, "{" * 400])


def found(title: str, path: str, snippet: str) -> Found | None:
    """Return a result as engines make it."""
    return web_result(title, f"https://a.example.com/{path}", snippet)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.builds(found, TEXTS, TEXTS, TEXTS), max_size=60), COUNTS)
def test_a_search_never_costs_more_than_its_bound(results: list[Found | None], count: Any) -> None:
    """Titles and snippets of any script, URLs of any kind, counts of any type."""
    tool = SmartSearch([FixedEngine("one", [each for each in results if each])])
    arguments = {"query": "q", "max_results": count}
    bound = tool.token_bound(arguments)
    assert 0 < bound <= MAX_RESULT_TOKENS
    result = call(tool, arguments)
    if not result["isError"]:
        assert result["structuredContent"]["tokens_out"] <= bound


@given(st.dictionaries(st.sampled_from(["url", "timeout", "query", "max_results", "x"]), JSON, max_size=4))
def test_a_bound_is_given_for_any_arguments(arguments: dict[str, Any]) -> None:
    """It is asked before they are validated, so it must not raise."""
    for tool in (SmartSearch([]), SmartFetch(NoPageCache())):
        assert 0 < tool.token_bound(arguments) <= MAX_RESULT_TOKENS


@pytest.mark.parametrize(
    ("arguments", "bound"), [({}, 4_000), ({"max_results": 1}, 400), ({"max_results": 50}, 20_000)]
)
def test_a_small_search_reserves_little(arguments: dict[str, Any], bound: int) -> None:
    """A budget with little left can still pay for one."""
    assert SmartSearch([]).token_bound(arguments) == bound


def test_an_engine_that_crashes_is_a_failed_engine() -> None:
    """Whatever it raises; and where it is the only one, the call says so."""
    good = FixedEngine("good", [Found("T", "https://a.example.com/", "s")])
    result = call(SmartSearch([FixedEngine("bad", KeyError("SECRET")), good]), {"query": "q"})
    assert result["structuredContent"]["engines"] == {"ok": ["good"], "failed": ["bad"]}
    result = call(SmartSearch([FixedEngine("bad", KeyError("SECRET"))]), {"query": "q"})
    assert (result["isError"], "SECRET" in str(result)) == (True, False)
    assert call(SmartSearch([]), {"query": "q"})["isError"] is True
