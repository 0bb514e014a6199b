"""What AWS would be given for the calls to other servers: roles, schedule, queue, alarms."""

from typing import Any

import pytest

from local.function import functions_of
from local.template import Template, load_template
from tests.test_template import TEMPLATE, properties

TABLE = "arn:aws:dynamodb:us-east-1:123456789012:table/ConnectionsTable"


@pytest.fixture(scope="module")
def template() -> Template:
    """The template with its defaults."""
    return load_template(TEMPLATE)


OUTBOUND = ("ClientFunctionRole", "DiscoveryListFunctionRole", "DiscoveryWorkerFunctionRole", "RemoteFunctionRole")


def statements_of(template: Template, role: str) -> list[dict[str, Any]]:
    """Return what a role's own policies allow."""
    policies = properties(template, "AWS::IAM::Role")[role].get("Policies", ())
    return [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]


def test_a_role_names_its_actions_and_resources(template: Template) -> None:
    """No wildcard but the one behind `samcp/connections/`; a table's rows by their partition where they are written."""
    for name in OUTBOUND:
        for statement in statements_of(template, name):
            actions = [statement["Action"]] if isinstance(statement["Action"], str) else statement["Action"]
            assert not any("*" in action for action in actions)
            assert statement["Resource"].removesuffix("secret:samcp/connections/*").count("*") == 0
            if set(actions) & {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"}:
                assert statement["Resource"] == TABLE
                assert "dynamodb:LeadingKeys" in str(statement["Condition"])


def test_no_function_may_approve_or_change_a_connection(template: Template) -> None:
    """Issue 4: quarantined until an *operator* approves. Of a connection's row only `era` is written."""
    for name in properties(template, "AWS::IAM::Role"):
        for statement in statements_of(template, name):
            if statement["Resource"] != TABLE:
                continue
            if "dynamodb:UpdateItem" in statement["Action"]:
                keys = statement["Condition"]["ForAllValues:StringEquals"]
                assert keys == {"dynamodb:LeadingKeys": ["CONNECTION"], "dynamodb:Attributes": ["pk", "sk", "era"]}
            elif {"dynamodb:PutItem", "dynamodb:DeleteItem"} & set(statement["Action"]):
                written = statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
                assert set(written) <= {"CATALOG", "CONNECTION#*"}


def test_discovery_goes_from_the_schedule_through_the_queue_to_the_dead_letters(template: Template) -> None:
    """SPEC 4: partial batch failures, two retries, a dead-letter queue, bounded concurrency."""
    schedule = properties(template, "AWS::Scheduler::Schedule")["DiscoveryListFunctionSchedule"]
    assert schedule["ScheduleExpression"] == "rate(1 hour)"
    assert "Name" not in schedule
    mapping = properties(template, "AWS::Lambda::EventSourceMapping")["DiscoveryWorkerFunctionQueue"]
    assert (mapping["BatchSize"], mapping["FunctionResponseTypes"]) == (10, ["ReportBatchItemFailures"])
    assert mapping["ScalingConfig"] == {"MaximumConcurrency": 10}
    queues = properties(template, "AWS::SQS::Queue")
    assert queues["DiscoveryQueue"]["RedrivePolicy"]["maxReceiveCount"] == 3
    assert queues["DiscoveryQueue"]["VisibilityTimeout"] >= 6 * 60
    alarms = properties(template, "AWS::CloudWatch::Alarm")
    assert {alarm["MetricName"] for alarm in alarms.values()} == {
        "CatalogChanges",
        "ApproximateNumberOfMessagesVisible",
    }
    topic = "arn:aws:sns:us-east-1:123456789012:ops"
    told = properties(load_template(TEMPLATE, {"AlarmTopic": topic}), "AWS::CloudWatch::Alarm")
    assert all(alarm["AlarmActions"] == [topic] for alarm in told.values())
    assert all(alarm["AlarmActions"] == [] for alarm in alarms.values())


def test_no_template_opens_a_port_of_loopback(template: Template) -> None:
    """Issue 4: the development setting. The functions do not read it on Lambda either."""
    assert "SAMCP_LOOPBACK_PORTS" not in TEMPLATE.read_text("utf-8")


def test_the_lab_carries_the_guard_only_with_live_wiki(template: Template) -> None:
    """Issue 4: off by default."""
    live = functions_of(load_template(TEMPLATE, {"LiveWiki": "true"}))["LabFunction"]
    off = functions_of(template)["LabFunction"]
    assert (off.layer_ids, off.environment["SAMCP_LIVE_WIKI"]) == (("McpServerLayer",), "false")
    assert (set(live.layer_ids), live.environment["SAMCP_LIVE_WIKI"]) == (
        {"McpServerLayer", "GuardedHttpLayer"},
        "true",
    )
