"""Lambda authorizers: who calls, and whether they may.

Source: API Gateway Developer Guide, "Output from an API Gateway Lambda authorizer".
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from local.api import Authorizer
from local.event import Exchange, authorizer_event, method_arn
from local.gateway_responses import GatewayError

UNAUTHORIZED: Final = "Unauthorized"
"""An authorizer refuses a caller by raising exactly this text. Source: "Use API Gateway Lambda authorizers"."""


class RefusedError(Exception):
    """The caller is answered with a gateway response; *context* is what the authorizer said."""

    def __init__(self, error: GatewayError, context: Mapping[str, Any] | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.context = dict(context or {})


def is_authorizer_event(event: Any) -> bool:
    """Tell whether API Gateway asks an authorizer with such an event."""
    return isinstance(event, Mapping) and "methodArn" in event


def event_for(authorizer: Authorizer, exchange: Exchange) -> dict[str, Any]:
    """Return the event that the authorizer is asked with.

    Raises:
        RefusedError: an identity source is missing, so API Gateway does not ask at all.
    """
    headers = [exchange.request.header(name) for name in authorizer.required_headers]
    if not all(headers):
        raise RefusedError(GatewayError.UNAUTHORIZED)
    if authorizer.kind == "token":
        return {"type": "TOKEN", "methodArn": method_arn(exchange), "authorizationToken": headers[0]}
    return authorizer_event(exchange)


def principal_from(answer: Any, exchange: Exchange) -> dict[str, Any]:
    """Return `requestContext.authorizer`: the principal and the authorizer's context, each value as text.

    Raises:
        RefusedError: the policy does not allow the call, or is not a policy.
    """
    if not isinstance(answer, dict) or not isinstance(answer.get("principalId"), str):
        raise RefusedError(GatewayError.AUTHORIZER_CONFIGURATION_ERROR)
    context = _context(answer.get("context"))
    if not _allows(answer.get("policyDocument"), method_arn(exchange)):
        raise RefusedError(GatewayError.ACCESS_DENIED, context)
    return {"principalId": answer["principalId"], "integrationLatency": 0, **context}


def _context(context: Any) -> dict[str, str]:
    values = context or {}
    if not isinstance(values, dict) or not all(isinstance(value, str | int | float) for value in values.values()):
        raise RefusedError(GatewayError.AUTHORIZER_CONFIGURATION_ERROR)
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in values.items()}


def _allows(policy: Any, arn: str) -> bool:
    """Tell whether an IAM policy allows calling *arn*: one statement or a list; a Deny wins."""
    if not isinstance(policy, dict) or "Statement" not in policy:
        raise RefusedError(GatewayError.AUTHORIZER_CONFIGURATION_ERROR)
    matching = [statement for statement in _listed(policy["Statement"]) if _covers(statement, arn)]
    effects = {str(statement.get("Effect")) for statement in matching}
    return "Allow" in effects and "Deny" not in effects


def _covers(statement: Mapping[str, Any], arn: str) -> bool:
    actions = any(_matches(action, "execute-api:Invoke") for action in _listed(statement.get("Action", [])))
    return actions and any(_matches(resource, arn) for resource in _listed(statement.get("Resource", [])))


def _matches(pattern: str, text: str) -> bool:
    """IAM's wildcards: `*` is any text, `?` any one character."""
    expression = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    return re.fullmatch(expression, text, re.IGNORECASE) is not None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
