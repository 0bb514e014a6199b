"""Tools for a pipeline that need no network."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field

from functions.gateway.smart_budget_guard import SmartBudgetGuard
from functions.gateway.smart_memory import SmartMemory
from functions.gateway.smart_pipe import SmartPipe
from functions.gateway.smart_tool import SmartTool, Spent
from functions.gateway.tokens import spend
from mcpserver import MCPServerToolError
from tests.governance.conftest import Clock

LONG = "A sentence of the page. " * 3000


class PageArguments(BaseModel):
    """What the fake page takes."""

    url: str = Field(max_length=100)


class Page(Spent):
    """What it returns."""

    markdown: str
    cache: str


class FakeFetch(SmartTool[PageArguments]):
    """A page of one's own, without a network."""

    name = "smart_fetch"
    description = "A page."
    arguments_model = PageArguments

    def run(self, arguments: PageArguments) -> Page:
        """Return it, or fail."""
        if "bug" in arguments.url:
            raise RuntimeError(arguments.url)
        if "missing" in arguments.url:
            raise MCPServerToolError("the page answered 404.")
        return Page(**spend(LONG * 2, LONG), markdown=LONG, cache="miss")


class GateArguments(BaseModel):
    """What the fake gate takes."""

    text: str
    purpose: str = ""
    ratio: float = 0.5


class Excerpt(Spent):
    """What it returns."""

    text: str


class FakeGate(SmartTool[GateArguments]):
    """The beginning."""

    name = "smart_context_gate"
    description = "Shortens."
    arguments_model = GateArguments

    def run(self, arguments: GateArguments) -> Excerpt:
        """Cut the tail off."""
        text = arguments.text[: int(len(arguments.text) * arguments.ratio * 0.2)]
        return Excerpt(**spend(arguments.text, text), text=text)


class SearchArguments(BaseModel):
    """What the fake search takes."""

    query: str
    max_results: int = 5


class Hits(Spent):
    """What it returns."""

    results: list[dict[str, str]]


class FakeSearch(SmartTool[SearchArguments]):
    """Finds what a test says."""

    name = "smart_search"
    description = "Finds."
    arguments_model = SearchArguments

    def __init__(self, *urls: str) -> None:
        self._urls = urls

    def run(self, arguments: SearchArguments) -> Hits:
        """Return one hit a URL."""
        hits = [{"title": f"Hit {n}", "url": url, "snippet": f"What {n} says."} for n, url in enumerate(self._urls)]
        if arguments.query.startswith("$"):
            hits[0]["snippet"] = "Write $1.results for them."
        return Hits(**spend(arguments.query, ""), results=hits)


def step(tool: str, **params: Any) -> Mapping[str, Any]:
    """Return one step."""
    return {"tool": tool, "params": params}


def tools_of(memory: Any, clock: Clock) -> list[SmartTool[Any]]:
    """Return the fakes, the real tools that need no network, and the pipeline of them."""
    single: list[SmartTool[Any]] = [FakeFetch(), FakeGate(), SmartBudgetGuard(), SmartMemory(memory, now_s=clock)]
    return [*single, SmartPipe(single)]
