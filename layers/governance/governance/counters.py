"""Counts calls by the minute and tokens by the month in DynamoDB, right under any concurrency.

A team's month is one item with its own counters and those of each of its keys, so that all four walls are checked and
all four counters moved by one conditional update: a call is counted everywhere or nowhere.

    pk                sk        t        t:<key>   m<minute>   m<minute>:<key>
    TEAM#<team>       2026-11   tokens   tokens    calls       calls

A minute's counters have the minute in their names, so a new minute needs no reset; those of past minutes are removed
along with a later call. See docs/decisions/0060-counters.md.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from botocore.exceptions import ClientError

from governance.errors import StoreError, WallError
from governance.limits import Limits, Usage, Wall, find_wall
from governance.store import REQUEST_S, Patience, Table, try_once, try_twice
from governance.windows import minute_of, month_of, seconds_to_next_minute

KEEP_S: Final = 90 * 24 * 3600
"""A month's item is kept for 90 days after its last call: DynamoDB's time to live, attribute `expires_at`."""

_KEPT_MINUTES: Final = 3
"""Instances' clocks differ by less: nobody counts in a minute that is older."""

_MAX_REMOVED: Final = 100
"""Past counters that one update removes."""

_MAX_TEAMS: Final = 1000
"""Teams whose past counters one instance remembers: forgetting them costs a later update, nothing else."""

NO_TIME: Final = "no time left"
"""The reason where a request would last longer than the call may wait."""

_PAST: Final = re.compile(r"m(\d+)(?::.*)?")


@dataclass(frozen=True, slots=True)
class Taken:
    """A call that may pass."""

    team: str
    key_id: str
    month: str
    reserved: int
    """Tokens that were taken out of the month beforehand."""
    usage: Usage
    """With this call."""


class CounterTable:
    """The counters of every team."""

    def __init__(self, table: Table, *, now_s: Callable[[], float]) -> None:
        """Make a table.

        Args:
            table: boto3's, with the keys `pk` and `sk`.
            now_s: Unix time.
        """
        self._table = table
        self._now_s = now_s
        self._past: dict[tuple[str, str], list[str]] = {}

    def take(
        self, team: str, key_id: str, limits: Limits, *, tokens: int | None, patience: Patience | None = None
    ) -> Taken:
        """Count one call and reserve *tokens*: one update, whatever comes of it.

        Args:
            team: whose key it is.
            key_id: the key's id.
            limits: what may be used.
            tokens: the most that the call can spend; None: it is no tool call.
            patience: how long the call may wait for DynamoDB in all; without it, as long as a call may.

        Raises:
            WallError: nothing was counted.
            StoreError: DynamoDB did not answer, or there is no time left to ask it and to record the call.
        """
        patience = patience or Patience()
        if not patience.allows(keep_s=REQUEST_S):
            raise StoreError(NO_TIME)
        now_s = self._now_s()
        update = _Update(key_id, minute_of(now_s), limits, tokens)
        try:
            item = self._update(team, now_s, update, patience)
        except ClientError as error:
            old = {name: next(iter(value.values())) for name, value in error.response.get("Item", {}).items()}
            usage = update.usage_in(old)
            # The item that failed the condition came with the refusal, so it shows a wall; without it, the first.
            wall = find_wall(usage, limits, tokens=tokens) or Wall.KEY_CALLS
            raise WallError(wall, usage, seconds_to_next_minute(now_s)) from None
        return Taken(team, key_id, month_of(now_s), tokens or 0, update.usage_in(item))

    def count(self, team: str, key_id: str, *, patience: Patience) -> None:
        """Count a call whose tokens were refused, in one try: it is a call of its minute all the same.

        Args:
            team: whose key it is.
            key_id: the key's id.
            patience: a new one: it is asked beside another request.

        Raises:
            StoreError: DynamoDB did not answer.
        """
        patience.limit(REQUEST_S)
        now_s = self._now_s()
        self._update(team, now_s, _Update(key_id, minute_of(now_s), Limits(), None), patience)

    def settle(self, taken: Taken, *, spent: int, patience: Patience | None = None) -> Usage:
        """Give back what *taken* reserved and did not spend; without an answer from DynamoDB it stays taken.

        Never tried twice: an update that was made after all would give the tokens back twice.

        Raises:
            StoreError: DynamoDB did not answer, or there is no time left to ask it and to record the call.
        """
        change = spent - taken.reserved
        if not change:
            return taken.usage
        patience = patience or Patience()
        if not patience.allows(keep_s=REQUEST_S):
            raise StoreError(NO_TIME)
        try:
            key_tokens, team_tokens = try_once(lambda: self._change_tokens(taken, change), patience)
        except ClientError:
            raise StoreError("the month is gone") from None
        return Usage(taken.usage.key_calls, taken.usage.team_calls, key_tokens, team_tokens)

    def _change_tokens(self, taken: Taken, change: int) -> tuple[int, int]:
        item = self._table.update_item(
            Key={"pk": _pk(taken.team), "sk": taken.month},
            UpdateExpression="ADD #t :change, #tk :change",
            # What is not there any more has nothing to give back: below zero the month would hold more.
            ConditionExpression="attribute_exists(#tk)",
            ExpressionAttributeNames={"#t": "t", "#tk": f"t:{taken.key_id}"},
            ExpressionAttributeValues={":change": change},
            ReturnValues="UPDATED_NEW",
        )["Attributes"]
        return int(item[f"t:{taken.key_id}"]), int(item["t"])

    def _update(self, team: str, now_s: float, update: "_Update", patience: Patience) -> Mapping[str, Any]:
        place = (team, month_of(now_s))
        expression = update.expression(self._past.get(place, []), expires_at=int(now_s) + KEEP_S)
        key = {"pk": _pk(team), "sk": place[1]}
        item: Mapping[str, Any] = try_twice(
            lambda: self._table.update_item(Key=key, **expression)["Attributes"], patience, keep_s=REQUEST_S
        )
        if len(self._past) >= _MAX_TEAMS:
            self._past.clear()
        self._past[place] = update.past_in(item)
        return item


