"""`@tool`: a tool from a typed function. Its signature and docstring are the schema and the description."""

import inspect
import re
import typing
from collections.abc import Callable
from typing import Any, Final

from pydantic import BaseModel, Field, create_model
from pydantic.fields import FieldInfo

from mcpserver.context import CallContext, current_context
from mcpserver.tool import MCPToolBase

_ARGS_SECTION: Final = re.compile(r"^\s*(Args|Arguments|Parameters):\s*$")
_SECTION: Final = re.compile(r"^\s*(Returns|Raises|Yields|Source|Examples?|Notes?):")
_ARGUMENT: Final = re.compile(r"^\s+\*{0,2}(\w+)(?:\s*\([^)]*\))?:\s*(.+)$")


class FunctionTool(MCPToolBase[BaseModel]):
    """A tool whose `run` is a function."""

    def __init__(self, function: Callable[..., Any], settings: dict[str, Any]) -> None:
        summary, descriptions = read_docstring(inspect.getdoc(function) or "")
        hints = typing.get_type_hints(function, include_extras=True)
        for name, value in ({"name": function.__name__, "description": summary} | settings).items():
            setattr(self, name, value)
        self.title = settings.get("title", self.name.replace("_", " ").capitalize())
        self._function = function
        self._context_parameter = next((name for name, hint in hints.items() if hint is CallContext), None)
        self.arguments_model = self._model_of(hints, descriptions)
        self.__dict__["returns"] = hints.get("return", Any)

    def _model_of(self, hints: dict[str, Any], descriptions: dict[str, str]) -> type[BaseModel]:
        fields: dict[str, Any] = {}
        for name, parameter in inspect.signature(self._function).parameters.items():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
                raise TypeError(f"{self.name}: a tool's parameters have names and types: {name} cannot be one.")
            if name == self._context_parameter:
                continue
            if name not in hints:
                raise TypeError(f"{self.name}: the parameter {name} needs a type.")
            # A parameter may be called `schema` or `copy`, a field of a model may not: the alias is its name.
            fields[f"parameter_{len(fields)}"] = (hints[name], _field_of(name, parameter, descriptions.get(name)))
        return create_model(f"{self.name}_arguments", **fields)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function itself, as if it were not decorated."""
        return self._function(*args, **kwargs)

    def run(self, arguments: BaseModel) -> Any:
        """Call the function with the validated arguments."""
        fields = type(arguments).model_fields
        values = {field.alias or name: getattr(arguments, name) for name, field in fields.items()}
        if self._context_parameter is not None:
            values[self._context_parameter] = current_context()
        return self._function(**values)


def _field_of(name: str, parameter: inspect.Parameter, description: str | None) -> Any:
    """Return the parameter's field; what the docstring says of it goes in where it says nothing itself."""
    told: dict[str, Any] = {} if description is None else {"description": description}
    default = parameter.default
    if isinstance(default, FieldInfo):
        own: dict[str, Any] = {} if default.description is not None else told
        return FieldInfo.merge_field_infos(default, alias=name, validation_alias=name, serialization_alias=name, **own)
    return Field(... if default is parameter.empty else default, alias=name, **told)


@typing.overload
def tool(function: Callable[..., Any], /) -> FunctionTool: ...
@typing.overload
def tool(**settings: Any) -> Callable[[Callable[..., Any]], FunctionTool]: ...
def tool(function: Callable[..., Any] | None = None, /, **settings: Any) -> Any:
    """Make a tool of a typed function, sync or async: `@tool` or `@tool(title="Divide", read_only=False)`.

    The signature gives the arguments, the docstring's first paragraph the description that the model reads, its `Args:`
    section each argument's; a parameter of type `CallContext` gets the call's context. *settings* are the class
    variables of `MCPToolBase`.

    Raises:
        TypeError: a parameter has no type or no name, or a setting does not exist.
    """
    unknown = settings.keys() - MCPToolBase.__annotations__.keys()
    if unknown:
        raise TypeError(f"tool() has no setting called {', '.join(sorted(unknown))}.")
    if function is not None:
        return FunctionTool(function, settings)
    return lambda decorated: FunctionTool(decorated, settings)


def read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Return the docstring's text before its sections, and what its `Args:` section says of each argument."""
    before: list[str] = []
    descriptions: dict[str, str] = {}
    section = ""
    name = ""
    for line in text.splitlines():
        if _ARGS_SECTION.match(line):
            section = "args"
        elif _SECTION.match(line):
            section = "other"
        elif not section:
            before.append(line)
        elif section == "args" and (found := _ARGUMENT.match(line)):
            name = found[1]
            descriptions[name] = found[2].strip()
        elif section == "args" and name and line.strip():
            descriptions[name] += " " + line.strip()
    return "\n".join(before).strip(), descriptions
