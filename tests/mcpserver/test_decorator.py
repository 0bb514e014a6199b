"""`@tool`: a tool from a typed function."""

import asyncio
from typing import Annotated, Any, Literal

import pytest
from mcp_types import Icon
from pydantic import BaseModel, Field

from mcpserver import CallContext, MCPServerToolError, MCPToolBase, tool
from mcpserver.context import Principal, TransportContext
from mcpserver.decorator import read_docstring
from tests.fixture_servers import serving
from tests.mcpserver.posts import call_tool, request, text_of


class Total(BaseModel):
    """A typed result."""

    total: int


@tool
def book(room: str, seats: int = 2, kind: Literal["desk", "hall"] = "desk") -> str:
    """Book a room.

    Use it once the user has agreed.

    Args:
        room: which room,
            by its number.
        seats (int): how many sit there.
        kind: a desk or a hall.

    Returns:
        The booking's number.
    """
    return f"{room} {seats} {kind}"


def properties_of(made: MCPToolBase[Any]) -> dict[str, Any]:
    """Return the properties that a tool advertises."""
    found: dict[str, Any] = made.input_schema()["properties"]
    return found


def test_the_signature_is_the_schema() -> None:
    """SPEC 2.2: signature + docstring -> `arguments_model`."""
    assert book.input_schema()["required"] == ["room"]
    assert book.input_schema()["additionalProperties"] is False
    seats = properties_of(book)["seats"]
    assert (seats["type"], seats["default"]) == ("integer", 2)
    assert seats["description"].startswith("how many sit there.")
    assert properties_of(book)["kind"]["enum"] == ["desk", "hall"]


def test_the_docstring_before_its_sections_is_the_description() -> None:
    """SPEC 2.2: the model reads it; `Returns:` and `Raises:` are for developers."""
    assert book.name == "book"
    assert book.title == "Book"
    assert book.description == "Book a room.\n\nUse it once the user has agreed."


def test_the_args_section_describes_each_argument_over_several_lines() -> None:
    """The Google style of docstring, as in this repository."""
    assert properties_of(book)["room"]["description"] == "which room, by its number."


def test_a_sync_function_runs() -> None:
    """SPEC 2.2: sync or async."""
    assert call_tool(book, {"room": "5", "seats": "3"})["content"][0]["text"] == "5 3 desk"


def test_an_async_function_is_awaited() -> None:
    """SPEC 2.2: sync or async."""

    @tool
    async def wait(text: str) -> str:
        """Wait a turn."""
        await asyncio.sleep(0)
        return text

    assert call_tool(wait, {"text": "done"})["content"][0]["text"] == "done"


def test_settings_replace_what_the_function_says() -> None:
    """*settings* are the class variables of MCPToolBase."""

    @tool(name="other", title="Another", read_only=False, destructive=True, icons=(Icon(src="https://x.example/i"),))
    def one() -> str:
        """One."""
        return ""

    definition = one.definition()
    assert (definition.name, definition.title) == ("other", "Another")
    assert definition.annotations is not None
    assert definition.annotations.destructive_hint is True
    assert definition.icons is not None


def test_a_setting_that_does_not_exist_is_refused() -> None:
    """A typo such as `readonly=` would make a tool claim too little."""
    with pytest.raises(TypeError, match="readonly"):
        tool(readonly=True)


def test_a_context_parameter_gets_the_calls_context_and_is_no_argument() -> None:
    """SPEC 2.2: a tool can read the call's context."""

    @tool
    def who(call: CallContext, greeting: str = "hi") -> str:
        """Greet."""
        assert call.principal is not None
        return f"{greeting} {call.principal.principal_id} {call.request_id}"

    assert list(properties_of(who)) == ["greeting"]
    transport = TransportContext(principal=Principal("ann"), request_id="r-1")
    body = serving(who).exchange(request("tools/call", {"name": "who", "arguments": {}}), transport).body
    assert text_of(body) == "hi ann r-1"


