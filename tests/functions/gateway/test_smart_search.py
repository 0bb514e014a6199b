"""`smart_search`: several engines, one list. Source: GATEWAY.md, "Tools"."""

import json

import pytest

from tests.functions.gateway.pages import text_of
from tests.functions.gateway.searches import KEY, found_in, recorded, search
from tests.hostile.server import always

ALL = ("brave", "tavily", "wikipedia")


@pytest.mark.anyio
async def test_engines_are_asked_side_by_side_and_their_results_merged() -> None:
    """What two engines found comes first, then the first engine's; a page is listed once, in its normal form."""
    result, servers = await search({name: recorded(name) for name in ALL})
    found = found_in(result)
    assert found["engines"] == {"ok": list(ALL), "failed": []}
    assert [(each["url"], each["engine"]) for each in found["results"]] == [
        ("https://tables.example.com/today", "brave"),
        ("https://en.wikipedia.org/wiki/Spring_tide", "wikipedia"),
        ("https://sea.example.com/why", "tavily"),
        ("https://en.wikipedia.org/wiki/Neap_tide", "wikipedia"),
    ]
    assert found["results"][1]["snippet"] == "A spring tide has the largest range & comes twice a month"
    assert "srsearch=spring" in servers["wikipedia"].requests[0].path
    assert servers["brave"].requests[0].headers["x-subscription-token"] == KEY
    assert servers["tavily"].requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(servers["tavily"].requests[0].body)["query"] == "spring tides"
    assert found["tokens_in"] > found["tokens_out"] > 0


@pytest.mark.anyio
async def test_an_engine_that_fails_costs_its_own_results_only() -> None:
    """GATEWAY.md: one failing engine does not fail the call."""
    result, _ = await search({"brave": always(500, b"SECRET"), "wikipedia": recorded("wikipedia")})
    found = found_in(result)
    assert found["engines"] == {"ok": ["wikipedia"], "failed": ["brave"]}
    assert len(found["results"]) == 2
    assert "SECRET" not in text_of(result)


@pytest.mark.anyio
async def test_no_engine_at_all_is_an_error_that_says_what_to_try() -> None:
    """It names the engines, and nothing that they said."""
    result, _ = await search({"brave": always(401, b"SECRET"), "wikipedia": always(200, b"[]")})
    assert result["isError"] is True
    assert "brave, wikipedia" in text_of(result)
    assert "SECRET" not in text_of(result)
