"""JSON to attack with: any value, odd strings, odd numbers, duplicate keys, and the text that spells it.

Each string carries the canary, so that an answer which repeats any of them can be told.
"""

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
    "\ud83d",
    "\udc00\ud800",
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
ODD_NUMBERS: Final = (
    *(0, -0.0, -1, 2**31, 2**53 + 1, -(2**63), 2**64, 10**30, 1e308, 5e-324, 0.1, 1.0),
    *(float("nan"), float("inf"), float("-inf")),
)


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


def texts() -> st.SearchStrategy[str]:
    """Return strings: each has the canary, some have something odd before or after it."""
    odd = st.sampled_from(ODD_TEXTS) | st.text(max_size=6)
    return st.one_of(
        st.just(CANARY),
        odd.map(lambda text: CANARY + text),
        odd.map(lambda text: text + CANARY),
        st.integers(10, 3_000).map(lambda count: CANARY * (count // 10)),
    )


def scalars() -> st.SearchStrategy[Any]:
    """Return scalars."""
    return st.one_of(
        st.none(),
        st.booleans(),
        st.sampled_from(ODD_NUMBERS),
        st.integers(-10, 10),
        texts(),
        st.sampled_from(ODD_TEXTS),
        st.sampled_from(RAW_PIECES).map(Raw),
    )


def _deep(depth: int) -> Any:
    value: Any = CANARY
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


def values(max_leaves: int = 6) -> st.SearchStrategy[Any]:
    """Return JSON values: small trees, now and then a deep or a wide one."""
    trees = st.recursive(
        scalars(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(texts() | st.sampled_from(ODD_TEXTS), inner, max_size=3)
            | st.builds(Twice, st.just({"a": 1}), st.sampled_from(["a", "b"]), inner)
        ),
        max_leaves=max_leaves,
    )
    deep = st.sampled_from([5, 100, 190, 199, 201, 260, 400]).map(_deep)
    wide = st.sampled_from([50, 400]).map(lambda count: {f"{CANARY}{number}": number for number in range(count)})
    return st.one_of(trees, trees, trees, trees, deep, wide)


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
