"""The proxy answer: status, headers, body; as JSON, or as one buffered stream of server-sent events."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mcp_types import SERVER_INFO_META_KEY

from mcpserver.content import error_answer
from mcpserver.errors import MCPError
from mcpserver.http_request import HttpRequest
from mcpserver.jsonrpc import to_wire
from mcpserver.media import JSON
from mcpserver.wire import error_to_wire, result_to_wire

type ProxyResponse = dict[str, Any]
"""`{"statusCode": int, "headers": {...}, "body": str, "isBase64Encoded": False}`."""

MAX_RESPONSE_BYTES: Final = 6_000_000
"""What a function can answer with, headers left out. Source: Lambda quotas, synchronous payload, 6,291,556 bytes."""

MAX_SHARE_BYTES: Final = 290_000
"""What one answer may weigh in a batch of 20 that is too large as a whole."""

_EXPOSED: Final = "WWW-Authenticate, Retry-After, Mcp-Protocol-Version"
_METHODS: Final = "POST, OPTIONS"
_REQUEST_HEADERS: Final = (
    "Content-Type, Accept, Authorization, X-API-Key, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, "
    "Last-Event-ID, traceparent, tracestate, baggage"
)


def respond(
    request: HttpRequest, status: int, body: str | None, *, headers: Mapping[str, str], content_type: str = JSON
) -> ProxyResponse:
    """Return the proxy answer. Without a body there is no Content-Type either; a HEAD gets the headers only."""
    all_headers = dict(headers)
    if body is not None:
        all_headers["Content-Type"] = content_type
    text = "" if body is None or request.method == "HEAD" else body
    response: ProxyResponse = {"statusCode": status, "headers": all_headers, "body": text, "isBase64Encoded": False}
    if request.wants_multi_value:
        response["multiValueHeaders"] = {name: [value] for name, value in all_headers.items()}
    return response


def event_stream(messages: Sequence[Any]) -> str:
    """Return *messages* as server-sent events, the response last; no priming event, since older clients parse each one.

    Source: WHATWG HTML, server-sent events; HOSTS, case E17.
    """
    return "".join(f"event: message\ndata: {to_wire(message)}\n\n" for message in messages)


def cors_headers(origin: str) -> dict[str, str]:
    """Return the CORS headers of every answer, errors too: without them a browser hides even a 401.

    Args:
        origin: who may read the answer: one origin; "*": any, since no answer depends on a cookie; "": none.
    """
    if not origin:
        return {"Vary": "Origin"}
    headers = {"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": _EXPOSED}
    return headers if origin == "*" else headers | {"Vary": "Origin"}


def preflight_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return what a browser may send, for OPTIONS; the `Mcp-Param-*` headers that it asks for are among them."""
    asked = headers.get("access-control-request-headers", "")
    params = [name.strip() for name in asked.split(",") if _is_param_header(name.strip().lower())]
    return {
        "Access-Control-Allow-Methods": _METHODS,
        "Access-Control-Allow-Headers": ", ".join([_REQUEST_HEADERS, *params]),
        "Access-Control-Max-Age": "7200",
    }


def _is_param_header(name: str) -> bool:
    return name.startswith("mcp-param-") and name.replace("-", "").replace("_", "").isalnum() and name.isascii()


def is_too_large(body: str) -> bool:
    """Tell whether Lambda could not carry *body*, which it writes as one JSON string."""
    return len(body) * 6 >= MAX_RESPONSE_BYTES and _weight(body) > MAX_RESPONSE_BYTES


def _weight(body: str) -> int:
    return len(json.dumps(body, ensure_ascii=False).encode())


def without_bulk(body: Any) -> Any:
    """Return the answers with each large result replaced by an error that says so: Lambda would answer with a 502."""
    if isinstance(body, list):
        return [without_bulk(answer) if _weight(to_wire(answer)) > MAX_SHARE_BYTES else answer for answer in body]
    result = body.get("result", {})
    if "content" in result:
        small = error_answer("the answer is larger than the 6 MB that can be sent: ask for less.")
        info = result.get("_meta", {}).get(SERVER_INFO_META_KEY, {})
        return body | {"result": result_to_wire(small, is_modern="resultType" in result, server_info=info)}
    return error_to_wire(body["id"], MCPError("The answer is larger than the 6 MB that can be sent."))
