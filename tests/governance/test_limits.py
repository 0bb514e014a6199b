"""The decision: pure, for every combination."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.limits import Limits, Usage, Wall, find_wall, tokens_left
from governance.policies import Plan, TeamPolicy, principal_limits

COUNTS = st.integers(0, 200)
MAYBE = st.none() | COUNTS


NONE = principal_limits(Plan(), TeamPolicy())
"""What the authorizer says of a key without any limit."""


def test_a_limit_is_the_smaller_of_plan_and_team_policy() -> None:
    """GATEWAY.md: computed each time; the authorizer sends both, `none` where there is none."""
    said = {
        "calls_per_minute": "120",
        "team_key_calls_per_minute": "60",
        "tokens_per_month": "100",
        "team_calls_per_minute": "200",
    }
    assert Limits.of({**NONE, **said}) == Limits(key_calls=60, team_calls=200, key_tokens=100, team_tokens=None)


def test_a_zero_is_a_limit_and_nothing_is_none() -> None:
    """A team whose policy says 0 may not call at all."""
    assert Limits.of({**NONE, "team_calls_per_minute": "0"}).team_calls == 0
    assert Limits.of(NONE) == Limits()


@pytest.mark.parametrize("name", NONE)
def test_a_limit_that_nobody_speaks_of_lets_nobody_in(name: str) -> None:
    """Fails closed: another authorizer in the place of ours must not mean no limits."""
    with pytest.raises(KeyError):
        Limits.of({other: said for other, said in NONE.items() if other != name})


def test_what_is_no_number_is_no_limit_but_an_error() -> None:
    """Fails closed: a call whose limits cannot be read is not made."""
    with pytest.raises(ValueError, match="invalid literal"):
        Limits.of({**NONE, "calls_per_minute": "many"})


@given(st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS), st.builds(Limits, MAYBE, MAYBE, MAYBE, MAYBE), MAYBE)
def test_a_call_passes_if_and_only_if_no_limit_is_then_exceeded(
    usage: Usage, limits: Limits, tokens: int | None
) -> None:
    """The definition of a limit, for every state."""
    used = (usage.key_calls + 1, usage.team_calls + 1)
    spent = (
        (usage.key_tokens, usage.team_tokens)
        if tokens is None
        else (usage.key_tokens + tokens, usage.team_tokens + tokens)
    )
    over = [
        wall
        for wall, count in zip(Wall, (*used, *spent), strict=True)
        if not (wall.is_of_tokens and tokens is None) and (limit := limits.of_wall(wall)) is not None and count > limit
    ]
    assert find_wall(usage, limits, tokens=tokens) == (over[0] if over else None)


def test_what_is_left_is_the_smaller_rest_and_never_negative() -> None:
    """A limit may have been lowered since."""
    assert tokens_left(Usage(key_tokens=10, team_tokens=95), Limits(key_tokens=50, team_tokens=100)) == 5
    assert tokens_left(Usage(key_tokens=60), Limits(key_tokens=50)) == 0
    assert tokens_left(Usage(), Limits()) is None
