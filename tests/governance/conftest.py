"""The governance tables, made as the template says."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from local.template import Template, load_template

ROOT = Path(__file__).parents[2]
_TABLE_KEYS = ("AttributeDefinitions", "GlobalSecondaryIndexes", "KeySchema", "BillingMode")


class Clock:
    """Unix time that a test moves on: it begins at the first second of a UTC minute."""

    now_s = 1_796_083_200.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


class CountedTable:
    """Counts the requests that go to DynamoDB, and fails those that a test says."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.requests: list[str] = []
        self.failures: list[Exception | None] = []
        """Of the next requests, one each; None: that one succeeds."""

    def __getattr__(self, name: str) -> Any:
        if name == "name":
            return self._table.name
        return self.counted(name, getattr(self._table, name))

    @property
    def meta(self) -> SimpleNamespace:
        """Its client, for the requests that a table has no method for."""
        client = self._table.meta.client
        names = ("transact_write_items", "batch_get_item")
        return SimpleNamespace(client=SimpleNamespace(**{n: self.counted(n, getattr(client, n)) for n in names}))

    def counted(self, name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
        """Return *operation*, counted as *name*."""

        def request(**arguments: Any) -> Any:
            self.requests.append(name)
            failure = self.failures.pop(0) if self.failures else None
            if failure is not None:
                raise failure
            return operation(**arguments)

        return request


@pytest.fixture(scope="session")
def template() -> Template:
    """The template with its defaults."""
    return load_template(ROOT / "template.yaml")


def make_table(dynamodb: Any, template: Template, logical_id: str) -> Any:
    """Make the table that the template declares under *logical_id*."""
    properties = template.resolver.resolve(template.body["Resources"][logical_id]["Properties"])
    settings = {name: properties[name] for name in _TABLE_KEYS if name in properties}
    return dynamodb.create_table(TableName=logical_id, **settings)


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture
def counters(dynamodb: Any, template: Template) -> Iterator[CountedTable]:
    """Give an empty table of counters."""
    table = make_table(dynamodb, template, "CountersTable")
    yield CountedTable(table)
    table.delete()


@pytest.fixture
def audit(dynamodb: Any, template: Template) -> Iterator[CountedTable]:
    """Give an empty audit table with its indices."""
    table = make_table(dynamodb, template, "AuditTable")
    yield CountedTable(table)
    table.delete()
