"""Long lists in pages, behind cursors that say nothing to a client.

Source: MCP basic/utilities/pagination.
"""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from mcpserver.errors import InvalidParamsError

PAGE_SIZE: Final = 100

MAX_PAGE_BYTES: Final = 5_000_000
"""Below the 6 MB that a function can answer with, for items that are weighed."""


def take_page[ItemT](
    items: Sequence[ItemT], params: Mapping[str, Any], *, weigh: Callable[[ItemT], int] | None = None
) -> tuple[Sequence[ItemT], str | None]:
    """Return the page that *params* asks for, and the cursor of the next one; None: it was the last.

    Args:
        items: all of them.
        params: the request's, with its `cursor`.
        weigh: returns an item's bytes, where a page of them could be larger than an answer may be.

    Raises:
        InvalidParamsError: a cursor that we never gave.
    """
    start = _start_of(params.get("cursor"), len(items))
    end = start + PAGE_SIZE
    if weigh is not None:
        weights = accumulate(map(weigh, items[start:end]))
        # One at least, or the list would never end.
        end = start + max(1, sum(weight <= MAX_PAGE_BYTES for weight in weights))
    return items[start:end], _cursor_at(end) if end < len(items) else None


def _cursor_at(offset: int) -> str:
    return base64.urlsafe_b64encode(f"page:{offset}".encode()).decode("ascii")


def _start_of(cursor: Any, length: int) -> int:
    if cursor is None:
        return 0
    try:
        text = base64.b64decode(cursor, altchars=b"-_", validate=True).decode("ascii")
        offset = int(text.removeprefix("page:")) if text.startswith("page:") else 0
    except (TypeError, ValueError, binascii.Error):
        offset = 0
    if 0 < offset < length and _cursor_at(offset) == cursor:
        return offset
    raise InvalidParamsError("Unknown cursor.")
