"""Cutting and cleaning remote text."""

from hypothesis import given
from hypothesis import strategies as st
from mcpclient import truncate


@given(st.text(max_size=60), st.integers(min_value=0, max_value=40))
def test_a_cut_text_is_never_longer_than_the_limit(text: str, limit: int) -> None:
    """The mark counts too."""
    cut = truncate(text, limit)
    assert len(cut) <= limit or cut == text == ""
    assert (cut == text) == (len(text) <= limit)


def test_the_cut_is_marked() -> None:
    """A model should know that there was more."""
    assert truncate("abcdefghijklmnop" * 2, 20) == "abcdefg\u2026 [truncated]"
    assert truncate("abc", 3) == "abc"
