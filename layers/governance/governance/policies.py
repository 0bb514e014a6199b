"""Plans and team policies: the limits that a key has, before the smaller of both is taken."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from governance.errors import PolicyError
from governance.keys import NAME
from governance.limits import NO_LIMIT

MAX_LIMIT: Final = 10**15 - 1
"""More is none: 15 digits pass every JSON parser unchanged."""

type Limit = Annotated[int, Field(ge=0, le=MAX_LIMIT)]


class Plan(BaseModel):
    """What a key of this plan may use. Absent: as much as it likes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls_per_minute: Limit | None = None
    tokens_per_month: Limit | None = None


class TeamPolicy(BaseModel):
    """What a team may use. Absent: no limit of the team's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key_calls_per_minute: Limit | None = Field(None, description="Of each of its keys.")
    key_tokens_per_month: Limit | None = Field(None, description="Of each of its keys.")
    calls_per_minute: Limit | None = Field(None, description="Of all of its keys together.")
    tokens_per_month: Limit | None = Field(None, description="Of all of its keys together.")


FREE: Final = Plan(calls_per_minute=120, tokens_per_month=2_000_000)
"""Source: GATEWAY.md, "Governance"."""

BUILT_IN: Final[Mapping[str, Plan]] = {"free": FREE, "unlimited": Plan()}
"""Plans that there are without any table; one that is stored under the same name wins."""

NOTHING: Final = Plan(calls_per_minute=0, tokens_per_month=0)
"""Stands for a plan that is gone: its keys may do nothing until they have another one."""


class PolicyFile(BaseModel):
    """Plans and teams by name: what `make key ARGS="policy FILE"` stores."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    plans: dict[str, Plan] = Field(default_factory=dict)
    teams: dict[str, TeamPolicy] = Field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the policy that the JSON *text* holds.

        Raises:
            PolicyError: it holds something else; names each problem by its path.
        """
        try:
            found = cls.model_validate_json(text, strict=True)
        except ValidationError as error:
            problems = error.errors(include_url=False, include_input=False)
            said = "; ".join(
                f"{'.'.join(map(str, problem['loc'])) or 'file'}: {problem['msg']}" for problem in problems
            )
            raise PolicyError(f"The policy does not fit: {said}.") from None
        for name in (*found.plans, *found.teams):
            check_name(name)
        return found


def check_name(name: str) -> str:
    """Return *name*, a team's or a plan's.

    Raises:
        PolicyError: it is none.
    """
    if not re.fullmatch(NAME, name):
        raise PolicyError("A team's or a plan's name has 1 to 64 letters, digits, dots, hyphens and underscores.")
    return name


def principal_limits(plan: Plan, team: TeamPolicy) -> dict[str, str]:
    """Return the limits as the authorizer passes them on: text, `none` where there is none. See `limits.Limits.of`."""
    limits: dict[str, Any] = {
        "calls_per_minute": plan.calls_per_minute,
        "tokens_per_month": plan.tokens_per_month,
        "team_key_calls_per_minute": team.key_calls_per_minute,
        "team_key_tokens_per_month": team.key_tokens_per_month,
        "team_calls_per_minute": team.calls_per_minute,
        "team_tokens_per_month": team.tokens_per_month,
    }
    return {name: NO_LIMIT if value is None else str(value) for name, value in limits.items()}
