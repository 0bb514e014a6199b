"""Every `note` of the corpus as a check, by the case's id.

The sentence itself stands in `corpus/quirks.jsonl`; a check's docstring says how it is read.
"""

import json
from collections.abc import Mapping
from typing import Final

from mcp_types import methods
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS
from mcpserver import http_handler, tool
from mcpserver.content import MAX_TEXT_CHARACTERS

from tests.mcpserver.posts import call_tool, post
from tests.quirks.app import SmartGateway
from tests.quirks.app import server as served
from tests.quirks.asked import MODERN, Asked, Check
from tests.quirks.in_process import handle
from tests.quirks.limiter import CALLS_PER_MINUTE
from tests.quirks.smart_tools import SMART_TOOLS


def has_no_body(asked: Asked) -> None:
    """No body, no Content-Type: 202 alone."""
    assert asked.reply.status == 202
    assert asked.reply.body == ""
    assert "content-type" not in asked.reply.headers


def absent_arguments_are_none(asked: Asked) -> None:
    """The same answer as to `{}`."""
    assert asked.result == asked.result_of({})


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


def json_text_is_the_array(asked: Asked) -> None:
    """The same answer as with the array itself, and duplicates were found in it."""
    arguments = asked.sent["params"]["arguments"]
    assert asked.result == asked.result_of({"texts": json.loads(arguments["texts"])})
    assert asked.result["structuredContent"]["kept"] == [0]


def text_of_a_number_is_the_number(asked: Asked) -> None:
    """The same answer as with the number; and so for a boolean, where a tool has one."""
    arguments = asked.sent["params"]["arguments"]
    assert asked.result == asked.result_of(arguments | {"threshold": float(arguments["threshold"])})

    @tool
    def remember(keep: bool) -> str:  # noqa: FBT001 -- the argument that is wanted
        """Say what it got."""
        return f"{keep!r}"

    texts = {text: call_tool(remember, {"keep": text})["content"][0]["text"] for text in ("true", "false", "True")}
    assert texts == {"true": "True", "false": "False", "True": "True"}


def empty_text_is_absent(asked: Asked) -> None:
    """The same answer as without them."""
    assert asked.result == asked.without("team_id", "model")
    assert "team_id" not in asked.result["structuredContent"]


def null_is_absent(asked: Asked) -> None:
    """The same answer as without them."""
    assert asked.result == asked.without("team_id", "messages", "monthly_limit")


def words_for_nothing_are_absent(asked: Asked) -> None:
    """null, none, undefined, in any case; a team may still be called something else."""
    arguments = asked.sent["params"]["arguments"]
    for word in ("null", "none", "undefined", "None", "NULL"):
        assert asked.result_of(arguments | {"team_id": word}) == asked.without("team_id")
    assert asked.result_of(arguments | {"team_id": "nulls"})["structuredContent"]["team_id"] == "nulls"


def half_a_pair_is_replaced(asked: Asked) -> None:
    """U+FFFD where the half stood; no half in the answer, as a character or as an escape."""
    result = asked.gateway.call("smart_context_gate", {"text": "x\ud83d"})
    assert result["structuredContent"]["text"] == "x\ufffd"
    assert "\\ud83d" not in asked.reply.body.lower()
    asked.reply.body.encode("utf-8")


def unknown_tool_lists_the_names(asked: Asked) -> None:
    """The message has the seven names."""
    assert len(SMART_TOOLS) == 7
    assert [one.name for one in SMART_TOOLS if one.name not in asked.answer["error"]["message"]] == []


def is_one_event(asked: Asked) -> None:
    """One `message` event, then the end."""
    assert asked.reply.status == 200
    lines = [line for line in asked.reply.body.split("\n") if line]
    assert [line.partition(":")[0] for line in lines] == ["event", "data"]
    assert lines[0] == "event: message"
    assert asked.reply.body.endswith("\n\n")
    assert len(asked.reply.events()[0]["result"]["tools"]) == len(SMART_TOOLS)


def get_is_a_json_rpc_error(asked: Asked) -> None:
    """405 with a JSON-RPC error in it."""
    assert asked.reply.status == 405
    assert asked.reply.headers["content-type"].startswith("application/json")
    assert type(asked.answer["error"]["code"]) is int


