"""`MCPToolBase`: one tool, its schema, its validation, its run."""

import re
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

from mcp_types import Icon, Tool, ToolAnnotations
from pydantic import BaseModel, ValidationError

from mcpserver.content import ToolOutput
from mcpserver.context import CallContext, current_context
from mcpserver.deadline import run_before
from mcpserver.errors import MCPServerToolError
from mcpserver.param_headers import declared_headers
from mcpserver.repair import Repair, compile_repair
from mcpserver.schema import Schema, input_schema_of, output_schema_of, simplify_schema

TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What every host accepts as a tool's name. Source: HOSTS rule 12."""


_UNUSABLE: Final = (int, float, bool, bytes, dict, type(None))
"""What no host could show: wrap it in a model, or return it as text."""


class MCPToolBase[ArgumentsT: BaseModel](ABC):
    """Something a model can call. A subclass fills the class variables and writes `run`."""

    name: str
    """`snake_case`: what the model types. It never changes."""
    title: str
    """What a person reads in the host's list."""
    description: str
    """Read by the model: say when to call the tool and when not."""
    arguments_model: type[BaseModel]
    read_only: bool = True
    destructive: bool = False
    open_world: bool = False
    """The tool reaches beyond this deployment's own data."""
    aliases: tuple[str, ...] = ()
    """Other names that a model may call the tool by; no list shows them."""
    required_scope: str | None = None
    """What the principal needs to call the tool; a call without it gets an error that names it."""
    logs: bool = False
    """The tool sends log messages to the client (`self.context.log`), so the server says that it has some."""
    icons: tuple[Icon, ...] = ()

    @abstractmethod
    def run(self, arguments: ArgumentsT) -> Any:
        """Do the work and return a `ToolOutput`, or a coroutine of one.

        Raises:
            MCPServerToolError: a sentence for the model, which can then try again.
        """

    @property
    def context(self) -> CallContext:
        """The call that is running: principal, remaining time, progress."""
        return current_context()

    def call(self, arguments: Mapping[str, Any] | None) -> ToolOutput:
        """Validate *arguments* and run the tool with them.

        Raises:
            MCPServerToolError: the arguments do not fit, or the tool could not do it.
        """
        validated = self.validate(arguments)
        output: ToolOutput = run_before(self.context.remaining_s(), lambda: self.run(validated))
        return output

    def validate(self, arguments: Mapping[str, Any] | None) -> ArgumentsT:
        """Return *arguments* as the model that `run` takes.

        Raises:
            MCPServerToolError: names each problem by its path.
        """
        try:
            validated = self._validate({} if arguments is None else arguments)
        except ValidationError as error:
            raise self.invalid_arguments(self.name, error) from None
        return validated

    @cached_property
    def _validate(self) -> Callable[[Any], ArgumentsT]:
        # `model_validate` without the keyword arguments that it looks at in each call.
        return self.arguments_model.__pydantic_validator__.validate_python

    def invalid_arguments(self, tool_name: str, error: ValidationError) -> MCPServerToolError:
        """Return one error for the model: each problem as `path: what is allowed`, joined by "; "."""
        problems = (
            f"{self._path(problem['loc'])}: {_message(problem)}"
            for problem in error.errors(include_url=False, include_input=False)
        )
        return MCPServerToolError(f"invalid arguments for {tool_name}: {'; '.join(problems)}")

    def _path(self, location: tuple[int | str, ...]) -> str:
        # A key that the schema does not name is the caller's own text: it is not repeated.
        parts = [str(part) for part in location if isinstance(part, int) or part in self._member_names]
        return ".".join(parts) or "arguments"

    @cached_property
    def _member_names(self) -> frozenset[str]:
        return frozenset(_names_in(self._input_schema))

    def definition(self) -> Tool:
        """Return what tools/list says of this tool."""
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self._input_schema,
            output_schema=self._output_schema,
            icons=list(self.icons) or None,
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=self.read_only,
                destructive_hint=self.destructive,
                idempotent_hint=True if self.read_only else None,
                open_world_hint=self.open_world,
            ),
        )

    def input_schema(self) -> Schema:
        """Return the JSON Schema of the arguments: an object with `properties` that takes no others."""
        return input_schema_of(self.arguments_model)

    simplify_schema = staticmethod(simplify_schema)

    def output_schema(self) -> Schema | None:
        """Return the JSON Schema of `structuredContent`, None where `run` returns text or blocks."""
        return None if self.output_model is None else output_schema_of(self.output_model)

    @cached_property
    def output_model(self) -> type[BaseModel] | None:
        """The Pydantic model that `run` says it returns, if it does."""
        returns = self.returns
        return returns if isinstance(returns, type) and issubclass(returns, BaseModel) else None

    @cached_property
    def returns(self) -> Any:
        """What `run` says it returns; `Any` where it says nothing."""
        returned = self.run.__annotations__.get("return", Any)
        return typing.get_type_hints(self.run)["return"] if isinstance(returned, str) else returned

    @cached_property
    def _input_schema(self) -> Schema:
        return self.input_schema()

    @cached_property
    def _output_schema(self) -> Schema | None:
        return self.output_schema()

    @cached_property
    def repair(self) -> Repair:
        """The schema, compiled into what mends a model's arguments."""
        return compile_repair(self._input_schema)

    @cached_property
    def param_headers(self) -> Mapping[str, tuple[str, ...]]:
        """`Mcp-Param-*` header token -> path of the argument that it repeats."""
        return declared_headers(self._input_schema)

    def check(self) -> None:
        """Refuse what a host could not use, when the server is made and not when a model calls.

        Raises:
            ValueError: the name has a character or a length that hosts refuse.
            RecursiveModelError: the arguments' model contains itself.
            TypeError: what it takes or returns cannot be described to a host.
        """
        if not all(TOOL_NAME.fullmatch(name) for name in (self.name, *self.aliases)):
            raise ValueError("A tool's name has 1 to 64 letters, digits, hyphens and underscores.")
        if self.returns is None or (typing.get_origin(self.returns) or self.returns) in _UNUSABLE:
            raise TypeError(f"{self.name}: run must say that it returns text, a Pydantic model or content blocks.")
        _ = self.repair, self.param_headers, self._output_schema


def _names_in(schema: Any) -> set[str]:
    names: set[str] = set()
    if isinstance(schema, dict):
        names |= set(schema.get("properties", ()))
        for value in schema.values():
            names |= _names_in(value)
    elif isinstance(schema, list):
        for value in schema:
            names |= _names_in(value)
    return names


def _message(problem: Any) -> str:
    """Return Pydantic's message, except where it would quote the input."""
    if problem["type"] == "union_tag_invalid":
        return f"Input should have one of the tags {problem['ctx']['expected_tags']}"
    return str(problem["msg"])
