"""What the template's resources are called on this machine: names, ARNs, URLs."""

from collections.abc import Callable, Mapping
from typing import Any

from local.errors import TemplateError
from local.intrinsics import ACCOUNT, REGION

type Resource = Mapping[str, Any]

_NAME_KEYS = {
    "AWS::DynamoDB::Table": "TableName",
    "AWS::IAM::Role": "RoleName",
    "AWS::Lambda::Function": "FunctionName",
    "AWS::Logs::LogGroup": "LogGroupName",
    "AWS::SQS::Queue": "QueueName",
}
"""The property that names a resource; without it, the logical id does here."""


def arn(service: str, resource: str) -> str:
    """Return the ARN of a resource of the local account."""
    return f"arn:aws:{service}:{REGION}:{ACCOUNT}:{resource}"


class PhysicalIds:
    """Answers `!Ref` and `!GetAtt` for the resources of one translated template.

    The embedded AWS puts in what it has really made (`record`); everything else gets the name that AWS would give it.
    """

    def __init__(self, resources: Mapping[str, Resource]) -> None:
        self._resources = resources
        self.resolve: Callable[[Any], Any] = lambda value: value
        """Resolves a name that is itself an expression; set once the resolver is made."""
        self._refs: dict[str, Any] = {}
        self._attributes: dict[tuple[str, str], Any] = {}

    def record(self, logical_id: str, ref: str, **attributes: str) -> None:
        """Remember what a resource made by the embedded AWS is called."""
        self._refs[logical_id] = ref
        self._attributes.update({(logical_id, name): value for name, value in attributes.items()})

    def ref(self, logical_id: str) -> Any:
        """Return what `!Ref` gives for a resource.

        Raises:
            TemplateError: there is no such parameter or resource.
        """
        if logical_id in self._refs:
            return self._refs[logical_id]
        resource = self._resource(logical_id)
        name = self._own_name(logical_id, resource)
        make = _REFS.get(resource["Type"])
        return make(name, self, resource.get("Properties", {})) if make else name

    def attribute(self, logical_id: str, name: str) -> Any:
        """Return what `!GetAtt` gives for a resource.

        Raises:
            TemplateError: the attribute is known only on AWS.
        """
        if (logical_id, name) in self._attributes:
            return self._attributes[logical_id, name]
        resource = self._resource(logical_id)
        make = _ATTRIBUTES.get((resource["Type"], name))
        if make is None:
            raise TemplateError(f"template.yaml reads {logical_id}.{name}, which the local gateway does not know.")
        return make(self._own_name(logical_id, resource))

    def _resource(self, logical_id: str) -> Resource:
        if logical_id not in self._resources:
            raise TemplateError(f"template.yaml refers to {logical_id}, which is neither a parameter nor a resource.")
        return self._resources[logical_id]

    def _own_name(self, logical_id: str, resource: Resource) -> str:
        key = _NAME_KEYS.get(resource["Type"])
        name = resource.get("Properties", {}).get(key)
        return logical_id if name is None else str(self.resolve(name))


def _alias(_name: str, ids: PhysicalIds, properties: Mapping[str, Any]) -> str:
    return arn("lambda", f"function:{ids.ref(properties['FunctionName']['Ref'])}:{properties['Name']}")


_REFS: Mapping[str, Callable[[str, PhysicalIds, Mapping[str, Any]], str]] = {
    "AWS::Lambda::Alias": _alias,
    "AWS::Lambda::LayerVersion": lambda name, _ids, _properties: arn("lambda", f"layer:{name}:1"),
    "AWS::SNS::Topic": lambda name, _ids, _properties: arn("sns", name),
    "AWS::ApiGateway::RestApi": lambda _name, _ids, _properties: "local",
}
"""Where `!Ref` is not the resource's name."""

_ATTRIBUTES: Mapping[tuple[str, str], Callable[[str], str]] = {
    ("AWS::Lambda::Function", "Arn"): lambda name: arn("lambda", f"function:{name}"),
    ("AWS::Lambda::Version", "Version"): lambda _name: "1",
    ("AWS::IAM::Role", "Arn"): lambda name: f"arn:aws:iam::{ACCOUNT}:role/{name}",
    ("AWS::Logs::LogGroup", "Arn"): lambda name: arn("logs", f"log-group:{name}:*"),
    ("AWS::DynamoDB::Table", "Arn"): lambda name: arn("dynamodb", f"table/{name}"),
    ("AWS::SQS::Queue", "Arn"): lambda name: arn("sqs", name),
    ("AWS::SQS::Queue", "QueueName"): lambda name: name,
    ("AWS::SNS::Topic", "TopicArn"): lambda name: arn("sns", name),
    ("AWS::CloudWatch::Alarm", "Arn"): lambda name: arn("cloudwatch", f"alarm:{name}"),
    ("AWS::ApiGateway::RestApi", "RootResourceId"): lambda _name: "root",
}