def test_a_model_as_return_type_is_the_output_schema() -> None:
    """SPEC 2.2: a Pydantic model -> outputSchema + structuredContent + text."""

    @tool
    async def add(a: int, b: int) -> Total:
        """Add."""
        return Total(total=a + b)

    schema = add.definition().output_schema
    assert schema is not None
    assert schema["properties"] == {"total": {"type": "integer"}}
    assert call_tool(add, {"a": 1, "b": 2})["structuredContent"] == {"total": 3}


def test_a_tool_error_in_a_function_is_for_the_model() -> None:
    """SPEC 2.1: `Error: ` + the message."""

    @tool
    def fail() -> str:
        """Fail."""
        raise MCPServerToolError("choose another.")

    result = call_tool(fail, {})
    assert (result["content"][0]["text"], result["isError"]) == ("Error: choose another.", True)


def test_a_parameter_without_a_type_is_refused() -> None:
    """A model cannot guess it."""

    def untyped(a) -> str:  # type: ignore[no-untyped-def]  # noqa: ANN001 -- that is the mistake
        return str(a)

    with pytest.raises(TypeError, match="needs a type"):
        tool(untyped)


def test_a_parameter_without_a_name_is_refused() -> None:
    """JSON arguments are named: *args, **kwargs and positional-only ones cannot be filled."""

    def many(*values: int) -> str:
        return str(values)

    def named(**values: int) -> str:
        return str(values)

    def positional(value: int, /) -> str:
        return str(value)

    for function in (many, named, positional):
        with pytest.raises(TypeError, match="cannot be one"):
            tool(function)


def test_annotated_bounds_hold_beside_a_default() -> None:
    """Pydantic: a default and `Annotated[..., Field(...)]` go together."""

    @tool
    def take(count: Annotated[int, Field(ge=1, le=5)] = 2) -> str:
        """Take.

        Args:
            count: how many, 1 to 5 (default 2).
        """
        return str(count)

    assert properties_of(take)["count"] == {
        "type": "integer",
        "default": 2,
        "minimum": 1,
        "maximum": 5,
        "description": "how many, 1 to 5 (default 2).",
    }
    assert call_tool(take, {"count": 9})["isError"] is True


def test_a_fields_own_description_stays_where_the_docstring_has_none() -> None:
    """HOSTS rule 12: descriptions carry what hosts remove from the schema."""

    @tool
    def take(
        count: Annotated[int, Field(description="How many.")] = 2, more: int = Field(3, description="More.")
    ) -> str:
        """Take."""
        return f"{count}{more}"

    words = [part["description"] for part in properties_of(take).values()]
    assert [text.split(" (")[0] for text in words] == ["How many.", "More."]


def test_the_docstring_describes_a_parameter_whose_default_is_a_field() -> None:
    """SPEC 2.2: the docstring is part of the schema in every form of the default."""

    @tool
    def take(count: int = Field(3, ge=1)) -> str:
        """Take.

        Args:
            count: how many.
        """
        return str(count)

    assert properties_of(take)["count"]["description"].startswith("how many.")


@pytest.mark.parametrize("name", ["schema", "copy", "json", "dict", "model_fields", "validate"])
def test_a_parameter_may_have_any_name(name: str) -> None:
    """The author need not know which names Pydantic's base class uses; warnings are errors in this suite."""
    scope: dict[str, Any] = {}
    exec(f"def take({name}: str) -> str:\n    'Take.'\n    return {name}", scope)  # noqa: S102 -- our own text
    taker = tool(scope["take"])
    assert list(properties_of(taker)) == [name]
    assert call_tool(taker, {name: "x"})["content"][0]["text"] == "x"


def test_a_mutable_default_is_fresh_in_each_call() -> None:
    """A warm instance answers many requests: none may see another's values."""

    @tool
    def gather(items: list[str] = []) -> str:  # noqa: B006 -- what an author may write
        """Gather."""
        items.append("x")
        return str(len(items))

    assert [call_tool(gather, {})["content"][0]["text"] for _ in range(2)] == ["1", "1"]


def test_a_docstring_without_sections_is_all_description() -> None:
    """The plainest docstring."""
    assert read_docstring("One.\n\nTwo.") == ("One.\n\nTwo.", {})
    assert read_docstring("") == ("", {})
