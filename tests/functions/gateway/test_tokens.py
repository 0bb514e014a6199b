"""Token counts: exact, offline, in linear time, and cut where they say.

Source: GATEWAY.md, "Tools"; docs/decisions/0040-tokenizer.md.
"""

import random
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functions.gateway.tokens import (
    MAX_RESULT_TOKENS,
    TOKENIZER,
    cap_tokens,
    count_message_tokens,
    count_tokens,
    spend,
    token_ceiling,
    tokenizer_for,
)
from tests.stopwatch import stopped_after

MIB = 1 << 20

COUNTS = [
    ("", 0),
    ("hello world", 2),
    ("tiktoken is great!", 6),
    ("antidisestablishmentarianism", 6),
    ("お誕生日おめでとう", 8),
]
"""Texts and what tiktoken's `o200k_base` counts."""

WORST = {
    "one letter": "a" * MIB,
    "spaces": " " * MIB,
    "line breaks": "\n" * MIB,
    "tabs": "\t" * MIB,
    "full stops": "." * MIB,
    "one emoji": "\U0001f9e0" * (MIB // 4),
    "one ideograph": "\u6f22" * (MIB // 3),
    "combining marks": "a" + "\u0301" * (MIB // 2),
    "random letters": "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=MIB)),  # noqa: S311 -- no secret
}


@pytest.mark.parametrize(("text", "tokens"), COUNTS)
def test_counts_are_those_of_the_vocabulary(text: str, tokens: int) -> None:
    """Another version of the library must not count otherwise."""
    assert count_tokens(text) == tokens


@pytest.mark.parametrize("name", WORST)
def test_a_mebibyte_of_anything_is_counted(name: str) -> None:
    """An attack: byte-pair merging in its simple form takes quadratic time, hours, on one long word."""
    with stopped_after(30):
        tokens = count_tokens(WORST[name])
    assert 0 < tokens <= token_ceiling(len(WORST[name].encode()))


@given(st.text(max_size=300))
def test_no_text_has_more_tokens_than_its_ceiling(text: str) -> None:
    """The ceiling is reserved before a tool runs: a wrong one overspends a month's budget."""
    assert count_tokens(text) <= token_ceiling(len(text.encode()))


@settings(max_examples=300)
@given(st.text(max_size=200), st.integers(0, 60))
def test_a_cut_text_is_within_its_limit_and_is_a_beginning(text: str, limit: int) -> None:
    """HOSTS rule 14: capped, and says so."""
    cut, is_cut = cap_tokens(text, limit)
    assert count_tokens(cut) <= limit
    assert is_cut is (count_tokens(text) > limit)
    beginning, mark, _ = cut.rpartition("\n[truncated: ") if is_cut and "\n[truncated: " in cut else (cut, "", "")
    assert text.startswith(beginning)
    assert is_cut or (cut == text and not mark)


def test_a_long_text_says_that_it_was_cut_and_how_long_it_was() -> None:
    """HOSTS rule 14."""
    cut, is_cut = cap_tokens("word " * 30_000)
    assert is_cut
    assert count_tokens(cut) <= MAX_RESULT_TOKENS
    assert cut.endswith("\n[truncated: the whole text has 30001 tokens]")


def test_a_cut_falls_between_two_characters() -> None:
    """A character of four bytes can be three tokens."""
    for limit in range(12):
        assert "\ufffd" not in cap_tokens("\U0001f9e0" * 20, limit)[0]


def test_a_lone_surrogate_counts_as_the_replacement_character() -> None:
    """It has no bytes; the layer replaces it in arguments, but not in what a tool made of them."""
    assert count_tokens("a\ud800b") == count_tokens("a\ufffdb")
    assert cap_tokens("\ud800" * 50, 3)[1]


def test_special_tokens_in_a_text_count_as_text() -> None:
    """A page that quotes one must neither fail nor count as one token."""
    assert count_tokens("<|endoftext|>") > 1


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (None, "o200k_base"),
        ("gpt-5.2", "o200k_base"),
        ("openai/GPT-4o-mini", "o200k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("text-embedding-3-small", "cl100k_base"),
        ("o3", "o200k_base"),
        ("claude-opus-5", "o200k_base (an estimate for this model)"),
        ("", "o200k_base (an estimate for this model)"),
    ],
)
def test_a_model_has_its_tokenizer_and_an_unknown_one_is_an_estimate(model: str | None, name: str) -> None:
    """Nobody publishes the vocabularies of the others: the result says so."""
    assert tokenizer_for(model).name == name
    assert tokenizer_for(model).count("hello world") == 2


def test_what_is_spent_has_the_four_members_and_saves_nothing_negative() -> None:
    """GATEWAY.md: tokens_saved = max(0, in - out)."""
    assert spend("a b c d", "a b") == {"tokens_in": 4, "tokens_out": 2, "tokens_saved": 2, "tokenizer": TOKENIZER}
    assert spend("a", "a b c")["tokens_saved"] == 0


@pytest.mark.parametrize(
    ("messages", "tokens"),
    [
        ([], 3),
        ([{"role": "user", "content": "hello world"}], 3 + 3 + 1 + 2),
        ([{"role": "user", "content": [{"type": "text", "text": "hello world"}, {"type": "image"}]}], 3 + 3 + 1 + 2),
        ([{"role": "user", "content": None, "tool_calls": [1]}, {}], 3 + 3 + 1 + 3),
    ],
)
def test_messages_cost_their_texts_and_what_the_chat_format_adds(messages: list[dict[str, Any]], tokens: int) -> None:
    """OpenAI cookbook, "How to count tokens": 3 for each message, 3 for the reply."""
    assert count_message_tokens(messages) == tokens


def test_counting_needs_no_network() -> None:
    """The vocabularies are in the package."""
    program = (
        "import sys, socket\n"
        "socket.socket = socket.create_connection = None\n"
        "import functions.gateway.tokens as tokens\n"
        "assert tokens.count_tokens('hello world') == 2\n"
        "print(*({'requests', 'httpx', 'urllib.request', 'numpy'} & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")
