"""The authorizer: who is let in, what it says of them, and what it costs to find out."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from functions.authorizer.authorizer import Authorizer, UnauthorizedError
from functions.authorizer.keyring import KeyRing
from governance.errors import StoreError
from governance.key_table import KeyTable
from governance.keys import KeyRecord, hash_of, make_key
from governance.policies import TeamPolicy
from tests.governance.conftest import Clock, CountedTable, make_table, template

__all__ = ["template"]

EVENTS = Path(__file__).parents[3] / "events" / "authorizer"
NEW = make_key()
DISABLED = make_key()


@pytest.fixture
def table(dynamodb: Any, template: Any) -> Iterator[CountedTable]:
    """Give a table with a key, and one that is switched off."""
    made = make_table(dynamodb, template, "KeysTable")
    keys = KeyTable(made)
    for new, is_enabled in ((NEW, True), (DISABLED, False)):
        keys.create(
            KeyRecord(
                key_id=new.key_id,
                team="blue",
                secret_hash=new.secret_hash,
                created_at="2026",
                is_enabled=is_enabled,
            )
        )
    keys.put_team("blue", TeamPolicy(calls_per_minute=600))
    yield CountedTable(made)
    made.delete()


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture
def authorize(table: CountedTable, clock: Clock) -> Authorizer:
    """The authorizer, as `app.py` builds it."""
    return Authorizer(KeyRing(KeyTable(table), now_s=clock, clock=clock, max_age_s=60))


def event(name: str = "bearer", key: str = NEW.key, **headers: str) -> dict[str, Any]:
    """Return one of the event files with *key* in its place, or with other *headers*."""
    found: dict[str, Any] = json.loads((EVENTS / f"{name}.json").read_text("utf-8").replace("KEY", key))
    if headers:
        found["headers"] = {name.replace("_", "-"): value for name, value in headers.items()}
        found["multiValueHeaders"] = {name: [value] for name, value in found["headers"].items()}
    return found


def is_let_in(authorize: Authorizer, asked: dict[str, Any]) -> bool:
    """Tell whether the event's caller is known."""
    try:
        authorize(asked, None)
    except UnauthorizedError:
        return False
    return True


def test_a_key_becomes_a_principal_with_its_limits(authorize: Authorizer) -> None:
    """GATEWAY.md: key id, team, plan, scopes, and the limits of plan and team as they are now."""
    answer = authorize(event(), None)
    assert answer["principalId"] == NEW.key_id
    assert answer["policyDocument"]["Statement"] == [
        {"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": event()["methodArn"]}
    ]
    assert answer["context"] == {
        "key_id": NEW.key_id,
        "team": "blue",
        "plan": "free",
        "scopes": "gateway",
        "calls_per_minute": "120",
        "tokens_per_month": "2000000",
        "team_key_calls_per_minute": "none",
        "team_key_tokens_per_month": "none",
        "team_calls_per_minute": "600",
        "team_tokens_per_month": "none",
    }


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": f"Bearer {NEW.key}"},
        {"authorization": f"bearer {NEW.key}"},
        {"AUTHORIZATION": f"  BEARER \t  {NEW.key}  "},
        {"X-API-Key": NEW.key},
        {"x-api-key": f" {NEW.key} "},
        {"Authorization": f"Bearer {NEW.key}", "X-API-Key": NEW.key},
        {"Authorization": "", "X-API-Key": NEW.key},
        {"Authorization": "Bearer ", "X-API-Key": NEW.key},
        {"Authorization": "Basic dXNlcjpuYW1l", "X-API-Key": NEW.key},
    ],
)
def test_a_key_comes_in_either_header_in_any_spelling(authorize: Authorizer, headers: dict[str, str]) -> None:
    """HOSTS rule 15."""
    assert is_let_in(authorize, event(**headers))


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": NEW.key},
        {"Authorization": f"Bearer Bearer {NEW.key}"},
        {"Authorization": f'Bearer "{NEW.key}"'},
        {"Authorization": f"Basic {NEW.key}"},
        {"Authorization": f"Bearer {NEW.key}", "X-API-Key": DISABLED.key},
        {"Authorization": "Bearer"},
        {"Authorization": f"Bearer {DISABLED.key}"},
        {"X-API-Key": make_key().key},
        {"X-API-Key": ""},
        {"Cookie": NEW.key},
    ],
)
def test_anything_else_is_nobody(authorize: Authorizer, headers: dict[str, str]) -> None:
    """API Gateway makes a 401 of exactly this text."""
    with pytest.raises(UnauthorizedError, match=r"^Unauthorized$"):
        authorize(event(**headers), None)


