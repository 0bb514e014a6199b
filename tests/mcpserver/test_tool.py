"""One tool: what it advertises, how it validates, who may call it, how it runs."""

import asyncio
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp_types import Tool
from pydantic import BaseModel, ConfigDict

from mcpserver import MCPServerToolError, tool
from mcpserver.context import CallContext, Principal, TransportContext, enter_context
from tests.fixture_servers import Range, Returning, SearchArguments, SearchLogs, serving
from tests.mcpserver.posts import call_tool, request, text_of


def refusal(arguments: dict[str, Any]) -> str:
    """Return what `search_logs` says of bad *arguments*."""
    result = call_tool(SearchLogs(), arguments)
    assert result["isError"] is True
    assert "structuredContent" not in result
    text: str = result["content"][0]["text"]
    return text


def test_a_definition_says_what_a_model_and_a_person_read() -> None:
    """SPEC 2.2: name, title, description, inputSchema, annotations."""
    definition = SearchLogs().definition()
    assert isinstance(definition, Tool)
    wire = definition.model_dump(by_alias=True, mode="json", exclude_none=True)
    assert (wire["name"], wire["title"]) == ("search_logs", "Search logs")
    assert wire["description"] == "Search the log. Use it to find errors."
    assert wire["inputSchema"]["type"] == "object"
    assert wire["inputSchema"]["additionalProperties"] is False
    assert "outputSchema" not in wire
    Draft202012Validator.check_schema(wire["inputSchema"])


def test_a_read_only_tool_is_idempotent_and_not_destructive() -> None:
    """SPEC 2.2: a read-only tool is also idempotent; MCP tools, annotations: the title is there too."""
    annotations = SearchLogs().definition().annotations
    assert annotations is not None
    assert annotations.model_dump(by_alias=True, exclude_none=True) == {
        "title": "Search logs",
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }


def test_a_writing_tool_claims_no_idempotence_and_declares_what_it_destroys() -> None:
    """SPEC 2.2: destructiveHint is false unless declared; the default of the specification is true."""

    class Writing(SearchLogs):
        read_only = False
        open_world = True

    class Destroying(Writing):
        destructive = True

    hints = [tool.definition().annotations for tool in (Writing(), Destroying())]
    assert [hint.destructive_hint for hint in hints if hint] == [False, True]
    assert [(hint.read_only_hint, hint.idempotent_hint, hint.open_world_hint) for hint in hints if hint] == [
        (False, None, True)
    ] * 2


def test_invalid_arguments_name_the_path_and_what_is_allowed() -> None:
    """SPEC 2.2, word for word."""
    assert refusal({"query": "x", "limit": 500}) == (
        "Error: invalid arguments for search_logs: limit: Input should be less than or equal to 200"
    )


def test_several_problems_are_joined_by_semicolons() -> None:
    """SPEC 2.2: several are joined by "; "."""
    assert refusal({"limit": 0}) == (
        "Error: invalid arguments for search_logs: query: Field required; "
        "limit: Input should be greater than or equal to 1"
    )


def test_a_nested_problem_has_a_dotted_path() -> None:
    """SPEC 2.2: each problem by its dotted path."""
    assert "ranges.1.start: Field required" in refusal({"query": "x", "ranges": [{"start": 1}, {"end": 2}]})


def test_a_problem_of_the_whole_is_called_arguments() -> None:
    """SPEC 2.2: the dotted path, or `arguments`."""

    class Whole(SearchLogs):
        arguments_model = Range

    with pytest.raises(MCPServerToolError, match=r"^invalid arguments for search_logs: arguments: "):
        Whole().call("no object")  # type: ignore[arg-type]  # what a caller in Python may get wrong


def test_a_validator_of_the_model_speaks_to_the_model() -> None:
    """A ValueError's text is ours: it says what is allowed."""
    assert refusal({"query": " "}).endswith("query: Value error, say what to look for")


@pytest.mark.parametrize("arguments", [{"query": "x", "limit": "CANARY"}, {"query": "x", "ranges": ["CANARY"]}])
def test_a_refusal_never_repeats_a_value(arguments: dict[str, Any]) -> None:
    """STYLE, Errors: never an argument's value in a message."""
    assert "CANARY" not in refusal(arguments)


def test_a_refusal_never_repeats_a_key_that_the_schema_does_not_name() -> None:
    """An unknown key is the caller's own text."""

    class Closed(BaseModel):
        model_config = ConfigDict(extra="forbid")

    class Strict(SearchLogs):
        arguments_model = Closed

    with pytest.raises(MCPServerToolError) as refused:
        Strict().call({"CANARY": 1})
    assert "CANARY" not in str(refused.value)


