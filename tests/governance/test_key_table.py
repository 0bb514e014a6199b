"""Keys, plans and policies in DynamoDB."""

from collections.abc import Iterator
from typing import Any

import pytest

from governance.errors import StoreError, UnknownKeyError
from governance.key_table import KeyTable
from governance.keys import KeyRecord, hash_of, make_key
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
    first = [hash_of("meanwhile")]

    class Racing(CountedTable):
        """Another operator rotates between the read and the write."""

        def update_item(self, **arguments: Any) -> Any:
            """Rotate, once, and go on."""
            if first:
                table.rotate(record.key_id, first.pop(), old_until_s=50)
            return original(**arguments)

    KeyTable(Racing(keys._table)).rotate(record.key_id, hash_of("mine"), old_until_s=60)
    found = table.get(record.key_id)
    assert found.old is not None
    assert (found.secret_hash, found.old.secret_hash) == (hash_of("mine"), hash_of("meanwhile"))
    assert found.old.until_s == 60


def test_a_rotation_does_not_switch_on_what_is_switched_off_meanwhile(keys: CountedTable) -> None:
    """Two operators; each writes its own attributes only."""
    table = KeyTable(keys)
    record = stored(table)
    original = keys.update_item

    class Racing(CountedTable):
        """Another operator disables the key between the read and the write."""

        def update_item(self, **arguments: Any) -> Any:
            """Disable, and go on."""
            table.set_enabled(record.key_id, is_enabled=False)
            return original(**arguments)

    KeyTable(Racing(keys._table)).rotate(record.key_id, hash_of("mine"), old_until_s=60)
    found = table.get(record.key_id)
    assert (found.secret_hash, found.is_enabled) == (hash_of("mine"), False)


class Throttled(CountedTable):
    """Returns what DynamoDB returns when it has read one of two keys only."""

    def __init__(self, table: Any, times: int) -> None:
        super().__init__(table)
        self.times = times

    @property
    def meta(self) -> Any:
        """Stands for the client too."""
        return self

    @property
    def client(self) -> Any:
        """As above."""
        return self

    def batch_get_item(self, **arguments: Any) -> Any:
        """Leave the team's policy unread, as often as was said."""
        answer = self._table.meta.client.batch_get_item(**arguments)
        if self.times:
            self.times -= 1
            answer["Responses"][self._table.name].clear()
            answer["UnprocessedKeys"] = {self._table.name: {"Keys": [{"pk": "TEAM#red", "sk": "POLICY"}]}}
        return answer


def test_a_policy_that_could_not_be_read_is_not_taken_for_none(keys: CountedTable) -> None:
    """DynamoDB's UnprocessedKeys: a team would have no ceiling. One more try, then nobody is let in."""
    table = KeyTable(keys)
    record = stored(table, team="red")
    table.put_team("red", TeamPolicy(calls_per_minute=7))
    assert KeyTable(Throttled(keys._table, 1)).limiting(record).team == TeamPolicy(calls_per_minute=7)
    with pytest.raises(StoreError, match="UnprocessedKeys"):
        KeyTable(Throttled(keys._table, 2)).limiting(record)


@pytest.mark.parametrize(
    "damage",
    [
        {"secret_hash": "canary-hash-of-a-key"},
        {"secret_hash": ""},
        {"team": "a b"},
        {"scopes": []},
        {"scopes": ["gateway"] * 33},
        {"scopes": ["gateway remote"]},
        {"old": {"secret_hash": "canary-hash-of-a-key", "until_s": 1}},
        {"is_enabled": "canary"},
    ],
)
def test_a_row_that_is_no_key_opens_nothing_and_is_not_told(keys: CountedTable, damage: dict[str, Any]) -> None:
    """Whoever has written it. Pydantic's text would bring the row into the log."""
    table = KeyTable(keys)
    record = stored(table)
    keys.put_item(Item={"pk": f"KEY#{record.key_id}", "sk": "KEY", **record.model_dump(exclude_none=True), **damage})
    with pytest.raises(StoreError) as caught:
        table.find(record.key_id)
    assert "canary" not in str(caught.value)
    assert caught.value.__suppress_context__
    assert (table.keys(), table.unreadable_keys()) == ([], [record.key_id])


@pytest.mark.parametrize("pk", ["PLAN#gold", "TEAM#blue"])
def test_limits_that_cannot_be_read_are_not_no_limits(keys: CountedTable, pk: str) -> None:
    """Fails closed."""
    table = KeyTable(keys)
    record = stored(table, plan="gold")
    table.put_plan("gold", Plan())
    table.put_team("blue", TeamPolicy())
    sk = "PLAN" if pk.startswith("PLAN") else "POLICY"
    keys.put_item(Item={"pk": pk, "sk": sk, "calls_per_minute": "many"})
    with pytest.raises(StoreError):
        table.limiting(record)


def test_a_key_is_read_as_it_is_now(keys: CountedTable) -> None:
    """An eventually consistent read could give a key that is off another minute."""
    table = KeyTable(keys)
    asked: list[Any] = []

    class Asked(CountedTable):
        """Notes how it is read."""

        def get_item(self, **arguments: Any) -> Any:
            """Note it."""
            asked.append(arguments["ConsistentRead"])
            return self._table.get_item(**arguments)

    KeyTable(Asked(keys._table)).find(stored(table).key_id)
    assert asked == [True]


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
