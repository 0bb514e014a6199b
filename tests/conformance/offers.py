"""The fixture's resources and prompts. Names and texts are the suite's."""

from collections.abc import Mapping, Sequence

from mcp_types import EmbeddedResource, PromptMessage, TextContent, TextResourceContents
from pydantic import BaseModel, Field

from mcpserver import MCPPromptBase, MCPResourceBase, MCPResourceTemplateBase, image
from mcpserver.prompt import NoArguments
from tests.conformance.content_tools import PNG


class StaticText(MCPResourceBase):
    """A text."""

    uri = "test://static-text"
    name = "static-text"
    title = "Static text"
    description = "A static text resource for testing."

    def read(self) -> str:
        """Return the text."""
        return "This is the content of the static text resource."


class StaticBinary(MCPResourceBase):
    """An image."""

    uri = "test://static-binary"
    name = "static-binary"
    title = "Static binary"
    description = "A static binary resource for testing."
    mime_type = "image/png"

    def read(self) -> bytes:
        """Return the image."""
        return PNG


class TemplateData(MCPResourceTemplateBase):
    """A family of JSON documents."""

    uri_template = "test://template/{id}/data"
    name = "template-data"
    title = "Template data"
    description = "A document for each id."
    mime_type = "application/json"

    def read(self, variables: Mapping[str, str]) -> str:
        """Return the document of one id."""
        return f'{{"id":"{variables["id"]}","templateTest":true,"data":"Data for ID: {variables["id"]}"}}'


class SimplePrompt(MCPPromptBase[NoArguments]):
    """A prompt without arguments."""

    name = "test_simple_prompt"
    title = "Simple prompt"
    description = "A simple prompt for testing."

    def render(self, arguments: NoArguments) -> str:  # noqa: ARG002 -- it takes none
        """Return the text."""
        return "This is a simple prompt for testing."


class TwoArguments(BaseModel):
    """Two texts."""

    arg1: str = Field(description="First test argument.")
    arg2: str = Field(description="Second test argument.")


class PromptWithArguments(MCPPromptBase[TwoArguments]):
    """A prompt with arguments, which can be completed."""

    name = "test_prompt_with_arguments"
    title = "Prompt with arguments"
    description = "A prompt with two arguments."
    arguments_model = TwoArguments

    def render(self, arguments: TwoArguments) -> str:
        """Return both."""
        return f"Prompt with arguments: arg1='{arguments.arg1}', arg2='{arguments.arg2}'"

    def complete(self, argument: str, value: str, resolved: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        """Return the words that begin so."""
        return [word for word in ("paris", "park", "party") if word.startswith(value)]


class ResourceArguments(BaseModel):
    """Which resource."""

    resource_uri: str = Field(alias="resourceUri", description="URI of the resource to embed.")


class PromptWithResource(MCPPromptBase[ResourceArguments]):
    """A prompt with an embedded resource."""

    name = "test_prompt_with_embedded_resource"
    title = "Prompt with resource"
    description = "A prompt that embeds a resource."
    arguments_model = ResourceArguments

    def render(self, arguments: ResourceArguments) -> list[PromptMessage]:
        """Return the resource and a request about it."""
        contents = TextResourceContents(
            uri=arguments.resource_uri, mime_type="text/plain", text="Embedded resource content for testing."
        )
        return [
            PromptMessage(role="user", content=EmbeddedResource(resource=contents)),
            PromptMessage(role="user", content=TextContent(text="Please process the embedded resource above.")),
        ]


class PromptWithImage(MCPPromptBase[NoArguments]):
    """A prompt with an image."""

    name = "test_prompt_with_image"
    title = "Prompt with image"
    description = "A prompt that shows an image."

    def render(self, arguments: NoArguments) -> list[PromptMessage]:  # noqa: ARG002 -- it takes none
        """Return the image and a request about it."""
        return [
            PromptMessage(role="user", content=image(PNG)),
            PromptMessage(role="user", content=TextContent(text="Please analyze the image above.")),
        ]


RESOURCES = (StaticText(), StaticBinary(), TemplateData())
PROMPTS = (SimplePrompt(), PromptWithArguments(), PromptWithResource(), PromptWithImage())
