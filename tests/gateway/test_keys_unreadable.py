"""What a caller is told while the table of keys cannot be read."""

import json
import logging
from typing import Any

import pytest

from tests.gateway.conftest import new_key
from tests.gateway.requests import send
from tests.local.served import Server


def test_nobody_is_let_in_and_everybody_may_try_again(served: Server, caplog: pytest.LogCaptureFixture) -> None:
    """AUTHORIZER_FAILURE: 503 with Retry-After and a JSON-RPC body; the same for a good key, a bad one and none."""
    new = new_key(served, "free")
    aws: Any = served.served.aws
    aws.client("dynamodb").delete_table(TableName="KeysTable")
    with caplog.at_level(logging.DEBUG):
        told = {send(served.port, {"X-API-Key": [key]}) for key in (new.key, f"{new.key}x")} | {send(served.port, {})}
    (answer,) = told
    assert answer.status == 503
    assert dict(answer.headers)["retry-after"] == "1"
    assert dict(answer.headers)["access-control-allow-origin"] == "*"
    error = json.loads(answer.body)["error"]
    assert (error["code"], error["data"]) == (-32603, {"retryable": True, "retry_after": 1})
    assert new.key not in caplog.text
    assert new.secret_hash not in caplog.text
