"""Valid messages of both eras, what is wrong with a mutated one, and the body that carries it."""

import copy
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from hypothesis import strategies as st
from mcp_types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, LOG_LEVEL_META_KEY, PROTOCOL_VERSION_META_KEY
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from tests.fuzz.servers import TOOL_NAMES, handle
from tests.fuzz.values import TEXTS, VALUES, Twice, spell
from tests.mcpserver.posts import JSON_HEADERS, modern_headers, read, rest_event

type Headers = dict[str, str]

MODERN: Final = "2026-07-28"
EVERYTHING: Final[Mapping[str, Any]] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
"""Capabilities of a client that can answer any question."""

ARGUMENTS: Final[Mapping[str, Any]] = {
    "calculator": {"expression": "2 ** 10 + 5"},
    "wiki_search": {"query": "capital of france"},
    "get_current_time": {"timezone": "Europe/Paris"},
    "countdown": {"seconds": 2},
    "test_x_mcp_header": {"region": "eu", "count": 3},
    "json_schema_2020_12_tool": {"name": "n", "address": {"city": "c"}},
    "test_sampling": {"prompt": "p"},
    "test_elicitation": {"message": "m"},
}
"""Arguments that are right for the tool, where it needs some."""

OFFER: Final = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}

PROMPT_REF: Final = {"type": "ref/prompt", "name": "test_prompt_with_arguments"}
TEMPLATE_REF: Final = {"type": "ref/resource", "uri": "test://template/{id}/data"}

REQUESTS: Final[list[tuple[str, dict[str, Any]]]] = [
    *[("tools/call", {"name": name, "arguments": ARGUMENTS.get(name, {})}) for name in sorted(TOOL_NAMES)],
    ("tools/call", {"name": "calculator", "arguments": {"expression": "1/0"}, "_meta": {"progressToken": 7}}),
    *[(method, {}) for method in ("tools/list", "resources/list", "prompts/list", "resources/templates/list")],
    *[(method, {}) for method in ("server/discover", "ping", "subscriptions/listen", "tasks/list")],
    ("tools/list", {"cursor": "cGFnZToxMDA="}),
    ("initialize", OFFER),
    ("logging/setLevel", {"level": "info"}),
    *[("resources/read", {"uri": uri}) for uri in ("test://static-text", "test://static-binary", "test://no/such")],
    ("resources/read", {"uri": "test://template/42/data"}),
    ("resources/subscribe", {"uri": "test://static-text"}),
    ("prompts/get", {"name": "test_simple_prompt"}),
    ("prompts/get", {"name": "test_prompt_with_arguments", "arguments": {"arg1": "a", "arg2": "b"}}),
    ("prompts/get", {"name": "test_prompt_with_embedded_resource", "arguments": {"resourceUri": "test://x"}}),
    ("prompts/get", {"name": "test_input_required_result_prompt"}),
    ("completion/complete", {"ref": PROMPT_REF, "argument": {"name": "arg1", "value": "pa"}}),
    ("completion/complete", {"ref": TEMPLATE_REF, "argument": {"name": "id", "value": "1"}}),
    ("calculator", {"expression": "1+1"}),
    ("notifications/initialized", {}),
    ("notifications/cancelled", {"requestId": 1, "reason": "r"}),
]

MODERN_META: Final = {
    PROTOCOL_VERSION_META_KEY: MODERN,
    CLIENT_CAPABILITIES_META_KEY: EVERYTHING,
    CLIENT_INFO_META_KEY: {"name": "c", "version": "1"},
    LOG_LEVEL_META_KEY: "debug",
    "progressToken": "p",
}


def _as_modern(method: str, params: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    meta = {**MODERN_META, **params.get("_meta", {})}
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, **more, "_meta": meta}}


def _second_rounds() -> list[dict[str, Any]]:
    """Return calls that answer a question, with the state that the server gave."""
    found = []
    for key, answer, tool in (
        ("user_name", {"action": "accept", "content": {"name": "n"}}, "test_input_required_result_elicitation"),
        ("confirm", {"action": "accept", "content": {"ok": True}}, "test_input_required_result_request_state"),
        ("client_roots", {"roots": [{"uri": "file:///a"}]}, "test_input_required_result_list_roots"),
    ):
        params = {"name": tool, "arguments": {}}
        first = _as_modern("tools/call", params)
        asked = read(handle("conformance", rest_event(json.dumps(first), modern_headers(first))))["result"]
        state = {"requestState": asked["requestState"], "inputResponses": {key: answer}}
        found.append(_as_modern("tools/call", params, **state))
    return found


HANDSHAKE_MESSAGES: Final = [
    {"jsonrpc": "2.0", **({} if method.startswith("notifications/") else {"id": 1}), "method": method, "params": params}
    for method, params in REQUESTS
]
MODERN_MESSAGES: Final = [*(_as_modern(method, params) for method, params in REQUESTS), *_second_rounds()]

MESSAGES: Final = st.sampled_from(HANDSHAKE_MESSAGES) | st.sampled_from(MODERN_MESSAGES)

