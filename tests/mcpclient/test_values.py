"""Counting the values of an answer, part by part."""

import json
from typing import Any

import pytest
from mcpclient.values import TooManyValuesError, ValueCount


def is_within(text: bytes, limit: int, *, size: int = 1) -> bool:
    """Tell whether *text*, in parts of *size* bytes, has at most *limit* values."""
    count = ValueCount(limit)
    try:
        for start in range(0, len(text), size):
            count.add(text[start : start + size])
    except TooManyValuesError:
        return False
    return True


def separators(value: Any) -> int:
    """Return how many `[`, `{` and `,` the JSON of *value* has outside of its strings."""
    if not isinstance(value, dict | list):
        return 0
    parts = list(value.values()) if isinstance(value, dict) else value
    return 1 + max(0, len(parts) - 1) + sum(map(separators, parts))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_the_count_does_not_depend_on_where_the_network_cuts(size: int) -> None:
    """Also in the middle of an escape."""
    strings = ["", ",", '"', "\\", '\\"[{,', '[{,"', '"\\', "\n", "\u00e9,"]
    value = [{text: strings, "n": [1, {"x": text}]} for text in strings]
    text = json.dumps(value, ensure_ascii=False).encode()
    assert is_within(text, separators(value), size=size)
    assert not is_within(text, separators(value) - 1, size=size)


@pytest.mark.parametrize("before", [b': "\n', b'"\r', b'"\\\n', b'"\\\r\n', b'"a\n"b\n'])
@pytest.mark.parametrize("size", [1, 2, 1000])
def test_an_open_string_hides_nothing_of_the_next_line(before: bytes, size: int) -> None:
    """An event stream's comment may hold one quotation mark; JSON's strings hold no line break."""
    assert not is_within(before + b"[" * 11, 10, size=size)


def test_counting_takes_no_longer_than_the_text_is() -> None:
    """A string of escaped quotation marks would be searched again from each of them."""
    assert is_within(b'"' + b'\\"' * 500_000, 0, size=500_000)
