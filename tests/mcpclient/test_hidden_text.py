"""Text that a person does not see."""

import pytest
from mcpclient.hidden_text import hidden_kinds, hidden_kinds_within


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a\u200bb", "zero_width"),
        ("\ufeffa", "zero_width"),
        ("a\u202eb", "bidi"),
        ("a\u2066b", "bidi"),
        ("a\U000e0041b", "tag"),
        ("a\U000e0080b", "tag"),
        ("a\u180bb", "variation_selector"),
        ("a\u2065b", "zero_width"),
        ("a\u2028b", "format"),
        ("a\ufffab", "format"),
        ("a\U0001d173b", "format"),
        ("a\U000e0100b", "variation_selector"),
        ("\x1b[2J", "ansi_escape"),
        ("\x9b2J", "ansi_escape"),
        ("a\x08b", "control"),
    ],
)
def test_each_kind_is_found(text: str, kind: str) -> None:
    """CVE-2021-42574; Unicode tag characters; ECMA-48."""
    assert hidden_kinds(text) == [kind]


@pytest.mark.parametrize("text", ["", "plain", "Ünïcödé, 日本語, العربية", "lines\nand\ttabs\r\n", "❤️ ok"])
def test_honest_text_is_not_flagged(text: str) -> None:
    """Other scripts, line breaks and emoji stand in many descriptions."""
    assert hidden_kinds(text) == []


def test_names_of_members_and_deep_text_are_looked_at() -> None:
    """A model reads a schema's property names too; depth must not end the worker."""
    assert hidden_kinds_within({"properties": {"a\u200b": {}}}) == ["zero_width"]
    deep: list[object] = ["a\u202e"]
    for _ in range(20_000):
        deep = [deep]
    assert hidden_kinds_within(deep) == ["bidi"]
