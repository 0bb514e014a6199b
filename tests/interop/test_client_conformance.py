"""How a run of the suite's client scenarios is judged."""

from tests.interop.client_conformance import Scenario, problems_of, read_reasons, read_scenarios

OUTPUT = "=== SUITE SUMMARY ===\n\n✓ tools_call: 2 passed, 0 failed\n✗ auth/dpop: 0 passed, 3 failed\n"


def test_scenarios_are_read_from_the_summary() -> None:
    """As release 0.2.0-alpha.12 prints them."""
    assert read_scenarios(OUTPUT) == [Scenario("tools_call", True, 2), Scenario("auth/dpop", False, 0)]  # noqa: FBT003


def test_a_surprise_in_either_direction_is_a_problem() -> None:
    """A list of expected failures rots where what passes may stay on it."""
    scenarios = read_scenarios(OUTPUT)
    assert problems_of(scenarios, {"auth/dpop": "why"}) == []
    assert len(problems_of(scenarios, {})) == 1
    assert len(problems_of(scenarios, {"auth/dpop": "why", "tools_call": "why"})) == 1
    assert problems_of([], {}) == ["no scenario passed"]


def test_every_expected_failure_has_its_reason() -> None:
    """Issue 4."""
    reasons = read_reasons()
    assert reasons
    assert all(len(reason) > 30 for reason in reasons.values())
