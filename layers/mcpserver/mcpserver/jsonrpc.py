"""JSON-RPC as bytes and as messages: read a body strictly, check an envelope, write an answer.

Source: JSON-RPC 2.0; MCP basic/index (ids are strings or integers, never null).
"""

import re
from typing import Any, Final

from pydantic_core import PydanticSerializationError, from_json, to_json

from mcpserver.errors import InvalidRequestError, ParseError

_ESCAPE: Final = re.compile(
    rb"""\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)""",
    re.DOTALL,
)
"""One escape of a JSON string: a whole surrogate pair, half of one, or any other."""
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_body(body: bytes) -> Any:
    """Return the JSON value of *body*.

    Strict: UTF-8 only, one value, no NaN or Infinity, nested at most some 200 deep.

    Raises:
        ParseError: *body* is anything else.
    """
    try:
        return from_json(body, allow_inf_nan=False)
    except (ValueError, RecursionError):
        raise ParseError("The body is not valid JSON in UTF-8.") from None


def parse_body_with_lone_surrogates(body: bytes, *, is_modern: bool) -> Any:
    """Return the message that *body* is, with U+FFFD for each half of a surrogate pair (a cut emoji) in its params.

    JSON can write such a half as an escape; UTF-8 cannot. Anywhere else, an id above all, it stays an error: the
    answer could not repeat it. All else is as strict as in `parse_body`.

    Args:
        body: what `parse_body` refuses.
        is_modern: only the arguments may hold a half, which a model wrote; the modern envelope is strict.

    Raises:
        ParseError: *body* is not JSON, is no message with params, or has a half elsewhere.
    """
    message = parse_body(_ESCAPE.sub(_whole_pair_or_replacement, body))
    params = message.get("params") if isinstance(message, dict) else None
    if not isinstance(params, dict):
        raise ParseError("Half of a surrogate pair stands outside the params.")
    strict = {key: value for key, value in message.items() if key != "params"}
    if is_modern:
        strict["params"] = {key: value for key, value in params.items() if key != "arguments"}
    if "\ufffd" in to_wire(strict):
        raise ParseError("Half of a surrogate pair stands where none may.")
    return message


def _whole_pair_or_replacement(found: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if found["half"] else found[0]


def replace_lone_surrogates(value: Any) -> Any:
    """Return *value* with U+FFFD for each half of a surrogate pair, in keys too.

    Source: Unicode 16, section 3.9, U+FFFD substitution.
    """
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {replace_lone_surrogates(key): replace_lone_surrogates(item) for key, item in value.items()}
    if isinstance(value, list):
        return [replace_lone_surrogates(item) for item in value]
    return value


def to_wire(value: Any) -> str:
    """Return *value* as compact JSON text that any client can read: no Infinity, no half surrogates."""
    try:
        return to_json(value, inf_nan_mode="null").decode()
    except (PydanticSerializationError, UnicodeError):
        return to_json(replace_lone_surrogates(value), inf_nan_mode="null").decode()


def is_finite(value: Any) -> bool:
    """Tell whether JSON can write every number in *value*."""
    try:
        from_json(to_json(value, inf_nan_mode="constants"), allow_inf_nan=False)
    except ValueError:
        return False
    return True


def is_valid_id(value: Any) -> bool:
    """Tell whether *value* can be a request's id: a string or an integer."""
    # `True` is an int to Python, and not to JSON.
    return type(value) is int or type(value) is str


def readable_id(message: Any) -> str | int | None:
    """Return the id that an error about *message* echoes, or None where it has none that can be."""
    request_id = message.get("id") if isinstance(message, dict) else None
    return request_id if is_valid_id(request_id) else None


def check_request(message: dict[str, Any]) -> None:
    """Check the envelope of a message that has an `id`.

    Raises:
        InvalidRequestError: it is no request of JSON-RPC 2.0.
    """
    if not is_valid_id(message["id"]):
        raise InvalidRequestError("The id must be a string or an integer.")
    if message.get("jsonrpc") != "2.0":
        raise InvalidRequestError('The member jsonrpc must be "2.0".')
    if type(message.get("method")) is not str:
        raise InvalidRequestError("The member method must be a string.")
    if type(message.get("params", {})) is not dict:
        raise InvalidRequestError("The member params must be an object.")


def is_valid_notification(message: dict[str, Any]) -> bool:
    """Tell whether *message*, which has no `id`, is a notification of JSON-RPC 2.0."""
    return (
        message.get("jsonrpc") == "2.0"
        and type(message.get("method")) is str
        and type(message.get("params", {})) is dict
    )


def is_response(message: dict[str, Any]) -> bool:
    """Tell whether *message* is a client's answer to a request of ours (we send none, so it is dropped)."""
    return "method" not in message and ("result" in message or "error" in message)
