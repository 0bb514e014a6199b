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


_UP = {
    "plain": ["../private", "..", "..?x", "..#x", "..;x/private", "./private", ".../private"],
    "escaped": ["%2e%2e/private", "%2E./private", "..%2fprivate", "%2e%2e%2fprivate"],
    "escaped again": ["%252e%252e/private", "%25252e%25252e/private", "..%25255cprivate", ".%2525252e/private"],
    "escaped for ever": ["%" + "25" * 9 + "2e./private", "a%" + "25" * 9 + "20b"],
    "otherwise escaped": ["%u002e%u002e/private", "%u002E./private", "..%u2215private", "%25u002e./private"],
    "no UTF-8": ["%c0%ae%c0%ae/private", "%c0%2e%c0%2e/x", "%e0%80%ae%e0%80%ae/x", "%f0%80%80%ae./x", "%ff", "\ufffd"],
    "lone surrogates": ["\ud800../private", "..\udc80/private", "%ud800", "%ed%a0%80"],
    "other dots": ["\uff0e\uff0e/private", "%ef%bc%8e%ef%bc%8e/x", "\u2025/x", "\u2024\u2024/x", "\ufe52./x"],
    "other percent signs": ["\uff05\uff12\uff45./private", "\ufe6a2e./private"],
    "backslashes": ["..\\private", "..%5cprivate", "a\\b", "%5c..%5cprivate", "\uff3c", "\ufe68", "\u2216"],
    "other slashes": ["..\u2215private", "..\uff0fprivate", "..\u2044private", "..%e2%88%95private", "..\u29f8private"],
    "spaces": [".. /private", " ../private", "..%20/private", ". ./private", "..\u00a0/p", "..\u3000/p", "..+/../p"],
    "controls": [".\t./private", ".%0a./private", "..%00/private", "..\u0085/x", "..\u2028/p", "a%00b", "..%c2%85/x"],
    "ignorable": [
        ".\u200b./p",
        ".\u00ad./p",
        "..\ufe0f/p",
        "\u034f../p",
        ".\u3164./p",
        ".\U000e0041./p",
        "..%e2%81%a0/p",
    ],
    "streams": ["..:/p", "..::$INDEX_ALLOCATION/p"],
}


@pytest.mark.parametrize("rest", [pytest.param(rest, id=f"{kind} {rest!a}") for kind in _UP for rest in _UP[kind]])
def test_a_resource_cannot_climb_out_of_its_pattern(rest: str) -> None:
    """`docs://public/*` means what lies below, whoever decodes it how often."""
    assert not is_resource_allowed(f"docs://public/{rest}", ["docs://public/*"])


@pytest.mark.parametrize(
    "rest",
    [
        "a..b?q=..&r=100%25 \u00e9",
        "two%20words.txt",
        "two words.txt",
        "100%25.txt",
        "100%.txt",
        "%2525.txt",
        "r%C3%A9sum%C3%A9.pdf",
        "r\u00e9sume\u0301.pdf",
        "\u65e5\u672c\u8a9e/\u30ce\u30fc\u30c8",
        "\u0938\u094d\u200d.txt",
        "\U0001f469\u200d\U0001f4bb.md",
        "%F0%9F%91%8D",
        "\u00bd cup",
        ".hidden/.config",
        "..hidden/a...",
        "a/b?x=1;y=2#part",
        "",
    ],
)
def test_an_honest_uri_stays_allowed(rest: str) -> None:
    """Spaces, other scripts, joined emoji, a percent sign, dots in names."""
    assert is_resource_allowed(f"docs://public/{rest}", ["docs://public/*"])


def test_a_hostile_uri_costs_no_time() -> None:
    """The remote server takes URIs of up to 1 MiB: linear work, a few times."""
    for part in ("%", "%25", "%2e", ".", "./", "\u200b", "%u002"):
        is_resource_allowed("docs://" + part * 20_000, ["docs://*"])
