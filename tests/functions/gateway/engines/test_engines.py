"""Each engine by itself: what it asks, and what it makes of answers that nobody documented."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.gateway.engines.engine import EngineError, Found, web_result
from functions.gateway.engines.fusion import fuse
from functions.gateway.engines.mediawiki import MediaWiki
from functions.gateway.engines.project_index import ProjectIndex
from functions.gateway.engines.secret_key import check_key
from functions.gateway.web_settings import WebSettings
from functions.gateway.web_tools import smart_search_of
from tests.functions.gateway.searches import HOSTS, engine_at
from tests.hostile.server import always, serve

ROOT = Path(__file__).parents[4]

ANSWERED: dict[str, Callable[[list[Any]], Any]] = {
    "wikipedia": lambda items: {"query": {"search": items}},
    "brave": lambda items: {"type": "search", "web": {"results": items}},
    "tavily": lambda items: {"results": items},
}


def item(**members: Any) -> dict[str, Any]:
    """Return a result that every engine would accept."""
    base = {"title": "T", "pageid": 1, "url": "https://a.example.com/", "snippet": "s", "description": "s"}
    return {**base, "content": "s", **members}


async def found_by(name: str, body: bytes, status: int = 200) -> list[Found]:
    """Return what engine *name* finds in an answer."""
    async with serve(always(status, body, content_type="application/json"), names=[HOSTS[name]]) as server:
        return (await engine_at(name, server).search("q", 10)).results


@pytest.mark.anyio
@pytest.mark.parametrize("name", ANSWERED)
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 200),
        (b"no JSON", 200),
        (b"[]", 200),
        (b"null", 200),
        (b'{"error": {"info": "SECRET"}}', 200),
        (b'{"query": {"search": 1}, "type": "x", "web": {"results": 1}, "results": 1}', 200),
        (b"[" * 500_000, 200),
        (b'{"a":' * 200_000, 200),
        (b'{"n": ' + b"9" * 900_000 + b"}", 200),
        (b" " * 1_100_000, 200),
        (b"\xff\xfe", 200),
        (b"{}", 401),
        (b"{}", 429),
        (b"{}", 500),
    ],
)
async def test_an_answer_that_is_not_as_documented_is_a_failure(name: str, body: bytes, status: int) -> None:
    """JSON bombs, errors with status 200, answers over a megabyte: never a crash, never the server's text."""
    with pytest.raises(EngineError) as caught:
        await found_by(name, body, status)
    assert "SECRET" not in str(caught.value)


@pytest.mark.anyio
@pytest.mark.parametrize("name", ANSWERED)
async def test_a_result_that_is_odd_does_not_cost_the_others(name: str) -> None:
    """Bounded counts and lengths, hidden characters gone, and only pages that can be fetched."""
    items: list[Any] = [
        *(1, None, [], {}, item(title=None)),
        item(title="x" * 200, snippet="y" * 50_000, description="y" * 50_000, content="y" * 50_000),
        item(title="a\u200b\x00\ud800\U000e0041b", url="https://b.example.com/"),
        *(item(title=f"n{n}", url=f"https://c.example.com/{n}") for n in range(100)),
    ]
    found = await found_by(name, json.dumps(ANSWERED[name](items)).encode())
    assert len(found) == 10
    assert (len(found[0].title), len(found[0].snippet)) == (120, 300)
    assert found[1].title == "a\ufffdb"


@pytest.mark.parametrize(
    "url",
    [
        *("", "javascript:alert(1)", "data:text/html,x", "ftp://a.example.com/", "//a.example.com/", "https://"),
        *("https://a.example.com/ x", "https://a.example.com/\n", "https://a.example.com/" + "x" * 500),
        *("https://a.example.com/" + "é" * 200, 'https://a.example.com/"', "https://a.example.com/<b>"),
    ],
)
def test_a_result_without_a_page_is_none(url: str) -> None:
    """A model would hand it on to smart_fetch, or to a person."""
    assert web_result("T", url, "s") is None


@given(st.text(), st.text(), st.text())
def test_any_result_is_within_the_limits(title: str, path: str, snippet: str) -> None:
    """Whatever an engine sends."""
    found = web_result(title, f"https://a.example.com/{path}", snippet)
    if found is not None:
        assert (len(found.title) <= 500, len(found.url) <= 500, len(found.snippet) <= 300) == (True, True, True)
        assert found.url.isascii()


def test_a_wiki_that_is_not_wikipedia_is_linked_by_page_number() -> None:
    """Where its articles lie is not known."""
    settings = WebSettings(SAMCP_GATEWAY_WIKIPEDIA_URL="https://wiki.example.com/api.php")
    engines = smart_search_of(settings)._engines
    assert [engine.name for engine in engines] == ["wikipedia"]
    assert isinstance(engines[0], MediaWiki)


def test_rank_fusion_takes_no_engines_word_for_more_than_a_rank() -> None:
    """An engine that repeats a page gains nothing; http and https are one page."""
    one = Found("1", "http://a.example.com/1", "")
    two, three = Found("2", "https://a.example.com/2", ""), Found("3", "https://a.example.com/3", "")
    fused = fuse({"x": [two, two, two], "y": [three, one], "z": [Found("1", "https://a.example.com/1#x", "")]})
    assert [(each.found.title, each.engine) for each in fused] == [("1", "z"), ("2", "x"), ("3", "y")]
    assert fuse({}) == []


@pytest.mark.anyio
async def test_the_project_index_finds_the_projects_own_pages() -> None:
    """Offline, for `make run`: the README and docs of this repository."""
    index = ProjectIndex(ROOT, base_url="https://docs.example.com/")
    answer = await index.search("time zones tzdata lab", 3)
    assert answer.results[0].url == "https://docs.example.com/docs/decisions/0017-tzdata.md"
    assert "tzdata" in answer.results[0].snippet
    assert len({found.url for found in answer.results}) == len(answer.results) == 3
    assert (await index.search("qqqxyzzy", 3)).results == []
    assert (await index.search("!?", 3)).results == []


@pytest.mark.anyio
async def test_an_index_without_files_finds_nothing(tmp_path: Path) -> None:
    """And reads what is no UTF-8."""
    assert (await ProjectIndex(tmp_path).search("a", 3)).results == []
    (tmp_path / "a.md").write_bytes(b"\xff tide\n# Sea\nThe tide comes.")
    found = (await ProjectIndex(tmp_path).search("tide", 3)).results
    assert [each.url for each in found] == ["a.md"]


@pytest.mark.parametrize("key", ["", "short", "a\nb" * 5, "key with space", "é" * 10, "x" * 600])
def test_a_secret_that_is_no_key_is_not_sent(key: str) -> None:
    """A line break would start another header."""
    with pytest.raises(EngineError):
        check_key(key)


def test_which_engines_are_on_by_default() -> None:
    """The keyless one; the others need a secret's name or a folder."""
    names = [engine.name for engine in smart_search_of(WebSettings())._engines]
    assert names == ["wikipedia"]
    names_of_secrets = {"SAMCP_GATEWAY_BRAVE_SECRET": "a", "SAMCP_GATEWAY_TAVILY_SECRET": "b"}
    everything = WebSettings.model_validate({**names_of_secrets, "SAMCP_GATEWAY_INDEX_FOLDER": "."})
    names = [engine.name for engine in smart_search_of(everything)._engines]
    assert names == ["brave", "tavily", "wikipedia", "project"]
