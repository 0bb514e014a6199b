"""Headers to attack with: routing headers that lie, versions nobody speaks, and the grammar of the usual ones.

Source: MCP 2026-07-28, streamable HTTP (header validation); RFC 9110, sections 5.6, 8.3 and 12.5.1.
"""

import base64
from typing import Any, Final

from hypothesis import strategies as st
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from tests.fuzz.messages import MESSAGES, METHODS, headers_for
from tests.fuzz.servers import ORIGIN
from tests.fuzz.values import CANARY

type Pairs = list[tuple[str, str]]

SPACES: Final = ("", " ", "  ", "\t")


def _encoded(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


_TEXTS: Final = st.text(st.characters(codec="latin-1", exclude_categories=["Cc"]), max_size=12).map(
    lambda text: text + CANARY
)
"""What a header line can hold: no line break, no half of a pair."""


_BROKEN: Final = (
    "=?base64?",
    "=?base64?????=",
    "=?BASE64?QQ==?=",
    "=?base64?QQ?=",
    "=?base64?/w==?=",
    "=?base64?QQ==\n?=",
)
_OTHERS: Final = st.one_of(st.sampled_from(_BROKEN), st.sampled_from(METHODS), _TEXTS, _TEXTS.map(_encoded))


@st.composite
def _routing(draw: st.DrawFn, valid: str) -> str:
    """Return a routing header's value: the right one, the right one in base64, broken base64, another one."""
    right = draw(st.sampled_from([valid, _encoded(valid), valid.upper(), ""]))
    return right or draw(_OTHERS)


_ODD_VERSIONS: Final = (
    *("", " ", "2099-01-01", "1.0", "2026-7-28", "2026-07-28, 2026-07-28"),
    *("2025-11-25,2026-07-28", "٢٠٢٥-11-25"),
)
_VERSIONS: Final = st.one_of(st.sampled_from(KNOWN_PROTOCOL_VERSIONS), st.sampled_from(_ODD_VERSIONS), _TEXTS)


@st.composite
def _media(draw: st.DrawFn) -> str:
    """Return a list of media ranges, by the grammar or nearly."""
    names = ("application/json", "text/event-stream", "*/*", "application/*", "text/*", "text/html", "Application/JSON")
    odd = ("", "application", "/", "application/json/x", ";", "application/json;;;", ",", "q=1", CANARY)
    parameters = ("", ";q=0", "; q=0.5", ";q=", ";q=nan", ";q=-1", ";q=1e400", "; charset=utf-8", '; charset="UTF-16"')
    ranges = []
    for _ in range(draw(st.integers(0, 3))):
        name = draw(st.sampled_from(names) | st.sampled_from(odd))
        space = draw(st.sampled_from(SPACES))
        ranges.append(f"{space}{name}{space}{draw(st.sampled_from(parameters))}")
    return draw(st.sampled_from([",", ", ", ";"])).join(ranges)


_ODD_ORIGINS: Final = (
    *("null", "", "http://", "http://["),
    *("https://app.example.com:*", "https://app.example.com.evil.example"),
)
_ORIGINS: Final = st.one_of(st.just(ORIGIN), st.sampled_from(_ODD_ORIGINS), _TEXTS)


@st.composite
def _mixed_case(draw: st.DrawFn, name: str) -> str:
    return draw(st.sampled_from([name, name.title(), name.upper(), name.replace("-", "_")]))


@st.composite
def attacked(draw: st.DrawFn) -> tuple[Any, Pairs]:
    """Return a valid message, and headers with up to four things wrong with them."""
    message = draw(MESSAGES)
    right = headers_for(message, draw(st.sampled_from(["", *KNOWN_PROTOCOL_VERSIONS])))
    pairs: Pairs = [*right.items()]
    strategies: dict[str, st.SearchStrategy[str]] = {
        "mcp-protocol-version": _VERSIONS,
        "mcp-method": _routing(str(message["method"])),
        "mcp-name": _routing(right.get("mcp-name", "calculator")),
        "mcp-param-region": _routing("eu"),
        "mcp-param-count": st.sampled_from(["3", "3.0", "03", "3e0", "", "9" * 5_000, "٣", CANARY]),
        "accept": _media(),
        "content-type": _media(),
        "content-encoding": st.sampled_from(["", "identity", "gzip", "IDENTITY", CANARY]),
        "origin": _ORIGINS,
        "host": st.sampled_from(["", "mcp.example.com", "[", "a:b:c", "127.0.0.1:99999", CANARY]),
        "user-agent": _TEXTS,
        "mcp-session-id": _TEXTS,
        "last-event-id": _TEXTS,
        "traceparent": _TEXTS,
        "authorization": _TEXTS,
        CANARY: _TEXTS,
    }
    for _ in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from([*strategies]))
        kind = draw(st.sampled_from(["set", "set", "add", "delete", "case"]))
        if kind not in ("add", "case"):
            pairs = [pair for pair in pairs if pair[0].lower() != name]
        if kind in ("set", "add"):
            pairs.append((draw(_mixed_case(name)), draw(strategies[name])))
        elif kind == "case":
            pairs = [(draw(_mixed_case(key)) if key == name else key, value) for key, value in pairs]
    return message, pairs
