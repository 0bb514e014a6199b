"""What a call must leave behind: nothing in the next call, nothing in the log, and always an answer."""

import asyncio
import json
import logging
import os
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from mcp_types import CallToolResult
from pydantic import BaseModel, Field, RootModel

from mcpserver import CallContext, MCPServerToolError, current_context, http_handler, tool
from tests.fixture_servers import FixtureServer, serving
from tests.mcpserver.posts import JSON_HEADERS, modern_headers, modern_request, request, rest_event


def post(handler: Any, message: Any, *, principal: str = "", headers: Mapping[str, str] | None = None) -> Any:
    """Post *message* as *principal* and return status and JSON."""
    context = {"authorizer": {"principalId": principal}} if principal else {}
    event = rest_event(json.dumps(message), {**JSON_HEADERS, **(headers or {})}, requestContext=context)
    answer = handler(event, None)
    return answer["statusCode"], json.loads(answer["body"]) if answer["body"] else None


def test_a_notification_does_not_see_the_caller_before_it() -> None:
    """Any instance answers any caller: what one call knew must end with it."""
    seen: list[Any] = []

    class Watching(FixtureServer):
        def handle_notification(self, message: Mapping[str, Any]) -> None:  # noqa: ARG002 -- the hook's shape
            seen.append(current_context().principal)

    handler = http_handler(Watching(), default_receivers=False)
    post(handler, request("ping"), principal="alice")
    post(handler, {"jsonrpc": "2.0", "method": "notifications/initialized"}, principal="bob")
    assert [principal.principal_id for principal in seen] == ["bob"]
    assert current_context().principal is None


def test_a_notification_hook_that_crashes_is_not_answered() -> None:
    """JSON-RPC 2.0, 4.1: a notification is never answered."""

    class Crashing(FixtureServer):
        def handle_notification(self, message: Mapping[str, Any]) -> None:  # noqa: ARG002 -- the hook's shape
            raise KeyError

    handler = http_handler(Crashing(), default_receivers=False)
    assert post(handler, {"jsonrpc": "2.0", "method": "notifications/initialized"}) == (202, None)


@tool
def leave() -> str:
    """Exit."""
    sys.exit(1)


@tool
async def cancel() -> str:
    """Await what was cancelled."""
    task = asyncio.create_task(asyncio.sleep(60))
    task.cancel()
    await task
    return "unreachable"


@tool
async def fail_in_a_group() -> str:
    """Fail in a task, as a tool does."""

    async def fail() -> None:
        raise MCPServerToolError("the divisor is zero.")

    async with asyncio.TaskGroup() as group:
        group.create_task(fail())
    return "unreachable"


@pytest.mark.parametrize("crashing", [leave, cancel])
def test_whatever_a_tool_ends_in_is_an_answer(crashing: Any) -> None:
    """SPEC 2.1: any other exception in a tool is INTERNAL_ERROR, on HTTP 200."""
    handler = http_handler(serving(crashing), default_receivers=False)
    status, answer = post(handler, request("tools/call", {"name": crashing.name, "arguments": {}}))
    assert (status, answer["error"]["code"]) == (200, -32603)


def test_a_tools_own_error_in_a_task_group_reaches_the_model() -> None:
    """A group of one is still a sentence that the model can act on."""
    handler = http_handler(serving(fail_in_a_group), default_receivers=False)
    _, answer = post(handler, request("tools/call", {"name": "fail_in_a_group", "arguments": {}}))
    assert answer["result"]["content"][0]["text"] == "Error: the divisor is zero."


