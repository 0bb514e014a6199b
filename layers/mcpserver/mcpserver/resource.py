"""Resources: what a server lets a host read by URI. One class a resource, or one for a family of them."""

import base64
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from mcp_types import (
    Annotations,
    BlobResourceContents,
    Icon,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from mcpserver.context import CallContext, current_context
from mcpserver.uri_template import UriTemplate

type ResourceOutput = str | bytes | Sequence[TextResourceContents | BlobResourceContents]
"""What a `read` returns: text, binary data, or whole contents."""


class _Readable:
    name: str
    """What a program calls it."""
    title: str
    """What a person reads in the host's list."""
    description: str
    mime_type: str = "text/plain"
    annotations: Annotations | None = None
    icons: tuple[Icon, ...] = ()
    ttl_ms: int = 0
    """How long a modern client may keep what it read. Milliseconds."""

    @property
    def context(self) -> CallContext:
        """The call that is running."""
        return current_context()

    def _described(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "mime_type": self.mime_type,
            "annotations": self.annotations,
            "icons": list(self.icons) or None,
        }


class MCPResourceBase(_Readable, ABC):
    """One resource."""

    uri: str

    @abstractmethod
    def read(self) -> Any:
        """Return a `ResourceOutput`, or a coroutine of one."""

    def definition(self) -> Resource:
        """Return what resources/list says of it."""
        return Resource(uri=self.uri, **self._described())


class MCPResourceTemplateBase(_Readable, ABC):
    """A family of resources whose URI has variables."""

    uri_template: str
    """As in `notes://{year}/{id}`."""

    @abstractmethod
    def read(self, variables: Mapping[str, str]) -> Any:
        """Return a `ResourceOutput` of the member that *variables* name, or a coroutine of one.

        Raises:
            LookupError: there is no such member.
        """

    def complete(self, variable: str, value: str, resolved: Mapping[str, str]) -> Sequence[str]:  # noqa: ARG002
        """Return values of *variable* that begin like *value*; *resolved* holds the variables already chosen."""
        return ()

    @cached_property
    def matcher(self) -> UriTemplate:
        """The template, compiled."""
        return UriTemplate(self.uri_template)

    def definition(self) -> ResourceTemplate:
        """Return what resources/templates/list says of it."""
        return ResourceTemplate(uri_template=self.uri_template, **self._described())


def contents_of(output: ResourceOutput, *, uri: str, mime_type: str, ttl_ms: int) -> ReadResourceResult:
    """Return what a `read` returned as a result."""
    contents: list[TextResourceContents | BlobResourceContents]
    if isinstance(output, str):
        contents = [TextResourceContents(uri=uri, mime_type=mime_type, text=output)]
    elif isinstance(output, bytes):
        blob = base64.b64encode(output).decode("ascii")
        contents = [BlobResourceContents(uri=uri, mime_type=mime_type, blob=blob)]
    else:
        contents = list(output)
    return ReadResourceResult(contents=contents, ttl_ms=ttl_ms)
