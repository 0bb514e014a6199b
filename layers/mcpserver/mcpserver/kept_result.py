"""A result that stays the same as long as the function lives, with its JSON made once for each era."""

from collections.abc import Mapping
from typing import Any

from mcp_types import Result

from mcpserver.wire import result_to_wire


class KeptResult:
    """A result and its JSON. Nobody may change either."""

    __slots__ = ("_wires", "result")

    def __init__(self, result: Result) -> None:
        self.result = result
        self._wires: dict[bool, dict[str, Any]] = {}

    def wire(self, *, is_modern: bool, server_info: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result as one era's clients read it."""
        wire = self._wires.get(is_modern)
        if wire is None:
            wire = self._wires[is_modern] = result_to_wire(self.result, is_modern=is_modern, server_info=server_info)
        return wire
