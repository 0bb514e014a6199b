"""The ready-made pipelines of `smart_pipe`: each step is made when the one before it has succeeded."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from mcpserver import MCPServerToolError


class PipeTemplate(NamedTuple):
    """Which template, and what it is given."""

    name: Literal["research", "read", "remember"]
    url: str | None
    query: str | None
    text: str | None


class TemplateStep(NamedTuple):
    """One step of a ready-made pipeline."""

    tool: str
    params: dict[str, Any]
    has_references: bool = False
    """Else the parameters stand for themselves: text of a page or a user that looks like a reference is text."""


type _Steps = Iterator[TemplateStep]


def steps_of(template: PipeTemplate, found: Sequence[Mapping[str, Any]]) -> _Steps:
    """Give the steps one by one.

    Args:
        template: which, and what it is given.
        found: the results of the steps that were given before: it grows meanwhile.

    Raises:
        MCPServerToolError: the template needs something that is not given; at the first step.
    """
    return _TEMPLATES[template.name](template, found)


def _research(given: PipeTemplate, found: Sequence[Mapping[str, Any]]) -> _Steps:
    if not given.query:
        raise MCPServerToolError("template research needs query, what to search for.")
    if given.url:
        raise MCPServerToolError("template research takes no url: it finds one. With a url use template read.")
    yield TemplateStep("smart_search", {"query": given.query, "max_results": 5})
    hits = found[0].get("results", [])
    # An engine that searches files has hits without a page on the web.
    page = next((hit["url"] for hit in hits if hit["url"].startswith("https://")), None)
    if page is not None:
        yield TemplateStep("smart_fetch", {"url": page})
        yield TemplateStep("smart_context_gate", {"text": found[1]["markdown"], "purpose": given.query})
    elif hits:
        text = "\n\n".join(f"{hit['title']}\n{hit['snippet']}" for hit in hits)
        yield TemplateStep("smart_context_gate", {"text": text, "purpose": given.query})
    else:
        yield TemplateStep("smart_fetch", {"url": "$1.results.0.url"}, has_references=True)


def _read(given: PipeTemplate, found: Sequence[Mapping[str, Any]]) -> _Steps:
    if not given.url:
        raise MCPServerToolError("template read needs url, the page.")
    yield TemplateStep("smart_fetch", {"url": given.url})
    yield TemplateStep("smart_context_gate", {"text": found[0]["markdown"], **_purpose(given)})


def _remember(given: PipeTemplate, found: Sequence[Mapping[str, Any]]) -> _Steps:
    if given.text and given.url:
        raise MCPServerToolError("template remember takes text or url, one of the two.")
    if given.text:
        yield TemplateStep("smart_memory", {"action": "add", "text": given.text})
        return
    if not given.url:
        raise MCPServerToolError("template remember needs text, or url.")
    yield TemplateStep("smart_fetch", {"url": given.url})
    # A tenth of a page that is 20,000 tokens at most fits into one note.
    yield TemplateStep("smart_context_gate", {"text": found[0]["markdown"], "ratio": 0.1, **_purpose(given)})
    yield TemplateStep("smart_memory", {"action": "add", "text": found[1]["text"]})


def _purpose(given: PipeTemplate) -> dict[str, str]:
    return {"purpose": given.query} if given.query else {}


_TEMPLATES: Final[Mapping[str, Callable[[PipeTemplate, Sequence[Mapping[str, Any]]], _Steps]]] = {
    "research": _research,
    "read": _read,
    "remember": _remember,
}