def test_a_key_in_the_query_is_not_looked_at(authorize: Authorizer) -> None:
    """GATEWAY.md: URLs end in logs."""
    asked = event("nobody")
    asked["queryStringParameters"] = {"key": NEW.key, "Authorization": f"Bearer {NEW.key}"}
    assert not is_let_in(authorize, asked)


def test_two_headers_of_one_name_are_two_keys(authorize: Authorizer) -> None:
    """A proxy's key beside the caller's: nobody could say which was meant."""
    asked = event("x_api_key")
    asked["multiValueHeaders"]["X-API-Key"] = [NEW.key, make_key().key]
    assert not is_let_in(authorize, asked)


def test_a_key_without_the_server_s_scope_is_known_and_not_let_in(authorize: Authorizer) -> None:
    """403 insufficient_scope."""
    assert authorize(event("remote"), None)["policyDocument"]["Statement"][0]["Effect"] == "Deny"


def test_a_proved_key_is_believed_for_a_minute_and_no_longer(
    authorize: Authorizer, table: CountedTable, clock: Clock
) -> None:
    """Issue: at most 60 s in memory. A key that is switched off stops within that."""
    authorize(event(), None)
    authorize(event("x_api_key"), None)
    assert table.requests == ["get_item", "batch_get_item"]
    KeyTable(table).set_enabled(NEW.key_id, is_enabled=False)
    clock.now_s += 59
    assert is_let_in(authorize, event())
    clock.now_s += 1
    assert not is_let_in(authorize, event())


def test_a_key_stops_although_lambda_has_stopped_the_clock(table: CountedTable, clock: Clock) -> None:
    """A frozen instance's monotonic clock may stand still: Unix time goes on. hashicorp/vault-lambda-extension, 113."""
    authorize = Authorizer(KeyRing(KeyTable(table), now_s=clock, clock=lambda: 0.0, max_age_s=60))
    authorize(event(), None)
    KeyTable(table).set_enabled(NEW.key_id, is_enabled=False)
    clock.now_s += 60
    assert not is_let_in(authorize, event())


def test_a_key_stops_although_unix_time_was_set_back(table: CountedTable, clock: Clock) -> None:
    """The other clock grows."""
    passed = Clock()
    authorize = Authorizer(KeyRing(KeyTable(table), now_s=clock, clock=passed, max_age_s=60))
    authorize(event(), None)
    KeyTable(table).set_enabled(NEW.key_id, is_enabled=False)
    clock.now_s -= 3600
    passed.now_s += 60
    assert not is_let_in(authorize, event())


def test_the_minute_begins_before_the_key_is_read(table: CountedTable, clock: Clock) -> None:
    """It may be switched off while DynamoDB takes its time."""

    class Slow(CountedTable):
        """Takes two seconds, and the key is switched off meanwhile."""

        def get_item(self, **arguments: Any) -> Any:
            """Read, then wait."""
            answer = self._table.get_item(**arguments)
            clock.now_s += 2
            return answer

    authorize = Authorizer(KeyRing(KeyTable(Slow(table._table)), now_s=clock, clock=clock, max_age_s=60))
    authorize(event(), None)
    KeyTable(table).set_enabled(NEW.key_id, is_enabled=False)
    clock.now_s += 58
    assert not is_let_in(authorize, event())


def test_a_grace_ends_in_time_although_the_key_is_remembered(
    authorize: Authorizer, table: CountedTable, clock: Clock
) -> None:
    """`make key` says until when a former secret opens."""
    KeyTable(table).rotate(NEW.key_id, make_key(NEW.key_id).secret_hash, old_until_s=int(clock.now_s) + 5)
    assert is_let_in(authorize, event())
    clock.now_s += 5
    assert not is_let_in(authorize, event())


def test_nobody_is_let_in_while_the_keys_cannot_be_read(
    authorize: Authorizer, table: CountedTable, caplog: pytest.LogCaptureFixture
) -> None:
    """API Gateway answers 503, and the log has no key."""
    table.failures = [ReadTimeoutError(endpoint_url="https://dynamodb.example")]
    with caplog.at_level(logging.INFO), pytest.raises(StoreError):
        authorize(event(), None)
    assert NEW.key not in caplog.text
    assert hash_of(NEW.key) not in caplog.text
    assert is_let_in(authorize, event())


def test_no_table_and_no_answer_holds_a_key(authorize: Authorizer, table: CountedTable) -> None:
    """Only a hash is stored."""
    said = json.dumps(authorize(event(), None)) + str(table.scan()["Items"])
    assert NEW.key.rpartition("_")[2] not in said
