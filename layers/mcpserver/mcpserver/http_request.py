"""An event of API Gateway, a Function URL or a load balancer, as one HTTP request.

Source: AWS Lambda developer guide, the proxy event formats: REST (version 1.0), HTTP API and Function URL (2.0), ALB.
"""

import base64
import binascii
from collections.abc import Mapping
from typing import Any, NamedTuple

from mcpserver.context import Principal


class HttpRequest(NamedTuple):
    """What the adapter reads of an event."""

    method: str
    path: str
    headers: Mapping[str, str]
    """Lower-case names; several values of one header are joined by ", "."""
    body: bytes | None
    """None: the event says base64 and the text is none."""
    principal: Principal | None
    wants_multi_value: bool
    """A load balancer with multi-value headers reads only such headers in the answer."""


def read_event(event: Mapping[str, Any]) -> HttpRequest:
    """Return the HTTP request that *event* stands for; whatever is missing or ill-typed reads as empty."""
    request_context = _mapping(event.get("requestContext"))
    method = event.get("httpMethod")
    path = event.get("path")
    if method is None:
        http = _mapping(request_context.get("http"))
        method, path = http.get("method", "POST"), event.get("rawPath")
    multi_value = event.get("multiValueHeaders")
    authorizer = request_context.get("authorizer")
    return HttpRequest(
        method=str(method).upper(),
        path=str(path),
        headers=_headers(multi_value, event.get("headers")),
        body=_body(event),
        principal=None if authorizer is None else _principal(_mapping(authorizer)),
        wants_multi_value="elb" in request_context and bool(multi_value),
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _headers(multi_value: Any, single: Any) -> dict[str, str]:
    # The single-value form holds only the last of several values: a header sent twice must not pass for one.
    many = multi_value if type(multi_value) is dict and multi_value else _mapping(single)
    headers = {
        # Nearly every header is a list of one text: asked here, it costs no call.
        name.lower(): values[0].strip()
        if type(values) is list and len(values) == 1 and type(values[0]) is str
        else _joined(values)
        for name, values in many.items()
        if values
    }
    if len(headers) == len(many) and not any(len(values) > 1 for values in many.values() if type(values) is list):
        return headers
    return _merged(many)


def _merged(many: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers where one came in two spellings of its name: both values count."""
    headers: dict[str, str] = {}
    for name, values in many.items():
        if not values:
            continue
        lower = name.lower()
        # No value of an `Mcp-*` header may pass for two: see `envelope.SENT_TWICE`.
        separator = "\n" if lower.startswith("mcp-") else ", "
        value = _joined(values, separator)
        headers[lower] = f"{headers[lower]}{separator}{value}" if lower in headers else value
    return headers


def _joined(values: Any, separator: str = ", ") -> str:
    """Return a header's value or values as one text; whatever is no text reads as empty."""
    if type(values) is str:
        return values.strip()
    if type(values) is not list:
        return ""
    return separator.join([value.strip() if type(value) is str else "" for value in values])


def _body(event: Mapping[str, Any]) -> bytes | None:
    body = event.get("body")
    if type(body) is not str:
        return b""
    if event.get("isBase64Encoded") is not True:
        # A lone surrogate cannot come over HTTP; what is no UTF-8 then fails in the parser.
        return body.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        return None


def _principal(authorizer: Mapping[str, Any]) -> Principal | None:
    """Return the caller that the authorizer named; its context is flat in a REST event, under `lambda` in 2.0."""
    claims = _mapping(authorizer.get("lambda")) or authorizer
    principal_id = claims.get("principalId")
    if type(principal_id) is not str or not principal_id:
        return None
    scopes = claims.get("scopes")
    attributes = {name: value for name, value in claims.items() if type(value) is str and name != "principalId"}
    return Principal(principal_id, frozenset(scopes.split()) if type(scopes) is str else frozenset(), attributes)
