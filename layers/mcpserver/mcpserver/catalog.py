"""What a server offers beside its tools: lists, reads and completes its resources and prompts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from mcp_types import (
    CompleteResult,
    Completion,
    CompletionsCapability,
    EmptyResult,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    LoggingCapability,
    PromptsCapability,
    ReadResourceResult,
    ResourcesCapability,
    ServerCapabilities,
    ToolsCapability,
)

from mcpserver.context import current_context
from mcpserver.deadline import run_before
from mcpserver.errors import (
    InvalidParamsError,
    MCPServerToolError,
    MethodNotFoundError,
    OutOfTimeError,
    ResourceNotFoundError,
)
from mcpserver.paging import take_page
from mcpserver.prompt import MCPPromptBase, messages_of
from mcpserver.resource import MCPResourceBase, MCPResourceTemplateBase, contents_of

MAX_COMPLETIONS: Final = 100
"""Source: MCP server/utilities/completion."""


class ResourceCatalog:
    """A server's resources and resource templates."""

    def __init__(self, resources: Iterable[MCPResourceBase | MCPResourceTemplateBase]) -> None:
        """Take them in the order of the lists.

        Raises:
            ValueError: two share a URI, or a template is none.
        """
        self.fixed: dict[str, MCPResourceBase] = {}
        self.templates: dict[str, MCPResourceTemplateBase] = {}
        for resource in resources:
            if isinstance(resource, MCPResourceBase):
                _add(self.fixed, resource.uri, resource)
            else:
                _ = resource.matcher
                _add(self.templates, resource.uri_template, resource)

    def __bool__(self) -> bool:
        return bool(self.fixed or self.templates)

    def list(self, params: Mapping[str, Any]) -> ListResourcesResult:
        """Return a page of the resources."""
        page, cursor = take_page([*self.fixed.values()], params)
        return ListResourcesResult(resources=[one.definition() for one in page], next_cursor=cursor)

    def list_templates(self, params: Mapping[str, Any]) -> ListResourceTemplatesResult:
        """Return a page of the resource templates."""
        page, cursor = take_page([*self.templates.values()], params)
        return ListResourceTemplatesResult(resource_templates=[one.definition() for one in page], next_cursor=cursor)

    def read(self, params: Mapping[str, Any]) -> ReadResourceResult:
        """Return the contents of the resource that *params* names.

        Raises:
            ResourceNotFoundError: there is none.
            InvalidParamsError: `uri` is no string.
        """
        uri = _text_member(params, "uri")
        resource: MCPResourceBase | MCPResourceTemplateBase | None = self.fixed.get(uri)
        if isinstance(resource, MCPResourceBase):
            output = _run(resource.read)
        else:
            resource, output = self._read_template(uri)
        return contents_of(output, uri=uri, mime_type=resource.mime_type, ttl_ms=resource.ttl_ms)

    def _read_template(self, uri: str) -> tuple[MCPResourceTemplateBase, Any]:
        for template in self.templates.values():
            variables = template.matcher.match(uri)
            if variables is None:
                continue
            try:
                return template, _run(lambda: template.read(variables))  # noqa: B023 -- called before the loop goes on
            except LookupError:
                break
        raise ResourceNotFoundError(uri, is_modern=current_context().is_modern)

    def subscribe(self, params: Mapping[str, Any]) -> EmptyResult:
        """Take a subscription to a resource that only a deployment can change: no notification is ever due.

        Raises:
            MethodNotFoundError: the server has no resources.
            InvalidParamsError: `uri` is no string.
        """
        if not self:
            raise MethodNotFoundError("This server has no resources.")
        _text_member(params, "uri")
        return EmptyResult()


