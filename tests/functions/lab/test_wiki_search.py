"""`wiki_search`: a fact by its whole phrase. Source: SPEC 3, lab."""

import json

import pytest
from guardedhttp import Network

from functions.lab.live_wiki import LiveWiki, live_wiki_of
from functions.lab.wiki_search import FACTS, NO_MATCH, Arguments, WikiSearch
from mcpserver import MCPServerToolError
from tests.hostile.server import Request, always, serve
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


RECORDED = {
    "batchcomplete": True,
    "query": {
        "pages": [
            {"pageid": 1, "ns": 0, "title": "Alan Turing", "index": 1, "extract": "Alan Turing was a mathematician."}
        ]
    },
}
"""As the MediaWiki documentation shows it; nobody has compared it with the live service."""


async def ask(answer: bytes, query: str, status: int = 200) -> tuple[str, list[Request]]:
    """Return what the tool says with a loopback server in Wikipedia's place, and what that was asked."""
    async with serve(always(status, answer, content_type="application/json"), tls=False) as server:
        network = Network(loopback_ports=frozenset({server.port}))
        live = LiveWiki(f"http://127.0.0.1:{server.port}/w/api.php", network=network)
        found = await WikiSearch(live).run(Arguments(query=query))
    return found, server.requests


@pytest.mark.anyio
async def test_what_the_table_does_not_know_is_asked_of_wikipedia() -> None:
    """Issue 4: off by default; through the guard; a developer's port in Wikipedia's place."""
    found, requests = await ask(json.dumps(RECORDED).encode(), "who was Alan Turing?")
    assert found == "Alan Turing was a mathematician.\n\nSource: Wikipedia, Alan Turing"
    assert "gsrsearch=who" in requests[0].path
    assert requests[0].headers["user-agent"].startswith("samcp-lab/")
    assert (await ask(b'{"batchcomplete":true}', "nothing"))[0] == NO_MATCH


@pytest.mark.anyio
@pytest.mark.parametrize(("answer", "status"), [(b"no JSON", 200), (b"{}", 503), (b"[]", 200)])
async def test_a_wikipedia_that_does_not_answer_is_a_sentence_for_the_model(answer: bytes, status: int) -> None:
    """And never what it said instead."""
    with pytest.raises(MCPServerToolError, match="did not answer"):
        await ask(answer, "x", status)


def test_the_table_comes_first_and_the_network_is_off_by_default() -> None:
    """The deployed lab asks nobody unless an operator says so."""
    assert live_wiki_of({}) is None
    assert live_wiki_of({"SAMCP_LIVE_WIKI": "false"}) is None
    assert live_wiki_of({"SAMCP_LIVE_WIKI": "true"}) is not None
    assert WikiSearch(LiveWiki("https://unasked.example.com/")).run(Arguments(query="Capital of France")) == "Paris"
    assert (WikiSearch().open_world, WikiSearch(LiveWiki()).open_world) == (False, True)
