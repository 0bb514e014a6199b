"""The notes on messages, versions and methods as checks.

The sentence itself stands in `corpus/quirks.jsonl`; a check's docstring says how it is read.
"""

from collections.abc import Mapping
from typing import Final

from mcp_types import methods
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS

from tests.quirks.asked import MODERN, Asked, Check
from tests.quirks.in_process import handle
from tests.quirks.smart_tools import SMART_TOOLS


def is_answered_and_not_dropped(asked: Asked) -> None:
    """Never 202."""
    assert asked.reply.status == 400
    assert "id" in asked.answer


def id_is_an_integer(asked: Asked) -> None:
    """1.0 comes back as 1."""
    assert type(asked.answer["id"]) is int
    assert '"id":1.0' not in asked.reply.body


def batch_is_answered_in_order(asked: Asked) -> None:
    """An array with both answers, in order; a version without batches refuses it."""
    assert [answer["id"] for answer in asked.answer] == [message["id"] for message in asked.sent]
    assert [set(answer["result"]) for answer in asked.answer] == [set(), {"tools"}]
    assert asked.again(mcp_protocol_version="2025-11-25").status == 400


def empty_cursor_is_absent(asked: Asked) -> None:
    """The same answer as without a cursor."""
    assert asked.result == asked.ask("tools/list")["result"]


def version_is_the_newest_and_no_echo(asked: Asked) -> None:
    """The newest handshake version, never what was asked for."""
    assert asked.result["protocolVersion"] == HANDSHAKE_PROTOCOL_VERSIONS[-1]
    assert f'"{asked.sent["params"]["protocolVersion"]}"' not in asked.reply.body


def version_is_echoed(asked: Asked) -> None:
    """Each handshake version is answered with itself."""
    for version in HANDSHAKE_PROTOCOL_VERSIONS:
        offer = asked.sent["params"] | {"protocolVersion": version}
        assert asked.ask("initialize", offer)["result"]["protocolVersion"] == version


def missing_version_is_the_newest(asked: Asked) -> None:
    """The newest handshake version, and no template that was left unfilled."""
    assert asked.result["protocolVersion"] == HANDSHAKE_PROTOCOL_VERSIONS[-1]
    assert not [mark for mark in ("{{", "}}:", "${", "<%", "%s") if mark in asked.reply.body]


def discovery_is_complete(asked: Asked) -> None:
    """All or nothing: ours is all, as the SDK's model of 2026-07-28 reads it."""
    assert {"supportedVersions", "capabilities", "resultType", "ttlMs", "cacheScope"} <= asked.result.keys()
    methods.validate_server_result("server/discover", MODERN, asked.result)
    assert asked.answer["id"] == asked.sent["id"]
    assert type(asked.answer["id"]) is type(asked.sent["id"])


def supported_versions_are_modern(asked: Asked) -> None:
    """`data.supported` has no handshake version, and says something."""
    supported = set(asked.answer["error"]["data"]["supported"])
    assert MODERN in supported
    assert supported <= set(KNOWN_PROTOCOL_VERSIONS) - set(HANDSHAKE_PROTOCOL_VERSIONS)


def unknown_tool_lists_the_names(asked: Asked) -> None:
    """The message has the seven names."""
    assert len(SMART_TOOLS) == 7
    assert [one.name for one in SMART_TOOLS if one.name not in asked.answer["error"]["message"]] == []


def nonsense_version_is_400(asked: Asked) -> None:
    """400, and the body says which versions there are."""
    error = asked.answer["error"]
    assert asked.reply.status == 400
    assert error["code"] in (-32600, -32022)
    assert HANDSHAKE_PROTOCOL_VERSIONS[-1] in error["message"] + str(error.get("data"))


def list_is_empty(asked: Asked) -> None:
    """HTTP 200 and an empty list."""
    assert asked.reply.status == 200
    assert [*asked.result.values()] == [[]]


def nothing_to_subscribe_to(asked: Asked) -> None:
    """HTTP 200 with -32601."""
    assert (asked.reply.status, asked.answer["error"]["code"]) == (200, -32601)


def logging_is_not_advertised(asked: Asked) -> None:
    """An answer, and no capability."""
    assert asked.result == {}
    assert "logging" not in asked.ask("initialize")["result"]["capabilities"]


def completion_is_empty_or_unknown(asked: Asked) -> None:
    """No values, or no such method; HTTP 200 either way."""
    answer = asked.answer
    assert answer.get("error", {}).get("code") == -32601 or answer["result"]["completion"]["values"] == []


def unknown_method_is_404_in_the_modern_era(asked: Asked) -> None:
    """200 here, 404 there, -32601 in both."""
    reply = asked.ask_modern(asked.sent["method"])
    assert (reply.status, reply.json()["error"]["code"]) == (404, -32601)
    assert asked.reply.status == 200


def error_has_the_id(asked: Asked) -> None:
    """Never null where the request's could be read."""
    assert asked.answer["id"] == asked.sent["id"]
    for bad in ({"method": 5}, {"jsonrpc": "1.0"}, {"params": "text"}, {"method": "tools/unknown"}):
        assert asked.gateway.post(asked.sent | bad).json()["id"] == asked.sent["id"]


def listening_is_refused_with_the_id(asked: Asked) -> None:
    """An error with this id; and nobody is told that a list may change, so nobody has to ask."""
    assert asked.answer["id"] == asked.sent["id"]
    assert asked.answer["error"]["code"] == -32601
    capabilities = asked.ask_modern("server/discover").json()["result"]["capabilities"]
    assert not [name for name, value in capabilities.items() if value.get("listChanged")]


def meta_is_not_logged(asked: Asked) -> None:
    """No private name or value of `_meta` in what is logged or counted."""
    handled = handle(asked.case["sends"]["body"])
    meta = asked.sent["params"]["_meta"]
    private = {*meta, *meta["x-codex-turn-metadata"]} - {"model"}
    assert handled.status == 200
    assert '"tool":"smart_budget_guard"' in handled.stdout
    assert not [name for name in private if f'"{name}"' in handled.stdout]
    assert not [value for value in ("call_1", "fc_1", "0.171.0", "s:0") if value in handled.stdout]


PROTOCOL_NOTES: Final[Mapping[str, Check]] = {
    "A17": is_answered_and_not_dropped,
    "A18": id_is_an_integer,
    "A22": batch_is_answered_in_order,
    "A28": empty_cursor_is_absent,
    "A39": version_is_the_newest_and_no_echo,
    "A41": version_is_echoed,
    "A42": missing_version_is_the_newest,
    "A44": discovery_is_complete,
    "A48": supported_versions_are_modern,
    "B18": unknown_tool_lists_the_names,
    "C37": nonsense_version_is_400,
    "D01": list_is_empty,
    "D02": list_is_empty,
    "D04": nothing_to_subscribe_to,
    "D05": logging_is_not_advertised,
    "D06": completion_is_empty_or_unknown,
    "D07": unknown_method_is_404_in_the_modern_era,
    "E19": error_has_the_id,
    "F01": discovery_is_complete,
    "F02": listening_is_refused_with_the_id,
    "F05": meta_is_not_logged,
}
"""By the case's id."""