def test_absent_arguments_are_no_arguments() -> None:
    """SPEC 2.2: `call(arguments: dict | None)`."""

    class Nothing(BaseModel):
        pass

    class Idle(Returning):
        arguments_model = Nothing

    assert Idle("done").call(None) == "done"


def test_a_tool_can_be_called_alone_with_defaults_filled_in() -> None:
    """A tool author's unit test needs no server."""
    assert SearchLogs().call({"query": "x"}) == "x 50 None"


class Eventual(SearchLogs):
    """An async tool."""

    async def run(self, _arguments: SearchArguments) -> str:
        """Return after the loop has turned."""
        await asyncio.sleep(0)
        return "later"


def test_an_async_run_is_awaited() -> None:
    """SPEC 2.2: calls (or awaits) `run`."""
    assert Eventual().call({"query": "x"}) == "later"


def test_an_async_run_is_awaited_inside_a_running_loop() -> None:
    """A host of ours may itself be async: `asyncio.run` would refuse there."""

    async def inside() -> Any:
        return Eventual().call({"query": "x"})

    assert asyncio.run(inside()) == "later"


class Guarded(SearchLogs):
    """A tool for some principals."""

    required_scope = "logs:read"


@pytest.mark.parametrize("principal", [None, Principal("ann"), Principal("ann", frozenset({"logs:write"}))])
def test_a_missing_scope_is_an_error_that_names_it(principal: Principal | None) -> None:
    """SPEC 2.3: a tool's scope missing: `isError` naming it."""
    exchange = serving(Guarded()).exchange(
        request("tools/call", {"name": "search_logs", "arguments": {"query": "x"}}),
        TransportContext(principal=principal),
    )
    assert exchange.body["result"]["isError"] is True
    assert "logs:read" in text_of(exchange.body)


def test_the_scope_opens_the_tool() -> None:
    """The principal's scopes come from the authorizer."""
    transport = TransportContext(principal=Principal("ann", frozenset({"logs:read"})))
    message = request("tools/call", {"name": "search_logs", "arguments": {"query": "x"}})
    assert text_of(serving(Guarded()).exchange(message, transport).body) == "x 50 None"


@pytest.mark.parametrize("name", ["", "a" * 65, "search logs", "search.logs", "søk", "a/b", "a\n", "tools/call"])
def test_a_name_that_a_host_refuses_is_refused_when_the_server_is_made(name: str) -> None:
    """HOSTS rule 12: ^[a-zA-Z0-9_-]{1,64}$."""
    tool = SearchLogs()
    tool.name = name
    with pytest.raises(ValueError, match="letters, digits"):
        serving(tool)


@pytest.mark.parametrize("name", ["a", "A-b_9", "a" * 64])
def test_a_name_that_every_host_takes_is_taken(name: str) -> None:
    """HOSTS rule 12."""
    tool = SearchLogs()
    tool.name = name
    assert list(serving(tool).tools) == [name]


def test_two_tools_of_one_name_are_refused() -> None:
    """A silent overwrite would lose a tool."""
    with pytest.raises(ValueError, match="search_logs"):
        serving(SearchLogs(), SearchLogs())


def test_the_context_of_a_tool_outside_any_call_is_empty() -> None:
    """A unit test of a tool needs no set-up."""
    enter_context(CallContext(TransportContext()))
    assert SearchLogs().context.principal is None
    assert SearchLogs().context.remaining_s() is None


@pytest.mark.parametrize("returned", [int, float, bool, bytes, dict, dict[str, int], None])
def test_a_return_type_that_no_host_could_show_is_refused_when_the_server_is_made(returned: Any) -> None:
    """Our own choice: at the start, with what is allowed, and not as "Internal error." at the first call."""

    def give():  # type: ignore[no-untyped-def]  # noqa: ANN202 -- its type is the case
        """Give."""

    give.__annotations__["return"] = returned
    with pytest.raises(TypeError, match="text, a Pydantic model or content blocks"):
        serving(tool(give))


def test_a_class_in_place_of_an_instance_is_explained() -> None:
    """Our own choice: the mistake that everyone makes once."""
    with pytest.raises(TypeError, match="instances"):
        serving(SearchLogs)  # type: ignore[arg-type]  # the mistake that is tested


def test_a_decorated_function_can_still_be_called() -> None:
    """A tool author's own unit test needs no server."""

    @tool
    def double(number: int) -> str:
        """Double."""
        return str(2 * number)

    assert double(4) == "8"
