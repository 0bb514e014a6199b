"""What API Gateway makes of a function's answer.

Source: API Gateway Developer Guide, "Output format of a Lambda function for proxy integration", "Important notes".
"""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from typing import Any

from local.errors import MalformedResponseError
from local.event import is_binary
from local.http_message import Response, media_type

_REMAPPED = {
    *("authorization", "connection", "content-md5", "date", "expect", "host", "max-forwards", "proxy-authenticate"),
    *("server", "trailer", "upgrade", "user-agent", "via", "warn", "www-authenticate"),
}
"""A function cannot send these: they leave as x-amzn-remapped-*. So the 401 challenge is a gateway response's."""

_DROPPED = {"content-length", "te", "transfer-encoding"}
_KNOWN_KEYS = {"statusCode", "headers", "multiValueHeaders", "body", "isBase64Encoded"}

_STATUS = re.compile(r"[0-9]{3}")
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
"""Source: RFC 9110, sections 5.1 and 5.5: what no header can hold, and uvicorn would answer with a bare 500."""


def http_response(answer: Any, *, accept: str | None, binary_media_types: tuple[str, ...]) -> Response:
    """Return the HTTP answer of a proxy integration's *answer*.

    Raises:
        MalformedResponseError: it is not of the proxy format; API Gateway says 502.
    """
    if not isinstance(answer, dict) or not answer.keys() <= _KNOWN_KEYS:
        raise MalformedResponseError(f"The answer is not an object of {', '.join(sorted(_KNOWN_KEYS))}.")
    status = _status(answer.get("statusCode"))
    headers = list(_headers(answer.get("headers"), answer.get("multiValueHeaders")))
    body = _body(answer)
    if body and not any(name.lower() == "content-type" for name, _ in headers):
        headers.append(("Content-Type", "application/json"))
    if answer.get("isBase64Encoded") and is_binary(media_type(accept), binary_media_types):
        body = _decoded(body)
    return Response(status, tuple(headers), body)


def _status(value: Any) -> int:
    if isinstance(value, bool) or not _STATUS.fullmatch(str(value)):
        raise MalformedResponseError("statusCode is not a number.")
    status = int(value)
    if not 200 <= status <= 599:
        raise MalformedResponseError("statusCode is not an HTTP status.")
    return status


def _headers(single: Any, multiple: Any) -> Iterator[tuple[str, str]]:
    """Yield the headers; a name in multiValueHeaders replaces the one in headers."""
    if not isinstance(single or {}, Mapping) or not isinstance(multiple or {}, Mapping):
        raise MalformedResponseError("headers is not an object.")
    lists = {name: [value] for name, value in (single or {}).items() if value is not None}
    replaced = {name.lower() for name in multiple or {}}
    lists = {name: values for name, values in lists.items() if name.lower() not in replaced} | dict(multiple or {})
    for name, values in lists.items():
        if not _NAME.fullmatch(name):
            raise MalformedResponseError("A header's name is not one.")
        if not isinstance(values, list):
            raise MalformedResponseError("A header of multiValueHeaders is not a list.")
        if name.lower() in _DROPPED:
            continue
        for value in values:
            yield (f"x-amzn-remapped-{name.lower()}" if name.lower() in _REMAPPED else name), _header_value(value)


def _header_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int | float) or _CONTROL.search(str(value)):
        raise MalformedResponseError("A header's value is not text.")
    return str(value).strip(" \t")


def _body(answer: Mapping[str, Any]) -> bytes:
    body = answer.get("body")
    if body is None:
        return b""
    if not isinstance(body, str):
        raise MalformedResponseError("body is not text.")
    return body.encode("utf-8", "replace")


def _decoded(body: bytes) -> bytes:
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error:
        raise MalformedResponseError("body is not base64.") from None
