"""Plans and team policies: a file of them is read whole or not at all."""

import pytest

from governance.errors import PolicyError
from governance.policies import FREE, NOTHING, Plan, PolicyFile, TeamPolicy, check_name, principal_limits


def test_a_policy_file_holds_plans_and_teams() -> None:
    """What is absent is no limit."""
    policy = PolicyFile.parse('{"plans": {"pro": {"calls_per_minute": 600}}, "teams": {"me": {"tokens_per_month": 5}}}')
    assert policy.plans == {"pro": Plan(calls_per_minute=600)}
    assert policy.teams == {"me": TeamPolicy(tokens_per_month=5)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "file"),
        ('{"plans": {"pro": {"calls": 1}}}', "plans.pro.calls"),
        ('{"plans": {"pro": {"calls_per_minute": -1}}}', "plans.pro.calls_per_minute"),
        ('{"plans": {"pro": {"calls_per_minute": true}}}', "plans.pro.calls_per_minute"),
        ('{"plans": {"pro": {"calls_per_minute": "120"}}}', "plans.pro.calls_per_minute"),
        ('{"teams": {"a b": {}}}', "letters"),
        ('{"keys": {}}', "keys"),
    ],
)
def test_a_policy_file_that_does_not_fit_says_where(text: str, words: str) -> None:
    """Nothing of it is stored."""
    with pytest.raises(PolicyError, match=words):
        PolicyFile.parse(text)


@pytest.mark.parametrize("name", ["", "-a", "a b", "a#b", "a\n", "é", "x" * 65])
def test_a_name_that_could_mean_something_else_is_refused(name: str) -> None:
    """Names are part of the tables' keys."""
    with pytest.raises(PolicyError):
        check_name(name)


def test_limits_are_passed_on_as_text_and_zero_is_one() -> None:
    """API Gateway's context holds text."""
    passed = principal_limits(FREE, TeamPolicy(calls_per_minute=0))
    assert (passed["calls_per_minute"], passed["team_calls_per_minute"], passed["team_tokens_per_month"]) == (
        "120",
        "0",
        "none",
    )
    assert principal_limits(NOTHING, TeamPolicy())["calls_per_minute"] == "0"
