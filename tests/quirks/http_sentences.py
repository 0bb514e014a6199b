"""The notes on HTTP as checks: media types, methods, hosts, keys, limits.

The sentence itself stands in `corpus/quirks.jsonl`; a check's docstring says how it is read.
"""

from collections.abc import Mapping
from typing import Final

from mcpserver import http_handler
from tests.mcpserver.posts import post
from tests.quirks.app import SmartGateway
from tests.quirks.app import server as served
from tests.quirks.asked import Asked, Check
from tests.quirks.limiter import CALLS_PER_MINUTE
from tests.quirks.smart_tools import SMART_TOOLS


def has_no_body(asked: Asked) -> None:
    """No body, no Content-Type: 202 alone."""
    assert asked.reply.status == 202
    assert asked.reply.body == ""
    assert "content-type" not in asked.reply.headers


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


def upgrade_is_ignored(asked: Asked) -> None:
    """The body was read, the protocol stayed."""
    assert asked.reply.status == 200
    assert "upgrade" not in asked.reply.headers


def is_never_a_500(asked: Asked) -> None:
    """Whatever the encoding is called; only identity is none."""
    for encoding in ("gzip", "br", "zstd", "deflate", "gzip, gzip", "nonsense"):
        assert asked.again(content_encoding=encoding).status == 415
    assert asked.again(content_encoding="identity").status == 200


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


def registration_uses_no_key(asked: Asked) -> None:
    """The order seen, twice: 404 and JSON each time, no challenge, and nothing counted for any key."""
    before = dict(served.limiter.calls)
    known = ("oauth-protected-resource/mcp", "oauth-protected-resource", "oauth-authorization-server")
    for name in (*known, "openid-configuration") * 2:
        reply = asked.gateway.send({"method": "GET", "path": f"/.well-known/{name}", "headers": {}})
        is_no_metadata(Asked(asked.case, reply, asked.gateway))
        is_no_metadata(Asked(asked.case, asked.gateway.send(asked.case["sends"]), asked.gateway))
    assert served.limiter.calls == before


HTTP_NOTES: Final[Mapping[str, Check]] = {
    "A02": has_no_body,
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
    "C39": upgrade_is_ignored,
    "C43": is_never_a_500,
    "D08": has_no_body,
    "D09": has_no_body,
    "D10": has_no_body,
    "E01": has_no_body,
    "E17": has_no_priming_event,
    "E18": rate_refusal_is_complete,
    "F12": has_no_body,
    "F19": registration_uses_no_key,
    "F22": has_no_body,
}
"""By the case's id."""
