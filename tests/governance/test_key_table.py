"""Keys, plans and policies in DynamoDB."""

from collections.abc import Iterator
from typing import Any

import pytest

from governance.key_table import KeyTable, UnknownKeyError
from governance.keys import KeyRecord, make_key
from governance.policies import FREE, NOTHING, Plan, TeamPolicy
from tests.governance.conftest import CountedTable, make_table


@pytest.fixture
def keys(dynamodb: Any, template: Any) -> Iterator[CountedTable]:
    """Give an empty table of keys."""
    table = make_table(dynamodb, template, "KeysTable")
    yield CountedTable(table)
    table.delete()


def stored(table: KeyTable, **values: Any) -> KeyRecord:
    """Store a new key and return its record."""
    new = make_key()
    record = KeyRecord.model_validate(
        {"key_id": new.key_id, "team": "blue", "secret_hash": new.secret_hash, "created_at": "2026", **values}
    )
    table.create(record)
    return record


def test_a_key_is_found_as_it_was_made_and_never_overwritten(keys: CountedTable) -> None:
    """One read; a second key of the same id is refused."""
    table = KeyTable(keys)
    record = stored(table, scopes=("gateway", "remote"), note="ann's laptop")
    assert table.find(record.key_id) == record
    with pytest.raises(Exception, match="ConditionalCheckFailed"):
        table.create(record.model_copy(update={"team": "red"}))
    assert table.find("nobody") is None


def test_what_limits_a_key_is_read_in_one_request(keys: CountedTable) -> None:
    """A plan in the table wins over a built-in one; a team without a policy has no limit."""
    table = KeyTable(keys)
    free, pro = stored(table), stored(table, plan="pro", team="red")
    table.put_plan("pro", Plan(calls_per_minute=600))
    table.put_team("red", TeamPolicy(tokens_per_month=7))
    assert table.limiting(free) == (FREE, TeamPolicy())
    assert table.limiting(pro) == (Plan(calls_per_minute=600), TeamPolicy(tokens_per_month=7))
    table.put_plan("free", Plan(calls_per_minute=1))
    assert table.limiting(free).plan == Plan(calls_per_minute=1)


def test_a_key_whose_plan_is_gone_may_do_nothing(keys: CountedTable) -> None:
    """Fails closed: a missing plan is no plan without limits."""
    table = KeyTable(keys)
    assert table.limiting(stored(table, plan="gold")).plan == NOTHING


def test_a_change_of_what_is_not_there_makes_nothing(keys: CountedTable) -> None:
    """An update would else store half a key."""
    table = KeyTable(keys)
    with pytest.raises(UnknownKeyError):
        table.set_enabled("nobody", is_enabled=True)
    with pytest.raises(UnknownKeyError):
        table.set_plan("nobody", "free")
    with pytest.raises(UnknownKeyError):
        table.rotate("nobody", "hash", old_until_s=0)
    assert table.keys() == []


def test_of_two_rotations_at_once_the_former_of_the_later_is_the_earlier(keys: CountedTable) -> None:
    """No secret that was printed is lost in silence."""
    table = KeyTable(keys)
    record = stored(table)
    original = keys.update_item
    first = ["meanwhile"]

    class Racing(CountedTable):
        """Another operator rotates between the read and the write."""

        def update_item(self, **arguments: Any) -> Any:
            """Rotate, once, and go on."""
            if first:
                table.rotate(record.key_id, first.pop(), old_until_s=50)
            return original(**arguments)

    KeyTable(Racing(keys._table)).rotate(record.key_id, "mine", old_until_s=60)
    found = table.get(record.key_id)
    assert found.old is not None
    assert (found.secret_hash, found.old.secret_hash, found.old.until_s) == ("mine", "meanwhile", 60)


def test_all_keys_plans_and_teams_are_listed(keys: CountedTable) -> None:
    """By name; keys by team."""
    table = KeyTable(keys)
    records = [stored(table, team=team) for team in ("red", "blue")]
    table.put_plan("pro", Plan())
    table.put_team("red", TeamPolicy(calls_per_minute=1))
    assert table.keys() == records[::-1]
    assert [*table.plans()] == ["free", "pro", "unlimited"]
    assert table.teams() == {"red": TeamPolicy(calls_per_minute=1)}
    table.remove_team("red")
    assert table.teams() == {}
