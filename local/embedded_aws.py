"""The embedded AWS: moto's server in this process, with the tables, queues and secrets that the template declares.

Only what the template has is made, so a template without state starts nothing. What moto does not do (schedules that
fire, queues that call functions) is in `event_sources.py`.
"""

import json
import logging
import re
import threading
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from local.intrinsics import REGION
from local.local_variables import LOCAL_VARIABLES
from local.physical_ids import arn
from local.template import Template

_TABLE_KEYS = (
    "AttributeDefinitions",
    "GlobalSecondaryIndexes",
    "KeySchema",
    "LocalSecondaryIndexes",
    "StreamSpecification",
)
_SEEDED = ("AWS::SecretsManager::Secret", "AWS::SQS::Queue", "AWS::DynamoDB::Table")


def needs_aws(template: Template) -> bool:
    """Tell whether the template declares anything that is made here."""
    return any(any(template.resources(kind)) for kind in _SEEDED)


def function_needs_aws(template: Template, logical_id: str) -> bool:
    """Tell whether a function's variables name anything that is made here: one that does not starts without."""
    made = {name for kind in _SEEDED for name, _ in template.resources(kind)}
    variables = template.body["Resources"][logical_id]["Properties"].get("Environment", {})
    # Of `!Ref`, `!GetAtt` and `!Sub` alike: a name too many costs a second, and nothing else.
    return not made.isdisjoint(re.findall(r"\w+", json.dumps(variables)))


class EmbeddedAws:
    """A running server on loopback, and the variables by which functions find it."""

    def __init__(self) -> None:
        # Imported late: a second that only a template with state pays.
        from local.embedded_server import EmbeddedServer  # noqa: PLC0415 - it takes a second: see above

        # It would write each request of each function to stderr.
        logging.getLogger("werkzeug").setLevel(logging.WARNING)
        self._server = EmbeddedServer()
        self.url = self._server.url
        self.variables = {"AWS_ENDPOINT_URL": self.url}
        self._clients: dict[str, Any] = {}
        # A session makes clients in one thread at a time.
        self._making = threading.Lock()

    def seed(self, template: Template) -> list[str]:
        """Make the template's resources, record what they are called, and return their logical ids in order."""
        makers: Mapping[str, Callable[[str, dict[str, Any]], None]] = {
            "AWS::SecretsManager::Secret": lambda name, properties: self._make_secret(template, name, properties),
            "AWS::SQS::Queue": lambda name, properties: self._make_queue(template, name, properties),
            "AWS::DynamoDB::Table": lambda name, properties: self._make_table(template, name, properties),
        }
        made = []
        for kind, make in makers.items():
            for logical_id, resource in template.resources(kind):
                make(logical_id, template.resolver.resolve(resource.get("Properties", {})))
                made.append(logical_id)
        self._join_dead_letter_queues(template)
        return made

    def close(self) -> None:
        """Stop the server; what it held is gone."""
        from moto.moto_api._internal.models import moto_api_backend  # noqa: PLC0415 -- as above

        self._server.stop()
        # Without it the next one of this process would find the tables of this one.
        moto_api_backend.reset()

    def client(self, service: str) -> Any:
        """Return a boto3 client of the embedded AWS, always the same: one takes a tenth of a second to make."""
        with self._making:
            if service not in self._clients:
                self._clients[service] = self._session.client(service, endpoint_url=self.url)
            return self._clients[service]

    def resource(self, service: str) -> Any:
        """Return a boto3 resource of the embedded AWS, a new one: two threads must not share it."""
        with self._making:
            return self._session.resource(service, endpoint_url=self.url)

    @cached_property
    def _session(self) -> Any:
        import boto3  # noqa: PLC0415 - only a template with state pays for it

        return boto3.Session(
            region_name=REGION,
            aws_access_key_id=LOCAL_VARIABLES["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=LOCAL_VARIABLES["AWS_SECRET_ACCESS_KEY"],
        )

    def _make_table(self, template: Template, logical_id: str, properties: dict[str, Any]) -> None:
        name = properties.get("TableName", logical_id)
        settings = {key: properties[key] for key in _TABLE_KEYS if key in properties}
        if "StreamSpecification" in settings:
            settings["StreamSpecification"] = {"StreamEnabled": True, **settings["StreamSpecification"]}
        client = self.client("dynamodb")
        table = client.create_table(TableName=name, BillingMode="PAY_PER_REQUEST", **settings)["TableDescription"]
        if "TimeToLiveSpecification" in properties:
            client.update_time_to_live(TableName=name, TimeToLiveSpecification=properties["TimeToLiveSpecification"])
        template.ids.record(logical_id, name, Arn=table["TableArn"], StreamArn=table.get("LatestStreamArn", ""))

    def _make_queue(self, template: Template, logical_id: str, properties: dict[str, Any]) -> None:
        name = properties.pop("QueueName", logical_id + (".fifo" if properties.get("FifoQueue") else ""))
        attributes = {key: _text(value) for key, value in properties.items() if key not in {"Tags", "RedrivePolicy"}}
        url = self.client("sqs").create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]
        template.ids.record(logical_id, url, Arn=arn("sqs", name), QueueName=name, QueueUrl=url)

    def _join_dead_letter_queues(self, template: Template) -> None:
        """Set the redrive policies once all queues are there: moto refuses one whose queue is still to come."""
        for logical_id, resource in template.resources("AWS::SQS::Queue"):
            policy = template.resolver.resolve(resource.get("Properties", {}).get("RedrivePolicy"))
            if policy:
                url = template.ids.ref(logical_id)
                self.client("sqs").set_queue_attributes(QueueUrl=url, Attributes={"RedrivePolicy": json.dumps(policy)})

    def _make_secret(self, template: Template, logical_id: str, properties: dict[str, Any]) -> None:
        client = self.client("secretsmanager")
        value = properties.get("SecretString") or self._generated(properties.get("GenerateSecretString", {}))
        secret = client.create_secret(Name=properties.get("Name", logical_id), SecretString=value)
        template.ids.record(logical_id, secret["ARN"], Id=secret["ARN"])

    def _generated(self, rule: Mapping[str, Any]) -> str:
        known = {key: value for key, value in rule.items() if key not in {"SecretStringTemplate", "GenerateStringKey"}}
        password: str = self.client("secretsmanager").get_random_password(**known)["RandomPassword"]
        if "GenerateStringKey" not in rule:
            return password
        return json.dumps({**json.loads(rule.get("SecretStringTemplate", "{}")), rule["GenerateStringKey"]: password})


def _text(value: Any) -> str:
    """SQS takes each attribute as text; truth in lower case."""
    return str(value).lower() if isinstance(value, bool) else str(value)
