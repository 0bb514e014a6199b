"""What an event asks, read independently of the layer: its messages, their ids, their era."""

import base64
import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from mcp_types import PROTOCOL_VERSION_META_KEY
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

MAX_BATCH: Final = 20
DEFAULT_VERSION: Final = "2025-03-26"
BATCH_VERSIONS: Final = ("2024-11-05", "2025-03-26")


class Question(NamedTuple):
    """One message that needs an answer."""

    method: str
    """"" where it has none."""
    request_id: Any
    """The id that the answer may repeat; None: it has no readable one."""
    version: str
    """The protocol version whose models the result must fit."""
    is_modern: bool
    params: Mapping[str, Any]


def method_of(event: Any) -> str:
    """Return the HTTP method, in upper case."""
    method = event.get("httpMethod")
    if method is None:
        context = event.get("requestContext")
        http = context.get("http") if isinstance(context, dict) else None
        method = http.get("method", "POST") if isinstance(http, dict) else "POST"
    return str(method).upper()


def body_of(event: Any) -> bytes | None:
    """Return the body's bytes; None where they cannot be told."""
    body = event.get("body") if isinstance(event, dict) else None
    if not isinstance(body, str):
        return b""
    if event.get("isBase64Encoded") is not True:
        return body.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(body, validate=True)
    except ValueError:
        return None


def header_of(event: Any, name: str) -> str:
    """Return the value of a header, several joined, "" where there is none; what is no text reads as empty."""
    multi, single = event.get("multiValueHeaders"), event.get("headers")
    headers = multi if isinstance(multi, dict) and multi else single
    items = headers.items() if isinstance(headers, dict) else ()
    return ", ".join(_text_of(value) for key, value in items if key.lower() == name and value)


def _text_of(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_text_of(item) if isinstance(item, str) else "" for item in value)
    return value.strip() if isinstance(value, str) else ""


def payload_of(body: bytes) -> Any:
    """Return the JSON of *body*, as Python's own parser reads it.

    Raises:
        ValueError: it is none.
    """

    def refuse(name: str) -> Any:
        raise ValueError(name)

    try:
        return json.loads(body.decode("utf-8").removeprefix("\ufeff"), parse_constant=refuse)
    except RecursionError:
        raise ValueError("too deep") from None


def questions_in(payload: Any, header_version: str) -> list[Question]:
    """Return the messages of *payload* that need an answer, in order."""
    messages = payload if isinstance(payload, list) else [payload]
    return [_question(one, header_version) for one in messages if _needs_answer(one, header_version)]


def _needs_answer(message: Any, header_version: str) -> bool:
    if not isinstance(message, dict) or "id" in message:
        return True
    is_known = header_version in ("", *HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS)
    if not is_known:
        return True
    if "method" not in message and ("result" in message or "error" in message):
        return False
    return _is_modern(message, header_version) and not _is_notification(message)


def _is_notification(message: Mapping[str, Any]) -> bool:
    params = message.get("params", {})
    is_plain = isinstance(params, dict) or params is None
    return message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str) and is_plain


def _is_modern(message: Mapping[str, Any], header_version: str) -> bool:
    if header_version in MODERN_PROTOCOL_VERSIONS:
        return True
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict) or PROTOCOL_VERSION_META_KEY not in meta:
        return False
    return meta[PROTOCOL_VERSION_META_KEY] not in HANDSHAKE_PROTOCOL_VERSIONS


def _question(message: Any, header_version: str) -> Question:
    if not isinstance(message, dict):
        return Question("", None, DEFAULT_VERSION, is_modern=False, params={})
    request_id = message.get("id")
    if isinstance(request_id, bool) or not isinstance(request_id, int | str | float):
        request_id = None
    is_modern = _is_modern(message, header_version)
    version = header_version if header_version in HANDSHAKE_PROTOCOL_VERSIONS else DEFAULT_VERSION
    method, params = message.get("method"), message.get("params")
    return Question(
        method if isinstance(method, str) else "",
        request_id,
        MODERN_PROTOCOL_VERSIONS[-1] if is_modern else version,
        is_modern=is_modern,
        params=params if isinstance(params, dict) else {},
    )
