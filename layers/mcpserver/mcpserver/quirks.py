"""Host quirks: what real hosts send and the specification does not allow, put right in front of the parser.

Handshake era only: the modern era is strict. `normalise` is pure: it returns a new message and says what it changed.
Source: measured on 30 clients; `tests/corpus/quirks.jsonl` has the cases.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any, Final

from pydantic_core import from_json


class Quirk(StrEnum):
    """Each thing that is put right. A server can switch any of them off: `disabled_quirks`."""

    MISSING_JSONRPC = "missing_jsonrpc"
    FLOAT_ID = "float_id"
    MISSING_PARAMS = "missing_params"
    LIST_PARAMS = "list_params"
    EMPTY_CURSOR = "empty_cursor"
    BAD_OFFER = "bad_offer"
    TOOL_AS_METHOD = "tool_as_method"
    LIST_ARGUMENTS = "list_arguments"
    NULL_ARGUMENTS = "null_arguments"
    TEXT_ARGUMENTS = "text_arguments"
    BYTE_ORDER_MARK = "byte_order_mark"
    LONE_SURROGATE = "lone_surrogate"
    ARGUMENT = "argument"
    """The arguments against the tool's schema, in both eras: see `repair.py`."""


type Change = tuple[str, str]
"""(method as sent, what was changed)."""

_NOT_INLINE: Final = frozenset({"name", "arguments", "_meta"})
"""Members of the params that are no inline argument where a tool's name is the method."""


_OFFERS: Final[Mapping[str, type]] = {"protocolVersion": str, "capabilities": dict, "clientInfo": dict}


def normalise(
    message: dict[str, Any], tool_names: Collection[str], disabled: Collection[Quirk] = ()
) -> tuple[dict[str, Any], list[Change]]:
    """Return *message* as a correct host would have sent it, and what was changed.

    Args:
        message: one JSON object, of the handshake era.
        tool_names: the server's tools, to know one that stands where a method should.
        disabled: quirks that are left as they are.
    """
    if _is_plain_call(message):
        return message, []
    fixed = dict(message)
    kinds: list[str] = []
    sent_method = message.get("method")
    _fix_envelope(fixed, kinds, disabled)
    method = fixed.get("method")
    if type(method) is str:
        _fix_method(fixed, method, kinds, tool_names, disabled)
        if type(fixed.get("params")) is dict:
            _fix_params(fixed, kinds, disabled)
    log_method = sent_method if type(sent_method) is str else ""
    return fixed, [(log_method, kind) for kind in kinds]


def _is_plain_call(message: Mapping[str, Any]) -> bool:
    """Tell whether *message* is a tools/call with nothing to put right: the hot path."""
    params = message.get("params")
    return (
        message.get("method") == "tools/call"
        and type(message.get("id")) in (int, str)
        and "jsonrpc" in message
        and type(params) is dict
        and type(params.get("arguments")) is dict
    )


def _fix_envelope(fixed: dict[str, Any], kinds: list[str], disabled: Collection[Quirk]) -> None:
    if "jsonrpc" not in fixed and "method" in fixed and Quirk.MISSING_JSONRPC not in disabled:
        fixed["jsonrpc"] = "2.0"
        kinds.append(Quirk.MISSING_JSONRPC)
    request_id = fixed.get("id")
    if type(request_id) is float and request_id.is_integer() and Quirk.FLOAT_ID not in disabled:
        fixed["id"] = int(request_id)
        kinds.append(Quirk.FLOAT_ID)
    params = fixed.get("params", {})
    if params is None and Quirk.MISSING_PARAMS not in disabled:
        fixed["params"] = {}
        kinds.append(Quirk.MISSING_PARAMS)
    elif params == [] and Quirk.LIST_PARAMS not in disabled:
        fixed["params"] = {}
        kinds.append(Quirk.LIST_PARAMS)
    elif "params" not in fixed and "id" in fixed and Quirk.MISSING_PARAMS not in disabled:
        # Allowed by the specification for most methods: put right silently.
        fixed["params"] = {}


def _fix_method(
    fixed: dict[str, Any], method: str, kinds: list[str], tool_names: Collection[str], disabled: Collection[Quirk]
) -> None:
    """Turn a call by the tool's name into a `tools/call`."""
    if method not in tool_names or "id" not in fixed or Quirk.TOOL_AS_METHOD in disabled:
        return
    params = fixed.get("params", {})
    if type(params) is not dict:
        return
    name = params.get("name")
    arguments = params.get("arguments")
    if type(arguments) is not dict:
        arguments = {key: value for key, value in params.items() if key not in _NOT_INLINE}
    call: dict[str, Any] = {"name": name if type(name) is str else method, "arguments": arguments}
    if "_meta" in params:
        call["_meta"] = params["_meta"]
    fixed["method"] = "tools/call"
    fixed["params"] = call
    kinds.append(Quirk.TOOL_AS_METHOD)


def _fix_params(fixed: dict[str, Any], kinds: list[str], disabled: Collection[Quirk]) -> None:
    method = fixed["method"]
    if method == "tools/call":
        _fix_arguments(fixed, kinds, disabled)
    elif method == "initialize":
        _fix_offers(fixed, kinds, disabled)
    elif fixed["params"].get("cursor", "-") in (None, "") and Quirk.EMPTY_CURSOR not in disabled:
        fixed["params"] = {key: value for key, value in fixed["params"].items() if key != "cursor"}
        kinds.append(Quirk.EMPTY_CURSOR)


def _fix_arguments(fixed: dict[str, Any], kinds: list[str], disabled: Collection[Quirk]) -> None:
    params = fixed["params"]
    arguments = params.get("arguments", {})
    if type(arguments) is dict:
        return
    if type(arguments) is str:
        replacement, quirk = _object_in(arguments), Quirk.TEXT_ARGUMENTS
    else:
        replacement = {} if arguments is None or type(arguments) is list else None
        quirk = Quirk.NULL_ARGUMENTS if arguments is None else Quirk.LIST_ARGUMENTS
    if replacement is not None and quirk not in disabled:
        fixed["params"] = params | {"arguments": replacement}
        kinds.append(quirk)


def _object_in(text: str) -> dict[str, Any] | None:
    """Return the JSON object that *text* is, an empty one for "" and "null", None where it is something else."""
    if text in ("", "null"):
        return {}
    try:
        value = from_json(text, allow_inf_nan=False)
    except ValueError:
        return None
    return value if type(value) is dict else None


def bad_offers(params: Mapping[str, Any]) -> list[str]:
    """Return the members that `initialize` requires and *params* lack, or hold in another type."""
    return [name for name, kind in _OFFERS.items() if type(params.get(name)) is not kind]


def _fix_offers(fixed: dict[str, Any], kinds: list[str], disabled: Collection[Quirk]) -> None:
    """Leave out what a client offers in `initialize` in a shape that says nothing."""
    if Quirk.BAD_OFFER in disabled:
        return
    params = fixed["params"]
    bad = bad_offers(params)
    if bad:
        fixed["params"] = {key: value for key, value in params.items() if key not in bad}
        kinds.append(Quirk.BAD_OFFER)
