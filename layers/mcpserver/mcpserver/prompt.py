"""Prompts: texts that a person picks in the host, with arguments."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from mcp_types import ContentBlock, GetPromptResult, Icon, Prompt, PromptArgument, PromptMessage, TextContent
from pydantic import BaseModel, ValidationError

from mcpserver.context import CallContext, current_context
from mcpserver.errors import InvalidParamsError

type PromptOutput = str | ContentBlock | Sequence[PromptMessage] | GetPromptResult
"""What a `render` returns: one user message's text or block, whole messages, or a whole result."""


class NoArguments(BaseModel):
    """For a prompt that takes none."""


class MCPPromptBase[ArgumentsT: BaseModel](ABC):
    """Something a person can pick. A subclass fills the class variables and writes `render`."""

    name: str
    title: str
    description: str
    arguments_model: type[BaseModel] = NoArguments
    """Fields are strings: the protocol has no other prompt arguments."""
    icons: tuple[Icon, ...] = ()

    @abstractmethod
    def render(self, arguments: ArgumentsT) -> Any:
        """Return a `PromptOutput`, or a coroutine of one."""

    def complete(self, argument: str, value: str, resolved: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        """Return values of *argument* that begin like *value*; *resolved* holds the arguments already chosen."""
        return ()

    @property
    def context(self) -> CallContext:
        """The call that is running."""
        return current_context()

    def definition(self) -> Prompt:
        """Return what prompts/list says of it."""
        arguments = [
            PromptArgument(
                name=field.alias or name,
                title=field.title,
                description=field.description,
                required=field.is_required(),
            )
            for name, field in self.arguments_model.model_fields.items()
        ]
        return Prompt(
            name=self.name,
            title=self.title,
            description=self.description,
            arguments=arguments or None,
            icons=list(self.icons) or None,
        )

    def validate(self, arguments: Any) -> Any:
        """Return *arguments* as the model that `render` takes.

        Raises:
            InvalidParamsError: names the arguments that are missing or wrong.
        """
        try:
            return self.arguments_model.model_validate({} if arguments is None else arguments)
        except ValidationError as error:
            known = self.arguments_model.model_fields
            wrong = {str(problem["loc"][0]) for problem in error.errors() if problem["loc"]} & set(known)
            names = ", ".join(sorted(wrong)) or "arguments"
            raise InvalidParamsError(f"Invalid prompt arguments: {names}.") from None


def messages_of(output: PromptOutput, description: str) -> GetPromptResult:
    """Return what a `render` returned as a result."""
    if isinstance(output, GetPromptResult):
        return output
    if isinstance(output, str):
        messages = [PromptMessage(role="user", content=TextContent(text=output))]
    elif isinstance(output, BaseModel):
        messages = [PromptMessage(role="user", content=output)]
    else:
        messages = list(output)
    return GetPromptResult(description=description, messages=messages)