def delete_is_405(asked: Asked) -> None:
    """405, nothing else."""
    assert asked.reply.status == 405


def origin_is_checked_where_a_list_is(asked: Asked) -> None:
    """The configured list refuses it; an absent Origin is fine, and so is any where there is no list."""
    assert asked.again().status == 200
    open_to_all = http_handler(SmartGateway(), allowed_origins=[], default_receivers=False)
    assert post(open_to_all, asked.sent, {"origin": "https://evil.example"})["statusCode"] == 200


def host_is_checked_where_a_list_is(asked: Asked) -> None:
    """The configured hosts answer, another does not; where there is no list, any does."""
    assert asked.again(host="elsewhere.example").status == 421
    open_to_all = http_handler(SmartGateway(), allowed_hosts=[], default_receivers=False)
    assert post(open_to_all, asked.sent, {"host": "elsewhere.example"})["statusCode"] == 200


def not_found_is_json(asked: Asked) -> None:
    """JSON, with an error in it."""
    assert asked.reply.headers["content-type"].startswith("application/json")
    assert asked.answer["error"]["message"]


def is_no_metadata(asked: Asked) -> None:
    """404 and JSON with an error: never a 200, a page, a redirection or a challenge."""
    not_found_is_json(asked)
    assert asked.reply.status == 404
    assert not {"location", "www-authenticate"} & asked.reply.headers.keys()


def refusal_has_no_id_of_another(asked: Asked) -> None:
    """The id of the request, or null."""
    assert asked.answer["id"] in (None, asked.sent["id"])


def key_in_the_query_is_no_key(asked: Asked) -> None:
    """Refused, with the challenge, and the key stands nowhere in the answer."""
    assert asked.reply.status == 401
    assert "Bearer" in asked.reply.headers["www-authenticate"]
    assert "sg_test_key" not in asked.reply.body + str(asked.reply.headers)


def nonsense_version_is_400(asked: Asked) -> None:
    """400, and the body says which versions there are."""
    error = asked.answer["error"]
    assert asked.reply.status == 400
    assert error["code"] in (-32600, -32022)
    assert HANDSHAKE_PROTOCOL_VERSIONS[-1] in error["message"] + str(error.get("data"))


def upgrade_is_ignored(asked: Asked) -> None:
    """The body was read, the protocol stayed."""
    assert asked.reply.status == 200
    assert "upgrade" not in asked.reply.headers


def is_never_a_500(asked: Asked) -> None:
    """Whatever the encoding is called; only identity is none."""
    for encoding in ("gzip", "br", "zstd", "deflate", "gzip, gzip", "nonsense"):
        assert asked.again(content_encoding=encoding).status == 415
    assert asked.again(content_encoding="identity").status == 200


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


def long_text_is_cut_and_says_so(asked: Asked) -> None:
    """At most some 20,000 tokens a block; where it is cut, JSON that says `truncated` and the total."""
    texts = [block["text"] for block in asked.result["content"]]
    assert all(len(text) <= MAX_TEXT_CHARACTERS for text in texts)
    said = json.loads(texts[0])
    whole = json.dumps(asked.result["structuredContent"], separators=(",", ":"), ensure_ascii=False)
    assert said["truncated"] is True
    assert max(value for value in said.values() if type(value) is int) == len(whole)


def has_no_priming_event(asked: Asked) -> None:
    """No empty event, no comment."""
    lines = asked.reply.body.split("\n")
    assert not [line for line in lines if line.startswith(":") or line.rstrip() == "data:"]


def rate_refusal_is_complete(asked: Asked) -> None:
    """429, Retry-After in seconds, the request's id, the limit and its scope; the first 120 are answered."""
    data = asked.answer["error"]["data"]
    assert asked.answer["id"] == asked.sent["id"]
    assert data["limit"] == CALLS_PER_MINUTE
    assert data["wall"]
    assert data["retry_after"] == int(asked.reply.headers["retry-after"]) <= data["window_s"]
    served.limiter.calls.clear()
    statuses = [reply.status for reply in asked.gateway.send_all(asked.case["sends"])]
    assert statuses == [200] * CALLS_PER_MINUTE + [429]


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


