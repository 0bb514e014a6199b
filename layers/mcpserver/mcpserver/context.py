"""What surrounds one request: who sent it, how long it may take, where its progress goes.

`TransportContext` is what the HTTP adapter or stdio knows about one POST or line; `CallContext` is one message's own,
and what a tool reads as `self.context`.
"""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, cast

from mcp_types import LOG_LEVEL_META_KEY, CreateMessageResult, SamplingMessage
from pydantic import BaseModel

from mcpserver import asking
from mcpserver.client import describe_client
from mcpserver.errors import MCPServerToolError, MissingCapabilityError
from mcpserver.version import VERSION_WITHOUT_HEADER

type LogLevel = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
"""Source: RFC 5424 severities, as MCP names them."""

_TRACEPARENT: Final = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")

_MAX_TOKEN_CHARACTERS: Final = 256

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
    """How it went: `ok`, `tool_error`, `rpc_error`, `input_required` or `crash`."""
    answers: Mapping[str, Any] = _NOTHING
    """What the client has answered to this call's questions so far, by key."""
    questions_asked: int = 0
    notes: object = None
    """What the server's hooks (`admit`, `conclude`) keep about this call."""

    @property
    def client(self) -> tuple[str, str]:
        """The client's name and version, "" where it does not say: harmless characters only."""
        return describe_client(self.params, self.transport.headers)

    @property
    def trace_id(self) -> str:
        """The W3C trace id that came with the request, in `_meta` or as a header; "" where none did.

        Source: W3C Trace Context, traceparent; MCP SEP-414 (trace context in `_meta`).
        """
        sent = self.meta.get("traceparent") or (self.transport.headers or {}).get("traceparent")
        found = _TRACEPARENT.fullmatch(sent) if type(sent) is str else None
        return found[1] if found else ""

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
        if type(token) not in (str, int) or self.transport.notify is None:
            return
        # Repeated in each notification: a long one would fill the answer and the memory.
        if isinstance(token, str) and len(token) > _MAX_TOKEN_CHARACTERS:
            return
        params: dict[str, Any] = {"progressToken": token, "progress": progress}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = message
        self.transport.notify({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})

    def log(self, level: LogLevel, data: Any, *, logger: str | None = None) -> None:
        """Send a log message to the client; silent where it did not ask or reads no stream.

        A modern client asks request by request. A handshake client sets its level in a session, which this server
        does not keep: it gets every message of a request whose stream it reads.
        """
        if self.transport.notify is None or (self.is_modern and not self._wants(level)):
            return
        params: dict[str, Any] = {"level": level, "data": data}
        if logger is not None:
            params["logger"] = logger
        self.transport.notify({"jsonrpc": "2.0", "method": "notifications/message", "params": params})

    def _wants(self, level: LogLevel) -> bool:
        least = self.meta.get(LOG_LEVEL_META_KEY)
        return least in LOG_LEVELS and LOG_LEVELS.index(level) >= LOG_LEVELS.index(least)

    async def elicit[FormT: BaseModel](
        self, model: type[FormT], message: str, *, key: str | None = None
    ) -> FormT | None:
        """Ask the user to fill in *model*'s fields; None where they decline. See `asking.py` for how a call goes on.

        Raises:
            MissingCapabilityError: the client cannot ask (modern era).
            MCPServerToolError: the client's era cannot be asked; says so to the model.
        """
        return cast("FormT | None", await self._ask_one(asking.form(message, model), key))

    async def elicit_visit(self, url: str, message: str, *, key: str | None = None) -> bool:
        """Ask the user to open *url*; False where they decline. Raises as `elicit` does."""
        return bool(await self._ask_one(asking.visit(message, url), key))

    async def sample(
        self, prompt: str | Sequence[SamplingMessage], *, max_tokens: int, key: str | None = None
    ) -> CreateMessageResult:
        """Ask the client's model. Raises as `elicit` does."""
        question = asking.sampling(prompt, max_tokens=max_tokens)
        return cast("CreateMessageResult", await self._ask_one(question, key))

    async def list_roots(self, *, key: str | None = None) -> list[str]:
        """Return the URIs of the folders that the client works in. Raises as `elicit` does."""
        return cast("list[str]", await self._ask_one(asking.roots(), key))

    async def _ask_one(self, question: asking.Question, key: str | None) -> Any:
        self.questions_asked += 1
        # The tool runs anew in each round: the same question then has the same number.
        key = key or f"question-{self.questions_asked}"
        return (await self.ask({key: question}))[key]

    async def ask(self, questions: Mapping[str, asking.Question]) -> dict[str, Any]:
        """Ask several things at once (`asking.form`, `visit`, `sampling`, `roots`) and return the answers by key."""
        open_questions = {key: question for key, question in questions.items() if key not in self.answers}
        if open_questions:
            self._check_can_ask(open_questions)
            raise asking.InputRequiredError(open_questions)
        return {key: question.read(self.answers[key]) for key, question in questions.items()}

    def _check_can_ask(self, questions: Mapping[str, asking.Question]) -> None:
        for question in questions.values():
            if not self.is_modern:
                needed = " or ".join(question.capability)
                raise MCPServerToolError(
                    f"this needs to ask the client ({needed}), which takes a client that speaks MCP 2026-07-28."
                )
            missing = asking.missing_capability(question, self.capabilities)
            if missing is not None:
                raise MissingCapabilityError(missing)


_current: ContextVar[CallContext] = ContextVar("mcpserver_call_context")


def current_context() -> CallContext:
    """Return the context of the call that is running; an empty one outside of any call (a unit test)."""
    return _current.get(None) or CallContext(TransportContext())


def enter_context(context: CallContext) -> Token[CallContext]:
    """Make *context* the running call's; `leave_context` takes what this returns."""
    return _current.set(context)


def leave_context(entered: Token[CallContext]) -> None:
    """Make the context around the call the running one again, or none."""
    _current.reset(entered)
