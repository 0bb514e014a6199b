"""Keys, plans and team policies in DynamoDB.

pk KEY#<id>     sk KEY       a KeyRecord
pk PLAN#<name>  sk PLAN      a Plan
pk TEAM#<name>  sk POLICY    a TeamPolicy
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from boto3.dynamodb.conditions import Attr
from botocore.exceptions import ClientError
from pydantic import ValidationError

from governance.errors import StoreError, UnknownKeyError
from governance.keys import KeyRecord, OldHash
from governance.policies import BUILT_IN, NOTHING, Plan, TeamPolicy
from governance.store import REQUEST_S, Patience, Table, is_condition_failed, try_twice


class Limiting(NamedTuple):
    """The two things that limit a key."""

    plan: Plan
    team: TeamPolicy


_EXISTS: Final = Attr("pk").exists()


class KeyTable:
    """The keys of this deployment."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def find(self, key_id: str, *, patience: Patience | None = None) -> KeyRecord | None:
        """Return the key with *key_id*; None: there is none.

        Args:
            key_id: the part of a key that is no secret.
            patience: how long the caller may wait for DynamoDB in all, a look-up of the limits included.

        Raises:
            StoreError: DynamoDB did not answer.
        """
        # Consistent: what was switched off a moment ago must not be believed for another minute.
        answer = try_twice(
            lambda: self._table.get_item(Key=_key(key_id), ConsistentRead=True),
            patience or Patience(),
            keep_s=REQUEST_S,
        )
        item = answer.get("Item")
        return None if item is None else _model(KeyRecord, item)

    def get(self, key_id: str) -> KeyRecord:
        """Return the key with *key_id*.

        Raises:
            UnknownKeyError: there is none.
        """
        found = self.find(key_id)
        if found is None:
            raise UnknownKeyError
        return found

    def limiting(self, record: KeyRecord, *, patience: Patience | None = None) -> Limiting:
        """Return the plan and the team policy of *record*, both in one request.

        A plan that is gone is `NOTHING`: a key does not get more because somebody removed its limits.

        Raises:
            StoreError: DynamoDB did not answer.
        """
        plan, team = _plan_key(record.plan), _team_key(record.team)
        found = {item["pk"]: item for item in try_twice(lambda: self._both(plan, team), patience or Patience())}
        stored = found.get(plan["pk"])
        return Limiting(
            BUILT_IN.get(record.plan, NOTHING) if stored is None else _model(Plan, stored),
            _model(TeamPolicy, found.get(team["pk"], {})),
        )

    def _both(self, *keys: Mapping[str, str]) -> list[Mapping[str, Any]]:
        request = {self._table.name: {"Keys": [*keys], "ConsistentRead": True}}
        answer = self._table.meta.client.batch_get_item(RequestItems=request)
        if answer.get("UnprocessedKeys"):
            # What was not read is not what is not there: a team would have no limits while DynamoDB is throttled.
            raise StoreError("UnprocessedKeys")
        items: list[Mapping[str, Any]] = answer["Responses"].get(self._table.name, [])
        return items

    def create(self, record: KeyRecord) -> None:
        """Store a new key; one with the same id is never overwritten."""
        item = {**_key(record.key_id), **record.model_dump(mode="json", exclude_none=True)}
        self._table.put_item(Item=item, ConditionExpression=Attr("pk").not_exists())

    def set_enabled(self, key_id: str, *, is_enabled: bool) -> None:
        """Switch a key on or off.

        Raises:
            UnknownKeyError: there is none.
        """
        self._change(key_id, "SET is_enabled = :value", {":value": is_enabled})

    def set_plan(self, key_id: str, plan: str) -> None:
        """Give a key another plan.

        Raises:
            UnknownKeyError: there is none.
        """
        self._change(key_id, "SET #plan = :value", {":value": plan}, {"#plan": "plan"})

    def rotate(self, key_id: str, secret_hash: str, *, old_until_s: int) -> None:
        """Replace a key's secret in one step; the old one opens until *old_until_s*, Unix time, 0: no longer.

        Raises:
            UnknownKeyError: there is none.
        """
        while True:
            record = self.get(key_id)
            old = OldHash(secret_hash=record.secret_hash, until_s=old_until_s).model_dump()
            values = {":new": secret_hash, ":old": old, ":was": record.secret_hash}
            try:
                self._table.update_item(
                    Key=_key(key_id),
                    UpdateExpression="SET secret_hash = :new, #old = :old",
                    ConditionExpression="secret_hash = :was",
                    ExpressionAttributeNames={"#old": "old"},
                    ExpressionAttributeValues=values,
                )
            except ClientError as error:
                # Another operator rotated it meanwhile: what they made is the old one now.
                if not is_condition_failed(error):
                    raise
            else:
                return

    def put_plan(self, name: str, plan: Plan) -> None:
        """Store a plan."""
        self._table.put_item(Item={**_plan_key(name), **plan.model_dump(exclude_none=True)})

    def put_team(self, name: str, policy: TeamPolicy) -> None:
        """Store a team's policy."""
        self._table.put_item(Item={**_team_key(name), **policy.model_dump(exclude_none=True)})

    def remove_team(self, name: str) -> None:
        """Forget a team's policy: its keys have their plans' limits only."""
        self._table.delete_item(Key=_team_key(name))

    def has_plan(self, name: str) -> bool:
        """Tell whether there is a plan called *name*."""
        return name in BUILT_IN or "Item" in self._table.get_item(Key=_plan_key(name))

    def keys(self) -> list[KeyRecord]:
        """Return every readable key, by team and age."""
        records = [_model(KeyRecord, item) for item in self._all("KEY") if _is_key(item)]
        return sorted(records, key=lambda record: (record.team, record.created_at, record.key_id))

    def unreadable_keys(self) -> list[str]:
        """Return the ids whose rows are no keys, whoever has written them: they open nothing."""
        return sorted(item["pk"].removeprefix("KEY#") for item in self._all("KEY") if not _is_key(item))

    def plans(self) -> dict[str, Plan]:
        """Return every plan by name, the built-in ones too."""
        stored = {item["pk"].removeprefix("PLAN#"): _model(Plan, item) for item in self._all("PLAN")}
        return dict(sorted({**BUILT_IN, **stored}.items()))

    def teams(self) -> dict[str, TeamPolicy]:
        """Return every team policy by the team's name."""
        return dict(
            sorted((item["pk"].removeprefix("TEAM#"), _model(TeamPolicy, item)) for item in self._all("POLICY"))
        )

    def _all(self, kind: str) -> Iterator[Mapping[str, Any]]:
        asked: dict[str, Any] = {"FilterExpression": Attr("sk").eq(kind)}
        while True:
            page = self._table.scan(**asked)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            asked["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def _change(
        self, key_id: str, expression: str, values: Mapping[str, Any], names: Mapping[str, str] | None = None
    ) -> None:
        try:
            self._table.update_item(
                Key=_key(key_id),
                UpdateExpression=expression,
                ConditionExpression=_EXISTS,
                ExpressionAttributeValues=values,
                **({"ExpressionAttributeNames": names} if names else {}),
            )
        except ClientError as error:
            if not is_condition_failed(error):
                raise
            raise UnknownKeyError from None


def _model[ModelT: (KeyRecord, Plan, TeamPolicy)](model: type[ModelT], item: Mapping[str, Any]) -> ModelT:
    """Return what a row holds.

    Raises:
        StoreError: it is none of ours. Pydantic's own text would bring the row, with its hash, into the log.
    """
    try:
        return model.model_validate({name: value for name, value in item.items() if name in model.model_fields})
    except ValidationError:
        raise StoreError(f"A row is no {model.__name__}") from None


def _is_key(item: Mapping[str, Any]) -> bool:
    try:
        _model(KeyRecord, item)
    except StoreError:
        return False
    return True


def _key(key_id: str) -> dict[str, str]:
    return {"pk": f"KEY#{key_id}", "sk": "KEY"}


def _plan_key(name: str) -> dict[str, str]:
    return {"pk": f"PLAN#{name}", "sk": "PLAN"}


def _team_key(name: str) -> dict[str, str]:
    return {"pk": f"TEAM#{name}", "sk": "POLICY"}
