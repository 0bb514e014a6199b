"""What surrounds one request: who sent it, how long it may take, where its progress goes.

`TransportContext` is what the HTTP adapter or stdio knows about one POST or line; `CallContext` is one message's own,
and what a tool reads as `self.context`.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

from mcpserver.client import describe_client
from mcpserver.version import VERSION_WITHOUT_HEADER

type LogLevel = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
"""Source: RFC 5424 severities, as MCP names them."""

LOG_LEVELS: Final = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is calling, as the authorizer found out."""

    principal_id: str
    """A key's id or a token's subject; never the key or token itself."""
    scopes: frozenset[str] = frozenset()
    attributes: Mapping[str, str] = _NOTHING
    """What else the authorizer says: team, plan, ..."""


@dataclass(slots=True)
class TransportContext:
    """What a transport knows about the message or batch that it hands on."""

    headers: Mapping[str, str] | None = None
    """Lower-case HTTP headers; None where there are none (stdio), and then no header rule applies."""
    principal: Principal | None = None
    request_id: str = ""
    """Lambda's request id, for the log."""
    deadline_s: float | None = None
    """When the platform kills this call, on `time.monotonic`'s clock; None: never."""
    notify: Callable[[dict[str, Any]], None] | None = None
    """Takes each JSON-RPC notification to the client; None where the client reads no stream."""
    changes: Sequence[tuple[str, str]] = ()
    """What was normalised before the message was read (a BOM, a lone surrogate): method or "", kind."""


@dataclass(slots=True)
class CallContext:
    """One message's own context. A tool reads it as `self.context`; a signal's receiver gets it too."""

    transport: TransportContext
    method: str = ""
    protocol_version: str = VERSION_WITHOUT_HEADER
    is_modern: bool = False
    params: Mapping[str, Any] = _NOTHING
    """The request's params, after normalisation."""
    capabilities: Mapping[str, Any] = _NOTHING
    """What the client declared for this request (2026-07-28), or in this `initialize`."""
    meta: Mapping[str, Any] = _NOTHING
    """The request's `_meta`, as sent."""
    tool: str = ""
    changes: Sequence[tuple[str, str]] = ()
    """What the server normalised: (method, kind), for the log."""
    outcome: str = "ok"
    """How it went: `ok`, `tool_error`, `rpc_error` or `crash`."""

    @property
    def client(self) -> tuple[str, str]:
        """The client's name and version, "" where it does not say: harmless characters only."""
        return describe_client(self.params, self.transport.headers)

    @property
    def principal(self) -> Principal | None:
        """Who is calling; None on a server that answers anybody."""
        return self.transport.principal

    @property
    def request_id(self) -> str:
        """Lambda's id of this invocation."""
        return self.transport.request_id

    def all_changes(self) -> list[tuple[str, str]]:
        """Return what was normalised before and while the message was read."""
        return [*self.transport.changes, *self.changes]

    def remaining_s(self) -> float | None:
        """Return the seconds until the platform kills this call; None: nothing does."""
        deadline_s = self.transport.deadline_s
        return None if deadline_s is None else deadline_s - time.monotonic()

    def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the work is; silent where it did not ask or reads no stream.

        Args:
            progress: grows with each call.
            total: what *progress* will reach, where known.
            message: a few words for a person.
        """
        token = self.meta.get("progressToken")
        if token is None or self.transport.notify is None:
            return
        params: dict[str, Any] = {"progressToken": token, "progress": progress}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = message
        self.transport.notify({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})


_current: ContextVar[CallContext] = ContextVar("mcpserver_call_context")


def current_context() -> CallContext:
    """Return the context of the call that is running; an empty one outside of any call (a unit test)."""
    return _current.get(None) or CallContext(TransportContext())


def enter_context(context: CallContext) -> None:
    """Make *context* the running call's."""
    _current.set(context)
