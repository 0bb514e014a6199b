"""Other servers' resources, by URI: none is listed, and only what a connection allows is read."""

from collections.abc import Mapping
from typing import Any

from mcp_types import ReadResourceResult
from mcpclient import MCPClientError, is_resource_allowed

from functions.remote.errors import sentence_for
from functions.remote.naming import SEPARATOR
from functions.remote.shelf import Offered, Shelf
from functions.remote.tool import SERVER, Outbound, may_use
from mcpserver import current_context
from mcpserver.catalog import ResourceCatalog
from mcpserver.errors import ForbiddenError, InvalidParamsError, ResourceNotFoundError


class RemoteResources(ResourceCatalog):
    """Reads `<uri>`, or `<connection>__<uri>` where more than one connection allows it."""

    def __init__(self, shelf: Shelf, outbound: Outbound) -> None:
        super().__init__(())
        self._shelf = shelf
        self._outbound = outbound

    def __bool__(self) -> bool:
        """Tell whether any connection allows a resource."""
        return any(connection.allowed_resources for connection in self._shelf.look().connections.values())

    def read(self, params: Mapping[str, Any]) -> ReadResourceResult:
        """Return the contents of the resource that *params* names.

        Raises:
            ForbiddenError: the caller has single tools of this server only.
            InvalidParamsError: `uri` is no string, more than one connection allows it, or it could not be read.
            ResourceNotFoundError: no connection allows it.
        """
        uri = params.get("uri")
        if type(uri) is not str:
            raise InvalidParamsError("The params must hold uri, a string.")
        context = current_context()
        if not may_use(context):
            raise ForbiddenError(f"Resources need the scope {SERVER}, which the key does not have.")
        offered = self._shelf.look()
        connection, own_uri = _connection_of(uri, offered)
        try:
            found = offered.connections[connection]
            result: ReadResourceResult = self._outbound.read(found, own_uri, context)
        except MCPClientError as error:
            raise InvalidParamsError(sentence_for(error, connection)) from None
        return ReadResourceResult(contents=result.contents)


def _connection_of(uri: str, offered: Offered) -> tuple[str, str]:
    prefix, separator, rest = uri.partition(SEPARATOR)
    if separator and prefix in offered.connections:
        return _allowed(prefix, rest, offered)
    names = [
        name
        for name, connection in offered.connections.items()
        if is_resource_allowed(uri, connection.allowed_resources)
    ]
    if len(names) > 1:
        raise InvalidParamsError(f"More than one connection has it: put {f'{SEPARATOR}, '.join(names)}__ in front.")
    if not names:
        raise ResourceNotFoundError(uri, is_modern=current_context().is_modern)
    return names[0], uri


def _allowed(name: str, uri: str, offered: Offered) -> tuple[str, str]:
    if not is_resource_allowed(uri, offered.connections[name].allowed_resources):
        raise ResourceNotFoundError(uri, is_modern=current_context().is_modern)
    return name, uri