class PromptCatalog:
    """A server's prompts."""

    def __init__(self, prompts: Iterable[MCPPromptBase[Any]]) -> None:
        """Take them in the order of prompts/list.

        Raises:
            ValueError: two share a name.
        """
        self.prompts: dict[str, MCPPromptBase[Any]] = {}
        for prompt in prompts:
            _add(self.prompts, prompt.name, prompt)

    def __bool__(self) -> bool:
        return bool(self.prompts)

    def list(self, params: Mapping[str, Any]) -> ListPromptsResult:
        """Return a page of the prompts."""
        page, cursor = take_page([*self.prompts.values()], params)
        return ListPromptsResult(prompts=[one.definition() for one in page], next_cursor=cursor)

    def get(self, params: Mapping[str, Any]) -> GetPromptResult:
        """Return the prompt that *params* names, rendered with its arguments.

        Raises:
            InvalidParamsError: there is none of that name, or the arguments do not fit.
        """
        prompt = self.prompts.get(_text_member(params, "name"))
        if prompt is None:
            raise InvalidParamsError(f"Unknown prompt. This server has: {', '.join(self.prompts) or 'none'}.")
        arguments = prompt.validate(params.get("arguments"))
        return messages_of(_run(lambda: prompt.render(arguments)), prompt.description)


def capabilities_of(resources: ResourceCatalog, prompts: PromptCatalog, *, has_logs: bool) -> ServerCapabilities:
    """Return what a server that has tools and these says of itself."""
    completes = prompts or resources.templates
    return ServerCapabilities(
        tools=ToolsCapability(list_changed=False),
        resources=ResourcesCapability(list_changed=False, subscribe=False) if resources else None,
        prompts=PromptsCapability(list_changed=False) if prompts else None,
        completions=CompletionsCapability() if completes else None,
        logging=LoggingCapability() if has_logs else None,
    )


def complete(resources: ResourceCatalog, prompts: PromptCatalog, params: Mapping[str, Any]) -> CompleteResult:
    """Return what a person could type next in a prompt's argument or a template's variable.

    Raises:
        InvalidParamsError: the reference or the argument is none of this server's, or is ill-typed.
    """
    reference, argument = _object_member(params, "ref"), _object_member(params, "argument")
    name, value = _text_member(argument, "name"), _text_member(argument, "value")
    target: MCPPromptBase[Any] | MCPResourceTemplateBase | None
    if reference.get("type") == "ref/prompt":
        target = prompts.prompts.get(_text_member(reference, "name"))
    else:
        target = resources.templates.get(_text_member(reference, "uri"))
    if target is None:
        raise InvalidParamsError("The ref names no prompt or resource template of this server.")
    chosen = params.get("context")
    resolved = chosen.get("arguments") if isinstance(chosen, dict) else None
    values = _run(lambda: target.complete(name, value, resolved if isinstance(resolved, dict) else {}))
    return _completion(values)


def _completion(values: Sequence[str]) -> CompleteResult:
    shown = list(values[:MAX_COMPLETIONS])
    return CompleteResult(completion=Completion(values=shown, total=len(values), has_more=len(values) > len(shown)))


def _run(action: Any) -> Any:
    """Run a resource's or prompt's own code in its time.

    Raises:
        InvalidParamsError: what it could not do, as it says.
    """
    try:
        return run_before(current_context().remaining_s(), action)
    except MCPServerToolError as error:
        raise InvalidParamsError(str(error)) from None
    except OutOfTimeError:
        raise InvalidParamsError("The server ran out of time: ask for less in one call.") from None


def _add[ItemT](items: dict[str, ItemT], key: str, item: ItemT) -> None:
    if key in items:
        raise ValueError(f"Two of them are called {key}.")
    items[key] = item


def _text_member(holder: Mapping[str, Any], name: str) -> str:
    value = holder.get(name)
    if type(value) is not str:
        raise InvalidParamsError(f"The params must hold {name}, a string.")
    return value


def _object_member(params: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = params.get(name)
    if type(value) is not dict:
        raise InvalidParamsError(f"The params must hold {name}, an object.")
    return value
