"""What calls functions beside the API: schedules that fire, and queues. moto holds both and calls nobody.

`start` runs them in threads, as AWS would; without it a test fires a schedule and delivers a queue by hand.
"""

import json
import logging
import re
import threading
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from local.errors import FunctionError, TemplateError
from local.function import Function
from local.intrinsics import REGION
from local.runtime import Runtime
from local.template import Template

log = logging.getLogger("local")

FIRST_FIRING_AFTER_S: Final = 2.0
"""A schedule first fires so long after the start: whoever waits for a catalog should not wait for its rate."""

RETRY_AFTER_S: Final = 2
"""When a message that failed comes again; on AWS, when the queue's visibility time-out is over."""

_RATE: Final = re.compile(r"rate\((\d+) (second|minute|hour|day)s?\)")
_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
_ARN: Final = re.compile(r"arn:aws:lambda:[^:]+:[^:]+:function:([^:]+)(?::[^:]+)?")
_STOP_WITHIN_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Schedule:
    """A schedule of EventBridge Scheduler."""

    function_arn: str
    event: dict[str, Any]
    every_s: int | None
    """None: a cron or one-time expression, which only fires by hand here."""


@dataclass(frozen=True, slots=True)
class QueueMapping:
    """A queue that calls a function."""

    function_arn: str
    queue_arn: str
    batch_size: int
    reports_failures: bool


