"""The fixture's authorizer: an API key -> a principal, as an IAM policy with a context.

Source: API Gateway Developer Guide, "Output from an API Gateway Lambda authorizer".
"""

from typing import Any

from tests.quirks.keys import HOLDERS, key_in


def lambda_handler(event: dict[str, Any], _context: Any) -> Any:
    """Allow whoever holds a key; anybody else is 401, which API Gateway makes of this one exception text."""
    holder = HOLDERS.get(key_in(event.get("headers") or {}))
    if holder is None:
        raise ValueError("Unauthorized")
    return {
        "principalId": holder.key_id,
        "policyDocument": {
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": event["methodArn"]}],
        },
        "context": {"team": holder.team, "plan": holder.plan, "scopes": "gateway"},
    }
