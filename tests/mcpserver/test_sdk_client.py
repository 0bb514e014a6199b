"""The SDK's own client, over a real socket, against the conformance fixture: everything beside plain tool calls."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import (
    CreateMessageResult,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    ListRootsResult,
    LoggingMessageNotificationParams,
    PromptReference,
    Root,
    TextContent,
)

from tests.local.served import serving

TEMPLATE = Path(__file__).parents[1] / "conformance" / "template.yaml"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve the fixture and give its endpoint."""
    with serving(TEMPLATE) as server:
        yield f"http://127.0.0.1:{server.port}/mcp"


def with_client[ResultT](url: str, work: Callable[[Client], Coroutine[Any, Any, ResultT]], **settings: Any) -> ResultT:
    """Run *work* with a connected client."""

    async def run() -> ResultT:
        async with Client(url, **settings) as client:
            return await work(client)

    return asyncio.run(run())


def text_of(result: Any) -> str:
    """Return the only text of a tool result."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


async def accept(_context: Any, params: ElicitRequestParams) -> ElicitResult:
    """Fill in each form: the user whose name is Ada, who likes blue and says yes."""
    assert isinstance(params, ElicitRequestFormParams)
    answers = {"name": "Ada", "color": "blue", "ok": True, "context": "tests"}
    return ElicitResult(
        action="accept", content={name: answers[name] for name in params.requested_schema["properties"]}
    )


async def decline(_context: Any, _params: ElicitRequestParams) -> ElicitResult:
    """Say no."""
    return ElicitResult(action="decline")


async def sample(_context: Any, _params: Any) -> CreateMessageResult:
    """Answer as a model."""
    return CreateMessageResult(role="assistant", content=TextContent(text="Paris"), model="test")


async def list_roots(_context: Any) -> ListRootsResult:
    """Name one folder."""
    return ListRootsResult(roots=[Root.model_validate({"uri": "file:///home"})])


ASKABLE: dict[str, Any] = {
    "elicitation_callback": accept,
    "sampling_callback": sample,
    "list_roots_callback": list_roots,
}


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("test_input_required_result_elicitation", "Hello, Ada!"),
        ("test_input_required_result_sampling", "Paris"),
        ("test_input_required_result_list_roots", "file:///home"),
        ("test_input_required_result_multiple_inputs", "3 answers"),
        ("test_input_required_result_multi_round", "Ada likes blue."),
        ("test_input_required_result_request_state", "state-ok"),
    ],
)
def test_a_tool_asks_and_goes_on_with_the_answer(url: str, tool: str, expected: str) -> None:
    """MCP 2026-07-28, multi round-trip requests."""
    assert text_of(with_client(url, lambda client: client.call_tool(tool, {}), **ASKABLE)) == expected


def test_a_user_who_declines_is_no_error(url: str) -> None:
    """MCP elicitation, response actions: the tool decides what a refusal means."""
    name = "test_input_required_result_elicitation"
    result = with_client(url, lambda client: client.call_tool(name, {}), elicitation_callback=decline)
    assert text_of(result) == "Hello, nobody!"


def test_a_handshake_client_is_told_what_is_missing(url: str) -> None:
    """Our own choice: the model reads it, since a stateless server cannot send a request of its own."""
    name = "test_input_required_result_elicitation"
    result = with_client(url, lambda client: client.call_tool(name, {}), mode="legacy", **ASKABLE)
    assert result.is_error
    assert text_of(result).startswith("Error: ")
    assert "elicitation" in text_of(result)


def test_a_prompt_asks_too(url: str) -> None:
    """MCP 2026-07-28: prompts/get and resources/read may be answered with a question."""
    name = "test_input_required_result_prompt"
    result = with_client(url, lambda client: client.get_prompt(name), **ASKABLE)
    assert [message.content for message in result.messages] == [TextContent(text="With context: tests")]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_resources_are_listed_and_read(url: str, mode: str) -> None:
    """MCP server/resources, both eras."""

    async def work(client: Client) -> tuple[list[str], list[str], Any, Any]:
        listed = [resource.uri for resource in (await client.list_resources()).resources]
        templates = [one.uri_template for one in (await client.list_resource_templates()).resource_templates]
        text = (await client.read_resource("test://static-text")).contents[0]
        made = (await client.read_resource("test://template/a%20b/data")).contents[0]
        return listed, templates, text, made

    listed, templates, text, made = with_client(url, work, mode=mode)
    assert listed == ["test://static-text", "test://static-binary"]
    assert templates == ["test://template/{id}/data"]
    assert text.text == "This is the content of the static text resource."
    assert '"id":"a b"' in made.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_prompts_are_listed_got_and_completed(url: str, mode: str) -> None:
    """MCP server/prompts and server/utilities/completion, both eras."""

    async def work(client: Client) -> tuple[list[str], Any, list[str]]:
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        got = await client.get_prompt("test_prompt_with_arguments", {"arg1": "x", "arg2": "y"})
        reference = PromptReference(name="test_prompt_with_arguments")
        completed = await client.complete(reference, {"name": "arg1", "value": "par"})
        return names, got.messages[0].content, completed.completion.values

    names, content, values = with_client(url, work, mode=mode)
    assert "test_simple_prompt" in names
    assert content == TextContent(text="Prompt with arguments: arg1='x', arg2='y'")
    assert values == ["paris", "park", "party"]


def logged(url: str, **settings: Any) -> list[Any]:
    """Return the data of the log messages that a logging tool's caller receives."""
    seen: list[Any] = []

    async def take(params: LoggingMessageNotificationParams) -> None:
        seen.append(params.data)

    with_client(url, lambda client: client.call_tool("test_tool_with_logging", {}), logging_callback=take, **settings)
    return seen


def test_a_modern_client_gets_the_log_messages_that_it_asks_for(url: str) -> None:
    """MCP 2026-07-28: `_meta` opts in, and names the least severity."""
    assert len(logged(url, log_level="info")) == 3
    assert logged(url, log_level="error") == []
    assert logged(url) == []


def test_a_handshake_client_gets_every_log_message(url: str) -> None:
    """MCP 2025-11-25, logging: without a level the server decides which messages it sends."""
    assert len(logged(url, mode="legacy")) == 3


def test_an_unknown_resource_is_an_error_that_names_it(url: str) -> None:
    """MCP 2026-07-28, server/resources, error handling: -32602 with the URI as data."""

    async def work(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await client.read_resource("test://nowhere")
        return caught.value

    error = with_client(url, work).error
    assert (error.code, error.data) == (-32602, {"uri": "test://nowhere"})
