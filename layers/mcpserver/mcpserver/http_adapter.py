"""`http_handler`: a server as the handler of a Lambda function behind API Gateway, a Function URL or an ALB."""

import os
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from mcpserver.body import read_body
from mcpserver.context import TransportContext
from mcpserver.envelope import VERSION_HEADER
from mcpserver.errors import ForbiddenError, InvalidRequestError, MCPError, ParseError, UnauthenticatedError
from mcpserver.exchange import Exchange
from mcpserver.http_request import HttpRequest, read_event
from mcpserver.http_response import (
    ProxyResponse,
    cors_headers,
    event_stream,
    is_too_large,
    preflight_headers,
    respond,
    without_bulk,
)
from mcpserver.jsonrpc import to_wire
from mcpserver.key_ring_secret import secret_key_ring
from mcpserver.media import SSE, Accepted, is_json, read_accept
from mcpserver.quirks import Quirk
from mcpserver.receivers import connect_default_receivers
from mcpserver.server import MCPServerBase
from mcpserver.version import MODERN_VERSIONS

type LambdaHandler = Callable[[Any, Any], ProxyResponse]

_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::[0-9]+)?")

MAX_BODY_BYTES: Final = 1_048_576
"""The largest request body that is read: 1 MiB."""


class AdapterSettings(BaseModel):
    """What the adapter reads from its environment, where the caller of `http_handler` does not say it."""

    model_config = ConfigDict(frozen=True)

    allowed_origins: str = Field("", alias="SAMCP_ALLOWED_ORIGINS", description="Comma-separated; empty: not checked.")
    state_secret: str = Field("", alias="SAMCP_STATE_SECRET", description="Name of the secret with the key ring.")
    allowed_hosts: str = Field("", alias="SAMCP_ALLOWED_HOSTS", description="Comma-separated; empty: not checked.")


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may call, and how much they may send."""

    allowed_origins: Sequence[str]
    """`https://app.example.com`, or with any port `http://127.0.0.1:*`; empty: not checked."""
    allowed_hosts: Sequence[str]
    """Host names without a port; empty: not checked."""
    max_body_bytes: int
    needs_principal: bool
    required_scope: str | None
    """What a principal needs to use this server at all."""
    resource_metadata_url: str


class _RefusedError(Exception):
    """An answer before any message was read."""

    def __init__(self, status: int, error: MCPError, **headers: str) -> None:
        super().__init__(error.message)
        self.status, self.error = status, error
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def http_handler(  # noqa: PLR0913 -- keyword-only settings, each with a default
    server: MCPServerBase,
    *,
    allowed_origins: Sequence[str] | None = None,
    allowed_hosts: Sequence[str] | None = None,
    max_body_bytes: int = MAX_BODY_BYTES,
    needs_principal: bool = False,
    required_scope: str | None = None,
    resource_metadata_url: str = "",
    default_receivers: bool = True,
) -> LambdaHandler:
    """Return the `lambda_handler(event, context)` that serves *server*.

    Args:
        server: answers the messages.
        allowed_origins: web pages that may call; None: `SAMCP_ALLOWED_ORIGINS`, comma-separated; empty: any.
        allowed_hosts: names this endpoint is reached by; None: `SAMCP_ALLOWED_HOSTS`; empty: any.
        max_body_bytes: the largest body that is read; a larger one is 413.
        needs_principal: answer nobody whom the authorizer did not name: 401.
        required_scope: answer no principal without it: 403.
        resource_metadata_url: where the 401's challenge sends an OAuth client (RFC 9728).
        default_receivers: log, count and trace each call.
    """
    settings = AdapterSettings.model_validate(dict(os.environ))
    policy = Policy(
        allowed_origins=_listed(settings.allowed_origins) if allowed_origins is None else tuple(allowed_origins),
        allowed_hosts=_listed(settings.allowed_hosts) if allowed_hosts is None else tuple(allowed_hosts),
        max_body_bytes=max_body_bytes,
        needs_principal=needs_principal or required_scope is not None,
        required_scope=required_scope,
        resource_metadata_url=resource_metadata_url,
    )
    if settings.state_secret:
        server.use_key_ring(secret_key_ring(settings.state_secret))
    if default_receivers:
        connect_default_receivers(server, os.environ)

    def lambda_handler(event: Any, context: Any) -> ProxyResponse:
        return answer_event(server, policy, event if isinstance(event, dict) else {}, context)

    return lambda_handler


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def answer_event(server: MCPServerBase, policy: Policy, event: Mapping[str, Any], context: Any) -> ProxyResponse:
    """Answer one event: the checks in order, then the messages."""
    request = read_event(event)
    headers = _cors_headers(request, policy)
    try:
        _check_sender(request, policy)
        if request.method == "OPTIONS":
            return respond(request, 204, None, headers=headers | preflight_headers(request.headers))
        _check_route(request)
        _check_principal(request, policy)
        accepted = _check_media(request)
        transport = _transport(request, context)
        payload = _read_payload(request, policy, server.disabled_quirks, transport)
    except _RefusedError as refusal:
        error = MCPServerBase.error(None, refusal.error.code, refusal.error.message, refusal.error.data)
        body = to_wire(MCPServerBase.dump(error))
        return respond(request, refusal.status, body, headers=headers | refusal.headers)
    notifications: list[Any] = []
    if accepted.sse:
        transport.notify = notifications.append
    exchange = server.exchange(payload, transport)
    return _write(request, exchange, notifications, accepted, headers)


def _cors_headers(request: HttpRequest, policy: Policy) -> dict[str, str]:
    if not policy.allowed_origins:
        return cors_headers("*")
    origin = request.headers.get("origin", "")
    # An origin that may not call is not told what it was answered, either.
    return cors_headers(origin if _is_listed(origin, policy.allowed_origins) else "")


def _check_sender(request: HttpRequest, policy: Policy) -> None:
    """Refuse a web page or a name that is not ours. Source: MCP basic/transports, security warning (DNS rebinding)."""
    origin = request.headers.get("origin")
    if policy.allowed_origins and origin is not None and not _is_listed(origin, policy.allowed_origins):
        raise _RefusedError(403, InvalidRequestError("This origin may not call this server."))
    if policy.allowed_hosts and _host_name(request.headers.get("host", "")) not in policy.allowed_hosts:
        raise _RefusedError(421, InvalidRequestError("This server does not answer under that host name."))


def _is_listed(origin: str, allowed: Collection[str]) -> bool:
    host, _, port = origin.rpartition(":")
    return origin in allowed or f"{origin}:*" in allowed or (port.isdigit() and f"{host}:*" in allowed)


def _host_name(host: str) -> str:
    found = _HOST.fullmatch(host)
    return (found[1] or found[2]).lower() if found else ""


def _check_route(request: HttpRequest) -> None:
    if "/.well-known/" in request.path or request.path.endswith("/register"):
        raise _RefusedError(404, InvalidRequestError("There is nothing here."))
    if request.method != "POST":
        raise _RefusedError(405, InvalidRequestError("This endpoint takes POST only."), Allow="POST")


def _check_principal(request: HttpRequest, policy: Policy) -> None:
    """Refuse whom the authorizer did not name, or who may not use this server. Source: RFC 6750, section 3."""
    if not policy.needs_principal:
        return
    url = policy.resource_metadata_url
    where = [f'resource_metadata="{url}"'] if url else []
    if request.principal is None:
        error: MCPError = UnauthenticatedError("Send an API key: Authorization: Bearer, or X-API-Key.")
        raise _RefusedError(401, error, WWW_Authenticate=" ".join(["Bearer", *where]))
    if policy.required_scope is not None and policy.required_scope not in request.principal.scopes:
        why = ['error="insufficient_scope"', f'scope="{policy.required_scope}"', *where]
        error = ForbiddenError(f"This server needs the scope {policy.required_scope}.")
        raise _RefusedError(403, error, WWW_Authenticate=f"Bearer {', '.join(why)}")


def _check_media(request: HttpRequest) -> Accepted:
    if request.headers.get("content-encoding", "").lower() not in ("identity", ""):
        raise _RefusedError(415, InvalidRequestError("Send the body without a content encoding."))
    # An empty event names no type: its empty body says what is wrong.
    if request.body != b"" and not is_json(request.headers.get("content-type", "")):
        raise _RefusedError(415, InvalidRequestError("The Content-Type must be application/json, in UTF-8."))
    accepted = read_accept(request.headers.get("accept", ""))
    if not (accepted.json or accepted.sse):
        raise _RefusedError(406, InvalidRequestError("The Accept must take application/json or text/event-stream."))
    return accepted


def _transport(request: HttpRequest, context: Any) -> TransportContext:
    remaining_ms = getattr(context, "get_remaining_time_in_millis", None)
    return TransportContext(
        headers=request.headers,
        principal=request.principal,
        request_id=getattr(context, "aws_request_id", ""),
        deadline_s=None if remaining_ms is None else time.monotonic() + remaining_ms() / 1000,
    )


def _read_payload(
    request: HttpRequest, policy: Policy, disabled: Collection[Quirk], transport: TransportContext
) -> Any:
    body = request.body
    if body is None:
        raise _RefusedError(400, ParseError("The event's body is no base64."))
    if len(body) > policy.max_body_bytes:
        raise _RefusedError(413, InvalidRequestError(f"The body may have {policy.max_body_bytes} bytes."))
    is_modern = request.headers.get(VERSION_HEADER, "") in MODERN_VERSIONS
    try:
        payload, transport.changes = read_body(body, is_modern=is_modern, disabled=disabled)
    except ParseError as error:
        raise _RefusedError(400, error) from None
    return payload


def _write(
    request: HttpRequest,
    exchange: Exchange,
    notifications: list[Any],
    accepted: Accepted,
    headers: dict[str, str],
) -> ProxyResponse:
    if exchange.body is None:
        return respond(request, exchange.status, None, headers=headers)
    if exchange.status == 200 and (notifications or not accepted.json):
        text = event_stream([*notifications, exchange.body])
        if is_too_large(text):
            # The answer matters more than how it came about.
            text = event_stream([exchange.body])
        if is_too_large(text):
            text = event_stream([without_bulk(exchange.body)])
        return respond(request, 200, text, headers=headers | {"Cache-Control": "no-cache"}, content_type=SSE)
    text = to_wire(exchange.body)
    if is_too_large(text):
        text = to_wire(without_bulk(exchange.body))
    return respond(request, exchange.status, text, headers={**headers, **exchange.headers})
