"""Events to attack with: each kind of front door, with members missing, of another type, or lying.

Source: AWS Lambda developer guide, the proxy event formats: REST (1.0), HTTP API and Function URL (2.0), ALB.
"""

import base64
import copy
import json
from typing import Any, Final

from hypothesis import strategies as st

from tests.fuzz.headers import Pairs, attacked
from tests.fuzz.messages import bodies, paths_in
from tests.fuzz.values import CANARY, HALF_PAIRS, ODD_TEXTS

type Event = dict[str, Any]

METHODS: Final = ("POST",) * 30 + ("GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "post", "TRACE", CANARY, "")
PATHS: Final = (*("/mcp",) * 20, "/prod/mcp/", "/", "/.well-known/x", "/register", f"/{CANARY}", "//", "")


def rest_event(body: str | None, pairs: Pairs, method: str, path: str) -> Event:
    """Return a REST API event: both forms of the headers."""
    multi: dict[str, list[str]] = {}
    for name, value in pairs:
        multi.setdefault(name, []).append(value)
    return {
        "resource": "/mcp",
        "path": path,
        "httpMethod": method,
        "headers": {name: values[-1] for name, values in multi.items()},
        "multiValueHeaders": multi,
        "queryStringParameters": None,
        "stageVariables": None,
        "requestContext": {"stage": "prod", "path": f"/prod{path}", "authorizer": _principal(), "identity": {}},
        "body": body,
        "isBase64Encoded": False,
    }


def http_event(body: str | None, pairs: Pairs, method: str, path: str) -> Event:
    """Return an HTTP API or Function URL event: lower-case names, several values joined."""
    joined: dict[str, str] = {}
    for name, value in pairs:
        key = name.lower()
        joined[key] = f"{joined[key]},{value}" if key in joined else value
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": joined,
        "cookies": [],
        "requestContext": {
            "authorizer": {"lambda": _principal()},
            "http": {"method": method, "path": path, "sourceIp": "192.0.2.1"},
        },
        "body": body,
        "isBase64Encoded": False,
    }


def load_balancer_event(body: str | None, pairs: Pairs, method: str, path: str) -> Event:
    """Return a load balancer's event, without multi-value headers."""
    return {
        "requestContext": {"elb": {"targetGroupArn": "arn:aws:elasticloadbalancing:x"}},
        "httpMethod": method,
        "path": path,
        "queryStringParameters": {},
        "headers": {name.lower(): value for name, value in pairs},
        "body": body or "",
        "isBase64Encoded": False,
    }


def _principal() -> dict[str, Any]:
    return {"principalId": "ann", "scopes": "a b", "team": "blue"}


DOORS: Final = (rest_event, http_event, load_balancer_event)


@st.composite
def with_body(draw: st.DrawFn) -> Event:
    """Return an honest event with an attacked body."""
    body, headers = draw(bodies())
    event = draw(st.sampled_from(DOORS))("", [*headers.items()], "POST", "/mcp")
    return event | {"body": base64.b64encode(body).decode(), "isBase64Encoded": True}


@st.composite
def with_headers(draw: st.DrawFn) -> Event:
    """Return an honest event with attacked headers; a few are of another method."""
    message, pairs = draw(attacked())
    method = draw(st.sampled_from(["POST"] * 15 + ["OPTIONS", "GET", "HEAD"]))
    if method == "OPTIONS":
        pairs = [*pairs, ("Access-Control-Request-Headers", f"mcp-param-region, mcp-param-é, {CANARY}, x\r\ny")]
    return draw(st.sampled_from(DOORS))(json.dumps(message), pairs, method, "/mcp")


_ODD: Final = st.sampled_from([*ODD_TEXTS, *HALF_PAIRS, CANARY])
_LEAVES: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2**64),
    st.floats(allow_nan=False, allow_infinity=False),
    _ODD,
)
_ITEMS: Final = _LEAVES | st.lists(_LEAVES, max_size=2) | st.dictionaries(_ODD, _LEAVES, max_size=2)
_MEMBERS: Final = _LEAVES | st.lists(_ITEMS, max_size=3) | st.dictionaries(_ODD, _ITEMS, max_size=3)
"""What a member of an event may be instead: JSON, as Lambda hands it over."""


@st.composite
def mangled(draw: st.DrawFn) -> Event:
    """Return an event of any door with members missing, of another type, or lying about the body."""
    message, pairs = draw(attacked())
    text = json.dumps(message)
    event: Any = draw(st.sampled_from(DOORS))(text, pairs, draw(st.sampled_from(METHODS)), draw(st.sampled_from(PATHS)))
    lie = draw(st.sampled_from(["none"] * 6 + ["base64", "text", "padding", "text-flag", "surrogate", "null"]))
    if lie == "base64":
        event |= {"body": base64.b64encode(text.encode()).decode(), "isBase64Encoded": True}
    elif lie == "text":
        event |= {"isBase64Encoded": True}
    elif lie == "padding":
        event |= {"body": base64.b64encode(text.encode()).decode()[:-3], "isBase64Encoded": True}
    elif lie == "text-flag":
        event |= {"isBase64Encoded": draw(st.sampled_from(["true", "false", 1, 0, None, []]))}
    elif lie == "surrogate":
        event |= {"body": text + "\ud83d"}
    elif lie == "null":
        event |= {"body": None}
    for _ in range(draw(st.sampled_from([0, 1, 1, 2, 3]))):
        path = draw(st.sampled_from(paths_in(event) or [("body",)]))
        event = copy.deepcopy(event)
        holder = event
        for key in path[:-1]:
            holder = holder[key]
        if draw(st.booleans()) and isinstance(holder, dict):
            holder.pop(path[-1], None)
        else:
            holder[path[-1]] = draw(_MEMBERS)
    found: Event = event
    return found
