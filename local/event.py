"""The event of a Lambda proxy integration: what a REST API makes of an HTTP request (payload format 1.0).

Source: API Gateway Developer Guide, "Input format of a Lambda function for proxy integration".
"""

import base64
import secrets
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from local.api import Api
from local.http_message import Request, media_type
from local.intrinsics import ACCOUNT, REGION
from local.routes import Match

API_ID = "local"

_NOT_FORWARDED = {
    "connection",
    "content-length",
    "expect",
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
}
"""Headers between the caller and API Gateway only."""

_IDENTITY = [
    "accessKey",
    "accountId",
    "caller",
    "cognitoAuthenticationProvider",
    "cognitoAuthenticationType",
    "cognitoIdentityId",
    "cognitoIdentityPoolId",
    "principalOrgId",
    "user",
    "userArn",
]


@dataclass(frozen=True, slots=True)
class Call:
    """One request's own names and time, made when it arrives."""

    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    extended_id: str = field(default_factory=lambda: secrets.token_urlsafe(11) + "=")
    trace_id: str = field(default_factory=lambda: f"Root=1-{secrets.token_hex(4)}-{secrets.token_hex(12)}")
    arrived: datetime = field(default_factory=lambda: datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request that has found its route."""

    api: Api
    request: Request
    match: Match
    call: Call


def proxy_event(exchange: Exchange, authorizer: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the event for a function; *authorizer* is what its authorizer said of the caller."""
    body, is_base64 = event_body(exchange.request, exchange.api.binary_media_types)
    return {**_common(exchange, authorizer), "body": body, "isBase64Encoded": is_base64}


def authorizer_event(exchange: Exchange) -> dict[str, Any]:
    """Return the event for a REQUEST authorizer: everything but the body."""
    return {"type": "REQUEST", "methodArn": method_arn(exchange), **_common(exchange, None)}


def method_arn(exchange: Exchange) -> str:
    """Return the ARN that an authorizer's policy is about."""
    method, path = exchange.request.method, exchange.match.path.lstrip("/")
    return f"arn:aws:execute-api:{REGION}:{ACCOUNT}:{API_ID}/{exchange.api.stage}/{method}/{path}"


def event_body(request: Request, binary_media_types: Iterable[str]) -> tuple[str | None, bool]:
    """Return `body` and `isBase64Encoded`: text, unless the Content-Type is among the API's binary media types."""
    if not request.body:
        return None, False
    if is_binary(media_type(request.header("content-type")), binary_media_types):
        return base64.b64encode(request.body).decode("ascii"), True
    # What is not UTF-8 arrives damaged on AWS too: that is why an API has binary media types.
    return request.body.decode("utf-8", "replace"), False


def is_binary(kind: str, binary_media_types: Iterable[str]) -> bool:
    """Tell whether a media type is among the API's binary ones; `*/*` and `image/*` are patterns."""
    family = kind.split("/", maxsplit=1)[0]
    return any(pattern in {"*/*", kind, f"{family}/*"} for pattern in binary_media_types)


def request_context(exchange: Exchange) -> dict[str, Any]:
    """Return `requestContext`: who calls what, and when."""
    request, call = exchange.request, exchange.call
    host = request.header("host") or ""
    return {
        "accountId": ACCOUNT,
        "apiId": API_ID,
        "deploymentId": API_ID,
        "domainName": host,
        "domainPrefix": host.split(".")[0],
        "extendedRequestId": call.extended_id,
        "httpMethod": request.method,
        "identity": {**dict.fromkeys(_IDENTITY), "sourceIp": request.client, "userAgent": request.header("user-agent")},
        "path": request.path,
        "protocol": f"HTTP/{request.http_version}",
        "requestId": call.request_id,
        "requestTime": call.arrived.strftime("%d/%b/%Y:%H:%M:%S +0000"),
        "requestTimeEpoch": int(call.arrived.timestamp() * 1000),
        "resourceId": API_ID,
        "resourcePath": exchange.match.route.path,
        "stage": exchange.api.stage,
    }


def _common(exchange: Exchange, authorizer: Mapping[str, Any] | None) -> dict[str, Any]:
    headers = _grouped(_forwarded_headers(exchange.request, exchange.call))
    query = _grouped(exchange.request.parameters())
    context = request_context(exchange) | ({"authorizer": dict(authorizer)} if authorizer is not None else {})
    return {
        "resource": exchange.match.route.path,
        "path": exchange.match.path,
        "httpMethod": exchange.request.method,
        "headers": _last(headers),
        "multiValueHeaders": headers or None,
        "queryStringParameters": _last(query),
        "multiValueQueryStringParameters": query or None,
        "pathParameters": dict(exchange.match.path_parameters) or None,
        "stageVariables": dict(exchange.api.stage_variables) or None,
        "requestContext": context,
    }


def _forwarded_headers(request: Request, call: Call) -> list[tuple[str, str]]:
    """Return the caller's headers without those of the connection, and those that API Gateway adds."""
    before = [value for name, value in request.headers if name == "x-forwarded-for"]
    dropped = _NOT_FORWARDED | {"x-forwarded-for", "x-forwarded-port", "x-forwarded-proto", "x-amzn-trace-id"}
    port = (request.header("host") or "").rpartition(":")[2]
    return [
        *((name, value) for name, value in request.headers if name not in dropped),
        ("X-Amzn-Trace-Id", call.trace_id),
        ("X-Forwarded-For", ", ".join([*before, request.client])),
        ("X-Forwarded-Port", port if port.isdecimal() else "80"),
        ("X-Forwarded-Proto", "http"),
    ]


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, value in pairs:
        groups.setdefault(name, []).append(value)
    return groups


def _last(groups: Mapping[str, Sequence[str]]) -> dict[str, str] | None:
    return {name: values[-1] for name, values in groups.items()} or None
