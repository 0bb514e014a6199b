"""What passes between the steps of a pipeline, and how much of it the answer holds."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from pydantic_core import to_json

from functions.gateway.tokens import count_tokens
from mcpserver import MCPServerToolError

REFERENCE: Final = re.compile(r"\$([1-9][0-9]?)(\.[A-Za-z_][A-Za-z0-9_]{0,63}(?:\.[A-Za-z0-9_]{1,64}){0,7})")
"""`$1.results.0.url`: the first step's output, member by member. A text that is not wholly one stays as it is."""

LAST_TOKENS: Final = 11_000
EARLIER_TOKENS: Final = 1_000
"""Of one step's result in the answer: eight steps stay below the 20,000 tokens of one result."""

_LONG: Final = 40
"""Characters: a text up to this is never cut."""

_MARK: Final = " [cut]"


class Fitted(NamedTuple):
    """A step's result, short enough."""

    value: dict[str, Any]
    is_cut: bool


def resolve(value: Any, earlier: Sequence[Mapping[str, Any]]) -> Any:
    """Return *value* with each reference in it replaced by what it stands for.

    Raises:
        MCPServerToolError: a reference leads nowhere.
    """
    if isinstance(value, str):
        found = REFERENCE.fullmatch(value)
        return _follow(int(found[1]), found[2][1:].split("."), earlier) if found else value
    if isinstance(value, dict):
        return {name: resolve(item, earlier) for name, item in value.items()}
    return [resolve(item, earlier) for item in value] if isinstance(value, list) else value


def _follow(number: int, path: Sequence[str], earlier: Sequence[Mapping[str, Any]]) -> Any:
    if number > len(earlier):
        raise MCPServerToolError(f"a reference names step {number}, which has not run before this one.")
    found: Any = earlier[number - 1]
    for part in path:
        if isinstance(found, list) and part.isdigit() and int(part) < len(found):
            found = found[int(part)]
        elif isinstance(found, dict) and part in found:
            found = found[part]
        else:
            raise MCPServerToolError(f"a reference leads to nothing in the result of step {number}.")
    return found


def fit(result: dict[str, Any], *, is_last: bool) -> Fitted:
    """Return *result* with its texts cut as far as its share of the answer asks."""
    limit = LAST_TOKENS if is_last else EARLIER_TOKENS
    if _tokens(result) <= limit:
        return Fitted(result, is_cut=False)
    # Half as many characters of each text until it fits: ten rounds at most.
    most = max(map(len, _texts(result)), default=0)
    while most > _LONG:
        most //= 2
        shorter = _cut(result, most)
        if _tokens(shorter) <= limit:
            return Fitted(shorter, is_cut=True)
    kept = {name: value for name, value in result.items() if type(value) in (int, float, bool)}
    return Fitted(kept, is_cut=True)


def _tokens(value: Any) -> int:
    return count_tokens(to_json(value).decode())


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in items for text in _texts(item)]


def _cut(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= most else value[:most] + _MARK
    if isinstance(value, dict):
        return {name: _cut(item, most) for name, item in value.items()}
    return [_cut(item, most) for item in value] if isinstance(value, list) else value
