"""Queues as Lambda delivers them: what a function answers, and a queue that is away for a moment."""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local.event_sources import EventSources
from local.function import Function, functions_of
from local.template import load_template

TEMPLATE = """
Transform: AWS::Serverless-2016-10-31
Resources:
  WorkerFunction:
    Type: AWS::Serverless::Function
    Metadata: {BuildProperties: {ParentPackageMode: explicit, ParentPackages: functions.worker}}
    Properties:
      Runtime: python3.13
      CodeUri: functions/worker/
      Handler: functions.worker.app.handler
      AutoPublishAlias: live
      Events:
        Queue: {Type: SQS, Properties: {Queue: !GetAtt Jobs.Arn, FunctionResponseTypes: [ReportBatchItemFailures]}}
  Jobs: {Type: AWS::SQS::Queue}
"""
QUEUE = "WorkerFunctionQueue"


class Runtime:
    """Answers what a test gives it."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def invoke(self, function: Function, event: Mapping[str, Any], *, invoked_arn: str, request_id: str) -> Any:  # noqa: ARG002 -- the protocol's
        """Answer it."""
        return self.answer

    def close(self) -> None:
        """Nothing is held."""


class Sqs:
    """A queue with one message, which may be away at first."""

    def __init__(self, *, failures: int = 0) -> None:
        self.failures = failures
        self.kept: list[str] = []
        self.deleted: list[str] = []
        self.is_delivered = threading.Event()

    def get_queue_url(self, **_request: Any) -> dict[str, Any]:
        """Return its URL, or that there is none."""
        if self.failures:
            self.failures -= 1
            raise ClientError({"Error": {"Code": "AWS.SimpleQueueService.NonExistentQueue"}}, "GetQueueUrl")
        return {"QueueUrl": "queue"}

    def receive_message(self, **_request: Any) -> dict[str, Any]:
        """Return the message."""
        return {"Messages": [{"MessageId": "one", "ReceiptHandle": "handle", "Body": "{}"}]}

    def change_message_visibility(self, *, ReceiptHandle: str, **_request: Any) -> None:  # noqa: N803 -- boto3's name
        """Keep it."""
        self.kept.append(ReceiptHandle)

    def delete_message(self, *, ReceiptHandle: str, **_request: Any) -> None:  # noqa: N803 -- boto3's name
        """Forget it."""
        self.deleted.append(ReceiptHandle)
        self.is_delivered.set()


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A function that a queue calls."""
    (tmp_path / "functions" / "worker").mkdir(parents=True)
    (tmp_path / "template.yaml").write_text(TEMPLATE)
    return tmp_path / "template.yaml"


def sources(path: Path, answer: Any, sqs: Sqs) -> EventSources:
    """Return the template's queue, with a function that answers *answer*."""
    template = load_template(path)
    return EventSources(template, functions_of(template), Runtime(answer), lambda: sqs)


@pytest.mark.parametrize(
    ("answer", "is_kept"),
    [
        (None, False),
        ({}, False),
        ({"batchItemFailures": []}, False),
        ({"batchItemFailures": [{"itemIdentifier": "one"}]}, True),
        ({"batchItemFailures": [{"itemIdentifier": "another"}]}, True),
        ({"batchItemFailures": [{"itemIdentifier": None}]}, True),
        ({"batchItemFailures": [{}]}, True),
        ({"batchItemFailures": 5}, True),
    ],
)
def test_what_a_function_answers_for_its_batch(template: Path, answer: Any, is_kept: bool) -> None:  # noqa: FBT001 -- a case
    """Lambda Developer Guide, "Success and failure conditions": what is not of the form fails the whole batch."""
    sqs = Sqs()
    assert sources(template, answer, sqs).deliver(QUEUE) == 1
    assert (sqs.kept, sqs.deleted) == ((["handle"], []) if is_kept else ([], ["handle"]))


def test_a_queue_that_is_away_for_a_moment_is_delivered_again(template: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its thread must not end: nothing would be delivered until the next start."""
    monkeypatch.setattr("local.event_sources.RETRY_AFTER_S", 0)
    sqs = Sqs(failures=1)
    found = sources(template, {}, sqs)
    found.start()
    assert sqs.is_delivered.wait(10)
    found.close()
