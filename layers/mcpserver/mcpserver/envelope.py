"""The modern era's ladder: what every request of 2026-07-28 must carry, checked in one order, strictly.

`_meta` keys, header version equals `_meta`'s, `Mcp-Method`, `Mcp-Name`, version supported; then, once the tool is
known, `Mcp-Param-*`. The first rung that fails answers.
Source: MCP 2026-07-28, basic/index (per-request protocol fields) and streamable HTTP (header validation).
"""

import base64
import binascii
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY

from mcpserver.errors import HeaderMismatchError, InvalidParamsError, UnsupportedVersionError
from mcpserver.version import HANDSHAKE_VERSIONS, MODERN_VERSIONS

VERSION_HEADER: Final = "mcp-protocol-version"
METHOD_HEADER: Final = "mcp-method"
NAME_HEADER: Final = "mcp-name"
PARAM_HEADER_PREFIX: Final = "mcp-param-"

SENT_TWICE: Final = "\n"
"""What `http_request.py` puts between the values of an `Mcp-*` header that came more than once: no value holds it."""

_PLAIN: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")

_INTEGER: Final = re.compile(r"(-?[0-9]{1,4000})(?:\.0+)?")

NAMED_BY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "tools/call": "name",
        "prompts/get": "name",
        "resources/read": "uri",
        "tasks/get": "taskId",
        "tasks/update": "taskId",
        "tasks/cancel": "taskId",
    }
)
"""Which member of the params the `Mcp-Name` header repeats, by method."""


def meta_of(message: Mapping[str, Any]) -> Any:
    """Return the message's `_meta` as it came, None where there is none."""
    params = message.get("params")
    return params.get("_meta") if type(params) is dict else None


def is_modern_message(message: Mapping[str, Any], header_version: str) -> bool:
    """Tell whether *message* belongs to the modern era: its header or its `_meta` says so.

    Args:
        message: the JSON-RPC message.
        header_version: `MCP-Protocol-Version`, "" where it is absent.
    """
    if header_version in MODERN_VERSIONS:
        return True
    meta = meta_of(message)
    if type(meta) is not dict or PROTOCOL_VERSION_META_KEY not in meta:
        return False
    version = meta[PROTOCOL_VERSION_META_KEY]
    return type(version) is not str or version not in HANDSHAKE_VERSIONS


def check_envelope(message: Mapping[str, Any], headers: Mapping[str, str] | None) -> None:
    """Walk the ladder for a modern request.

    Args:
        message: a request whose JSON-RPC envelope is valid.
        headers: lower-case HTTP headers; None where the transport has none.

    Raises:
        InvalidParamsError: `_meta` lacks a required member or holds one of the wrong type.
        HeaderMismatchError: a header is missing or says something else than the body.
        UnsupportedVersionError: a version that we do not speak.
    """
    meta = meta_of(message)
    _check_meta(meta)
    version = meta[PROTOCOL_VERSION_META_KEY]
    if headers is not None:
        _check_header(headers, VERSION_HEADER, version)
        _check_header(headers, METHOD_HEADER, message["method"])
        member = NAMED_BY.get(message["method"])
        if member is not None:
            _check_header(headers, NAME_HEADER, message["params"].get(member))
    if version not in MODERN_VERSIONS:
        raise UnsupportedVersionError(version)


def _check_meta(meta: Any) -> None:
    if type(meta) is not dict:
        raise InvalidParamsError("The params must hold a _meta object.")
    if type(meta.get(PROTOCOL_VERSION_META_KEY)) is not str:
        raise InvalidParamsError(f"The _meta must hold {PROTOCOL_VERSION_META_KEY}, a string.")
    if type(meta.get(CLIENT_CAPABILITIES_META_KEY)) is not dict:
        raise InvalidParamsError(f"The _meta must hold {CLIENT_CAPABILITIES_META_KEY}, an object.")


def _check_header(headers: Mapping[str, str], name: str, expected: Any) -> None:
    value = headers.get(name)
    if value is None:
        raise HeaderMismatchError(f"The header {name} is required.")
    # A proxy that routes on the method or the version reads it as it is: base64 only where plain text cannot say it.
    is_plain = name != NAME_HEADER and type(expected) is str and _PLAIN.fullmatch(expected) is not None
    said = value if is_plain else decode_header(value)
    if said is None or said != expected or SENT_TWICE in value:
        raise HeaderMismatchError(f"The header {name} and the body disagree.")


def check_param_headers(
    headers: Mapping[str, str] | None, declared: Mapping[str, tuple[str, ...]], arguments: Mapping[str, Any]
) -> None:
    """Check that each `Mcp-Param-*` header repeats its argument.

    Args:
        headers: lower-case HTTP headers; None where the transport has none.
        declared: lower-case header token -> path of the argument, from the tool's `x-mcp-header` properties.
        arguments: the call's arguments, as sent.

    Raises:
        HeaderMismatchError: a declared one is missing or says something else.
    """
    if headers is None:
        return
    for token, path in declared.items():
        sent = headers.get(PARAM_HEADER_PREFIX + token)
        value = _value_at(arguments, path)
        if value is None and sent is None:
            continue
        if sent is None or SENT_TWICE in sent or not _repeats(decode_header(sent), value):
            raise HeaderMismatchError(f"The header {PARAM_HEADER_PREFIX}{token} and the body disagree.")


def _value_at(arguments: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    node: Any = arguments
    for key in path:
        if not isinstance(node, Mapping):
            return None
        node = node.get(key)
    return node


def _repeats(sent: str | None, value: Any) -> bool:
    if type(value) is bool:
        return sent == ("true" if value else "false")
    if type(value) is str:
        return sent == value
    if type(value) is int or (type(value) is float and value.is_integer()):
        # 7 and 7.0 are one JSON number; 7e0 or 0007 are not what a client writes.
        return sent is not None and (found := _INTEGER.fullmatch(sent)) is not None and found[1] == str(int(value))
    return type(value) is float and sent == str(value)


def decode_header(value: str) -> str | None:
    """Return what a header value stands for: itself, or the text inside `=?base64?...?=`; None for broken base64.

    Source: MCP 2026-07-28, streamable HTTP, header value encoding.
    """
    if not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    payload = value[len("=?base64?") : -len("?=")]
    try:
        decoded = base64.b64decode(payload, validate=True)
        text = decoded.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
    # Only the canonical form: two spellings of one name would let a proxy that compares text be fooled.
    return text if base64.b64encode(decoded).decode("ascii") == payload else None
