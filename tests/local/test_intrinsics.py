"""CloudFormation's intrinsic functions. Source: AWS CloudFormation User Guide, "Intrinsic function reference"."""

from typing import Any

import pytest

from local.errors import TemplateError
from local.intrinsics import Resolver
from local.physical_ids import PhysicalIds

RESOURCES: dict[str, dict[str, Any]] = {
    "Table": {"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": "keys"}},
    "Queue": {"Type": "AWS::SQS::Queue"},
    "Alias": {"Type": "AWS::Lambda::Alias", "Properties": {"FunctionName": {"Ref": "Lab"}, "Name": "live"}},
    "Lab": {"Type": "AWS::Lambda::Function", "Properties": {}},
}
CONDITIONS = {"Yes": {"Fn::Equals": [{"Ref": "Size"}, "2"]}, "No": {"Fn::Not": [{"Condition": "Yes"}]}}
RESOLVER = Resolver({"Size": 2, "List": ["a", "b"]}, CONDITIONS, {"M": {"a": {"b": "found"}}}, PhysicalIds(RESOURCES))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"Ref": "Size"}, 2),
        ({"Ref": "AWS::Region"}, "us-east-1"),
        ({"Ref": "Table"}, "keys"),
        ({"Ref": "Alias"}, "arn:aws:lambda:us-east-1:123456789012:function:Lab:live"),
        ({"Fn::GetAtt": ["Table", "Arn"]}, "arn:aws:dynamodb:us-east-1:123456789012:table/keys"),
        ({"Fn::GetAtt": "Queue.QueueName"}, "Queue"),
        ({"Fn::Sub": "${Size}-${!Literal}-${Queue.Arn}"}, "2-${Literal}-arn:aws:sqs:us-east-1:123456789012:Queue"),
        ({"Fn::Sub": ["${x}/${Size}", {"x": {"Ref": "Table"}}]}, "keys/2"),
        ({"Fn::If": ["Yes", "a", "b"]}, "a"),
        ({"Fn::If": ["No", "a", "b"]}, "b"),
        ({"Fn::And": [{"Condition": "Yes"}, {"Condition": "No"}]}, False),
        ({"Fn::Or": [{"Condition": "Yes"}, {"Condition": "No"}]}, True),
        ({"Fn::Join": ["-", [{"Ref": "Size"}, "x"]]}, "2-x"),
        ({"Fn::Select": ["1", {"Fn::Split": [",", "a,b"]}]}, "b"),
        ({"Fn::FindInMap": ["M", "a", "b"]}, "found"),
        ({"a": {"Ref": "AWS::NoValue"}, "b": [1, {"Ref": "AWS::NoValue"}]}, {"b": [1]}),
    ],
)
def test_an_intrinsic_function_becomes_its_value(value: Any, expected: Any) -> None:
    """One case for each function the local gateway knows."""
    assert RESOLVER.resolve(value) == expected


@pytest.mark.parametrize(
    "value",
    [{"Ref": "Nobody"}, {"Fn::GetAtt": ["Lab", "CodeSize"]}, {"Fn::Cidr": []}, {"Fn::FindInMap": ["M", "x", "y"]}],
)
def test_what_is_known_only_on_aws_is_refused(value: Any) -> None:
    """A wrong value would be served as if it were right."""
    with pytest.raises(TemplateError):
        RESOLVER.resolve(value)
