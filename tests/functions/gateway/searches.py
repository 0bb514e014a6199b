"""Engines on loopback, and what `smart_search` makes of them."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from functions.gateway.engines.brave import Brave
from functions.gateway.engines.engine import Engine, EngineAnswer, Found
from functions.gateway.engines.mediawiki import MediaWiki
from functions.gateway.engines.tavily import Tavily
from functions.gateway.smart_search import SmartSearch
from tests.functions.gateway.pages import in_thread, page_of
from tests.hostile.server import Answer, Hostile, always, serve

ANSWERS = Path(__file__).parent / "answers"

HOSTS = {"wikipedia": "en.wikipedia.org", "brave": "api.search.brave.com", "tavily": "api.tavily.com"}

KEY = "a-key-of-a-test"


def recorded(engine: str) -> Answer:
    """Return a server that answers as the documentation of *engine* shows."""
    name = {"wikipedia": "mediawiki"}.get(engine, engine)
    return always(200, (ANSWERS / f"{name}.json").read_bytes(), content_type="application/json")


def engine_at(name: str, server: Hostile) -> Engine:
    """Return the engine *name*, whose host is *server*."""
    network = server.network()
    if name == "wikipedia":
        return MediaWiki("https://en.wikipedia.org/w/api.php", network=network)
    if name == "brave":
        return Brave(lambda: KEY, network=network)
    return Tavily(lambda: KEY, network=network)


async def search(answers: dict[str, Answer], **arguments: Any) -> tuple[dict[str, Any], dict[str, Hostile]]:
    """Return what `smart_search` says with one server for each engine, and the servers."""
    async with AsyncExitStack() as stack:
        servers = {
            name: await stack.enter_async_context(serve(answer, names=[HOSTS[name]]))
            for name, answer in answers.items()
        }
        tool = SmartSearch([engine_at(name, server) for name, server in servers.items()])
        result = await in_thread(tool, {"query": "spring tides", **arguments})
    return result, servers


def found_in(result: dict[str, Any]) -> dict[str, Any]:
    """Return the results of a call that must have worked."""
    return page_of(result)


class FixedEngine:
    """Finds what a test says."""

    def __init__(self, name: str, results: Sequence[Found] | Exception) -> None:
        self.name = name
        self._results = results

    async def search(self, query: str, limit: int) -> EngineAnswer:  # noqa: ARG002 -- the protocol's
        """Return it, or raise it."""
        if isinstance(self._results, Exception):
            raise self._results
        return EngineAnswer(list(self._results[:limit]), "naive")
