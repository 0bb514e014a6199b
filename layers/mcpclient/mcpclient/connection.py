"""`MCPServerConnection`: discover another server, call its tools, read its resources. One connection per call."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Any

import anyio
import httpx2
from guardedhttp import Network, client_of
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation, ReadResourceResult

from mcpclient.arguments import check_arguments
from mcpclient.attempt import Attempt
from mcpclient.auth import NoAuth, OAuthAuth
from mcpclient.catalog import MCPServerCatalog
from mcpclient.credentials import header_of, repeats_secret
from mcpclient.discovery import Discovery, prepare_call, read_catalog
from mcpclient.eras import HANDSHAKE_MODE, Era, EraMemory, shared_eras, suggests_another_era
from mcpclient.errors import (
    MCPClientConfigurationError,
    MCPClientConnectionError,
    MCPClientError,
    MCPClientPermissionError,
)
from mcpclient.failure import REFUSED, TIMEOUT, failure_of
from mcpclient.oauth import TokenStore, shared_token_store
from mcpclient.permissions import is_resource_allowed, is_tool_allowed
from mcpclient.quiet import quiet_third_parties
from mcpclient.result import MCPToolResult, resource_text, take_result_as_it_is
from mcpclient.secret_store import SecretStore, shared_secret_store
from mcpclient.settings import ConnectionSettings
from mcpclient.transport import MCPTransport
from mcpclient.version import CLIENT_NAME, CLIENT_VERSION

logger = logging.getLogger(__name__)

type Operation[T] = Callable[[Client], Awaitable[T]]
"""Does something with the connected SDK client."""


class MCPServerConnection:
    """A connection to another server. It keeps nothing open: each call connects, does its work and closes."""

    def __init__(
        self,
        connection: ConnectionSettings,
        *,
        network: Network | None = None,
        secrets: SecretStore | None = None,
        tokens: TokenStore | None = None,
        eras: EraMemory | None = None,
    ) -> None:
        """Make a connection; nothing is sent yet.

        Args:
            connection: where to, and what is allowed.
            network: what lies below the guard: tests bring their own, and `make run` its loopback ports.
            secrets: where credentials are read, by the connection's own name.
            tokens: remembers OAuth tokens.
            eras: remembers which era a server speaks.

        Raises:
            MCPClientConfigurationError: the connection is switched off.
        """
        if not connection.enabled:
            raise MCPClientConfigurationError("The connection is disabled.")
        quiet_third_parties()
        self.connection = connection
        self._network = network
        self._secrets = secrets or shared_secret_store()
        self._tokens = tokens or shared_token_store()
        self._eras = eras or shared_eras()

    @property
    def timeout(self) -> float:
        """Seconds that one whole call may take."""
        return self.connection.timeout_s

    @property
    def formatted_class_name(self) -> str:
        """Module, class and connection name, for log lines."""
        return f"{type(self).__module__}.{type(self).__qualname__}({self.connection.name})"

    async def discover(self) -> MCPServerCatalog:
        """Return what the server offers: all of its tools, allowed or not.

        Raises:
            MCPClientError: see `run`.
        """
        return (await self.discover_in_full()).catalog

    async def discover_in_full(self) -> Discovery:
        """Return what the server offers, with its tools as it describes them itself.

        Raises:
            MCPClientError: see `run`.
        """
        # Asked anew each time, so that instructions are fresh and an upgraded server is noticed.
        self._eras.forget(self.connection.url)
        discovery = await self.run(lambda client: read_catalog(client, self.connection.limits), "discover the server")
        header_tools = (tool.name for tool in discovery.catalog.tools if tool.has_header_parameters)
        self._eras.remember_header_tools(self.connection.url, header_tools)
        return discovery

    async def call_tool(self, tool_name: str, arguments: dict[str, Any] | None = None) -> MCPToolResult:
        """Call a tool and return its result as text.

        Raises:
            MCPClientPermissionError: the tool is not allowed; nothing was sent.
            MCPClientError: see `run`.
        """
        result = await self.call_tool_in_full(tool_name, arguments)
        return MCPToolResult.from_result(result, self.connection.limits.result_characters)

    async def call_tool_in_full(self, tool_name: str, arguments: dict[str, Any] | None = None) -> CallToolResult:
        """Call a tool and return all of its content blocks.

        Raises:
            MCPClientPermissionError: the tool is not allowed; nothing was sent.
            MCPClientError: see `run` and `check_arguments`.
        """
        check_arguments(tool_name, arguments)
        if not is_tool_allowed(tool_name, self.connection.allowed_tools):
            raise MCPClientPermissionError("This connection does not allow the tool.")

        async def call(client: Client) -> CallToolResult:
            is_header_tool = self._eras.is_header_tool(self.connection.url, tool_name)
            await prepare_call(client, tool_name, self.connection.limits, needs_listing=is_header_tool)
            return await client.call_tool(tool_name, arguments)

        return await self.run(call, "call the tool")

    async def read_resource(self, uri: str) -> str:
        """Read a resource and return it as text.

        Raises:
            MCPClientPermissionError: the resource is not allowed; nothing was sent.
            MCPClientError: see `run`.
        """
        return resource_text(await self.read_resource_in_full(uri), self.connection.limits.result_characters)

    async def read_resource_in_full(self, uri: str) -> ReadResourceResult:
        """Read a resource and return all of its contents.

        Raises:
            MCPClientPermissionError: the resource is not allowed; nothing was sent.
            MCPClientError: see `run`.
        """
        if not is_resource_allowed(uri, self.connection.allowed_resources):
            raise MCPClientPermissionError("This connection does not allow the resource.")
        return await self.run(lambda client: client.read_resource(uri), "read the resource")

    def credential(self, *, renew: bool = False) -> dict[str, str]:
        """Return the header that carries the connection's credential; empty without one, and for OAuth.

        Raises:
            MCPClientConfigurationError: the secret is missing, or has not the form that the scheme needs.
        """
        auth = self.connection.auth
        if isinstance(auth, NoAuth | OAuthAuth):
            return {}
        return header_of(auth, self._secrets.read(self.connection.secret_name, renew=renew))

    def request_headers(self, *, renew: bool = False) -> dict[str, str]:
        """Return the connection's own headers and its credential.

        Raises:
            MCPClientConfigurationError: see `credential`.
        """
        return {**self.connection.headers, **self.credential(renew=renew)}

    def server_target(self, http_client: httpx2.AsyncClient) -> Any:
        """Return the SDK's transport to the server, on *http_client*.

        Raises:
            MCPClientConfigurationError: there is no such transport.
        """
        url, limits = self.connection.url, self.connection.limits
        match self.connection.transport:
            case "streamable-http":
                return streamable_http_client(url, http_client=http_client, max_sse_event_size=limits.bytes_per_answer)
            case "sse":
                # Our client, whatever headers and time-outs the SDK would set on one of its own.
                return sse_client(url, httpx_client_factory=lambda headers=None, timeout=None, auth=None: http_client)  # noqa: ARG005 -- the SDK's signature
        raise MCPClientConfigurationError("The transport must be streamable-http or sse.")

    async def run[T](self, operation: Operation[T], description: str) -> T:
        """Connect, run *operation* and close, all within `timeout`.

        After a 401 the credential is read again, and if it has changed the call is made once more.

        Args:
            operation: an async function of the connected SDK client.
            description: what it does, for the error, as in "call the tool".

        Raises:
            MCPClientConfigurationError: a credential is missing or wrong.
            MCPClientConnectionError: unreachable, not public, a bad handshake, an error, a limit, or a time-out.
        """
        deadline_s = anyio.current_time() + self.timeout
        headers = await self._headers(deadline_s, renew=False)
        try:
            return await self._attempt(operation, description, headers, deadline_s)
        except MCPClientError as error:
            if error.http_status != 401:
                raise
            renewed = await self._headers(deadline_s, renew=True)
            if renewed == headers:
                raise
        return await self._attempt(operation, description, renewed, deadline_s)

    async def _headers(self, deadline_s: float, *, renew: bool) -> dict[str, str]:
        left_s = max(0.0, deadline_s - anyio.current_time())
        try:
            with anyio.fail_after(left_s):
                # A thread, as boto3 blocks; left behind when the time is over.
                headers = await anyio.to_thread.run_sync(
                    lambda: self.request_headers(renew=renew), abandon_on_cancel=True
                )
                if isinstance(self.connection.auth, OAuthAuth):
                    token = await self._token(self.connection.auth, left_s, renew=renew)
                    headers["Authorization"] = f"Bearer {token}"
                return headers
        except TimeoutError:
            message = "The credential was not there in time."
        raise MCPClientConnectionError(message, code=TIMEOUT, retryable=True)

    async def _token(self, auth: OAuthAuth, timeout_s: float, *, renew: bool) -> str:
        url, name, network = self.connection.url, self.connection.secret_name, self._network

        async def read(*, anew: bool) -> str:
            return await anyio.to_thread.run_sync(lambda: self._secrets.read(name, renew=anew), abandon_on_cancel=True)

        if renew:
            self._tokens.forget(resource=url)
        return await self._tokens.token(
            auth, secret=await read(anew=renew), read=read, resource=url, network=network, timeout_s=timeout_s
        )

    async def _attempt[T](
        self, operation: Operation[T], description: str, headers: dict[str, str], deadline_s: float
    ) -> T:
        attempt = Attempt(deadline_s)
        results: list[T] = []
        raised: Exception | None = None
        with attempt.scope:
            try:
                async with self._client(attempt, headers) as client:
                    results.append(await operation(client))
            except Exception as error:  # noqa: BLE001 -- the layer's single broad except: the SDK raises groups
                raised = error
        if results:
            # What goes wrong while closing does not take the result away.
            if repeats_secret(results[0], headers, but=self.connection.headers):
                raise MCPClientConnectionError(
                    f"Could not {description}: the answer holds the credential.", code=REFUSED
                )
            return results[0]
        failure = failure_of(raised, attempt, description=description, timeout_s=self.timeout)
        if suggests_another_era(failure):
            self._eras.forget(self.connection.url)
        logger.info(
            "call to another server failed",
            extra={"connection": self.connection.name, "code": failure.code, "http_status": failure.http_status},
        )
        # Raised here, not in the handler: its context would keep the server's text and the SDK's group.
        raise failure

    @asynccontextmanager
    async def _client(self, attempt: Attempt, headers: dict[str, str]) -> AsyncIterator[Client]:
        connection = self.connection
        is_sse = connection.transport == "sse"
        era = Era(HANDSHAKE_MODE) if is_sse else self._eras.recall(connection.url)
        async with aclosing(self._http_client(attempt, headers)) as http_client:
            client = Client(
                self.server_target(http_client),
                mode=era.mode,
                prior_discover=era.discovered,
                client_info=Implementation(name=CLIENT_NAME, version=CLIENT_VERSION),
                read_timeout_seconds=self.timeout,
                cache=None,
            )
            async with client:
                # The server's own schema would be compiled and run here: its patterns can take for ever.
                client.session.validate_tool_result = take_result_as_it_is  # type: ignore[method-assign]  # the only seam
                seen = Era.seen_by(client)
                # It may come to be stored, for all instances.
                if not repeats_secret(seen.discovered, headers, but=connection.headers):
                    self._eras.remember(connection.url, seen)
                yield client

    def _http_client(self, attempt: Attempt, headers: dict[str, str]) -> httpx2.AsyncClient:
        found = self.connection
        transport = MCPTransport(found.url, attempt, kind=found.transport, limits=found.limits, network=self._network)
        return client_of(transport, timeout_s=self.timeout, headers=headers)
