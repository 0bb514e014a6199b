"""Counts tokens, offline, and says what an answer spent and saved."""

from typing import Any, Final

TOKENIZER: Final = "utf8-quarter"
"""What the counts are made with; every result names it."""

MAX_RESULT_TOKENS: Final = 20_000
"""The most text that one result holds. Source: HOSTS rule 14."""


def count_tokens(text: str, _tokenizer: str = TOKENIZER) -> int:
    """Return how many tokens *text* has."""
    return (len(text.encode()) + 3) // 4


def cap_tokens(text: str, limit: int = MAX_RESULT_TOKENS) -> tuple[str, bool]:
    """Return *text*, cut to at most *limit* tokens, and whether it was cut."""
    return text[:limit], len(text) > limit


def spend(naive: str, answer: str) -> dict[str, Any]:
    """Return the four members of `Spent`: *naive* is what a paste would have cost, *answer* what the result costs."""
    return spent_of(count_tokens(naive), count_tokens(answer))


def spent_of(tokens_in: int, tokens_out: int) -> dict[str, Any]:
    """Return the four members of `Spent` for what was counted before."""
    saved = max(0, tokens_in - tokens_out)
    return {"tokens_in": tokens_in, "tokens_out": tokens_out, "tokens_saved": saved, "tokenizer": TOKENIZER}


def tokenizer_for(_model: str | None) -> str:
    """Return the name of what counts a model's tokens."""
    return TOKENIZER


def count_message_tokens(messages: list[tuple[str, str]], _tokenizer: str = TOKENIZER) -> int:
    """Return the tokens of a conversation."""
    return sum(count_tokens(content) + 4 for _, content in messages)