class EventSources:
    """The schedules and queues of one template."""

    def __init__(
        self,
        template: Template,
        functions: Mapping[str, Function],
        runtime: Runtime,
        sqs: Callable[[], Any],
    ) -> None:
        """Read them.

        Args:
            template: with its queues made.
            functions: by physical name.
            runtime: calls them.
            sqs: makes a client of the embedded AWS.

        Raises:
            TemplateError: one calls what is not a function of the template.
        """
        self._functions = functions
        self._runtime = runtime
        self.schedules = {name: _schedule(properties) for name, properties in _of(template, "AWS::Scheduler::Schedule")}
        self.queues = {
            name: _mapping(properties) for name, properties in _of(template, "AWS::Lambda::EventSourceMapping")
        }
        for arn in self._arns():
            self._function(arn)
        self._sqs: Any = sqs() if self.queues else None
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    @property
    def function_names(self) -> set[str]:
        """The functions that are called."""
        return {self._function(arn).name for arn in self._arns()}

    def _arns(self) -> list[str]:
        scheduled = [schedule.function_arn for schedule in self.schedules.values()]
        return scheduled + [mapping.function_arn for mapping in self.queues.values()]

    def start(self) -> None:
        """Fire each schedule at its rate, and deliver each queue's messages, until `close`."""
        for name, schedule in self.schedules.items():
            self._run(partial(self._keep_firing, name, schedule.every_s))
        for name in self.queues:
            self._run(partial(self._keep_delivering, name))

    def close(self) -> None:
        """Stop what `start` has started."""
        self._stop.set()
        for thread in self._threads:
            thread.join(_STOP_WITHIN_S)

    def fire(self, name: str) -> Any:
        """Call the function of the schedule with that logical id and return its answer.

        Raises:
            FunctionError: it crashed.
        """
        schedule = self.schedules[name]
        return self._invoke(schedule.function_arn, schedule.event)

    def deliver(self, name: str, *, wait_s: int = 0) -> int:
        """Hand one batch of messages to the function of the mapping with that logical id; return how many it had.

        What succeeds is deleted. What fails stays, and goes to the dead-letter queue as the queue's policy says.
        """
        mapping = self.queues[name]
        url = self._sqs.get_queue_url(QueueName=mapping.queue_arn.rpartition(":")[2])["QueueUrl"]
        received = self._sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=mapping.batch_size, WaitTimeSeconds=wait_s, AttributeNames=["All"]
        )
        messages = received.get("Messages", [])
        if messages:
            failed = self._failed(mapping, messages)
            for message in messages:
                self._settle(url, message, is_failed=message["MessageId"] in failed)
        return len(messages)

    def _failed(self, mapping: QueueMapping, messages: list[dict[str, Any]]) -> set[str]:
        every = {message["MessageId"] for message in messages}
        try:
            answer = self._invoke(
                mapping.function_arn, {"Records": [_record(message, mapping.queue_arn) for message in messages]}
            )
        except FunctionError:
            return every
        if not mapping.reports_failures or not isinstance(answer, dict):
            return set()
        try:
            failed = {failure["itemIdentifier"] for failure in answer.get("batchItemFailures") or ()}
        except (KeyError, TypeError):
            return every
        # Source: Lambda Developer Guide: an identifier that is none of the batch's fails all of it.
        return every if failed - every else failed

    def _settle(self, url: str, message: Mapping[str, Any], *, is_failed: bool) -> None:
        handle = {"QueueUrl": url, "ReceiptHandle": message["ReceiptHandle"]}
        if is_failed:
            self._sqs.change_message_visibility(**handle, VisibilityTimeout=RETRY_AFTER_S)
        else:
            self._sqs.delete_message(**handle)

    def _invoke(self, arn: str, event: Any) -> Any:
        function = self._function(arn)
        return self._runtime.invoke(function, event, invoked_arn=arn, request_id=str(uuid.uuid4()))

    def _function(self, arn: str) -> Function:
        match = _ARN.fullmatch(arn)
        if match is None or match[1] not in self._functions:
            raise TemplateError(f"A schedule or queue calls {arn}, which is not a function of the template.")
        return self._functions[match[1]]

    def _keep_firing(self, name: str, every_s: int | None) -> None:
        wait_s = FIRST_FIRING_AFTER_S
        while every_s is not None and not self._stop.wait(wait_s):
            wait_s = every_s
            try:
                log.info("schedule %s: %s", name, self.fire(name))
            except FunctionError:
                log.warning("schedule %s: its function failed", name)

    def _keep_delivering(self, name: str) -> None:
        while not self._stop.is_set():
            try:
                if count := self.deliver(name, wait_s=1):
                    log.info("queue %s: %d messages", name, count)
            except (BotoCoreError, ClientError) as error:
                # The queue was purged or made anew, say: whoever did it still wants it delivered.
                log.warning("queue %s could not be read: %s", name, type(error).__name__)
                self._stop.wait(RETRY_AFTER_S)

    def _run(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, daemon=True, name="event source")
        thread.start()
        self._threads.append(thread)


def _of(template: Template, kind: str) -> list[tuple[str, dict[str, Any]]]:
    return [(name, template.resolver.resolve(resource["Properties"])) for name, resource in template.resources(kind)]


def _schedule(properties: Mapping[str, Any]) -> Schedule:
    target = properties["Target"]
    rate = _RATE.fullmatch(properties["ScheduleExpression"])
    every_s = int(rate[1]) * _SECONDS[rate[2]] if rate else None
    return Schedule(target["Arn"], json.loads(target.get("Input", "{}")), every_s)


def _mapping(properties: Mapping[str, Any]) -> QueueMapping:
    return QueueMapping(
        function_arn=properties["FunctionName"],
        queue_arn=properties["EventSourceArn"],
        batch_size=min(10, int(properties.get("BatchSize", 10))),
        reports_failures="ReportBatchItemFailures" in properties.get("FunctionResponseTypes", ()),
    )


def _record(message: Mapping[str, Any], queue_arn: str) -> dict[str, Any]:
    """Return a message as Lambda hands it to a function. Source: Lambda Developer Guide, "Amazon SQS event"."""
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message.get("Attributes", {}),
        "messageAttributes": {},
        "md5OfBody": message.get("MD5OfBody", ""),
        "eventSource": "aws:sqs",
        "eventSourceARN": queue_arn,
        "awsRegion": REGION,
    }
