"""Cursors: every item once, and nothing but our own cursors."""

from typing import Any

import pytest

from mcpserver.errors import InvalidParamsError
from mcpserver.paging import PAGE_SIZE, take_page


@pytest.mark.parametrize("length", [0, 1, PAGE_SIZE, PAGE_SIZE + 1, 3 * PAGE_SIZE, 3 * PAGE_SIZE + 7])
def test_following_the_cursors_gives_every_item_once(length: int) -> None:
    """MCP server/utilities/pagination."""
    items = list(range(length))
    seen: list[int] = []
    params: dict[str, Any] = {}
    while True:
        page, cursor = take_page(items, params)
        seen += page
        if cursor is None:
            break
        params = {"cursor": cursor}
    assert seen == items


@pytest.mark.parametrize("cursor", ["", "x", 5, True, [], "cGFnZTow", "cGFnZToxMDA=", "cGFnZTotMQ==", "é", "page:100"])
def test_a_cursor_that_we_never_gave_is_refused(cursor: Any) -> None:
    """MCP pagination, error handling: -32602. `cGFnZToxMDA=` would be ours, were there a second page."""
    with pytest.raises(InvalidParamsError):
        take_page(range(PAGE_SIZE), {"cursor": cursor})
