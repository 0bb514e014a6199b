"""JSON to attack with: any value, odd strings, odd numbers, duplicate keys, and the text that spells it.

Each string carries the canary, so that an answer which repeats any of them can be told.
"""

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

CANARY: Final = "qZ7canaryXw"
"""Stands in every string that the fuzzer makes up; no answer of ours says it."""

ODD_TEXTS: Final = (
    "",
    "\x00",
    "\r\nX-Injected: 1",
    "\u2028",
    "\ufeff",
    "\ufffe",
    "NaN",
    "__class__",
    "{0}",
    "%s",
    "../../etc/passwd",
    "=?base64?!!?=",
    "=?base64?" + "QQ==" + "?=",
    "\U0001f600",
    "null",
    "1e999",
)
ODD_NUMBERS: Final = (*(0, -0.0, -1, 2**31, 2**53 + 1, -(2**63), 2**64, 10**30, 1e308, 5e-324, 0.1, 1.0),)
NO_NUMBERS: Final = (float("nan"), float("inf"), float("-inf"))
HALF_PAIRS: Final = ("\ud83d", "\udc00\ud800", CANARY + "\ud83d")


@dataclass(frozen=True, slots=True)
class Twice:
    """An object that has one of its keys twice."""

    members: Mapping[str, Any]
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Raw:
    """A piece of JSON text as it is: a number that Python would not write."""

    text: str


RAW_PIECES: Final = (
    "1e400",
    "-1e400",
    "1" * 400,
    "1" * 5_000,
    "0x10",
    "01",
    "+1",
    ".5",
    "1_000",
    "'a'",
    "undefined",
    "",
)


_ODD: Final = st.sampled_from(ODD_TEXTS) | st.text(max_size=6)

TEXTS: Final[st.SearchStrategy[str]] = st.one_of(
    st.just(CANARY),
    _ODD.map(lambda text: CANARY + text),
    _ODD.map(lambda text: text + CANARY),
    _ODD,
    st.integers(1, 300).map(lambda count: CANARY * count),
)
"""Strings: most have the canary, some have something odd before or after it."""

_SOUND: Final = st.one_of(st.none(), st.booleans(), st.integers(-10, 10), st.sampled_from(ODD_NUMBERS), TEXTS, TEXTS)
_SPOILERS: Final = st.sampled_from([*map(Raw, RAW_PIECES), *NO_NUMBERS, *HALF_PAIRS])

SCALARS: Final[st.SearchStrategy[Any]] = st.integers(0, 24).flatmap(
    lambda number: _SPOILERS if number == 24 else _SOUND
)
"""Scalars; few of them spoil the whole text: most examples must get past the parser."""


def _deep(depth: int) -> Any:
    value: Any = CANARY
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


_DEEP: Final = tuple(map(_deep, (5, 100, 190, 199, 201, 260, 400)))
_WIDE: Final = tuple({f"{CANARY}{number}": number for number in range(count)} for count in (50, 400))

_ITEMS: Final = SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(TEXTS, SCALARS, max_size=3)

VALUES: Final[st.SearchStrategy[Any]] = st.one_of(
    SCALARS,
    SCALARS,
    st.lists(_ITEMS, max_size=3),
    st.dictionaries(TEXTS, _ITEMS, max_size=3),
    st.builds(Twice, st.just({"a": 1}), st.sampled_from(["a", "b"]), SCALARS),
    st.sampled_from([*_DEEP, *_WIDE]).map(copy.deepcopy),
)
"""JSON values: small trees, now and then a deep or a wide one."""


def spell(value: Any) -> str:
    """Return the JSON text of *value*, as loosely as Python's: NaN, halves of pairs, whatever `Raw` says."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, Twice):
        pairs = [*value.members.items(), (value.key, value.value)]
        return "{" + ",".join(f"{json.dumps(key)}:{spell(item)}" for key, item in pairs) + "}"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{spell(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spell, value)) + "]"
    return json.dumps(value)
