"""`smart_budget_guard`: what text costs, what the month has, what was spent elsewhere."""

from typing import Any

import pytest

from functions.gateway.smart_budget_guard import SmartBudgetGuard
from functions.gateway.tokens import MAX_RESULT_TOKENS, count_tokens
from governance.audit_table import AuditQuery
from tests.functions.gateway.conftest import Caller, caller_of
from tests.governance.conftest import Clock

TOOL = "smart_budget_guard"


@pytest.fixture
def caller(counters: Any, audit: Any, clock: Clock) -> Caller:
    """A key with 1,000 tokens a month."""
    return caller_of([SmartBudgetGuard()], counters, audit, clock, tokens_per_month="1000")


def test_count_returns_the_tokens_of_a_text(caller: Caller) -> None:
    """GATEWAY.md: the tokenizer is named, and counting costs nothing."""
    text = "How many tokens does this sentence have?"
    counted = caller.answer(TOOL, action="count", text=text)
    assert counted["estimate"] == count_tokens(text)
    assert counted["tokenizer"]
    assert caller.answer(TOOL, action="check")["allowance"] == 1000


def test_count_takes_a_conversation(caller: Caller) -> None:
    """A message costs more than its words."""
    messages = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello!"}]
    assert caller.answer(TOOL, action="count", messages=messages)["estimate"] > count_tokens("Hello.Hello!")


def test_record_books_and_check_says_what_is_left(caller: Caller) -> None:
    """What was booked is part of the month, for the whole of the key."""
    booked = caller.answer(TOOL, action="record", tokens=300, completion_tokens=50)
    assert (booked["estimate"], booked["allowance"], booked["used"]) == (350, 650, 350)
    checked = caller.answer(TOOL, action="check", tokens=651)
    assert (checked["allowance"], checked["fits"], checked["resets_on"]) == (650, False, "2027-01-01")
    assert caller.answer(TOOL, action="check", tokens=650)["fits"] is True


def test_a_limit_of_one_s_own_can_only_be_smaller(caller: Caller) -> None:
    """GATEWAY.md: the effective limit is the smallest."""
    caller.answer(TOOL, action="record", tokens=100)
    assert caller.answer(TOOL, action="check", monthly_limit=150)["allowance"] == 50
    assert caller.answer(TOOL, action="check", monthly_limit=50)["allowance"] == 0
    assert caller.answer(TOOL, action="check", monthly_limit=10**9)["allowance"] == 900


def test_of_what_does_not_fit_as_much_is_booked_as_the_month_holds(caller: Caller) -> None:
    """They are spent: the month is full and not overspent, and what found no room is said."""
    booked = caller.answer(TOOL, action="record", tokens=1200)
    assert (booked["estimate"], booked["unbooked"], booked["allowance"]) == (1000, 200, 0)
    refused = caller.problem(TOOL, action="record", tokens=1)
    assert all(words in refused for words in ("key_tokens_per_month", "nothing was booked", "2027-01-01"))
    charged = [row.tokens_charged for row in caller.audit.find(AuditQuery(team="blue"))]
    assert sorted(charged) == [0, 1000]


def test_check_says_what_another_call_sets_aside(caller: Caller) -> None:
    """With less left a call is refused that costs less in the end: whoever plans must know."""
    checked = caller.answer(TOOL, action="check", tokens=10)
    assert (checked["fits"], checked["set_aside"], checked["call_fits"]) == (True, MAX_RESULT_TOKENS, False)
    assert "set_aside" not in caller.answer(TOOL, action="record", tokens=1)


def test_nothing_fits_into_nothing(caller: Caller) -> None:
    """A month that is spent has no room, not even for an estimate of nothing."""
    assert caller.answer(TOOL, action="check")["fits"] is True
    caller.answer(TOOL, action="record", tokens=1000)
    assert caller.answer(TOOL, action="check")["fits"] is False


def test_a_model_s_usage_is_booked_as_it_is(caller: Caller) -> None:
    """`prompt_tokens` and `completion_tokens` are how it says it; a total beside them is not counted twice."""
    assert caller.answer(TOOL, action="record", prompt_tokens=500, completion_tokens=100)["allowance"] == 400
    assert caller.answer(TOOL, action="record", tokens=7, prompt_tokens=500)["allowance"] == 393


def test_a_message_may_be_in_blocks(caller: Caller) -> None:
    """As hosts keep them: their texts count."""
    blocks = [{"type": "text", "text": "Hello."}, {"type": "image", "data": "x"}]
    counts = [
        caller.answer(TOOL, action="count", messages=[{"role": "user", "content": content}])["estimate"]
        for content in (blocks, "Hello.")
    ]
    assert counts[0] == counts[1]


@pytest.mark.parametrize("tokens", ["300", 300.0])
def test_numbers_that_models_send_as_text_are_booked(caller: Caller, tokens: Any) -> None:
    """HOSTS rule 11: what is reserved is what the mended arguments say."""
    assert caller.answer(TOOL, action="record", tokens=tokens)["allowance"] == 700


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"action": "record"}, "tokens"),
        ({"action": "count"}, "text"),
        ({"action": "check", "team_id": "red"}, "team_id"),
        ({"action": "record", "tokens": -1}, "tokens"),
        ({}, "action"),
    ],
)
def test_what_is_missing_or_foreign_is_named(caller: Caller, arguments: dict[str, Any], word: str) -> None:
    """An error says what is allowed."""
    text = caller.problem(TOOL, **arguments)
    assert text.startswith("Error")
    assert word in text


def test_a_key_without_limit_has_no_allowance(counters: Any, audit: Any, clock: Clock) -> None:
    """An absent member, never null. Source: HOSTS rule 2."""
    checked = caller_of([SmartBudgetGuard()], counters, audit, clock).answer(TOOL, action="check", tokens=5)
    assert "allowance" not in checked
    assert checked["fits"] is True
