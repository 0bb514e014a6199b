"""`smart_context_gate`: within its ratio, word for word, in order, always the same, in bounded time.

Source: GATEWAY.md, "Tools"; HOSTS rules 11 to 14.
"""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functions.gateway.extract import WHOLE_TOKENS, budget_of, extract
from functions.gateway.passages import passages_of
from functions.gateway.smart_context_gate import SmartContextGate
from functions.gateway.tokens import MAX_RESULT_CHARACTERS, MAX_RESULT_TOKENS, count_tokens
from mcpserver.content import MAX_TEXT_CHARACTERS
from tests.governance.conftest import ROOT
from tests.mcpserver.posts import call_tool
from tests.stopwatch import stopped_after

TOOL = SmartContextGate()
LARGE = 1 << 18
"""Bytes: work that grows with the square would take hours already."""

NOTES = """# Notes

Nice weather today. We had coffee and talked about nothing in particular.

## Release

The team decided to ship on 12 June. Everybody was in a good mood, as always.

## Money

The budget is capped at 9,000 euros. Lunch was good.
"""

WORST = {
    "one letter": "a" * LARGE,
    "spaces": " " * LARGE,
    "line breaks": "\n" * LARGE,
    "full stops": "." * LARGE,
    "short sentences": "A b. " * (LARGE // 5),
    "short lines": "- a\n" * (LARGE // 4),
    "short paragraphs": "a\n\n" * (LARGE // 3),
    "fences": "```\n" * (LARGE // 4),
    "headings": "# a\n" * (LARGE // 4),
    "pipes": "|" * LARGE,
    "brackets": "[{(" * (LARGE // 3),
    "one ideograph": "\u6f22" * (LARGE // 3),
    "ideographs and stops": "\u6f22\u5b57\u3002" * (LARGE // 9),
    "quotes": "'\"" * (LARGE // 2),
    "ticks": "`" * LARGE,
    "underscores": "a_" * (LARGE // 2),
    "digits": "1" * LARGE,
    "numbers": "1.2," * (LARGE // 4),
    "capitals": "Aa, Bb " * (LARGE // 7),
    "indentation": "".join(f"{' ' * (number % 400)}x{number}\n" for number in range(5_000)),
    "random words": " ".join(
        "".join(random.Random(number).choices("abcdefghijklmno", k=6))  # noqa: S311 -- no secret
        for number in range(LARGE // 7)
    ),
    "prose": ("The council decided on Monday to close the ferry. Nobody was surprised, it said.\n" * (LARGE // 80)),
}


def gate(**arguments: Any) -> Any:
    """Call the tool through a server and return its structured result."""
    result = call_tool(TOOL, arguments)
    assert result["isError"] is False, result
    return result["structuredContent"]


def in_order(kept: str, text: str) -> bool:
    """Tell whether *kept* is *text* with something left out, white space aside."""
    characters = iter("".join(text.split()))
    return all(character in characters for character in "".join(kept.split()))


def test_what_serves_the_purpose_stays_under_its_heading() -> None:
    """GATEWAY.md: keeps what serves `purpose`."""
    found = gate(text=NOTES, ratio=0.4, purpose="release date")
    assert "## Release" in found["text"]
    assert "The team decided to ship on 12 June." in found["text"]
    assert "coffee" not in found["text"]
    assert found["dropped"] > 0
    assert found["truncated"] is False


def test_the_result_has_every_member_that_it_promises() -> None:
    """GATEWAY.md: text, ratio achieved, dropped, and what it saved."""
    found = gate(text=NOTES)
    assert found["tokens_in"] == count_tokens(NOTES)
    assert found["tokens_out"] == count_tokens(found["text"])
    assert found["tokens_saved"] == found["tokens_in"] - found["tokens_out"]
    assert found["tokenizer"] == "o200k_base"
    assert found["ratio"] <= 0.5
    assert found["ratio"] == pytest.approx(found["tokens_out"] / found["tokens_in"], abs=1e-3)


def test_arguments_are_repaired_and_noise_is_ignored() -> None:
    """HOSTS rule 11."""
    right = gate(text=NOTES, ratio=0.4)
    assert gate(text=NOTES, ratio="0.4", purpose="null", wait_for_previous=True) == right
    assert gate(text=NOTES, ratio=0.4, purpose="") == right


@pytest.mark.parametrize("ratio", [0, 0.05, 0.95, 1, "half"])
def test_a_ratio_out_of_range_is_an_error_for_the_model(ratio: Any) -> None:
    """GATEWAY.md: 0.1 to 0.9."""
    result = call_tool(TOOL, {"text": NOTES, "ratio": ratio})
    assert result["isError"] is True
    assert "ratio" in result["content"][0]["text"]


@pytest.mark.parametrize("text", ["", " ", "\n\n\n"])
def test_a_text_of_nothing_stays_nothing(text: str) -> None:
    """Nothing to keep, nothing to leave out."""
    found = gate(text=text)
    assert (found["text"], found["dropped"], found["truncated"]) == ("", 0, False)


@pytest.mark.parametrize("ratio", [0.1, 0.5, 0.9])
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Restart the server at noon.", "Restart the server at noon."),
        ("restart the server at noon", "restart the server at noon"),
        ("- Restart the server at noon", "- Restart the server at noon"),
        ("https://example.com/a/very/long/path?with=many&parameters=in&it", None),
        ("kubectl rollout restart deployment/web --namespace production", None),
        ("服务器将在明天中午重新启动。", None),
        ("# Maintenance\n\nRestart the server at noon.", "Restart the server at noon."),
    ],
)
def test_a_short_text_s_sentence_is_never_torn_apart(text: str, kept: str | None, ratio: float) -> None:
    """Without its end it says something else; the true ratio is told. A heading alone says nothing."""
    found = gate(text=text, ratio=ratio)
    assert (kept or text) in found["text"]
    assert found["truncated"] is False
    assert found["ratio"] == pytest.approx(found["tokens_out"] / found["tokens_in"], abs=1e-3)
    assert found["tokens_out"] <= TOOL.token_bound({"text": text, "ratio": ratio})


def test_of_two_sentences_that_both_pass_the_ratio_the_better_stays_whole() -> None:
    """And the other is counted as left out."""
    found = gate(text="Lunch was good. The server restarts at 12:30 on 4 May.", ratio=0.3, purpose="server restart")
    assert (found["text"], found["dropped"]) == ("The server restarts at 12:30 on 4 May.", 1)


def test_one_sentence_that_is_too_long_is_cut_and_says_so() -> None:
    """Never over the ratio, where no whole sentence fits and each is long."""
    found = gate(text="This single sentence goes on about its subject for quite a while without an end " * 8, ratio=0.3)
    assert found["truncated"] is True
    assert "This single sentence".startswith(found["text"][:20])
    assert 0 < found["ratio"] <= 0.3


def test_a_text_that_would_fill_more_than_one_result_is_held_to_one_and_says_so() -> None:
    """HOSTS rule 14; the best passages are chosen for that size, the end is not cut off."""
    body = "".join(f"Remark {number} is about nothing at all, really. " for number in range(20_000))
    found = gate(text=body + "The deadline is 4 May.", ratio=0.9, purpose="deadline")
    assert found["truncated"] is True
    assert found["tokens_out"] <= MAX_RESULT_TOKENS
    assert found["text"].endswith("The deadline is 4 May.")
    assert len(call_tool(TOOL, {"text": body, "ratio": 0.9})["content"][0]["text"]) <= MAX_TEXT_CHARACTERS


def test_a_code_block_keeps_its_fences_and_a_table_its_head() -> None:
    """A half-open fence would turn the rest of the conversation into code."""
    text = "Words.\n\n```python\nlimit = 5\n" + "x = 1\n" * 30 + "```\n\n| name | port |\n|---|---|\n| web | 8080 |\n"
    text += "| mail | 25 |\n" * 20
    found = gate(text=text, ratio=0.4, purpose="limit and the port of web")["text"]
    assert found.count("```") == 2
    assert found.index("```python") < found.index("limit = 5")
    assert found.index("| name | port |") < found.index("| web | 8080 |")


def test_a_word_of_a_million_letters_is_no_purpose() -> None:
    """It is compared with nothing."""
    text = "\n".join(f"word{number} {'x' * 300}" for number in range(1_000))
    with stopped_after(30):
        assert gate(text=text, purpose="x" * 2_000, ratio=0.1)["ratio"] <= 0.1
    assert call_tool(TOOL, {"text": text, "purpose": "x" * 2_001})["isError"] is True


@pytest.mark.parametrize("word", [" suspended", " antidisestablishmentarianism", "  x"])
def test_nothing_costs_more_than_the_whole(word: str) -> None:
    """GATEWAY.md: tokens_saved = max(0, in - out)."""
    found = gate(text=word)
    assert (found["tokens_saved"] >= 0, found["ratio"] <= 1) == (True, True)


def test_one_endless_word_is_cut_to_what_a_result_holds() -> None:
    """Spaces cost few tokens: the limit of characters counts too, and the two forms of the answer stay the same."""
    result = call_tool(TOOL, {"text": "a" + " " * 400_000 + "b", "ratio": 0.9})
    assert len(result["structuredContent"]["text"]) <= MAX_RESULT_CHARACTERS
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


@pytest.mark.parametrize("ratio", [0.1, 0.2, 0.3, 0.5, 0.7])
@pytest.mark.parametrize("name", ["docs/operating.md", "docs/writing-a-tool.md", "README.md"])
def test_no_code_block_is_left_open_or_empty(name: str, ratio: float) -> None:
    """Where there is no room for both fences, the lines stand without."""
    text = (ROOT / name).read_text("utf-8")
    for purpose in ("how do I rotate a key", "which tool", ""):
        found = gate(text=text, ratio=ratio, purpose=purpose)["text"]
        lines = [line for line in found.splitlines() if line.strip()]
        fences = [at for at, line in enumerate(lines) if line.startswith("```")]
        assert len(fences) % 2 == 0
        assert all(second > first + 1 for first, second in zip(fences[::2], fences[1::2], strict=True))


@pytest.mark.parametrize(
    ("text", "purpose", "kept"),
    [
        ("天气很好。大家喝茶。会议决定六月二十日发布。午饭好吃。谢谢大家。", "发布日期", "会议决定六月二十日发布。"),
        ("今日は晴れです。締め切りは九月五日です。お茶を飲みました。", "締め切り", "締め切りは九月五日です。"),
        (
            "Wir aßen viel Kuchen und tranken Kaffee. Die Kündigungsfrist beträgt z. B. drei Monate. Es war schön.",
            "Kündigung",
            "drei Monate.",
        ),
    ],
)
def test_scripts_without_spaces_and_joined_words_are_understood(text: str, purpose: str, kept: str) -> None:
    """A sentence ends without a space there, and a German word holds others."""
    assert kept in gate(text=text, ratio=0.6, purpose=purpose)["text"]


TEXTS = st.one_of(
    st.text(max_size=400),
    st.lists(
        st.sampled_from(
            [
                "The plan is due on 3 May. ",
                "Nice. ",
                "\n",
                "\n\n",
                "# Head\n",
                "- item\n",
                "```\n",
                "| a | b |\n",
                "\u6f22\u3002",
                "x = 1\n",
                "\t",
                "    in\n",
            ]
        ),
        max_size=60,
    ).map("".join),
)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.floats(0.1, 0.9), st.sampled_from(["", "plan", "when is it due?"]))
def test_any_text_is_shortened_within_its_ratio_in_order_and_always_alike(
    text: str, ratio: float, purpose: str
) -> None:
    """Extractive, deterministic, order kept, never over the budget but for one short passage."""
    budget = budget_of(count_tokens(text), ratio)
    found = extract(text, budget, purpose)
    assert found == extract(text, budget, purpose)
    assert found.tokens == count_tokens(found.text)
    assert found.tokens <= budget or (found.tokens <= WHOLE_TOKENS and found.dropped == len(passages_of(text)) - 1)
    if not found.is_cut:
        assert in_order(found.text, text)


@pytest.mark.parametrize("name", WORST)
def test_a_large_text_of_anything_ends_within_its_budget(name: str) -> None:
    """An attack: in quadratic time one request would hold the function for hours."""
    with stopped_after(30):
        found = extract(WORST[name], 5_000, "when was the ferry closed?")
    assert found.tokens <= 5_000


@pytest.mark.parametrize(
    "arguments", [{}, {"text": None}, {"text": 5}, {"text": "\ud800 x"}, {"text": NOTES, "ratio": "x"}]
)
def test_the_bound_to_reserve_never_raises_and_is_never_too_small(arguments: dict[str, Any]) -> None:
    """It gets the raw arguments, before anything has looked at them."""
    bound = TOOL.token_bound(arguments)
    assert 0 <= bound <= MAX_RESULT_TOKENS
    result = call_tool(TOOL, arguments)
    if not result["isError"]:
        assert result["structuredContent"]["tokens_out"] <= bound
