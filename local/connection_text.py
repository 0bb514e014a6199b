"""Connections and catalogs as lines of text. What a server says is escaped: it must not rewrite the terminal."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from mcpclient import ConnectionSettings, truncate
from mcpclient.catalog_table import CatalogHead
from mcpclient.listed_tools import Unusable
from mcpclient.review import INSTRUCTIONS, Approval, callable_tools

MAX_DESCRIPTION: Final = 160


def connection_lines(
    connection: ConnectionSettings, head: CatalogHead | None, approval: Approval | None
) -> Iterator[str]:
    """Yield one line on *connection*, and one on each thing that an operator must look at."""
    state = "enabled" if connection.enabled else "disabled"
    current = head if head is not None and head.url == connection.url else None
    if current is None or not current.version:
        yield f"{connection.name}  {connection.url}  {state}, not discovered yet"
    else:
        can_call = callable_tools(current.offer, approval, current.quarantine)
        checked = datetime.fromtimestamp(current.checked_at_s, UTC).isoformat(timespec="seconds")
        counted = f"{len(can_call)} of {len(current.offer.tools)} tools callable, checked {checked}"
        yield f"{connection.name}  {connection.url}  {state}, {counted}"
        if approval is None:
            yield f"  nothing is approved yet: approve {connection.name}"
        for name, change in sorted(current.quarantine.against(approval).items()):
            yield f"  quarantined: {printable(name)} ({change})"
        yield from _unusable_lines(current.unusable)
    if head is not None and head.failure:
        yield f"  the last discovery failed: {head.failure}"


def settings_text(connection: ConnectionSettings) -> str:
    """Return what of *connection* is not as it is by default, as JSON in ASCII."""
    settings = connection.model_dump(mode="json", exclude_defaults=True)
    if "auth" in settings:
        # A scheme is its class's default, and would be left out as one.
        settings["auth"] = {"scheme": connection.auth.scheme, **settings["auth"]}
    return json.dumps(settings)


def tool_lines(catalog: Mapping[str, Any], head: CatalogHead, approval: Approval | None) -> Iterator[str]:
    """Yield what the server says of itself and of each tool, and how each stands."""
    can_call = callable_tools(head.offer, approval, head.quarantine)
    instructions = catalog.get("instructions") or ""
    yield f"  instructions{_flags(head, INSTRUCTIONS)}: {_short(instructions)}"
    for tool in catalog.get("tools", ()):
        name = tool["name"]
        state = "callable" if name in can_call else "held"
        yield f"  {state:<8}  {printable(name)}{_flags(head, name)}: {_short(tool.get('description') or '')}"


def whole_tool_lines(catalog: Mapping[str, Any], names: Iterable[str]) -> Iterator[str]:
    """Yield all that the server says of these tools, as JSON in ASCII: what an approval pins."""
    for tool in catalog.get("tools", ()):
        if tool["name"] in names:
            yield from json.dumps(tool, indent=2, ensure_ascii=True).splitlines()


def printable(text: str) -> str:
    """Return *text* with whatever a terminal would not show as it stands as an escape."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def _unusable_lines(unusable: Unusable) -> Iterator[str]:
    for name, why in unusable.named.items():
        yield f"  left out: {printable(name) or 'a tool without a name'} ({why})"
    if unusable.count > len(unusable.named):
        yield f"  left out in all: {unusable.count} tools"


def _short(text: str) -> str:
    return printable(truncate(text, MAX_DESCRIPTION))


def _flags(head: CatalogHead, name: str) -> str:
    kinds = head.offer.flags.get(name)
    return f" [hidden text: {', '.join(kinds)}]" if kinds else ""
