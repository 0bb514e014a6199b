"""`smart_dedup`: the first of each group stays, in order; figures, names and negations are no small change.

Source: GATEWAY.md, "Tools"; docs/decisions/0041-near-duplicates.md.
"""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functions.gateway.near_duplicates import near_duplicates
from functions.gateway.smart_dedup import MAX_TEXTS, MAX_TOTAL_CHARACTERS, SmartDedup
from functions.gateway.tokens import MAX_RESULT_TOKENS, count_tokens
from tests.mcpserver.posts import call_tool
from tests.stopwatch import stopped_after

TOOL = SmartDedup()
FOX = "The quick brown fox jumps over the lazy dog while the farmer is asleep."


def dedup(**arguments: Any) -> Any:
    """Call the tool through a server and return its structured result."""
    result = call_tool(TOOL, arguments)
    assert result["isError"] is False, result
    return result["structuredContent"]


def test_the_first_of_each_group_stays_and_the_others_name_it() -> None:
    """GATEWAY.md: kept, removed with index, duplicate_of and score, texts."""
    found = dedup(texts=[FOX, "Something else.", FOX.upper(), "something  ELSE!", FOX[:-1] + " again."])
    assert found["kept"] == [0, 1]
    assert [(row["index"], row["duplicate_of"]) for row in found["removed"]] == [(2, 0), (3, 1), (4, 0)]
    assert found["removed"][0]["score"] == 1
    assert 0.9 <= found["removed"][2]["score"] < 1
    assert found["texts"] == [FOX, "Something else."]
    assert found["truncated"] is False
    assert found["tokenizer"] == "o200k_base"


@pytest.mark.parametrize(
    ("texts", "kept"), [([], []), (["one"], [0]), ([""], [0]), (["", ""], [0]), (["", "a", " \n", "..."], [0, 1])]
)
def test_few_and_empty_texts_are_no_trouble(texts: list[str], kept: list[int]) -> None:
    """What says nothing repeats what says nothing."""
    assert dedup(texts=texts)["kept"] == kept


def test_threshold_0_keeps_the_first_and_1_removes_only_what_differs_in_form() -> None:
    """The two ends of the range."""
    texts = [FOX, "Nothing in common", FOX.replace(" ", "  ") + "!!", FOX.replace("quick", "slow")]
    assert dedup(texts=texts, threshold=0)["kept"] == [0]
    assert dedup(texts=texts, threshold=1)["kept"] == [0, 1, 3]


def test_arguments_are_repaired() -> None:
    """HOSTS rule 11: models send numbers as text and lists as JSON text."""
    right = dedup(texts=["a b c", "A B C", "7"], threshold=0.8)
    assert dedup(texts='["a b c", "A B C", "7"]', threshold="0.8", toolCallId="x") == right
    assert dedup(texts=["a b c", "A B C", "7"], threshold="") == right


@pytest.mark.parametrize(
    "other",
    [
        "The fee of 300 euros is due on 4 May and is paid back only if the course cannot take place.",
        "The fee of 200 euros is due on 5 May and is paid back only if the course cannot take place.",
        "The fee of 200 euros is not due on 4 May and is paid back only if the course cannot take place.",
        "The fee of 200 euros is due on 4 May and is paid back only if the course can take place.",
    ],
)
def test_another_figure_or_a_negation_is_no_duplicate(other: str) -> None:
    """Our own choice: what states something else must not be lost."""
    text = "The fee of 200 euros is due on 4 May and is paid back only if the course cannot take place."
    assert dedup(texts=[text, other])["kept"] == [0, 1]


@pytest.mark.parametrize("arguments", [{}, {"texts": "no list"}, {"texts": [1, {}]}, {"texts": ["a"], "threshold": 2}])
def test_wrong_arguments_are_an_error_for_the_model(arguments: dict[str, Any]) -> None:
    """A sentence that it can act on, in which none of its values stands."""
    result = call_tool(TOOL, arguments)
    assert result["isError"] is True
    assert result["content"][0]["text"].startswith("Error: ")
    assert TOOL.token_bound(arguments) >= 0


def test_more_than_one_call_may_hold_is_refused_with_the_limit() -> None:
    """Bounded time; the model learns what is allowed."""
    many = call_tool(TOOL, {"texts": ["a"] * (MAX_TEXTS + 1)})["content"][0]["text"]
    long = call_tool(TOOL, {"texts": ["a" * (MAX_TOTAL_CHARACTERS + 1)]})["content"][0]["text"]
    assert str(MAX_TEXTS) in many
    assert str(MAX_TOTAL_CHARACTERS) in long


def test_what_one_result_cannot_hold_is_left_out_of_the_texts_and_it_says_so() -> None:
    """HOSTS rule 14; `kept` is complete, and the caller has the texts."""
    texts = [" ".join(random.Random(number).choices("abcdefgh", k=4_000)) for number in range(30)]  # noqa: S311
    found = dedup(texts=texts, threshold=1)
    assert found["truncated"] is True
    assert found["kept"] == list(range(30))
    assert found["texts"] == texts[: len(found["texts"])]
    assert found["tokens_out"] <= TOOL.token_bound({"texts": texts})


