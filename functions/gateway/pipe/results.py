"""How much of each step's result the answer of a pipeline holds."""

from typing import Any, Final, NamedTuple

from pydantic_core import to_json

from functions.gateway.tokens import count_tokens

LAST_TOKENS: Final = 11_000
EARLIER_TOKENS: Final = 1_000
"""Of one step's result in the answer: eight steps stay below the 20,000 tokens of one result."""

LAST_CHARACTERS: Final = 40_000
EARLIER_CHARACTERS: Final = 4_000
"""The same in characters, as JSON: a text block holds 70,000."""

_LONG: Final = 40
"""Characters: a text up to this is never cut."""

_MARK: Final = " [cut]"


class Fitted(NamedTuple):
    """A step's result, short enough."""

    value: dict[str, Any]
    is_cut: bool


def fit(result: dict[str, Any], *, is_last: bool) -> Fitted:
    """Return *result* with its texts cut as far as its share of the answer asks."""
    limits = (LAST_TOKENS, LAST_CHARACTERS) if is_last else (EARLIER_TOKENS, EARLIER_CHARACTERS)
    if _is_within(result, *limits):
        return Fitted(result, is_cut=False)
    # Half as many characters of each text until it fits: ten rounds at most.
    most = max(map(len, _texts(result)), default=0)
    while most > _LONG:
        most //= 2
        shorter = _cut(result, most)
        if _is_within(shorter, *limits):
            return Fitted(shorter, is_cut=True)
    kept = {name: value for name, value in result.items() if type(value) in (int, float, bool)}
    return Fitted(kept, is_cut=True)


def _is_within(value: Any, tokens: int, characters: int) -> bool:
    text = to_json(value).decode()
    return len(text) <= characters and count_tokens(text) <= tokens


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
