"""The ready-made pipelines of `smart_pipe`."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

from mcpserver import MCPServerToolError


class PipeTemplate(NamedTuple):
    """Which template, and what it is given."""

    name: Literal["research", "read", "remember"]
    url: str | None
    query: str | None
    text: str | None


def steps_of(template: PipeTemplate) -> list[tuple[str, dict[str, Any]]]:
    """Return the steps as (tool, parameters).

    Raises:
        MCPServerToolError: the template needs something that is not given.
    """
    return _TEMPLATES[template.name](template)


def _research(given: PipeTemplate) -> list[tuple[str, dict[str, Any]]]:
    if not given.query:
        raise MCPServerToolError("template research needs query, what to search for.")
    return [
        ("smart_search", {"query": given.query, "max_results": 5}),
        ("smart_fetch", {"url": "$1.results.0.url"}),
        ("smart_context_gate", {"text": "$2.markdown", "purpose": given.query}),
    ]


def _read(given: PipeTemplate) -> list[tuple[str, dict[str, Any]]]:
    if not given.url:
        raise MCPServerToolError("template read needs url, the page.")
    purpose = {"purpose": given.query} if given.query else {}
    return [("smart_fetch", {"url": given.url}), ("smart_context_gate", {"text": "$1.markdown", **purpose})]


def _remember(given: PipeTemplate) -> list[tuple[str, dict[str, Any]]]:
    if given.text:
        return [("smart_memory", {"action": "add", "text": given.text})]
    if not given.url:
        raise MCPServerToolError("template remember needs text, or url.")
    # A tenth of a page that is 20,000 tokens at most fits into one note.
    gate = {"text": "$1.markdown", "ratio": 0.1, **({"purpose": given.query} if given.query else {})}
    return [
        ("smart_fetch", {"url": given.url}),
        ("smart_context_gate", gate),
        ("smart_memory", {"action": "add", "text": "$2.text"}),
    ]


_TEMPLATES: Final[Mapping[str, Callable[[PipeTemplate], list[tuple[str, dict[str, Any]]]]]] = {
    "research": _research,
    "read": _read,
    "remember": _remember,
}