def test_a_client_s_own_words_do_not_reach_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """No remote text in a log line: neither a method that we do not know nor a version."""
    handler = http_handler(serving())
    caplog.set_level(logging.INFO)
    logger = logging.getLogger(os.environ.get("POWERTOOLS_SERVICE_NAME", "samcp"))
    logger.addHandler(caplog.handler)
    post(handler, {"method": "CANARY-method", "params": None, "id": 1})
    note = modern_request("notifications/initialized")
    del note["id"]
    note["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "CANARY-version"
    post(handler, note)
    logger.removeHandler(caplog.handler)
    said = [str(vars(record)) for record in caplog.records]
    assert len(said) >= 2
    assert "CANARY" not in "".join(said)


def test_a_header_in_two_spellings_is_a_header_sent_twice() -> None:
    """A proxy reads one of them, the server the other: the modern ladder refuses both together."""
    message = modern_request("tools/list")
    event = rest_event(json.dumps(message), modern_headers(message))
    event["multiValueHeaders"] |= {"Mcp-Method": ["tools/call"]}
    answer = http_handler(serving(), default_receivers=False)(event, None)
    assert json.loads(answer["body"])["error"]["code"] == -32020


class Price(BaseModel):
    """A result with another name outside."""

    price: float = Field(serialization_alias="cost")


@tool
def quote() -> Price:
    """Quote."""
    return Price(price=2.5)


@tool
def lie() -> Price:
    """Say a price and give a text."""
    return "2.5"  # type: ignore[return-value]  # the mistake that is tested


def test_an_output_schema_names_what_the_result_holds() -> None:
    """HOSTS rule 3: a result that does not match its schema fails in five clients."""
    server = serving(quote)
    schema = quote.output_schema()
    result = server.call_tool({"name": "quote", "arguments": {}})
    assert schema is not None
    assert isinstance(result, CallToolResult)
    assert set(schema["properties"]) == set(result.structured_content) == {"cost"}


def test_a_tool_that_returns_something_else_than_it_says_has_crashed() -> None:
    """The same rule: no structured content under an output schema loses the call."""
    handler = http_handler(serving(lie), default_receivers=False)
    _, answer = post(handler, request("tools/call", {"name": "lie", "arguments": {}}))
    assert answer["error"]["code"] == -32603


class Numbers(RootModel[list[int]]):
    """Not an object."""


def test_a_result_that_is_no_object_is_refused_when_the_server_is_made() -> None:
    """HOSTS, mode outschema_array: the whole list is lost in four clients."""

    @tool
    def count() -> Numbers:
        """Count."""
        return Numbers([1])

    with pytest.raises(TypeError, match="objects"):
        serving(count)


def test_a_batch_of_large_answers_stays_under_lambdas_limit() -> None:
    """Lambda: 6 MB, measured in bytes of UTF-8; more is a 502."""

    @tool
    def fill() -> list[str]:
        """Return much."""
        return ["漢" * 79_000, "字" * 79_000]

    batch = [request("tools/call", {"name": "fill", "arguments": {}}, number) for number in range(20)]
    event = rest_event(json.dumps(batch), JSON_HEADERS)
    answer = http_handler(serving(fill), default_receivers=False)(event, None)
    assert len(json.dumps(answer, ensure_ascii=False).encode()) < 6_291_556
    assert [one["id"] for one in json.loads(answer["body"])] == list(range(20))


def test_a_context_outside_a_call_is_empty() -> None:
    """A tool's unit test needs no server."""
    assert isinstance(current_context(), CallContext)


def test_a_principal_without_the_servers_scope_is_forbidden() -> None:
    """RFC 6750, section 3.1: 403 insufficient_scope, with the scope that is needed."""
    handler = http_handler(serving(), default_receivers=False, required_scope="lab")
    event = rest_event(json.dumps(request("ping")), JSON_HEADERS)
    unknown = handler(event, None)
    known = handler(event | {"requestContext": {"authorizer": {"principalId": "key-1", "scopes": "other"}}}, None)
    allowed = handler(event | {"requestContext": {"authorizer": {"principalId": "key-1", "scopes": "other lab"}}}, None)
    assert [answer["statusCode"] for answer in (unknown, known, allowed)] == [401, 403, 200]
    assert 'error="insufficient_scope"' in known["headers"]["WWW-Authenticate"]
