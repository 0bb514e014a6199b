"""A body as a payload, and what was put right in its bytes: a byte order mark, half of a surrogate pair."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from mcpserver.errors import ParseError
from mcpserver.jsonrpc import parse_body, parse_body_with_lone_surrogates
from mcpserver.quirks import Change, Quirk

BOM: Final = b"\xef\xbb\xbf"


def read_body(body: bytes, *, is_modern: bool, disabled: Collection[Quirk]) -> tuple[Any, Sequence[Change]]:
    """Return the JSON value of *body*, and what was changed.

    Args:
        body: the bytes, as they came.
        is_modern: the transport says that they are of 2026-07-28: a byte order mark stays an error.
        disabled: quirks that are refused instead of put right.

    Raises:
        ParseError: *body* is no JSON text in UTF-8.
    """
    changes: list[Change] = []
    if not is_modern and body.startswith(BOM) and Quirk.BYTE_ORDER_MARK not in disabled:
        body = body[len(BOM) :]
        changes.append(("", Quirk.BYTE_ORDER_MARK))
    try:
        return parse_body(body), changes
    except ParseError:
        if Quirk.LONE_SURROGATE in disabled:
            raise
    payload = parse_body_with_lone_surrogates(body, is_modern=is_modern)
    return payload, [*changes, ("", Quirk.LONE_SURROGATE)]
