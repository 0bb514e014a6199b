"""The key ring from Secrets Manager: moto's, in process."""

import base64
import json

import boto3
import pytest
from moto import mock_aws

from mcpserver.key_ring_secret import secret_key_ring

NAME = "samcp/state"


def secret_with(key_id: str) -> str:
    """Return a ring of one key."""
    return json.dumps({"keys": [{"id": key_id, "key": base64.b64encode(bytes(32)).decode()}]})


@mock_aws
def test_the_ring_is_read_once_and_kept_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own choice: 300 s at most between a rotation and its use."""
    for name, value in {
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
    }.items():
        monkeypatch.setenv(name, value)
    client = boto3.client("secretsmanager")
    client.create_secret(Name=NAME, SecretString=secret_with("first"))
    read = secret_key_ring(NAME)
    assert list(read().keys) == ["first"]
    client.put_secret_value(SecretId=NAME, SecretString=secret_with("second"))
    assert list(read().keys) == ["first"]
    assert list(secret_key_ring(NAME)().keys) == ["second"]
