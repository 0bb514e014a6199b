"""`make invoke`: every event file has an answer, with the tables that its function needs and no more."""

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from local import invoke as invoking
from local.commands import PROJECT
from local.embedded_aws import function_needs_aws
from local.errors import FunctionError
from local.function import Function
from local.invoke import Invocation, function_for, invoke
from local.local_variables import ACCOUNT_VARIABLES
from local.placeholder_key import with_key
from local.runtime import InProcessRuntime
from local.template import Template, load_template

EVENTS = PROJECT / "events"
ROOMS = ("authorizer", "client", "discovery", "gateway", "lab", "remote")


class Reporting(InProcessRuntime):
    """The functions from their source, where `make invoke` has the built ones: tests/emulator has those."""

    reports = ("REPORT",)


class Answering:
    """A runtime whose function answers with what it was made with."""

    reports = ()

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.variables: Mapping[str, str] = {}

    def __call__(self, variables: Mapping[str, str]) -> "Answering":
        """Be what is made."""
        self.variables = variables
        return self

    def invoke(self, function: Function, event: Any, *, invoked_arn: str, request_id: str) -> Any:  # noqa: ARG002 -- the protocol's
        """Answer, or raise."""
        if isinstance(self.answer, FunctionError):
            raise self.answer
        return self.answer

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture(scope="module")
def template() -> Template:
    """The project's own."""
    return load_template(PROJECT / "template.yaml")


@pytest.fixture
def fresh_rooms() -> Iterator[None]:
    """Let each handler be imported with its own environment: it reads that once."""
    with pytest.MonkeyPatch.context() as patch:
        for room in ROOMS:
            patch.delitem(sys.modules, f"functions.{room}.app", raising=False)
        for name, value in ACCOUNT_VARIABLES.items():
            patch.setenv(name, value)
        yield
        for room in ROOMS:
            sys.modules.pop(f"functions.{room}.app", None)


def answer_to(event: str, template: Template) -> Any:
    """Return the JSON of the answer to one file of events/."""
    found = invoke(EVENTS / event, template, Reporting)
    assert found.is_answered
    assert found.reports == ["REPORT"]
    return json.loads(found.answer)


def outcome(answer: Any, event: str, template: Template) -> Invocation:
    """Return what is made of a function's answer."""
    return invoke(EVENTS / event, template, Answering(answer))


@pytest.mark.usefixtures("fresh_rooms")
def test_the_gateway_counts_a_call_in_its_tables(template: Template) -> None:
    """Without them it answers -32603 "try again" for ever."""
    body = json.loads(answer_to("gateway/budget_check.json", template)["body"])
    assert body["result"]["structuredContent"]["fits"]


@pytest.mark.usefixtures("fresh_rooms")
def test_the_gateway_s_search_asks_no_engine_of_the_internet(template: Template) -> None:
    """The project's own pages, as under `make run`."""
    body = json.loads(answer_to("gateway/search.json", template)["body"])
    assert body["result"]["structuredContent"]["results"]


@pytest.mark.usefixtures("fresh_rooms")
def test_the_authorizer_lets_this_machine_s_key_in(template: Template) -> None:
    """No key can stand in an event file."""
    answer = answer_to("authorizer/bearer.json", template)
    assert answer["policyDocument"]["Statement"][0]["Effect"] == "Allow"


@pytest.mark.usefixtures("fresh_rooms")
def test_the_authorizer_s_refusal_is_its_answer(template: Template) -> None:
    """It raises "Unauthorized": that is no crash."""
    found = invoke(EVENTS / "authorizer" / "nobody.json", template, Reporting)
    assert found.is_answered
    assert found.answer.startswith("Unauthorized")


@pytest.mark.usefixtures("fresh_rooms")
def test_the_remote_server_knows_no_connection_yet(template: Template) -> None:
    """An empty table is an empty list, not an internal error."""
    assert json.loads(answer_to("remote/tools_list.json", template)["body"])["result"]["tools"] == []


@pytest.mark.usefixtures("fresh_rooms")
def test_the_rooms_without_a_route_answer_too(template: Template) -> None:
    """Callers inside the account, the schedule and the queue."""
    assert answer_to("client/call_tool.json", template)["error"]["code"] == "configuration"
    assert answer_to("discovery/schedule.json", template) == {"connections": 0}


@pytest.mark.usefixtures("fresh_rooms")
def test_the_lab_starts_without_an_embedded_aws(template: Template, monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs no table, and moto takes a second."""
    monkeypatch.setattr(invoking, "EmbeddedAws", None)
    assert answer_to("lab/tools_call.json", template)["statusCode"] == 200
    assert not function_needs_aws(template, "LabFunction")
    assert function_needs_aws(template, "DiscoveryListFunction")


@pytest.mark.parametrize(("case", "handler"), [("schedule", "list_handler"), ("worker", "worker_handler")])
def test_of_two_functions_of_a_room_the_queue_s_takes_its_messages(template: Template, case: str, handler: str) -> None:
    """functions/discovery has two handlers."""
    event = json.loads((EVENTS / "discovery" / f"{case}.json").read_text("utf-8"))
    assert function_for("discovery", event, template).handler.endswith(handler)


@pytest.mark.parametrize(
    "answer",
    [
        FunctionError("It ended."),
        {"statusCode": 500, "body": ""},
        {"statusCode": 200, "body": '{"error": {"code": -32603}}'},
        {"statusCode": 200, "body": '[{"result": {}}, {"error": {"code": -32603}}]'},
        {"statusCode": 200, "body": 'event: message\ndata: {"error": {"code": -32603}}\n\n'},
        {"batchItemFailures": [{"itemIdentifier": "1"}]},
        FunctionError("Unauthorized"),
    ],
)
def test_an_internal_error_is_told_by_the_exit_code(template: Template, answer: Any) -> None:
    """A script must not take "try again" for an answer. Only an authorizer may raise "Unauthorized"."""
    assert not outcome(answer, "lab/tools_call.json", template).is_answered


@pytest.mark.parametrize(
    "answer",
    [
        {"statusCode": 401, "body": '{"error": {"code": -32001}}'},
        {"statusCode": 200, "body": '{"result": {"isError": true}}'},
        {"statusCode": 202, "body": ""},
        {"statusCode": 200},
        {"batchItemFailures": []},
        [],
        None,
    ],
)
def test_a_refusal_is_an_answer(template: Template, answer: Any) -> None:
    """The caller was told what to change."""
    assert outcome(answer, "lab/tools_call.json", template).is_answered


def test_only_a_header_that_says_key_gets_the_key() -> None:
    """And `Bearer` stays in front of it."""
    event = {
        "headers": {"Authorization": "Bearer KEY", "X": "KEYS"},
        "multiValueHeaders": {"A": ["KEY"]},
        "body": "KEY",
    }
    assert with_key(event, "k") == {
        "headers": {"Authorization": "Bearer k", "X": "KEYS"},
        "multiValueHeaders": {"A": ["k"]},
        "body": "KEY",
    }
    assert with_key(event, "") == event
