"""Which tools and resources may be used."""

import pytest
from mcpclient import is_resource_allowed, is_tool_allowed, matches_any


def test_an_empty_list_allows_all_tools_and_no_resource() -> None:
    """A tool was chosen by naming the server; a resource could be anything."""
    assert is_tool_allowed("add", [])
    assert not is_resource_allowed("docs://a", [])


@pytest.mark.parametrize(
    ("name", "patterns", "matches"),
    [
        ("read_file", ["read_*"], True),
        ("read_file", ["write_*", "read_fil?"], True),
        ("Read_file", ["read_*"], False),
        ("unread_file", ["read_*"], False),
        ("read_file\nx", ["read_file"], False),
        ("a" * 500 + "b", ["*a" * 20 + "c"], False),
        ("x", [], False),
    ],
)
def test_patterns_match_whole_names(name: str, patterns: list[str], matches: bool) -> None:  # noqa: FBT001 -- a case
    """Globs, case matters; one that could take for ever does not."""
    assert matches_any(name, patterns) is matches


@pytest.mark.parametrize(
    "uri",
    [
        "docs://public/../private",
        "docs://public/%2e%2e/private",
        "docs://public/%252e%252e/private",
        "docs://public/..\\private",
        "docs://public/..",
        "docs://public/..?x",
        "docs://public/..#x",
        "docs://public/..;x/private",
        "docs://public/.\t./private",
        "docs://public/.%0a./private",
        "docs://public/..%00/private",
    ],
)
def test_a_resource_cannot_climb_out_of_its_pattern(uri: str) -> None:
    """`docs://public/*` means what lies below."""
    assert not is_resource_allowed(uri, ["docs://public/*"])
    assert is_resource_allowed("docs://public/a..b?q=..&r=100%25 \u00e9", ["docs://public/*"])