def unknown_argument_is_dropped(asked: Asked) -> None:
    """The same answer as without it, though the schema says that there is no such argument."""
    schema = next(one["inputSchema"] for one in asked.tools() if one["name"] == asked.sent["params"]["name"])
    assert schema["additionalProperties"] is False
    assert asked.result == asked.without("wait_for_previous")


def forwarded_text_is_the_number(asked: Asked) -> None:
    """The same answer as with the number that the host should have sent."""
    arguments = asked.sent["params"]["arguments"]
    assert asked.result == asked.result_of(arguments | {"threshold": 0.9})


def registration_uses_no_key(asked: Asked) -> None:
    """The order seen, twice: 404 and JSON each time, no challenge, and nothing counted for any key."""
    before = dict(served.limiter.calls)
    known = ("oauth-protected-resource/mcp", "oauth-protected-resource", "oauth-authorization-server")
    for name in (*known, "openid-configuration") * 2:
        reply = asked.gateway.send({"method": "GET", "path": f"/.well-known/{name}", "headers": {}})
        is_no_metadata(Asked(asked.case, reply, asked.gateway))
        is_no_metadata(Asked(asked.case, asked.gateway.send(asked.case["sends"]), asked.gateway))
    assert served.limiter.calls == before


def error_text_is_an_error(asked: Asked) -> None:
    """It begins with the word and names the member; a tool's own error begins so too."""
    text = asked.result["content"][0]["text"]
    assert text.startswith("Error")
    assert "action" in text
    own = asked.gateway.call("smart_pipe", {})
    assert own["isError"] is True
    assert own["content"][0]["text"].startswith("Error")


NOTES: Final[Mapping[str, Check]] = {
    "A02": has_no_body,
    "A06": absent_arguments_are_none,
    "A17": is_answered_and_not_dropped,
    "A18": id_is_an_integer,
    "A22": batch_is_answered_in_order,
    "A28": empty_cursor_is_absent,
    "A39": version_is_the_newest_and_no_echo,
    "A41": version_is_echoed,
    "A42": missing_version_is_the_newest,
    "A44": discovery_is_complete,
    "A48": supported_versions_are_modern,
    "B01": json_text_is_the_array,
    "B07": text_of_a_number_is_the_number,
    "B08": empty_text_is_absent,
    "B09": null_is_absent,
    "B10": words_for_nothing_are_absent,
    "B15": half_a_pair_is_replaced,
    "B18": unknown_tool_lists_the_names,
    "C03": is_one_event,
    "C10": get_is_a_json_rpc_error,
    "C16": delete_is_405,
    "C20": origin_is_checked_where_a_list_is,
    "C21": host_is_checked_where_a_list_is,
    "C23": not_found_is_json,
    "C25c": is_no_metadata,
    "C25d": is_no_metadata,
    "C25e": is_no_metadata,
    "C27": refusal_has_no_id_of_another,
    "C32": key_in_the_query_is_no_key,
    "C37": nonsense_version_is_400,
    "C39": upgrade_is_ignored,
    "C43": is_never_a_500,
    "D01": list_is_empty,
    "D02": list_is_empty,
    "D04": nothing_to_subscribe_to,
    "D05": logging_is_not_advertised,
    "D06": completion_is_empty_or_unknown,
    "D07": unknown_method_is_404_in_the_modern_era,
    "D08": has_no_body,
    "D09": has_no_body,
    "D10": has_no_body,
    "E01": has_no_body,
    "E16": long_text_is_cut_and_says_so,
    "E17": has_no_priming_event,
    "E18": rate_refusal_is_complete,
    "E19": error_has_the_id,
    "F01": discovery_is_complete,
    "F02": listening_is_refused_with_the_id,
    "F05": meta_is_not_logged,
    "F07": unknown_argument_is_dropped,
    "F10": forwarded_text_is_the_number,
    "F12": has_no_body,
    "F19": registration_uses_no_key,
    "F21": error_text_is_an_error,
    "F22": has_no_body,
}
"""By the case's id."""
