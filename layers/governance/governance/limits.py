"""Who may call how often and spend how much: the decision, without any store.

A limit of a key is the smaller of its plan's and its team policy's, computed for each call and stored nowhere.
Source: GATEWAY.md, "Governance".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

NO_LIMIT: Final = "none"
"""Said in so many words: an empty text could be lost on its way through API Gateway."""


class Wall(StrEnum):
    """What a refused call ran into."""

    KEY_CALLS = "key_calls_per_minute"
    TEAM_CALLS = "team_calls_per_minute"
    KEY_TOKENS = "key_tokens_per_month"
    TEAM_TOKENS = "team_tokens_per_month"

    @property
    def is_of_tokens(self) -> bool:
        """Whether the month's budget is spent, and not the minute's calls."""
        return self in (Wall.KEY_TOKENS, Wall.TEAM_TOKENS)


@dataclass(frozen=True, slots=True)
class Usage:
    """What was used: of calls in this UTC minute, of tokens in this UTC month."""

    key_calls: int = 0
    team_calls: int = 0
    key_tokens: int = 0
    team_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be used. None: as much as they like."""

    key_calls: int | None = None
    team_calls: int | None = None
    key_tokens: int | None = None
    team_tokens: int | None = None

    @classmethod
    def of(cls, attributes: Mapping[str, str]) -> Self:
        """Return the limits as they are now.

        Args:
            attributes: what the authorizer says of the principal; `none`: no limit.

        Raises:
            KeyError: it says nothing of one of them. Another authorizer in its place must not mean no limits at all.
            ValueError: one is no whole number.
        """
        return cls(
            key_calls=_smaller(attributes, "calls_per_minute", "team_key_calls_per_minute"),
            team_calls=_smaller(attributes, "team_calls_per_minute"),
            key_tokens=_smaller(attributes, "tokens_per_month", "team_key_tokens_per_month"),
            team_tokens=_smaller(attributes, "team_tokens_per_month"),
        )

    def of_wall(self, wall: Wall) -> int | None:
        """Return the limit that *wall* stands for."""
        return {
            Wall.KEY_CALLS: self.key_calls,
            Wall.TEAM_CALLS: self.team_calls,
            Wall.KEY_TOKENS: self.key_tokens,
            Wall.TEAM_TOKENS: self.team_tokens,
        }[wall]


def find_wall(usage: Usage, limits: Limits, *, tokens: int | None) -> Wall | None:
    """Return the wall that one more call runs into; None: it may pass.

    Calls come before tokens, and the key before its team.

    Args:
        usage: without this call.
        limits: what may be used.
        tokens: the most that the call can spend; None: it is no tool call, which spends nothing.
    """
    if _is_over(usage.key_calls + 1, limits.key_calls):
        return Wall.KEY_CALLS
    if _is_over(usage.team_calls + 1, limits.team_calls):
        return Wall.TEAM_CALLS
    if tokens is None:
        return None
    if _is_over(usage.key_tokens + tokens, limits.key_tokens):
        return Wall.KEY_TOKENS
    if _is_over(usage.team_tokens + tokens, limits.team_tokens):
        return Wall.TEAM_TOKENS
    return None


def tokens_left(usage: Usage, limits: Limits) -> int | None:
    """Return how many tokens this month still has for the key; None: as many as it likes."""
    lefts = []
    if limits.key_tokens is not None:
        lefts.append(limits.key_tokens - usage.key_tokens)
    if limits.team_tokens is not None:
        lefts.append(limits.team_tokens - usage.team_tokens)
    return max(0, min(lefts)) if lefts else None


def _smaller(attributes: Mapping[str, str], *names: str) -> int | None:
    return min((int(attributes[name]) for name in names if attributes[name] != NO_LIMIT), default=None)


def _is_over(needed: int, limit: int | None) -> bool:
    return limit is not None and needed > limit
