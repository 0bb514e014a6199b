"""A short, fixed run of each strategy; the long one is `make fuzz`.

Source: issue 3, item 5.
"""

import json

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.fuzz import invariants
from tests.fuzz.messages import HANDSHAKE_MESSAGES, MODERN_MESSAGES
from tests.fuzz.strategies import STRATEGIES
from tests.fuzz.values import CANARY


@pytest.mark.parametrize("name", STRATEGIES)
def test_no_input_breaks_an_invariant(name: str) -> None:
    """Never an exception, never a 5xx, one answer per request, of its version, without nulls and echoes."""

    @settings(
        max_examples=300,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
    @given(data=st.data())
    def examine(data: st.DataObject) -> None:
        invariants.check(*data.draw(STRATEGIES[name]))

    examine()


def test_the_canary_is_in_nothing_that_we_say() -> None:
    """An answer that holds it repeats the input."""
    assert CANARY not in json.dumps(HANDSHAKE_MESSAGES + MODERN_MESSAGES)
