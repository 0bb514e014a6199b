"""What a team remembers, in DynamoDB: one item a note, and one that counts them.

    pk TEAM#<team>   sk NOTE#<id>   text, tokens, created_at
    pk TEAM#<team>   sk COUNT       notes

A note's id comes from its text, so that adding the same text twice keeps one. The count moves in the same transaction.
"""

import hashlib
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from boto3.dynamodb.conditions import Key

from governance.errors import StoreError
from governance.store import Table, cancellation_codes, try_once

MAX_NOTES: Final = 500
"""Of one team: a search reads them all."""

_TRIES: Final = 5
"""Of a transaction that another of the same team got in the way of."""

_PAUSE_S: Final = 0.04


class MemoryFullError(Exception):
    """The team has `MAX_NOTES` notes."""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing remembered."""

    note_id: str
    text: str
    tokens: int
    created_at: str


class MemoryTable:
    """The notes of every team; each method sees one team's only."""

    def __init__(self, table: Table, *, max_notes: int = MAX_NOTES) -> None:
        """Make it.

        Args:
            table: boto3's, with the keys `pk` and `sk`.
            max_notes: of one team.
        """
        self._table = table
        self.max_notes = max_notes

    def add(self, team: str, text: str, *, tokens: int, created_at: str) -> str:
        """Keep *text* and return its id; a text that is there already stays as it is.

        Raises:
            MemoryFullError: the team must delete something first.
            StoreError: DynamoDB did not do it.
        """
        note_id = hashlib.sha256(text.encode()).hexdigest()[:16]
        item = {"pk": _pk(team), "sk": _sk(note_id), "text": text, "tokens": tokens, "created_at": created_at}
        put = {"Put": {"TableName": self._table.name, "Item": item, "ConditionExpression": "attribute_not_exists(pk)"}}
        room = {"ConditionExpression": "attribute_not_exists(notes) OR notes < :most"}
        failed = self._transact([put, self._count(team, 1, room, {":most": self.max_notes})])
        if failed == {1}:
            raise MemoryFullError
        return note_id

    def delete(self, team: str, note_id: str) -> bool:
        """Forget a note and tell whether there was one.

        Raises:
            StoreError: DynamoDB did not do it.
        """
        key = {"pk": _pk(team), "sk": _sk(note_id)}
        gone = {"Delete": {"TableName": self._table.name, "Key": key, "ConditionExpression": "attribute_exists(pk)"}}
        return not self._transact([gone, self._count(team, -1, {}, {})])

    def all(self, team: str) -> list[Note]:
        """Return a team's notes, the newest first.

        Raises:
            StoreError: DynamoDB did not answer.
        """
        in_team = Key("pk").eq(_pk(team)) & Key("sk").begins_with(_sk(""))
        # Consistent: what was added a moment ago is found.
        asked: dict[str, Any] = {"KeyConditionExpression": in_team, "ConsistentRead": True}
        notes: list[Note] = []
        while True:
            page = try_once(lambda: self._table.query(**asked))
            notes += map(_note_of, page["Items"])
            if "LastEvaluatedKey" not in page:
                return sorted(notes, key=lambda note: note.created_at, reverse=True)
            asked["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def _count(self, team: str, change: int, condition: dict[str, str], values: dict[str, int]) -> dict[str, Any]:
        return {
            "Update": {
                "TableName": self._table.name,
                "Key": {"pk": _pk(team), "sk": "COUNT"},
                "UpdateExpression": "ADD notes :change",
                "ExpressionAttributeValues": {":change": change, **values},
                **condition,
            }
        }

    def _transact(self, actions: list[dict[str, Any]]) -> set[int]:
        """Do all *actions*, or none: return the numbers of those whose condition failed."""
        for left in reversed(range(_TRIES)):
            try:
                try_once(lambda: self._table.meta.client.transact_write_items(TransactItems=actions))
            except StoreError as error:
                reasons = cancellation_codes(error.__cause__)
                failed = {number for number, reason in enumerate(reasons) if reason == "ConditionalCheckFailed"}
                if failed:
                    return failed
                if "TransactionConflict" not in reasons or not left:
                    raise
            else:
                return set()
            time.sleep(_PAUSE_S * random.uniform(0.5, 1.5))  # noqa: S311 -- spreads the tries, hides nothing
        raise AssertionError


def _note_of(item: Mapping[str, Any]) -> Note:
    return Note(item["sk"].removeprefix(_sk("")), item["text"], int(item["tokens"]), item["created_at"])


def _pk(team: str) -> str:
    return f"TEAM#{team}"


def _sk(note_id: str) -> str:
    return f"NOTE#{note_id}"