class _Update:
    """One conditional update of a team's month."""

    def __init__(self, key_id: str, minute: int, limits: Limits, tokens: int | None) -> None:
        self._minute = minute
        self._limits = limits
        self._tokens = tokens
        self._names = {"#m": f"m{minute}", "#mk": f"m{minute}:{key_id}", "#t": "t", "#tk": f"t:{key_id}"}

    def expression(self, past: list[str], *, expires_at: int) -> dict[str, Any]:
        names = {**self._names, **{f"#p{number}": name for number, name in enumerate(past)}}
        values: dict[str, Any] = {":one": 1, ":tokens": self._tokens or 0, ":expires": expires_at}
        conditions = []
        for name, limit, need in self._walls():
            if limit is not None:
                values[f":{name}"] = limit - need
                # A counter that is not there yet is zero: it fits unless the call alone is larger than the limit.
                absent = f"attribute_not_exists(#{name}) OR " if need <= limit else ""
                conditions.append(f"({absent}#{name} <= :{name})")
        removed = f" REMOVE {', '.join(f'#p{number}' for number in range(len(past)))}" if past else ""
        return {
            "UpdateExpression": f"SET expires_at = :expires ADD #m :one, #mk :one, #t :tokens, #tk :tokens{removed}",
            "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": values,
            "ReturnValues": "ALL_NEW",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
            **({"ConditionExpression": " AND ".join(conditions)} if conditions else {}),
        }

    def _walls(self) -> list[tuple[str, int | None, int]]:
        """The counter's placeholder, its limit, and what the call needs of it."""
        calls = [("mk", self._limits.key_calls, 1), ("m", self._limits.team_calls, 1)]
        if self._tokens is None:
            return calls
        return [*calls, ("tk", self._limits.key_tokens, self._tokens), ("t", self._limits.team_tokens, self._tokens)]

    def usage_in(self, item: Mapping[str, Any]) -> Usage:
        counts = {name: int(item.get(attribute, 0)) for name, attribute in self._names.items()}
        return Usage(counts["#mk"], counts["#m"], counts["#tk"], counts["#t"])

    def past_in(self, item: Mapping[str, Any]) -> list[str]:
        found = ((name, _PAST.fullmatch(name)) for name in item)
        past = [name for name, minute in found if minute and int(minute[1]) < self._minute - _KEPT_MINUTES]
        return past[:_MAX_REMOVED]


def _pk(team: str) -> str:
    return f"TEAM#{team}"
