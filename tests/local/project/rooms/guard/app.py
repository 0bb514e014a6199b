"""An authorizer: the header X-Key (or the token) says what it should answer."""

import threading
from typing import Any


def lambda_handler(event: dict[str, Any], _context: Any) -> Any:
    """Answer with the policy that the caller asks for."""
    key = event.get("authorizationToken") or (event["headers"] or {}).get("x-key")
    arn = event["methodArn"]
    if key is None:
        raise ValueError("Unauthorized")
    answers: dict[str, Any] = {
        "crash": None,
        "wait": None,
        "nonsense": {"isAuthorized": True},
        "deny": _policy({"Effect": "Deny", "Action": "execute-api:Invoke", "Resource": arn}, {"why": "not today"}),
        "allow": _policy(
            {"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": arn}, {"team": "blue", "vip": True}
        ),
        "list": _policy(
            [{"Effect": "Allow", "Action": ["execute-api:*"], "Resource": [arn.split("/")[0] + "/*"]}], None
        ),
        "elsewhere": _policy({"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": arn + "/other"}, None),
        "nested": _policy({"Effect": "Allow", "Action": "*", "Resource": "*"}, {"team": {"name": "blue"}}),
    }
    if key == "wait":
        threading.Event().wait(2)
    if key == "crash":
        raise RuntimeError("no database")
    return answers[key]


def _policy(statement: Any, context: Any) -> dict[str, Any]:
    return {
        "principalId": "ann",
        "policyDocument": {"Version": "2012-10-17", "Statement": statement},
        "context": context,
    }
