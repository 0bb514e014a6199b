"""Keys over real sockets, through the local gateway and the template's own authorizer and gateway responses."""

import json
import logging
from collections import defaultdict
from typing import Any

import pytest

from governance.keys import NewKey, hash_of, make_key
from tests.functions.authorizer.hostile import hostile
from tests.gateway.conftest import keys_of, new_key
from tests.gateway.requests import HUNG_UP, Told, send
from tests.local.served import Server

ROUNDS = 10
KINDS = 22

NOT_HTTP = {"100 kB", "a zero byte"}
"""Refused before a route is found: a header of that size, or with that character, is none."""


@pytest.fixture(scope="module")
def good(served: Server) -> NewKey:
    """A key without limits for the gateway only."""
    return new_key(served, "unlimited")


@pytest.fixture(scope="module")
def disabled(served: Server) -> NewKey:
    """One that is switched off."""
    new = new_key(served, "unlimited")
    keys_of(served).set_enabled(new.key_id, is_enabled=False)
    return new


def error_of(told: Told) -> Any:
    """Return the JSON-RPC error."""
    return json.loads(told.body)["error"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Authorization", "Bearer KEY"),
        ("authorization", "bearer KEY"),
        ("AUTHORIZATION", "BEARER \t  KEY \t"),
        ("X-API-Key", "KEY"),
        ("x-api-key", "  KEY"),
    ],
)
def test_a_key_comes_in_either_header(served: Server, good: NewKey, name: str, value: str) -> None:
    """HOSTS rule 15."""
    assert send(served.port, {name: [value.replace("KEY", good.key)]}).status == 200


def test_the_same_key_in_both_headers_is_one_key(served: Server, good: NewKey) -> None:
    """And an empty Authorization is none: a host whose variable is not set sends one."""
    both = {"Authorization": [f"Bearer {good.key}"] * 2, "X-API-Key": [good.key]}
    assert send(served.port, both).status == 200
    assert send(served.port, {"Authorization": [""], "X-API-Key": [good.key]}).status == 200


def test_hostile_keys_all_get_the_same_answer(
    served: Server, good: NewKey, disabled: NewKey, caplog: pytest.LogCaptureFixture
) -> None:
    """Status, headers and body are one; 10,000 of them without sockets: tests/functions/authorizer."""
    told: dict[str, set[Told]] = defaultdict(set)
    with caplog.at_level(logging.DEBUG):
        for kind, headers in hostile(good, disabled, ROUNDS * KINDS):
            told[kind].add(send(served.port, headers))
    noise = {found.status for kind in {*NOT_HTTP, "noise"} for found in told.pop(kind)}
    assert noise <= {HUNG_UP.status, 400, 401, 431}
    assert len(told) == KINDS - 3
    (answer,) = set.union(*told.values())
    assert (answer.status, error_of(answer)["code"]) == (401, -32001)
    assert dict(answer.headers)["www-authenticate"] == 'Bearer realm="samcp"'
    assert "WWW-Authenticate" in dict(answer.headers)["access-control-expose-headers"]
    for secret in (
        good.key.rpartition("_")[2],
        good.secret_hash,
        disabled.key.rpartition("_")[2],
        disabled.secret_hash,
    ):
        assert secret not in caplog.text


def test_the_word_bearer_twice_is_refused_with_the_reason(served: Server, good: NewKey) -> None:
    """GATEWAY.md. API Gateway has one text for every 401, so it says so to everybody."""
    told = send(served.port, {"Authorization": [f"Bearer Bearer {good.key}"]})
    assert (told.status, "the word Bearer once" in error_of(told)["message"]) == (401, True)


def test_a_key_in_the_query_is_not_looked_at(served: Server, good: NewKey) -> None:
    """GATEWAY.md: URLs end in logs."""
    told = send(served.port, {}, path=f"/gateway/mcp?key={good.key}&x-api-key={good.key}&Authorization={good.key}")
    assert told.status == 401
    assert good.key.encode() not in told.body


def test_a_server_that_the_key_has_no_scope_of_is_403(served: Server, good: NewKey) -> None:
    """RFC 6750, section 3.1. It says nothing of the server, nor of the key."""
    told = send(served.port, {"X-API-Key": [good.key]}, path="/remote/mcp")
    other = send(served.port, {"X-API-Key": [new_key(served, "free").key]}, path="/remote/mcp")
    assert told == other
    assert (told.status, error_of(told)["code"]) == (403, -32003)
    assert dict(told.headers)["www-authenticate"] == 'Bearer realm="samcp", error="insufficient_scope"'
    assert good.key_id.encode() not in told.body


def test_a_key_for_one_tool_lists_all_and_calls_one(served: Server) -> None:
    """SPEC 2.3: a tool's scope missing is an `isError` that names it."""
    key = {"X-API-Key": [new_key(served, "free", ("gateway:smart_dedup",)).key]}
    arguments = {"action": "count", "text": "a"}
    params = {"name": "smart_budget_guard", "arguments": arguments}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    result = json.loads(send(served.port, key, message=call).body)["result"]
    assert result["isError"]
    assert "gateway:smart_budget_guard" in result["content"][0]["text"]
    params |= {"name": "smart_dedup", "arguments": {"texts": ["a", "a"]}}
    assert not json.loads(send(served.port, key, message=call).body)["result"]["isError"]


@pytest.mark.parametrize(("method", "status"), [("GET", 405), ("DELETE", 405), ("OPTIONS", 200)])
def test_what_needs_no_key_is_answered_without_one(served: Server, method: str, status: int) -> None:
    """HOSTS rule 7: Gemini CLI drops a server that answers a GET with 401. A preflight carries no key."""
    assert send(served.port, {}, method=method).status == status


def test_a_key_that_is_switched_off_or_rotated_before_it_was_seen_stops_at_once(served: Server) -> None:
    """What no instance remembers is read."""
    off, rotated = new_key(served, "free"), new_key(served, "free")
    keys_of(served).set_enabled(off.key_id, is_enabled=False)
    newer = make_key(rotated.key_id)
    keys_of(served).rotate(rotated.key_id, newer.secret_hash, old_until_s=0)
    statuses = [send(served.port, {"X-API-Key": [key]}).status for key in (off.key, rotated.key, newer.key)]
    assert statuses == [401, 401, 200]


def test_no_table_holds_a_key(served: Server, good: NewKey) -> None:
    """GATEWAY.md: only a hash, and only in the table of keys; nothing of it in the audit, the counters, the memory."""
    note = {"action": "add", "text": "a note"}
    params = {"name": "smart_memory", "arguments": note}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    assert send(served.port, {"X-API-Key": [good.key]}, message=call).status == 200
    aws: Any = served.served.aws
    for table in aws.resource("dynamodb").tables.all():
        rows = str(table.scan()["Items"])
        assert good.key.rpartition("_")[2] not in rows
        assert (hash_of(good.key) in rows) is (table.name == "KeysTable")


def test_a_row_that_is_no_key_is_503_and_the_log_does_not_hold_it(
    served: Server, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody is let in, and pydantic's text would hold the row."""
    new = new_key(served, "free")
    aws: Any = served.served.aws
    row = {"pk": f"KEY#{new.key_id}", "sk": "KEY", "secret_hash": new.secret_hash, "team": "canary team"}
    aws.resource("dynamodb").Table("KeysTable").put_item(Item=row)
    with caplog.at_level(logging.DEBUG):
        told = send(served.port, {"X-API-Key": [new.key]})
    assert told.status == 503
    assert not [found for found in (new.secret_hash, new.key, "canary") if found in caplog.text + str(told)]
