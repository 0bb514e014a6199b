"""A REQUEST authorizer of a REST API: event in, IAM policy with the principal out.

Source: API Gateway Developer Guide, "Input to" and "Output from an API Gateway Lambda authorizer".
"""

import logging
from collections.abc import Mapping
from typing import Any

from functions.authorizer.credentials import key_in
from functions.authorizer.keyring import KeyRing, Proved
from governance.errors import StoreError
from governance.policies import principal_limits
from governance.scopes import may_enter

logger = logging.getLogger(__name__)


class UnauthorizedError(Exception):
    """API Gateway answers 401 to exactly this text. Any other exception is a 500."""

    def __init__(self) -> None:
        super().__init__("Unauthorized")


class Authorizer:
    """Tells API Gateway who calls. It is the function's handler."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring

    def __call__(self, event: Mapping[str, Any], _context: Any) -> dict[str, Any]:
        """Return the policy for one request: allowed, or denied where the key has no scope of the server.

        Raises:
            UnauthorizedError: no key, or no good one: 401.
            StoreError: the keys could not be read: 500, and nobody is let in.
        """
        try:
            proved = self._ring.prove(key_in(event))
        except StoreError as error:
            logger.warning("the keys could not be read", extra={"reason": str(error)})
            raise
        if proved is None:
            raise UnauthorizedError
        is_allowed = may_enter(proved.record.scopes, server_of(event))
        return _policy(proved, str(event["methodArn"]), is_allowed=is_allowed)


def server_of(event: Mapping[str, Any]) -> str:
    """Return the server that the request is for: `gateway` of the resource `/gateway/mcp`."""
    return str(event.get("resource", "")).strip("/").partition("/")[0]


def _policy(proved: Proved, arn: str, *, is_allowed: bool) -> dict[str, Any]:
    record = proved.record
    effect = "Allow" if is_allowed else "Deny"
    statement = {"Effect": effect, "Action": "execute-api:Invoke", "Resource": arn}
    return {
        "principalId": record.key_id,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": {
            "key_id": record.key_id,
            "team": record.team,
            "plan": record.plan,
            "scopes": " ".join(record.scopes),
            **principal_limits(proved.limiting.plan, proved.limiting.team),
        },
    }