IDS: Final[tuple[Any, ...]] = (0, 1, -1, 2**53, "a", "", 1.0, 1.5, None, True, [], {})
METHODS: Final = sorted({method for method, _ in REQUESTS})


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of each member and item of *value*, at any depth."""
    if isinstance(value, dict):
        items: list[tuple[Any, Any]] = [*value.items()]
    elif isinstance(value, list):
        items = [*enumerate(value)]
    else:
        return []
    return [found for key, item in items for found in ((*path, key), *paths_in(item, (*path, key)))]


def _holder(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        value = value[key]
    return value


_KNOWN_KEYS: Final = ("id", "result", "error", "params", "_meta", "cursor", "arguments", "name", "uri", "requestState")
_NAMES: Final = TEXTS | st.sampled_from(_KNOWN_KEYS)
_WORDS: Final = st.sampled_from([*IDS, *METHODS, *sorted(TOOL_NAMES), *KNOWN_PROTOCOL_VERSIONS])

type Change = Callable[[st.DrawFn, Any, Any], None]
"""Draws what it needs, and changes the member or item of a holder that stands at a key."""


def _delete(_draw: st.DrawFn, holder: Any, key: Any) -> None:
    del holder[key]


def _replace(draw: st.DrawFn, holder: Any, key: Any) -> None:
    holder[key] = draw(VALUES)


def _add(draw: st.DrawFn, holder: Any, key: Any) -> None:
    target = holder[key] if isinstance(holder[key], dict) else holder
    if isinstance(target, dict):
        target[draw(_NAMES)] = draw(VALUES)


def _rewrite(draw: st.DrawFn, holder: Any, key: Any) -> None:
    holder[key] = draw(TEXTS)


def _confuse(draw: st.DrawFn, holder: Any, key: Any) -> None:
    # A copy: a later change may fill the empty list or object.
    holder[key] = copy.deepcopy(draw(_WORDS))


def _repeat(draw: st.DrawFn, holder: Any, key: Any) -> None:
    if isinstance(holder[key], dict):
        holder[key] = Twice(holder[key], draw(st.sampled_from([*holder[key], "a"])), draw(VALUES))


def _wrap(draw: st.DrawFn, holder: Any, key: Any) -> None:
    holder[key] = draw(st.sampled_from([[holder[key]], {"a": holder[key]}]))


def _spell(_draw: st.DrawFn, holder: Any, key: Any) -> None:
    holder[key] = spell(holder[key])


CHANGES: Final[tuple[Change, ...]] = (_replace, _replace, _delete, _add, _rewrite, _confuse, _repeat, _wrap, _spell)


@st.composite
def mutated(draw: st.DrawFn, message: dict[str, Any]) -> Any:
    """Return *message* with up to three things wrong with it."""
    changed: Any = copy.deepcopy(message)
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2, 3]))):
        paths = paths_in(changed)
        if not paths:
            return changed
        path = draw(st.sampled_from(paths))
        draw(st.sampled_from(CHANGES))(draw, _holder(changed, path), path[-1])
    return changed


@st.composite
def payloads(draw: st.DrawFn) -> tuple[Any, Headers]:
    """Return a message, a batch or any JSON, and the headers that an honest client would send with it."""
    message = draw(MESSAGES)
    kind = draw(st.sampled_from(["message"] * 12 + ["batch", "batch", "json"]))
    if kind == "json":
        return draw(VALUES), dict(JSON_HEADERS)
    if kind == "batch":
        chosen = draw(st.lists(MESSAGES, max_size=4))
        items = [draw(mutated(one)) for one in chosen] * draw(st.sampled_from([1, 1, 1, 7]))
        version = draw(st.sampled_from(["", "", "2025-03-26", "2024-11-05", "2025-06-18", MODERN]))
        return items, {**JSON_HEADERS, "mcp-protocol-version": version}
    changed = draw(mutated(message))
    return changed, headers_for(changed, draw(st.sampled_from(["", *KNOWN_PROTOCOL_VERSIONS])))


def headers_for(message: Any, handshake_version: str) -> Headers:
    """Return the headers that go with *message*, wrong as it may be."""
    if not isinstance(message, dict):
        return dict(JSON_HEADERS)
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    version = meta.get(PROTOCOL_VERSION_META_KEY) if isinstance(meta, dict) else None
    if not isinstance(version, str) or not isinstance(params, dict):
        return {**JSON_HEADERS, "mcp-protocol-version": handshake_version}
    headers = {**JSON_HEADERS, "mcp-protocol-version": version, "mcp-method": str(message.get("method"))}
    named = params.get("uri", params.get("name"))
    if isinstance(named, str):
        headers["mcp-name"] = named
    arguments = params.get("arguments")
    if params.get("name") == "test_x_mcp_header" and isinstance(arguments, dict):
        headers |= {f"mcp-param-{key}": str(arguments.get(key)) for key in ("region", "count")}
    return headers


@st.composite
def bodies(draw: st.DrawFn) -> tuple[bytes, Headers]:
    """Return a body, mostly JSON in UTF-8, and the headers of an honest client."""
    if draw(st.integers(0, 39)) == 0:
        return draw(st.binary(max_size=60)), dict(JSON_HEADERS)
    payload, headers = draw(payloads())
    text = spell(payload)
    kind = draw(st.sampled_from(["utf-8"] * 30 + ["raw", "bom", "utf-16", "cut", "twice", "spaced", "byte"]))
    body = text.encode()
    if kind == "raw":
        body = text.encode("ascii").decode("unicode-escape", "replace").encode("utf-8", "surrogatepass")
    elif kind == "bom":
        body = b"\xef\xbb\xbf" + body
    elif kind == "utf-16":
        body = text.encode("utf-16")
    elif kind == "cut":
        body = body[: draw(st.integers(0, len(body)))]
    elif kind == "twice":
        body += body
    elif kind == "spaced":
        body = b" \t\r\n" + body + b"\n" * 3
    elif kind == "byte" and body:
        place = draw(st.integers(0, len(body) - 1))
        body = body[:place] + draw(st.binary(min_size=1, max_size=2)) + body[place + 1 :]
    return body, headers
