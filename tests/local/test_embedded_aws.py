"""The embedded AWS: what the template declares is there, under the names that functions are given."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from local.embedded_aws import EmbeddedAws, needs_aws
from local.function import functions_of
from local.template import Template, load_template
from tests.local.served import PROJECT

STATEFUL = Path(__file__).parent / "stateful.yaml"


@pytest.fixture(scope="module")
def template() -> Template:
    """A template with a table, two queues and a secret."""
    return load_template(STATEFUL)


@pytest.fixture(scope="module")
def aws(template: Template) -> Iterator[EmbeddedAws]:
    """The embedded AWS, seeded."""
    found = EmbeddedAws()
    found.seed(template)
    yield found
    found.close()


@pytest.fixture(scope="module")
def environment(template: Template, aws: EmbeddedAws) -> dict[str, str]:
    """What the function is told."""
    return dict(functions_of(template)["StateFunction"].environment)


def test_a_template_without_state_needs_no_aws() -> None:
    """Starting it takes a second."""
    assert not needs_aws(load_template(PROJECT / "template.yaml"))
    assert needs_aws(load_template(STATEFUL))


def test_it_listens_on_loopback_only(aws: EmbeddedAws) -> None:
    """Nothing of a laptop is offered to its network."""
    assert aws.url.startswith("http://127.0.0.1:")


def test_a_table_is_made_with_its_index_and_expiry(aws: EmbeddedAws, environment: dict[str, str]) -> None:
    """The function's table takes an item and finds it by the index."""
    dynamodb: Any = aws.client("dynamodb")
    dynamodb.put_item(TableName=environment["TABLE"], Item={"pk": {"S": "a"}, "team": {"S": "blue"}})
    names = {"TableName": environment["TABLE"], "IndexName": "by-team", "KeyConditionExpression": "team = :t"}
    assert dynamodb.query(**names, ExpressionAttributeValues={":t": {"S": "blue"}})["Count"] == 1
    expiry = dynamodb.describe_time_to_live(TableName=environment["TABLE"])["TimeToLiveDescription"]
    assert (expiry["TimeToLiveStatus"], expiry["AttributeName"]) == ("ENABLED", "expires_s")
    assert dynamodb.describe_table(TableName=environment["TABLE"])["Table"]["TableArn"] == environment["TABLE_ARN"]


def test_a_queue_is_made_with_its_dead_letter_queue(aws: EmbeddedAws, environment: dict[str, str]) -> None:
    """The dead-letter queue comes later in the template."""
    sqs: Any = aws.client("sqs")
    attributes = sqs.get_queue_attributes(QueueUrl=environment["QUEUE"], AttributeNames=["All"])["Attributes"]
    assert attributes["VisibilityTimeout"] == "90"
    assert json.loads(attributes["RedrivePolicy"])["deadLetterTargetArn"].endswith(":Dead")


def test_a_secret_is_made_as_its_rule_says(aws: EmbeddedAws, environment: dict[str, str]) -> None:
    """The function reads it by its ARN."""
    value = aws.client("secretsmanager").get_secret_value(SecretId=environment["SECRET"])["SecretString"]
    assert json.loads(value)["user"] == "ann"
    assert len(json.loads(value)["password"]) == 24