@pytest.mark.parametrize("texts", [["word"] * MAX_TEXTS, [f"{number}" for number in range(MAX_TEXTS)]])
def test_an_answer_is_one_result_whatever_is_removed(texts: list[str]) -> None:
    """HOSTS rule 14: places and rows cost tokens too. What has no row is seen from `kept`, which is complete."""
    result = call_tool(TOOL, {"texts": texts})
    found = result["structuredContent"]
    assert found["truncated"] is (len(found["removed"]) + len(found["texts"]) < MAX_TEXTS)
    assert len(found["removed"]) <= len(texts) - len(found["kept"])
    assert count_tokens(result["content"][0]["text"]) <= MAX_RESULT_TOKENS
    assert found["tokens_out"] <= MAX_RESULT_TOKENS


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=20), st.floats(0, 1))
def test_a_call_costs_no_more_than_is_reserved_for_it(texts: list[str], threshold: float) -> None:
    """GATEWAY.md: an upper bound is reserved. A short call reserves little."""
    result = call_tool(TOOL, {"texts": texts, "threshold": threshold})
    used = max(result["structuredContent"]["tokens_out"], count_tokens(result["content"][0]["text"]))
    assert used <= TOOL.token_bound({"texts": texts}) < MAX_RESULT_TOKENS


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Server A is down.", "Server B is down."),
        ("server a is down", "server b is down"),
        ("The cat is in the box.", "The car is in the box."),
        ("The job ran in region EU without any trouble today.", "The job ran in region US without any trouble today."),
        (
            "Keep the tank at -5 °C through the whole of the night.",
            "Keep the tank at 5 °C through the whole of the night.",
        ),
        ("The time-out is 5 ms unless an operator changes it.", "The time-out is 5 s unless an operator changes it."),
        ("Please pay $20 at noon on Monday.", "Please pay €20 at noon on Monday."),
        ("It needs > 512 MB to start in time.", "It needs < 512 MB to start in time."),
        ("Set the level in config.yaml before the start.", "Set the level in config.json before the start."),
        ("Host db-a is out of space and refuses writes.", "Host db-b is out of space and refuses writes."),
        ("Copy the file from the server.", "Copy the file to the server."),
        ("You may close the door.", "You must close the door."),
        ("The limit is over ten.", "The limit is under ten."),
        ("Deploy it to production now.", "Deploy it to preproduction now."),
        (FOX + " The host is available.", FOX + " The host is unavailable."),
        (FOX, FOX + " At 5."),
        (FOX + " The server is down.", FOX + " The server B is down."),
        ("Use C++ for this part of the code.", "Use C# for this part of the code."),
        ("\u2705 deploy of the web shop", "\u274c deploy of the web shop"),
        ("\u670d\u52a1\u5668A\u5df2\u505c\u673a", "\u670d\u52a1\u5668B\u5df2\u505c\u673a"),
    ],
)
def test_one_word_or_sign_that_matters_is_no_duplicate(first: str, second: str) -> None:
    """A label, a sign, a unit, an identifier: what states something else must not be lost."""
    assert dedup(texts=[first, second])["kept"] == [0, 1]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Server A is down.", "server a is DOWN!"),
        ("The limit is 5 MB.", "The limit is 5MB"),
        ("It costs $ 20 today.", "It costs $20 today."),
        ("A well-known bug in the parser was fixed.", "A well known bug in the parser was fixed."),
        (FOX + " We recieve it today.", FOX + " We receive it today."),
        (FOX + " At 5.", FOX),
        ("Save your work.\nClose the windows.", "1. Save your work.\n2. Close the windows."),
    ],
)
def test_another_form_of_the_same_is_a_duplicate(first: str, second: str) -> None:
    """Case, spaces, hyphens, a typing error."""
    assert dedup(texts=[first, second])["kept"] == [0]


WORDS = st.sampled_from(["the", "fox", "7", "8", "not", "dog", "over", "Berlin", "Paris", "lazy", "open", "closed"])
TEXTS = st.lists(st.one_of(st.text(max_size=30), st.lists(WORDS, max_size=12).map(" ".join)), max_size=12)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.floats(0, 1))
def test_any_texts_are_parted_once_in_order_and_a_second_run_removes_nothing(
    texts: list[str], threshold: float
) -> None:
    """Each index is kept or removed; duplicate_of is kept and comes before; idempotent; deterministic."""
    kept, removed = near_duplicates(texts, threshold)
    assert sorted([*kept, *(row.index for row in removed)]) == list(range(len(texts)))
    assert kept == sorted(kept)
    assert all(row.duplicate_of in kept and row.duplicate_of < row.index for row in removed)
    assert all(threshold <= row.score <= 1 for row in removed)
    assert near_duplicates([texts[index] for index in kept], threshold) == (list(range(len(kept))), [])
    assert near_duplicates(texts, threshold) == (kept, removed)


@pytest.mark.parametrize(("count", "words"), [(MAX_TEXTS, 60), (20, 8_000), (1, 150_000)])
def test_the_largest_inputs_end_soon(count: int, words: int) -> None:
    """The slowest case: nothing is alike, so that each text is compared with each other."""
    source = random.Random(1)  # noqa: S311 -- no secret
    vocabulary = ["".join(source.choices("abcdefghijklmnop", k=5)) for _ in range(3_000)]
    texts = [" ".join(source.choices(vocabulary, k=words)) for _ in range(count)]
    with stopped_after(30):
        kept, removed = near_duplicates(texts, 0.9)
    assert len(kept) + len(removed) == count


def test_lines_that_are_all_alike_and_all_say_something_else_end_soon() -> None:
    """A log: each pair passes the quick look and needs the long one."""
    line = " ".join(random.Random(2).choices(["abcdefghijklmn", "opqrstuvwxyzab", "cdefghijklmnop"], k=12))  # noqa: S311
    with stopped_after(30):
        kept, _ = near_duplicates([f"{line} {number}" for number in range(MAX_TEXTS)], 0.9)
    assert len(kept) == MAX_TEXTS


@pytest.mark.parametrize("unit", ["](", "$1.", "a-", "1,", "a A ", "< "])
def test_hostile_texts_are_read_soon(unit: str) -> None:
    """No expression goes back and forth over a text of a million characters."""
    with stopped_after(30):
        near_duplicates([unit * (MAX_TOTAL_CHARACTERS // len(unit))], 0.9)
